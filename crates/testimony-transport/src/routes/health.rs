//! Whether the process is there, and whether its parts are.
//!
//! Anybody may ask, so nothing is said that tells how much is kept or how much is going on.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use testimony_service::Service;
use testimony_service::ports::health::Health;
use testimony_service::work::{Dependency, of_index};

use super::{Outcome, Reply, Running};
use crate::problem::{Code, Problem};

/// Asks how the parts are that a program has put together; without one only ledger and index are asked.
#[derive(Clone)]
pub struct HealthProbe(Arc<dyn Fn() -> Vec<(Dependency, Health)> + Send + Sync>);

impl HealthProbe {
    /// Asks so.
    pub fn new(ask: impl Fn() -> Vec<(Dependency, Health)> + Send + Sync + 'static) -> Self {
        Self(Arc::new(ask))
    }

    /// Asks the index, the journal, the models and the memory banks of a service alone.
    #[must_use]
    pub fn of(service: &Arc<Service>) -> Self {
        let service = Arc::clone(service);
        Self::new(move || {
            let index = of_index(&service.index().health());
            let journal = service.journal_health();
            let mut all = vec![(Dependency::Index, index), (Dependency::Journal, journal)];
            all.extend(service.model_health());
            all.extend(service.bank_health());
            all
        })
    }
}

impl HealthProbe {
    /// How each part is.
    pub(crate) fn ask(&self) -> Vec<(Dependency, Health)> {
        (self.0)()
    }
}

impl fmt::Debug for HealthProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HealthProbe(…)")
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
pub(super) fn alive(_: &Service, _: &Running) -> Outcome {
    Ok(Reply::ok(json!({ "status": "ok" })))
}

/// A service is ready while its ledger can be read: everything else only makes its answers poorer.
pub(crate) fn ready(service: &Service, running: &Running) -> Outcome {
    if let Err(error) = service.ledger().head() {
        tracing::error!(cause = %error, "the ledger cannot be read");
        let detail = "The ledger cannot be read, so nothing can be served.";
        return Err(Problem::new(Code::NotReady, detail));
    }
    let found = running.health.ask();
    let poorer = found.iter().any(|(_, health)| *health != Health::Healthy);
    let mut dependencies = Map::new();
    dependencies.insert("ledger".to_owned(), Value::from(Health::Healthy.as_str()));
    for (name, health) in &found {
        if let Some(because) = health.because() {
            tracing::warn!(
                dependency = name.as_str(),
                because,
                "a part is not as it should be"
            );
        }
        dependencies.insert(name.to_string(), Value::from(health.as_str()));
    }
    Ok(Reply::ok(json!({
        "status": if poorer { "degraded" } else { "ready" },
        "dependencies": dependencies,
    })))
}
