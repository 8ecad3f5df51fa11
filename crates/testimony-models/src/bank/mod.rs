//! A memory bank elsewhere, as the service asks it: one question, one answer, over the same kind of line as a model.

mod protocol;
mod settings;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::Url;
use testimony_domain::SourceLabel;
use testimony_service::ports::banks::{BankError, BankMemory, BankQuestion, MemoryBank};
use testimony_service::ports::health::Health;
use testimony_service::ports::models::{ModelError, ModelIdentity};
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::counts::Counted;
use crate::driver::Driver;
use crate::line::{Letter, Line};
use crate::settings::SettingsError;
use crate::standing::Standing;

pub use protocol::BankProtocol;
pub use settings::BankSettings;

/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 256 << 10;

/// A memory bank behind HTTP.
pub struct RemoteBank {
    name: SourceLabel,
    protocol: BankProtocol,
    /// What it is called there.
    bank: String,
    to: Url,
    line: Arc<Line>,
    driver: Driver,
}

impl RemoteBank {
    /// A bank that is asked on somebody's runtime, which has to run while it is used.
    ///
    /// # Errors
    /// [`SettingsError`] when the settings cannot be used.
    pub fn on(handle: Handle, settings: &BankSettings) -> Result<Self, SettingsError> {
        Self::driven(Driver::on(handle), settings)
    }

    /// A bank that is asked on a thread of its own, for a program without a runtime.
    ///
    /// # Errors
    /// As of [`RemoteBank::on`]; also where the system gives no thread.
    pub fn on_own_thread(settings: &BankSettings) -> Result<Self, SettingsError> {
        let driver = Driver::own().map_err(|error| SettingsError::Client {
            because: error.to_string(),
        })?;
        Self::driven(driver, settings)
    }

    fn driven(driver: Driver, settings: &BankSettings) -> Result<Self, SettingsError> {
        let to = settings.checked()?;
        let identity = ModelIdentity {
            provider: settings.name.to_string(),
            model: settings.bank.clone(),
        };
        let standing = Arc::new(Standing::new(settings.breaker));
        let line = Line::new(identity, settings.way(), standing)?;
        Ok(Self {
            name: settings.name.clone(),
            protocol: settings.protocol,
            bank: settings.bank.clone(),
            to,
            line: Arc::new(line),
            driver,
        })
    }

    /// What was counted of it.
    #[must_use]
    pub fn counted(&self) -> Counted {
        self.line.counts.read()
    }
}

impl MemoryBank for RemoteBank {
    fn name(&self) -> &SourceLabel {
        &self.name
    }

    fn recall(&self, question: &BankQuestion<'_>) -> Result<Vec<BankMemory>, BankError> {
        let body = self.protocol.written(question, &self.bank);
        let letter = Letter {
            to: self.to.clone(),
            body: Bytes::from(body.to_string()),
            accept: "application/json",
        };
        let deadline = question.deadline.min(self.line.patience().total);
        let (line, limit) = (Arc::clone(&self.line), question.limit);
        let protocol = self.protocol;
        let by = Instant::now() + deadline;
        let answer = self.driver.wait(&self.line.named, deadline, async move {
            let response = line.ask(&letter, by).await?;
            let bytes = line.whole(response, LONGEST_ANSWER, by).await?;
            protocol
                .read(&bytes, limit)
                .map_err(|because| line.unreadable(because))
        });
        answer.map_err(|error| told(self.name.as_str(), &error))
    }

    fn health(&self) -> Health {
        self.line
            .standing
            .health_as(|wrong| because(wrong).unwrap_or_default())
    }
}

/// What an operator should look at when a bank refuses.
const REMEDIES: &[(u16, &str)] = &[
    (
        401,
        "it does not take the key; see the key that is configured for it",
    ),
    (403, "the key that is configured may not read there"),
    (
        404,
        "there is no such bank or address there; see `url`, `bank` and `protocol`",
    ),
    (413, "the question is longer than it takes"),
];

/// The trouble with a line, in the words of the port.
fn told(bank: &str, error: &ModelError) -> BankError {
    let bank = bank.to_owned();
    let not_now = |retry_in, because: &str| BankError::NotNow {
        bank: bank.clone(),
        retry_in,
        because: because.to_owned(),
    };
    match error {
        ModelError::Busy { retry_after, .. } => {
            not_now(*retry_after, "it is asked too often at present")
        }
        ModelError::Resting { retry_in, .. } => not_now(Some(*retry_in), "it failed repeatedly"),
        ModelError::Unreachable { .. }
        | ModelError::TooSlow { .. }
        | ModelError::Refused { .. }
        | ModelError::Unreadable { .. } => BankError::Failed {
            because: because(error).unwrap_or_default(),
            bank,
        },
    }
}

/// Why there was no answer, without the name of whoever gave none; nothing where it was not asked.
fn because(error: &ModelError) -> Option<String> {
    match error {
        ModelError::Unreachable { because, .. } => Some(because.clone()),
        ModelError::TooSlow { after, .. } => Some(format!(
            "it gave no whole answer in {:.1} s",
            after.as_secs_f64()
        )),
        ModelError::Refused { status, .. } => {
            let known = REMEDIES.iter().find(|(known, _)| known == status);
            let look = known.map_or("see `protocol` and `bank`", |(_, told)| told);
            Some(format!("it refuses with status {status}: {look}"))
        }
        ModelError::Unreadable { because, .. } => {
            Some(format!("its answer cannot be read: {because}"))
        }
        ModelError::Busy { .. } | ModelError::Resting { .. } => None,
    }
}

impl fmt::Debug for RemoteBank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteBank({}, {})", self.name, self.protocol)
    }
}
