//! Jobs: which are wanted, and how each stands.

use serde_json::{Value, json};
use testimony_service::ports::ledger::jobs::{Job, JobKind, JobState};

use crate::wire::shape::{Member, Shape};

/// A job.
#[rustfmt::skip]
pub const JOB: &[Member] = &[
    Member::new("id", Shape::Id("job"), "Its id."),
    Member::new("kind", Shape::Word(JobKind::WORDS), "What it does."),
    Member::new("container_tag", Shape::Text, "In which container."),
    Member::new("memory_id", Shape::Maybe(&Shape::Id("mem")), "To which memory."),
    Member::new("state", Shape::Word(JobState::WORDS), "How it stands."),
    Member::new("attempts", Shape::Whole, "How often it was tried."),
    Member::new("not_before", Shape::Time, "Not to be tried before; while somebody is at it, when that ends."),
    Member::new("failure", Shape::Maybe(&Shape::Text), "Why it failed last."),
    Member::new("queued_at", Shape::Time, "When it was queued."),
];

/// A job.
#[must_use]
pub fn job(job: &Job) -> Value {
    json!({
        "id": job.id.to_string(),
        "kind": job.kind.as_str(),
        "container_tag": job.container.as_str(),
        "memory_id": job.memory.map(|id| id.to_string()),
        "state": job.state.as_str(),
        "attempts": job.attempts,
        "not_before": job.not_before.to_string(),
        "failure": job.failure,
        "queued_at": job.queued_at.to_string(),
    })
}
