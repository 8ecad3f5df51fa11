//! Jobs: which are wanted, and how each stands.

use serde_json::{Map, Value, json};
use testimony_domain::{ContainerTag, JobId};
use testimony_service::oversight::JobsRequest;
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::jobs::{Job, JobKind, JobState};

use super::NEXT;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table, label};
use crate::wire::page::{self, PAGE};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

/// Which jobs are wanted.
#[rustfmt::skip]
pub const LIST: Table = &[
    &[
        Field::new("state", Kind::Word(JobState::WORDS), "Jobs in this state.").or(|| JobState::Dead.as_str().into()),
        Field::new("kind", Kind::Word(JobKind::WORDS), "Only jobs of this kind."),
        Field::new("container_tag", label!(ContainerTag), "Only jobs in this container."),
    ],
    PAGE,
];

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

/// A part of the list of jobs.
pub const JOBS: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(JOB)),
        "Jobs in the order in which they were queued.",
    ),
    NEXT,
];

#[rustfmt::skip]
const COUNT: &[Member] = &[
    Member::new("kind", Shape::Word(JobKind::WORDS), "What they do."),
    Member::new("state", Shape::Word(JobState::WORDS), "How they stand."),
    Member::new("jobs", Shape::Whole, "How many."),
];

/// How many jobs there are of each kind and state.
pub(crate) const COUNTS: Shape = Shape::List(&Shape::Object(COUNT));

/// How many jobs there are.
pub const CENSUS: &[Member] = &[
    Member::new("items", COUNTS, "How many of each kind and state."),
    NEXT,
];

/// Reads which jobs are wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<JobsRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let state = object.read("state", &mut log, JobState::parse);
    let request = JobsRequest {
        state: state.unwrap_or(JobState::Dead),
        kind: object.read("kind", &mut log, JobKind::parse),
        container: object.read("container_tag", &mut log, ContainerTag::new),
        page: page::page(&object, &mut log, |_, text| text.parse::<JobId>()),
    };
    log.end(request).map(|(request, _)| request)
}

/// A part of the list of jobs.
#[must_use]
pub fn listed(jobs: &[Job], page: &Page<JobId>) -> Value {
    page::sent(jobs.iter().map(job), page, jobs.last().map(|job| job.id))
}

/// How many jobs there are of each kind and state.
#[must_use]
pub fn counts(census: &[(JobKind, JobState, u64)]) -> Value {
    let counts = census.iter();
    counts
        .map(|(kind, state, jobs)| json!({ "kind": kind.as_str(), "state": state.as_str(), "jobs": jobs }))
        .collect()
}

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
