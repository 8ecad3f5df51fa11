//! The handler of `distill`: a model draws statements from a text, and they come in like anybody's.

use std::sync::Arc;
use std::time::Duration;

use super::handler::{Handler, Readiness, Shift};
use super::next::{Outcome, later};
use crate::models::{ModelFailure, NoAnswer};
use crate::ports::ledger::LedgerError;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::models::{ModelError, ModelUse};
use crate::service::Service;
use crate::write::NotDistilled;

/// How long nobody looks again while no model is chosen for it.
const WITHOUT_A_MODEL: Duration = Duration::from_mins(10);

/// Has a model draw statements from texts, one after the other.
pub struct Distill {
    service: Arc<Service>,
}

impl Distill {
    /// A handler for the jobs of a service.
    #[must_use]
    pub const fn new(service: Arc<Service>) -> Self {
        Self { service }
    }

    fn outcome(&self, job: &Job) -> Result<Outcome, LedgerError> {
        let Some(memory) = job.memory else {
            return Ok(Outcome::Hopeless {
                failure: "it names no memory".to_owned(),
            });
        };
        match self.service.distill(memory) {
            Ok(()) => Ok(Outcome::Done),
            Err(NotDistilled::Ledger(error)) => Err(error),
            Err(NotDistilled::NoAnswer(none)) => Ok(self.without_an_answer(&none)),
            Err(NotDistilled::Refused(failure)) => Ok(Outcome::Failed { failure }),
        }
    }

    fn without_an_answer(&self, none: &NoAnswer) -> Outcome {
        let waits = |span: Option<Duration>, because: String| Outcome::Waits {
            until: span.map(|span| later(self.service.clock.now(), span)),
            because,
        };
        match none {
            NoAnswer::Failed(error) => {
                let because = error.to_string();
                match error {
                    ModelError::Unreachable { .. } => waits(None, because),
                    ModelError::Busy { retry_after, .. } => waits(*retry_after, because),
                    ModelError::Resting { retry_in, .. } => waits(Some(*retry_in), because),
                    ModelError::TooSlow { .. }
                    | ModelError::Refused { .. }
                    | ModelError::Unreadable { .. } => Outcome::Failed { failure: because },
                }
            }
            NoAnswer::Failure(failure @ (ModelFailure::NotConfigured | ModelFailure::Busy)) => {
                waits(None, format!("the model for extraction: {failure}"))
            }
            NoAnswer::Failure(failure) => Outcome::Failed {
                failure: format!("the model for extraction: {failure}"),
            },
        }
    }
}

impl Handler for Distill {
    fn kind(&self) -> JobKind {
        JobKind::Distill
    }

    fn at_once(&self) -> usize {
        // A model may take as long as a lease, so nobody holds one for a text that is not being read.
        1
    }

    fn readiness(&self) -> Readiness {
        if self.service.model_for(ModelUse::Extraction).is_some() {
            return Readiness::Ready;
        }
        Readiness::Waits {
            until: later(self.service.clock.now(), WITHOUT_A_MODEL),
            because: "no model is chosen for extraction".to_owned(),
        }
    }

    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        let mut outcomes = Vec::with_capacity(jobs.len());
        for job in jobs {
            let goes_on = outcomes.is_empty() || shift.goes_on()?;
            outcomes.push(if goes_on {
                self.outcome(job)?
            } else {
                Outcome::Unfinished
            });
        }
        Ok(outcomes)
    }
}
