//! The durable queue of jobs.

use rusqlite::params;
use testimony_domain::{ContainerTag, JobId, MemoryId, Timestamp};
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState, Reads, Writes};
use testimony_service::ports::ledger::memories::instant_as_kept;
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed, failed_insert};
use super::rows::{Cols, Id, count, id_column, int_column, maybe_bytes, micros};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

macro_rules! job_columns {
    () => {
        "id, kind, container, memory, state, attempts, not_before, failure, queued_at"
    };
}

pub(crate) const DUE: &str = concat!(
    "SELECT ",
    job_columns!(),
    " FROM jobs WHERE kind = ? AND state IN ('queued', 'leased') AND not_before <= ? ORDER BY not_before, ord LIMIT ?"
);
pub(crate) const NEXT_DUE: &str =
    "SELECT min(not_before) FROM jobs WHERE kind = ? AND state IN ('queued', 'leased')";
pub(crate) const LAPSED: &str = "SELECT ord FROM jobs WHERE kind = ? AND state IN ('queued', 'leased') \
     AND not_before <= ? AND state = 'leased' LIMIT ?";
pub(crate) const DONE_BEFORE: &str =
    "SELECT ord FROM jobs WHERE state = 'done' AND not_before < ? ORDER BY not_before LIMIT ?";
pub(crate) const OF_MEMORY: &str = concat!(
    "SELECT ",
    job_columns!(),
    " FROM jobs WHERE memory = ? AND memory IS NOT NULL AND state IN ('queued', 'leased') ORDER BY ord"
);
pub(crate) const IN_STATE: &str = concat!(
    "SELECT ",
    job_columns!(),
    " FROM jobs WHERE state = ?1 AND ord > coalesce((SELECT ord FROM jobs WHERE id = ?2), 0) ORDER BY ord LIMIT ?3"
);

pub(crate) const OPEN: &str = "SELECT kind, state, count(*) FROM jobs WHERE state IN ('queued', 'leased', 'dead') \
     AND container = ? GROUP BY kind, state";

fn counted(c: &mut Cols<'_, '_>) -> Result<(JobKind, JobState, u64), LedgerError> {
    Ok((
        c.word(JobKind::parse)?,
        c.word(JobState::parse)?,
        c.count()?,
    ))
}

fn job(c: &mut Cols<'_, '_>) -> Result<Job, LedgerError> {
    Ok(Job {
        id: c.id()?,
        kind: c.word(JobKind::parse)?,
        container: c.word(ContainerTag::new)?,
        memory: c.maybe_id()?,
        state: c.word(JobState::parse)?,
        attempts: c.count()?,
        not_before: c.time()?,
        failure: c.maybe_text()?.map(str::to_owned),
        queued_at: c.time()?,
    })
}

fn maybe_due(c: &mut Cols<'_, '_>) -> Result<Option<Timestamp>, LedgerError> {
    c.maybe_time()
}

impl<S: Source> Reads for Tx<S> {
    fn job(&self, id: JobId) -> Result<Option<Job>, LedgerError> {
        const SQL: &str = concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = ?");
        query::one(self.conn(), "jobs", SQL, [id.bytes()], job)
    }

    fn jobs(&self, state: JobState, page: Page<JobId>) -> Result<Vec<Job>, LedgerError> {
        let bound = params![state.as_str(), page.after.map(Id::bytes), count(page.limit)];
        query::all(self.conn(), "jobs", IN_STATE, bound, job)
    }

    fn jobs_of(&self, memory: MemoryId) -> Result<Vec<Job>, LedgerError> {
        query::all(self.conn(), "jobs", OF_MEMORY, [memory.bytes()], job)
    }

    fn next_due(&self, kind: JobKind) -> Result<Option<Timestamp>, LedgerError> {
        let bound = [kind.as_str()];
        let due = query::one(self.conn(), "jobs", NEXT_DUE, bound, maybe_due);
        due.map(Option::flatten)
    }

    fn job_census(&self) -> Result<Vec<(JobKind, JobState, u64)>, LedgerError> {
        const SQL: &str = "SELECT kind, state, count(*) FROM jobs GROUP BY kind, state";
        let mut found = query::all(self.conn(), "jobs", SQL, [], counted)?;
        found.sort_unstable();
        Ok(found)
    }

    fn open_jobs(
        &self,
        container: &ContainerTag,
    ) -> Result<Vec<(JobKind, JobState, u64)>, LedgerError> {
        let bound = [container.as_str()];
        let mut found = query::all(self.conn(), "jobs", OPEN, bound, counted)?;
        found.sort_unstable();
        Ok(found)
    }
}

impl Writes for Desk<'_> {
    fn queue_job(&mut self, job: &Job) -> Result<JobId, LedgerError> {
        self.whole(|desk| queue(desk, job))
    }

    fn lease_jobs(
        &mut self,
        kind: JobKind,
        limit: usize,
        until: Timestamp,
    ) -> Result<Vec<Job>, LedgerError> {
        const SQL: &str =
            "UPDATE jobs SET state = 'leased', attempts = ?, not_before = ? WHERE id = ?";
        self.whole(|desk| {
            let bound = params![kind.as_str(), desk.now(), count(limit)];
            let mut due = query::all(desk.conn(), "jobs", DUE, bound, job)?;
            for job in &mut due {
                job.attempts = job.attempts.saturating_add(1);
                job.state = JobState::Leased;
                job.not_before = instant_as_kept(until);
                let bound = params![job.attempts, micros(until), job.id.bytes()];
                query::run(desk.conn(), SQL, bound)?;
            }
            Ok(due)
        })
    }

    fn renew_job(&mut self, id: JobId, attempt: u32, until: Timestamp) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE jobs SET not_before = max(not_before, ?) WHERE id = ?";
        self.whole(|desk| {
            held(desk, id, attempt)?;
            query::run(desk.conn(), SQL, params![micros(until), id.bytes()]).map(drop)
        })
    }

    fn end_job(&mut self, id: JobId, attempt: u32, end: &JobEnd) -> Result<(), LedgerError> {
        self.whole(|desk| end_lease(desk, id, attempt, end))
    }

    fn revive_job(&mut self, id: JobId) -> Result<(), LedgerError> {
        const SQL: &str =
            "UPDATE jobs SET state = 'queued', attempts = 0, not_before = ? WHERE id = ?";
        self.whole(|desk| {
            let job = found(desk, id)?;
            if job.state != JobState::Dead {
                let object = ObjectRef::Job(id);
                return Err(LedgerError::Changed { object });
            }
            query::run(desk.conn(), SQL, params![desk.now(), id.bytes()])?;
            noted(desk, &job, "revived")
        })
    }

    fn return_lapsed_jobs(&mut self, limit: usize) -> Result<u64, LedgerError> {
        const SQL: &str = "UPDATE jobs SET state = 'queued' WHERE ord = ?";
        self.whole(|desk| {
            let mut lapsed = Vec::new();
            for kind in JobKind::ALL {
                let bound = params![
                    kind.as_str(),
                    desk.now(),
                    count(limit.saturating_sub(lapsed.len()))
                ];
                lapsed.extend(query::all(desk.conn(), "jobs", LAPSED, bound, int_column)?);
            }
            for ord in &lapsed {
                query::run(desk.conn(), SQL, [ord])?;
            }
            Ok(lapsed.len() as u64)
        })
    }

    fn let_go_of_done_jobs(&mut self, before: Timestamp, limit: usize) -> Result<u64, LedgerError> {
        let gone = format!("DELETE FROM jobs WHERE ord IN ({DONE_BEFORE})");
        self.whole(|desk| {
            let bound = params![micros(before), count(limit)];
            query::run(desk.conn(), &gone, bound).map(|gone| gone as u64)
        })
    }
}

/// The job, if this attempt still has it.
fn held(desk: &Desk<'_>, id: JobId, attempt: u32) -> Result<Job, LedgerError> {
    let job = found(desk, id)?;
    if job.state != JobState::Leased || job.attempts != attempt {
        let object = ObjectRef::Job(id);
        return Err(LedgerError::Changed { object });
    }
    Ok(job)
}

fn end_lease(
    desk: &mut Desk<'_>,
    id: JobId,
    attempt: u32,
    end: &JobEnd,
) -> Result<(), LedgerError> {
    const SQL: &str = "UPDATE jobs SET state = ?, attempts = ?, not_before = coalesce(?, not_before), failure = ? \
                       WHERE id = ?";
    let job = held(desk, id, attempt)?;
    let (state, attempts, at, failure) = match end {
        JobEnd::Done => (JobState::Done, attempt, None, None),
        JobEnd::Retry { at, failure } => (JobState::Queued, attempt, Some(*at), Some(failure)),
        JobEnd::Dead { failure } => (JobState::Dead, attempt, None, Some(failure)),
        JobEnd::Back { at, waits_for } => {
            let before = attempt.saturating_sub(1);
            (JobState::Queued, before, Some(*at), waits_for.as_ref())
        }
    };
    let bound = params![
        state.as_str(),
        attempts,
        at.map(micros),
        failure,
        id.bytes()
    ];
    query::run(desk.conn(), SQL, bound)?;
    match end {
        JobEnd::Back { .. } => Ok(()),
        JobEnd::Done | JobEnd::Retry { .. } | JobEnd::Dead { .. } => {
            noted(desk, &job, state.as_str())
        }
    }
}

fn found(desk: &Desk<'_>, id: JobId) -> Result<Job, LedgerError> {
    let object = ObjectRef::Job(id);
    desk.job(id)?.ok_or(LedgerError::Missing { object })
}

fn noted(desk: &mut Desk<'_>, job: &Job, decision: &str) -> Result<(), LedgerError> {
    let line = Line::of(Action::JobChanged, &ObjectRef::Job(job.id)).within(&job.container);
    desk.record(line.decided(Some(decision))).map(drop)
}

fn queue(desk: &mut Desk<'_>, job: &Job) -> Result<JobId, LedgerError> {
    const WAITING: &str =
        "SELECT id FROM jobs WHERE container = ? AND kind = ? AND memory IS ? AND state = 'queued'";
    const SQL: &str = concat!(
        "INSERT INTO jobs (",
        job_columns!(),
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    desk.must_have_container(&job.container)?;
    if let Some(memory) = job.memory {
        desk.container_of_living(memory)?;
    }
    let about = params![
        job.container.as_str(),
        job.kind.as_str(),
        maybe_bytes(job.memory)
    ];
    if let Some(waiting) = query::one(desk.conn(), "jobs", WAITING, about, id_column)? {
        return Ok(waiting);
    }
    let object = ObjectRef::Job(job.id);
    let mut statement = desk.conn().prepare_cached(SQL).map_err(failed("written"))?;
    let inserted = statement.execute(params![
        job.id.bytes(),
        job.kind.as_str(),
        job.container.as_str(),
        maybe_bytes(job.memory),
        job.state.as_str(),
        job.attempts,
        micros(job.not_before),
        job.failure,
        micros(job.queued_at),
    ]);
    inserted.map_err(failed_insert(object.clone()))?;
    drop(statement);
    let line = Line::of(Action::JobQueued, &object).within(&job.container);
    desk.record(line.decided(Some(job.kind.as_str())))?;
    Ok(job.id)
}
