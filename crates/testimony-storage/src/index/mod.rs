//! The index: words in tantivy, meanings in vectors, and what decides about a row in memory beside them.
//!
//! [`HybridIndex`] follows the ledger and answers from what it has taken in.
//! Three things hold for every search:
//!
//! - **Nothing foreign shows.** Who may know of a row is decided first, by the domain's own rule; statistics are counted
//!   over those rows alone, in whole numbers and in the order of the question.
//! - **Nothing ineligible takes room.** Filters, standings and times are checked before anything is cut.
//! - **A row counts from the moment it is committed.** Rows that tantivy has not got yet are scored by the same formula.
//!
//! All of it can be thrown away: it is built again from a [`Replay`].

mod best;
mod bm25;
mod eligible;
mod floors;
mod follow;
#[cfg(feature = "hnsw")]
mod graph;
#[cfg(not(feature = "hnsw"))]
#[path = "no_graph.rs"]
mod graph;
mod graphs;
mod hybrid;
mod interner;
mod inventory;
mod kernel;
mod meaning;
mod order;
mod place;
mod postings;
mod replay;
mod room;
mod rooms;
mod rows;
mod scan;
mod search;
mod sketch;
mod snapshot;
#[cfg(feature = "tantivy")]
mod store;
#[cfg(not(feature = "tantivy"))]
#[path = "no_tantivy.rs"]
mod store;
mod tail;
mod talk;
mod terms;
pub mod tokens;
mod vectors;
mod ways;
mod words;

pub use hybrid::{GraphsBuilt, HybridIndex, Options};
pub use inventory::{Holding, Inventory};
pub use replay::{LedgerReplay, Replay};
