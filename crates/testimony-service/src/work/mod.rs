//! What is done after an answer has left: durable jobs, the embedders that they need, and how all of it stands.
//!
//! What becomes of a job is decided by a function of values, in [`next`](fn@next).
//! A [`Worker`] carries it out one step at a time; a [`Crew`] is threads that call it.
//! A job is in the ledger until it is done, and is taken by lease, so that one whose worker is gone is done by another.
//!
//! What runs out by itself is no job: rows say when their time is over, and the worker has
//! [`Upkeep`](crate::upkeep::Upkeep) look after that between two jobs.

mod compare;
mod crew;
mod distill;
mod embed;
mod embedders;
mod handler;
mod health;
mod next;
mod reembed;
mod worker;

pub use compare::Compare;
pub use crew::Crew;
pub use distill::Distill;
pub use embed::Embed;
pub use embedders::Embedders;
pub use handler::{Handler, Readiness, Shift};
pub use health::{Dependency, dependencies, of_index, overall};
pub use next::{MOST_ATTEMPTS, Outcome, given_up, next};
pub use reembed::{Reembed, Reembedding, order_reembedding};
pub(crate) use worker::service_act;
pub use worker::{Step, WorkRules, Worker};
