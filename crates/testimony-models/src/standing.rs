//! How a provider stands: its breaker, and what was wrong last.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use testimony_service::ports::breaker::{Admission, Breaker, BreakerRules, Seen};
use testimony_service::ports::health::Health;
use testimony_service::ports::models::ModelError;

/// How a provider stands.
#[derive(Debug)]
pub(crate) struct Standing {
    rules: BreakerRules,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    breaker: Breaker<Instant>,
    /// What was wrong with the last answer.
    trouble: Option<ModelError>,
}

impl Standing {
    pub(crate) const fn new(rules: BreakerRules) -> Self {
        let now = Now {
            breaker: Breaker::NEW,
            trouble: None,
        };
        Self {
            rules,
            now: Mutex::new(now),
        }
    }

    /// Asks to ask; otherwise for how long nothing is asked.
    pub(crate) fn admit(&self) -> Result<(), Duration> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let at = clock();
        let (breaker, admission) = now.breaker.ask(at, &self.rules);
        now.breaker = breaker;
        match admission {
            Admission::Go => Ok(()),
            Admission::Wait(until) => Err(until.saturating_duration_since(at)),
        }
    }

    /// Takes in what came of a question.
    pub(crate) fn saw(&self, wrong: Option<&ModelError>) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let fails = wrong.is_some_and(is_of_the_provider);
        let seen = if fails { Seen::Failed } else { Seen::Answered };
        now.breaker = now.breaker.saw(seen, clock(), &self.rules);
        match wrong {
            // Being asked too often is no illness.
            Some(ModelError::Busy { .. }) => {}
            Some(wrong) if fails || is_of_the_configuration(wrong) => {
                now.trouble = Some(wrong.clone());
            }
            Some(_) | None => now.trouble = None,
        }
    }

    pub(crate) fn health(&self) -> Health {
        self.health_as(ToString::to_string)
    }

    /// The same, where what was wrong is told in other words.
    pub(crate) fn health_as(&self, told: impl FnOnce(&ModelError) -> String) -> Health {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = now.trouble.as_ref().map(told);
        let rests = match now.breaker {
            Breaker::Open { until, .. } => Some(until.saturating_duration_since(clock())),
            Breaker::Closed { .. } | Breaker::HalfOpen { .. } => None,
        };
        match (rests, trouble) {
            (Some(rest), trouble) => Health::unavailable(format!(
                "{}; it is asked again in {:.0} s",
                trouble.as_deref().unwrap_or("it failed repeatedly"),
                rest.as_secs_f64().ceil()
            )),
            (None, Some(trouble)) => Health::degraded(trouble),
            (None, None) => Health::Healthy,
        }
    }
}

/// The clock that those use who wait.
fn clock() -> Instant {
    tokio::time::Instant::now().into_std()
}

/// Whether the next question may fail for the same reason, whatever it asks.
const fn is_of_the_provider(wrong: &ModelError) -> bool {
    match wrong {
        ModelError::Unreachable { .. }
        | ModelError::TooSlow { .. }
        | ModelError::Unreadable { .. } => true,
        ModelError::Busy { .. } | ModelError::Refused { .. } | ModelError::Resting { .. } => false,
    }
}

/// Whether an operator has to set something right.
const fn is_of_the_configuration(wrong: &ModelError) -> bool {
    matches!(
        wrong,
        ModelError::Refused {
            status: 401..=404,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn down() -> ModelError {
        ModelError::Unreachable {
            model: "a/b".to_owned(),
            because: "nobody listens".to_owned(),
        }
    }

    #[test]
    fn trouble_shows_until_an_answer_comes_and_enough_of_it_shuts_the_way() {
        let standing = Standing::new(BreakerRules {
            failures: 2,
            ..BreakerRules::default()
        });
        assert_eq!(standing.health(), Health::Healthy);
        standing.saw(Some(&down()));
        assert_eq!(standing.health().as_str(), "degraded");
        standing.saw(None);
        assert_eq!(standing.health(), Health::Healthy);
        standing.saw(Some(&down()));
        standing.saw(Some(&down()));
        assert!(standing.admit().is_err());
        let because = standing.health();
        assert!(because.because().unwrap().contains("nobody listens"));
    }

    #[test]
    fn a_refusal_shuts_nothing_and_a_wrong_key_shows() {
        let standing = Standing::new(BreakerRules::default());
        let refused = |status| ModelError::Refused {
            model: "a/b".to_owned(),
            status,
            because: "no".to_owned(),
        };
        for _ in 0..20 {
            standing.saw(Some(&refused(422)));
        }
        assert_eq!(
            (standing.admit(), standing.health()),
            (Ok(()), Health::Healthy)
        );
        standing.saw(Some(&refused(401)));
        assert_eq!(standing.health().as_str(), "degraded");
    }
}
