//! Moving memory: an export of our own that another ledger takes in without loss, and items read from what other services
//! export.
//!
//! An export is lines of JSON: a header, then containers, evidence, memories with their whole history, and what holds them
//! together, in an order in which nothing refers to what comes later.
//! Whatever comes in passes admission again, row by row: what an export says of itself is not believed where it matters.
//! What was erased does not travel, and neither do keys, vectors, receipts or the trail.

mod export;
mod foreign;
mod import;
mod lines;
mod parse;
pub mod readers;
mod recheck;

pub use export::{ExportPage, ExportRequest, FORMAT, VERSION};
pub use foreign::{ForeignAnswer, ForeignLine, ForeignOutcome, ForeignRequest};
pub use import::{ImportAnswer, ImportLine, ImportRequest, TakenIn};
