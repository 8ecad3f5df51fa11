//! Review: what waits for a person, and what becomes of it when the person decides.
//!
//! A decision is an event of the lifecycle table, with what follows for the rows on the other side of a conflict.

mod bench;
mod carry_out;
mod conflict;
mod decision;
mod held;
mod queue;
mod sight;
mod waiting;

pub use carry_out::{Alike, MOST_AT_ONCE};
pub use decision::{Decided, Decision};
pub use queue::{CaseGroup, CaseGroups, CaseLine, CaseState, QueueRequest};
pub use waiting::{WaitingGroup, WaitingGroups};
