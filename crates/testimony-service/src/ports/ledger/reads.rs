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

/// How long a request took, as it is counted: short times as they are, longer ones in steps that grow by an eighth, so that
/// a time is told within an eighth of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LatencyStep(u8);

impl LatencyStep {
    /// In which step a time is counted.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "there are 240 steps")]
    pub const fn of(latency_us: u32) -> Self {
        if latency_us < 8 {
            return Self(latency_us as u8);
        }
        // The three bits behind the highest say where between two powers of two it is.
        let power = latency_us.ilog2();
        let place = (latency_us >> (power - 3)) & 7;
        Self(((power - 2) * 8 + place) as u8)
    }

    /// The step of a number.
    #[must_use]
    pub const fn at(number: u8) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The longest time that is counted in it.
    #[must_use]
    pub fn longest_us(self) -> u64 {
        let number = u64::from(self.0);
        match number.checked_sub(8) {
            None => number,
            Some(above) => ((9 + above % 8) << (above / 8)) - 1,
        }
    }
}

/// How many requests of an hour took how long, through one door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// When the hour began.
    pub hour: Timestamp,
    /// Through which door.
    pub route: Route,
    /// How long.
    pub step: LatencyStep,
    /// How many.
    pub requests: u64,
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

    /// How long requests took from the hour of an instant on, in the order of hours, as far as rows of reading are kept.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn latencies(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Latency>, LedgerError>;

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

    /// Forgets rows of reading from before an instant, at most so many, and how long the requests of whole hours before it
    /// took; returns how many rows. Rollups stay.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be forgotten.
    fn forget_reads(&mut self, before: Timestamp, limit: usize) -> Result<u64, LedgerError>;
}

#[cfg(test)]
mod tests {
    use super::LatencyStep;

    #[test]
    fn a_time_is_counted_in_the_step_that_holds_it_and_told_within_an_eighth() {
        let powers = (0..32).map(|power| 1_u32 << power);
        let times = powers.flat_map(|it| [it - 1, it, it + it / 3, it + it / 2]);
        for time in times.chain([0, 7, 8, 9, u32::MAX]) {
            let step = LatencyStep::of(time);
            let (longest, time) = (step.longest_us(), u64::from(time));
            assert!(
                time <= longest && longest <= time + time / 8,
                "{time}: {longest}"
            );
            let below = step.number().checked_sub(1).map(LatencyStep::at);
            assert!(
                below.is_none_or(|below| below.longest_us() < time),
                "{time}"
            );
        }
        assert_eq!(LatencyStep::of(u32::MAX).number(), 239);
    }
}
