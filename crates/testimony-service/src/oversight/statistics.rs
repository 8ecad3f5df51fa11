//! How much a container holds, what waits in it, and how it is read.

use std::time::Duration;

use testimony_domain::{ContainerTag, Plane, Principal, State, Timestamp};

use crate::error::ServiceError;
use crate::ports::ledger::jobs::{JobKind, JobState};
use crate::ports::ledger::reads::Rollup;
use crate::ports::ledger::reviews::CaseKind;
use crate::service::Service;

/// So far back is looked at what was read, where nobody says how far.
const LOOKED_BACK: Duration = Duration::from_hours(7 * 24);

/// How a container stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// How many memories, by plane and state.
    pub memories: Vec<(Plane, State, u64)>,
    /// How many review cases are open, by kind.
    pub cases: Vec<(CaseKind, u64)>,
    /// How many jobs are not done, by kind and state.
    pub jobs: Vec<(JobKind, JobState, u64)>,
    /// Since when reading was looked at.
    pub since: Timestamp,
    /// What was read since then, by door.
    pub reads: Vec<Rollup>,
    /// How many bytes the whole ledger takes.
    pub ledger_bytes: u64,
    /// How many rows the whole index holds.
    pub index_rows: u64,
}

impl Service {
    /// How a container stands, and how it was read since an instant, or in the last seven days.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or it cannot be counted.
    pub fn statistics(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        since: Option<Timestamp>,
    ) -> Result<Statistics, ServiceError> {
        self.oversee(principal, container)?;
        let usual = || self.clock.now().checked_sub(LOOKED_BACK);
        let since = since.or_else(|| usual().ok()).unwrap_or(Timestamp::MIN);
        self.journal.catch_up();
        let reader = self.ledger.reader()?;
        Ok(Statistics {
            since,
            memories: reader.census_by_plane(container)?,
            cases: reader.case_census(container)?,
            jobs: reader.open_jobs(container)?,
            reads: reader.read_through(container, since)?,
            ledger_bytes: reader.bytes()?,
            index_rows: self.index.health().rows,
        })
    }
}
