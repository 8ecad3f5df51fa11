//! The handler of `compare`: rows are held against what memory banks elsewhere say.

use std::sync::Arc;
use std::time::Duration;

use super::handler::{Handler, Readiness, Shift};
use super::next::{Outcome, later};
use crate::banks::NotCompared;
use crate::ports::banks::BankError;
use crate::ports::ledger::LedgerError;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::service::Service;

/// How long nobody looks again while no bank is configured.
const WITHOUT_A_BANK: Duration = Duration::from_mins(10);

/// Compares rows with memory banks, one after the other.
pub struct Compare {
    service: Arc<Service>,
}

impl Compare {
    /// A handler for the jobs of a service.
    #[must_use]
    pub const fn new(service: Arc<Service>) -> Self {
        Self { service }
    }

    fn outcome(&self, job: &Job, shift: &Shift<'_>) -> Result<Outcome, LedgerError> {
        let Some(memory) = job.memory else {
            return Ok(Outcome::Hopeless {
                failure: "it names no memory".to_owned(),
            });
        };
        match self.service.compare(memory, &|| shift.goes_on()) {
            Ok(()) => Ok(Outcome::Done),
            Err(NotCompared::Stopped) => Ok(Outcome::Unfinished),
            Err(NotCompared::Ledger(error)) => Err(error),
            Err(NotCompared::NoAnswer(error)) => Ok(self.without_an_answer(&error)),
        }
    }

    /// A bank that asks to be left alone costs no attempt; one that is down does, so that a bank which never comes back
    /// does not keep its jobs for ever.
    fn without_an_answer(&self, error: &BankError) -> Outcome {
        let because = error.to_string();
        match error {
            BankError::NotNow { retry_in, .. } => Outcome::Waits {
                until: retry_in.map(|span| later(self.service.clock.now(), span)),
                because,
            },
            BankError::Failed { .. } => Outcome::Failed { failure: because },
        }
    }
}

impl Handler for Compare {
    fn kind(&self) -> JobKind {
        JobKind::Compare
    }

    fn at_once(&self) -> usize {
        // A bank may take as long as a lease, so nobody holds one for a row that is not being compared.
        1
    }

    fn readiness(&self) -> Readiness {
        if self.service.has_banks() {
            return Readiness::Ready;
        }
        Readiness::Waits {
            until: later(self.service.clock.now(), WITHOUT_A_BANK),
            because: "no memory bank is configured".to_owned(),
        }
    }

    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        jobs.iter().map(|job| self.outcome(job, shift)).collect()
    }
}
