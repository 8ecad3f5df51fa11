//! What was read: one row a request with ids and no content, rollups for statistics, and the journal of what was handed
//! out, by which echoes are known.

use testimony_domain::{ContainerTag, KeyId, MemoryId, RequestId, RunId, Timestamp, words};

use super::audit::Actor;
use super::{LedgerError, Page};

words! {
    /// Through which door something was read.
    pub enum Route {
        /// Recall.
        Recall = "recall",
        /// Agent context.
        AgentContext = "agent_context",
        /// Reflect.
        Reflect = "reflect",
        /// A case report.
        Courtroom = "courtroom",
        /// The gateway.
        Gateway = "gateway",
        /// A tool over MCP.
        Mcp = "mcp",
        /// The console or an operator's route.
        Operator = "operator",
    }
}

/// One request that read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRow {
    /// When.
    pub at: Timestamp,
    /// By whom: a key, a person with a browser, or the host.
    pub by: Actor,
    /// Where.
    pub container: ContainerTag,
    /// Through which door.
    pub route: Route,
    /// In which request.
    pub request: Option<RequestId>,
    /// What was returned.
    pub returned: Vec<MemoryId>,
    /// How many rows were held back.
    pub suppressed: u32,
    /// Whether the answer was that there is none.
    pub abstained: bool,
    /// How long it took.
    pub latency_us: u32,
}

/// What was read in an hour, in one container and through one door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollup {
    /// When the hour began.
    pub hour: Timestamp,
    /// Where.
    pub container: ContainerTag,
    /// Through which door.
    pub route: Route,
    /// How many requests.
    pub requests: u64,
    /// How many of them were answered with nothing.
    pub abstained: u64,
    /// How many rows were returned.
    pub returned: u64,
    /// How many rows were held back.
    pub suppressed: u64,
    /// How long they took together.
    pub latency_us: u64,
}

/// A memory that was handed to a key and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedOut {
    /// To which key.
    pub key: KeyId,
    /// In which run.
    pub run: Option<RunId>,
    /// Which memory.
    pub memory: MemoryId,
    /// When.
    pub at: Timestamp,
    /// Until when it is remembered.
    pub until: Timestamp,
}

/// What can be asked about reading.
pub trait Reads {
    /// Requests that read, newest first, at or after an instant.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn read_rows(
        &self,
        container: &ContainerTag,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReadRow>, LedgerError>;

    /// Requests that read at or after one instant and before another, newest first. An instant is never split, so a few
    /// more than `limit` may come, and whoever goes on before the last of them misses none.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn read_rows_before(
        &self,
        container: &ContainerTag,
        since: Timestamp,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReadRow>, LedgerError>;

    /// What was read in a container from the hour of an instant on, by door; `hour` is when the first hour began.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn read_through(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Rollup>, LedgerError>;

    /// Rollups of the hours from an instant on, in their order. A page counts hours, which are never split.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn rollups(&self, since: Timestamp, page: Page<Timestamp>) -> Result<Vec<Rollup>, LedgerError>;

    /// What was handed to a key and run and is still remembered, each once, newest first.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn handed_out(
        &self,
        key: KeyId,
        run: Option<&RunId>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MemoryId>, LedgerError>;
}

/// What can be kept about reading. Reading changes nothing, so none of it is an event.
pub trait Writes {
    /// Keeps requests that read, in their order, and counts each in its rollup.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be kept.
    fn keep_reads(&mut self, rows: &[&ReadRow]) -> Result<(), LedgerError>;

    /// Remembers what was handed out.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be kept.
    fn hand_out(&mut self, handed: &HandedOut) -> Result<(), LedgerError>;

    /// Forgets what was handed out and is over, at most so many; returns how many.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be forgotten.
    fn forget_handed_out(&mut self, now: Timestamp, limit: usize) -> Result<u64, LedgerError>;

    /// Forgets rows of reading from before an instant, at most so many; returns how many. Rollups stay.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be forgotten.
    fn forget_reads(&mut self, before: Timestamp, limit: usize) -> Result<u64, LedgerError>;
}
