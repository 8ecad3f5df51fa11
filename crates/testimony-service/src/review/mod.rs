//! Review: what waits for a person, and what becomes of it when the person decides.
//!
//! A decision is an event of the lifecycle table, with what follows for the rows on the other side of a conflict.

mod carry_out;
mod decision;
mod queue;

pub use decision::{Decided, Decision};
pub use queue::{CaseLine, QueueRequest};
