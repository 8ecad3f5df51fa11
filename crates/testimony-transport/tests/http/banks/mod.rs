//! Memory banks elsewhere, over real HTTP: a bank on a port of its own that says what each test has it say, and a worker
//! that the test walks.

mod comparing;
mod failing;
mod moving_nothing;
#[path = "../../../../testimony-models/tests/models/scripted.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod scripted;
mod walls;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use testimony_domain::{Clock, ContainerGrant, SourceLabel};
use testimony_models::{ApiKey, BankProtocol, BankSettings, BreakerRules, RemoteBank, RetryRules};
use testimony_service::ports::ledger::jobs::JobEnd;
use testimony_service::upkeep::{Retention, Upkeep};
use testimony_service::work::{Compare, Handler, Step, WorkRules, Worker};
use testimony_service::{Banks, RULES_VERSION};

use crate::support::Harness;
use scripted::{Line, Provider, good};

/// The credential of the bank.
const KEY: &str = "swordfish-of-the-bank";

/// A memory that compares with a bank.
struct Compared {
    harness: Harness,
    bank: Provider,
    worker: Worker,
}

/// An answer of a bank: what it says, and since when.
fn answer(statements: &[(&str, &str)]) -> Line {
    let results = statements.iter().enumerate().map(|(place, (text, said))| {
        json!({ "id": format!("h-{place}"), "text": text, "type": "world", "mentioned_at": said })
    });
    good(&json!({ "results": results.collect::<Vec<_>>() }).to_string())
}

fn settings(base: &str) -> BankSettings {
    let name = SourceLabel::new("name", "elsewhere").unwrap();
    let mut settings = BankSettings::new(name, BankProtocol::Hindsight, base, "team");
    settings.key = Some(ApiKey::new(KEY).unwrap());
    settings.patience.total = Duration::from_secs(5);
    settings.retry = RetryRules {
        attempts: 1,
        ..RetryRules::default()
    };
    settings.breaker = BreakerRules {
        failures: 1_000,
        ..BreakerRules::default()
    };
    settings
}

impl Compared {
    /// With a bank that says these lines, the last one again and again, about the container `workspace`.
    fn with(script: Vec<Line>) -> Self {
        Self::about(script, &["workspace"], |_| {})
    }

    fn about(
        script: Vec<Line>,
        containers: &[&str],
        change: impl FnOnce(&mut BankSettings),
    ) -> Self {
        let bank = Provider::saying(script);
        let mut settings = settings(&bank.base());
        change(&mut settings);
        let remote = RemoteBank::on_own_thread(&settings).unwrap();
        let containers = ContainerGrant::parse("containers", containers).unwrap();
        let banks = Banks::default().comparing(Arc::new(remote), containers);
        let harness = Harness::start();
        assert!(harness.service.compare_with(banks.unwrap()));
        let worker = worker(&harness);
        Self {
            harness,
            bank,
            worker,
        }
    }

    /// Retains a text, and gives its answer.
    fn retain(&self, key: &str, content: &str) -> Value {
        let body = json!({ "content": content });
        self.harness.retain(key, &body).expect(200).body
    }

    /// Works until nothing is to be done now; how each job ended.
    fn work(&self) -> Vec<JobEnd> {
        let mut ends = Vec::new();
        loop {
            match self.worker.run_once().unwrap() {
                Step::Kept(_) => {}
                Step::Worked { ended, .. } => ends.extend(ended.into_iter().map(|(_, end)| end)),
                Step::Idle(_) => return ends,
            }
        }
    }

    fn report(&self, key: &str, id: &str) -> Value {
        let path = format!("/api/v1/memories/{id}/courtroom");
        self.harness.get(key, &path).expect(200).body
    }
}

fn worker(harness: &Harness) -> Worker {
    let ledger = Arc::clone(harness.service.ledger());
    let handlers: Vec<Box<dyn Handler>> = vec![Box::new(Compare::new(harness.service.clone()))];
    let upkeep = Upkeep::new(ledger.clone(), Retention::default(), 10, RULES_VERSION);
    let clock: Arc<dyn Clock + Send + Sync> = harness.clock.clone();
    let rules = WorkRules::new(RULES_VERSION);
    Worker::new(ledger, clock, handlers, upkeep, rules)
}

fn id_of(retained: &Value) -> String {
    retained["memories"][0]["id"].as_str().unwrap().to_owned()
}
