//! Comparing with memory banks elsewhere: which bank is asked for which container, what it is told, and what is left of
//! its answer once it has been read with suspicion.
//!
//! A bank decides nothing here. It is told redacted words of rows that are nobody's own ([`mod@sent`]); what it says goes
//! through admission as a document that somebody found, and is held against the row ([`mod@hold`]). What came of it is
//! kept beside the row like a judgment ([`mod@kept`]), shown in its case report, and goes with it.

mod compare;
mod enrolled;
mod hold;
mod kept;
mod sent;

pub use enrolled::{Banks, BanksError, MOST_BANKS};

pub(crate) use compare::NotCompared;
pub(crate) use kept::comparisons;
pub(crate) use sent::queue_comparison;
