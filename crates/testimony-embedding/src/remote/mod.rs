//! An embedder behind the interface of OpenAI: `POST {base}/v1/embeddings`.
//!
//! A server fails in ways that a table cannot, and each has an answer here: portions that fit, a time limit, a few
//! attempts with growing waits, and a breaker that leaves a server alone that fails again and again.
//! What comes back is believed only as far as it can be checked: as many vectors as texts, each once, of the agreed
//! dimensions, all finite.
//! Neither a text nor the credential ever stands in an error.

mod answers;
mod batches;
mod exchange;
mod settings;
mod surroundings;
mod wire;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use testimony_domain::Timestamp;
use testimony_service::ports::breaker::{Admission, Breaker, Moment as _, Seen};
use testimony_service::ports::health::Health;

use answers::Meaning;
use batches::Placed;
use exchange::{Exchange, Reply};
use wire::Flaw;

pub use settings::{ApiKey, RemoteSettings, SettingsError};
pub use surroundings::{Surroundings, SystemSurroundings};
pub use testimony_service::ports::breaker::BreakerRules;

use crate::{Calibration, EmbedError, Embedder, EmbedderIdentity, Vector};

/// A model behind a server. A clone shares connections and breaker.
#[derive(Clone)]
pub struct RemoteEmbedder {
    shared: Arc<Shared>,
}

/// How long an answer is waited for, and how often it is asked for.
#[derive(Clone, Copy)]
struct Patience {
    attempts: u32,
    timeout: Duration,
}

struct Shared {
    identity: EmbedderIdentity,
    settings: RemoteSettings,
    exchange: Exchange,
    surroundings: Arc<dyn Surroundings>,
    way: Mutex<Way>,
}

/// How the way to the server stands, and what was wrong last.
struct Way {
    breaker: Breaker<Timestamp>,
    last: Option<String>,
}

/// What one attempt came to.
enum Outcome {
    Vectors(Vec<Vector>),
    /// To be tried again, not before so long.
    Again(String, Option<Duration>),
    /// Of no use to be tried again, and not the fault of the texts.
    Hopeless(EmbedError),
    /// The fault of the texts.
    Refused(EmbedError),
}

impl RemoteEmbedder {
    /// An embedder by these settings. Nothing is sent before there is something to embed.
    ///
    /// # Errors
    /// [`SettingsError`] when the settings cannot be used.
    pub fn new(
        settings: RemoteSettings,
        surroundings: Arc<dyn Surroundings>,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        let exchange = Exchange::new(settings::address(&settings)?, &settings)?;
        let identity = settings.identity();
        let way = Way {
            breaker: Breaker::NEW,
            last: None,
        };
        let shared = Shared {
            identity,
            settings,
            exchange,
            surroundings,
            way: Mutex::new(way),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    fn embed_with(
        &self,
        texts: &[&str],
        patience: Patience,
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        let settings = &self.shared.settings;
        let mut answers = vec![None; texts.len()];
        let portions = batches::portions(
            texts,
            settings.texts_per_request,
            settings.bytes_per_request,
        );
        for portion in portions {
            let vectors = self.portion(&portion, patience)?;
            for ((place, _), vector) in portion.iter().zip(vectors) {
                if let Some(answer) = answers.get_mut(*place) {
                    *answer = Some(vector);
                }
            }
        }
        Ok(answers)
    }

    /// One portion, as often as it takes and is allowed.
    fn portion(&self, texts: &[Placed<'_>], patience: Patience) -> Result<Vec<Vector>, EmbedError> {
        let shared = self.shared.as_ref();
        let body = wire::question(&shared.settings, texts);
        let mut attempt = 1;
        loop {
            shared.may_ask()?;
            let (because, left_alone) = match shared.attempt(texts, &body, patience.timeout) {
                Outcome::Vectors(vectors) => return Ok(vectors),
                Outcome::Hopeless(error) | Outcome::Refused(error) => return Err(error),
                Outcome::Again(because, left_alone) => (because, left_alone),
            };
            let longest = shared.settings.longest_wait;
            let wait = answers::wait(attempt, shared.surroundings.chance(), longest);
            let wait = wait.max(left_alone.unwrap_or_default());
            let rests_until = shared.rests_until();
            if attempt >= patience.attempts || wait > longest || rests_until.is_some() {
                return Err(shared.unavailable(because, rests_until));
            }
            shared.surroundings.pause(wait);
            attempt += 1;
        }
    }
}

impl Shared {
    fn way(&self) -> MutexGuard<'_, Way> {
        // What is behind the lock is replaced whole, so a panic elsewhere has left nothing half-done.
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_ask(&self) -> Result<(), EmbedError> {
        let mut way = self.way();
        let now = self.surroundings.now();
        let (breaker, admission) = way.breaker.ask(now, &self.settings.breaker);
        way.breaker = breaker;
        match admission {
            Admission::Go => Ok(()),
            Admission::Wait(until) => {
                let because = way.last.clone().unwrap_or_default();
                Err(self.unavailable(
                    format!("it is left alone until {until} ({because})"),
                    Some(until),
                ))
            }
        }
    }

    fn attempt(&self, texts: &[Placed<'_>], body: &[u8], timeout: Duration) -> Outcome {
        let longest = wire::longest_answer(&self.settings, texts.len());
        let outcome = match self.exchange.post(body, longest, timeout) {
            Ok(reply) => self.judged(&reply, texts.len()),
            Err(because) => Outcome::Again(because.to_owned(), None),
        };
        self.take_in(&outcome);
        outcome
    }

    fn judged(&self, reply: &Reply, texts: usize) -> Outcome {
        let status = reply.status;
        match answers::meaning(status) {
            Meaning::Good => self.read(&reply.body, texts),
            Meaning::Again => {
                let now = self.surroundings.now();
                let header = reply.retry_after.as_deref();
                let left_alone = header.and_then(|header| answers::retry_after(header, now));
                Outcome::Again(format!("the server answers {status}"), left_alone)
            }
            Meaning::Refused => Outcome::Refused(EmbedError::Refused {
                embedder: self.identity.name.clone(),
                because: format!("the server answers {status}"),
            }),
            Meaning::Misconfigured { because, remedy } => {
                Outcome::Hopeless(EmbedError::Misconfigured {
                    embedder: self.identity.name.clone(),
                    because: format!("{because} ({status})"),
                    remedy,
                })
            }
        }
    }

    fn read(&self, body: &[u8], texts: usize) -> Outcome {
        match wire::vectors(body, texts, self.identity.dimensions) {
            Ok(vectors) => Outcome::Vectors(vectors),
            Err(Flaw::Dimensions { found }) => Outcome::Hopeless(EmbedError::OtherDimensions {
                embedder: self.identity.name.clone(),
                configured: self.identity.dimensions,
                found,
            }),
            Err(
                flaw @ (Flaw::NotAgreed
                | Flaw::Count { .. }
                | Flaw::Index { .. }
                | Flaw::NoVector { .. }),
            ) => Outcome::Again(flaw.to_string(), None),
        }
    }

    /// Moves the breaker, and remembers what was wrong.
    fn take_in(&self, outcome: &Outcome) {
        let now = self.surroundings.now();
        let (seen, last) = match outcome {
            Outcome::Vectors(_) | Outcome::Refused(_) => (Seen::Answered, None),
            Outcome::Again(because, None) => (Seen::Failed, Some(because.clone())),
            Outcome::Again(because, Some(left_alone))
                if *left_alone <= self.settings.longest_wait =>
            {
                (Seen::Failed, Some(because.clone()))
            }
            Outcome::Again(because, Some(left_alone)) => {
                (Seen::Busy(now.later(*left_alone)), Some(because.clone()))
            }
            Outcome::Hopeless(error) => (Seen::Hopeless, Some(error.to_string())),
        };
        let mut way = self.way();
        way.breaker = way.breaker.saw(seen, now, &self.settings.breaker);
        way.last = last;
    }

    fn rests_until(&self) -> Option<Timestamp> {
        let now = self.surroundings.now();
        self.way()
            .breaker
            .rests_until()
            .filter(|until| now < *until)
    }

    fn unavailable(&self, because: String, until: Option<Timestamp>) -> EmbedError {
        EmbedError::Unavailable {
            embedder: self.identity.name.clone(),
            because,
            until,
        }
    }
}

impl Embedder for RemoteEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.shared.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        self.shared.settings.calibration.as_ref()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let settings = &self.shared.settings;
        let patience = Patience {
            attempts: settings.attempts,
            timeout: settings.timeout,
        };
        self.embed_with(texts, patience)
    }

    fn embed_at_once(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let settings = &self.shared.settings;
        let patience = Patience {
            attempts: 1,
            timeout: settings.timeout_at_once.min(settings.timeout),
        };
        self.embed_with(texts, patience)
    }

    fn health(&self) -> Health {
        let way = self.shared.way();
        let last = way.last.as_deref().unwrap_or("nothing was wrong");
        match way.breaker {
            Breaker::Closed { failures: 0 } => Health::Healthy,
            Breaker::Closed { failures } => Health::degraded(format!(
                "{failures} questions in a row failed; the last one: {last}"
            )),
            Breaker::Open { until, .. } => Health::unavailable(format!(
                "it is left alone until {until}; the last answer: {last}"
            )),
            Breaker::HalfOpen { .. } => {
                Health::unavailable(format!("it is being tried again; before: {last}"))
            }
        }
    }

    fn rests_until(&self) -> Option<Timestamp> {
        self.shared.rests_until()
    }
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::Config;

    /// 1,024 cases, unless `PROPTEST_CASES` says otherwise.
    pub(super) fn config() -> Config {
        let from_environment = Config::default();
        if std::env::var_os("PROPTEST_CASES").is_some() {
            return from_environment;
        }
        Config {
            cases: 1_024,
            ..from_environment
        }
    }
}
