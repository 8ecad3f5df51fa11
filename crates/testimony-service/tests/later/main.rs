//! What is done later and what time does, on the real ledger, with a clock that the test moves.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

mod crew;
mod embed;
mod reembed;
mod searched;
mod support;
mod upkeep;
mod upkeep_property;
mod worker;
