//! Durable jobs: what is still to be done after an answer has left, with leases, retries and dead letters.

use testimony_domain::{ContainerTag, JobId, MemoryId, Timestamp, words};

use super::{LedgerError, Page};

words! {
    /// What a job does.
    pub enum JobKind {
        /// Gives a memory its vector.
        Embed = "embed",
        /// Gives every memory of a container a vector by another embedder.
        Reembed = "reembed",
        /// Has a model draw claims from evidence.
        Distill = "distill",
        /// Compares a memory with an external memory bank.
        Compare = "compare",
    }
}

words! {
    /// How a job stands.
    pub enum JobState {
        /// It waits.
        Queued = "queued",
        /// Somebody is at it.
        Leased = "leased",
        /// It is done.
        Done = "done",
        /// It failed as often as it may.
        Dead = "dead",
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// In which container.
    pub container: ContainerTag,
    /// To which memory, where it is about one.
    pub memory: Option<MemoryId>,
    /// How it stands.
    pub state: JobState,
    /// How often it was tried.
    pub attempts: u32,
    /// Not to be tried before this instant; while leased, when the lease ends.
    pub not_before: Timestamp,
    /// Why it failed last; a code and a sentence, no content.
    pub failure: Option<String>,
    /// When it was queued.
    pub queued_at: Timestamp,
}

impl Job {
    /// A job that is to be done as soon as somebody can.
    #[must_use]
    pub const fn new(
        id: JobId,
        kind: JobKind,
        container: ContainerTag,
        memory: Option<MemoryId>,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            kind,
            container,
            memory,
            state: JobState::Queued,
            attempts: 0,
            not_before: now,
            failure: None,
            queued_at: now,
        }
    }
}

/// How a lease ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It is done.
    Done,
    /// It failed and is to be tried again at an instant.
    Retry {
        /// When.
        at: Timestamp,
        /// Why it failed.
        failure: String,
    },
    /// It failed for good.
    Dead {
        /// Why.
        failure: String,
    },
    /// It goes back as it was, and the attempt does not count: what it needs is not there, or whoever had it stops.
    Back {
        /// When it is to be tried.
        at: Timestamp,
        /// What it waits for, where it waits for something.
        waits_for: Option<String>,
    },
}

/// What can be asked of jobs.
pub trait Reads {
    /// The job with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn job(&self, id: JobId) -> Result<Option<Job>, LedgerError>;

    /// Jobs in a state, in the order in which they were queued.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn jobs(&self, state: JobState, page: Page<JobId>) -> Result<Vec<Job>, LedgerError>;

    /// The jobs about a memory that are not over.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn jobs_of(&self, memory: MemoryId) -> Result<Vec<Job>, LedgerError>;

    /// When the next job of a kind can be taken: the earliest that waits, or whose lease runs out.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn next_due(&self, kind: JobKind) -> Result<Option<Timestamp>, LedgerError>;

    /// How many jobs there are, by kind and state.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn job_census(&self) -> Result<Vec<(JobKind, JobState, u64)>, LedgerError>;

    /// How many jobs of a container are not done, by kind and state.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn open_jobs(
        &self,
        container: &ContainerTag,
    ) -> Result<Vec<(JobKind, JobState, u64)>, LedgerError>;
}

/// What can be done with jobs.
pub trait Writes {
    /// Queues a job; one that waits for the same kind, container and memory already serves, and is returned.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when its container or memory is not there, [`LedgerError::Changed`] when the memory was
    /// erased.
    fn queue_job(&mut self, job: &Job) -> Result<JobId, LedgerError>;

    /// Takes jobs of a kind that are due, and those whose lease ran out, until an instant; each counts as an attempt. It
    /// is no event.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be taken.
    fn lease_jobs(
        &mut self,
        kind: JobKind,
        limit: usize,
        until: Timestamp,
    ) -> Result<Vec<Job>, LedgerError>;

    /// Keeps a lease until a later instant. It is no event.
    ///
    /// # Errors
    /// [`LedgerError::Changed`] when the lease ran out and somebody else took the job.
    fn renew_job(&mut self, id: JobId, attempt: u32, until: Timestamp) -> Result<(), LedgerError>;

    /// Ends a lease. That a job goes back as it was is no event.
    ///
    /// # Errors
    /// [`LedgerError::Changed`] when the lease ran out and somebody else took the job: `attempt` is no longer its last.
    fn end_job(&mut self, id: JobId, attempt: u32, end: &JobEnd) -> Result<(), LedgerError>;

    /// Puts a dead job back into the queue with its attempts forgotten.
    ///
    /// # Errors
    /// [`LedgerError::Changed`] when it is not dead.
    fn revive_job(&mut self, id: JobId) -> Result<(), LedgerError>;

    /// Puts jobs back into the queue whose lease ran out, so that they are not shown as if somebody were at them; returns
    /// how many. Their attempts count, and it is no event.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be put back.
    fn return_lapsed_jobs(&mut self, limit: usize) -> Result<u64, LedgerError>;

    /// Lets go of jobs whose last lease was to end before an instant and that are done; returns how many. It is no event.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be let go of.
    fn let_go_of_done_jobs(&mut self, before: Timestamp, limit: usize) -> Result<u64, LedgerError>;
}
