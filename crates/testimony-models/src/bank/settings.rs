//! What somebody has to say about a memory bank before it is asked.

use std::time::Duration;

use reqwest::Url;
use testimony_domain::SourceLabel;
use testimony_service::ports::breaker::BreakerRules;

use super::protocol::BankProtocol;
use crate::key::ApiKey;
use crate::retry::RetryRules;
use crate::settings::{Patience, SettingsError, Way, address, check_numbers, is_name, wrong_name};

/// Which memory bank, where, and how patiently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankSettings {
    /// Its name here.
    pub name: SourceLabel,
    /// Which memory it is.
    pub protocol: BankProtocol,
    /// The address of its server, as far as it stands before the protocol's own path.
    pub base: String,
    /// What it is called there: a container, a bank, a user.
    pub bank: String,
    /// The credential, where the server wants one.
    pub key: Option<ApiKey>,
    /// How long is waited.
    pub patience: Patience,
    /// When it is asked again.
    pub retry: RetryRules,
    /// When it is left alone.
    pub breaker: BreakerRules,
    /// Certificates in PEM that are believed beside the usual ones.
    pub certificates: Option<Vec<u8>>,
}

/// Nobody waits for a bank but a job, and a job that waits long keeps others from being done.
const PATIENCE: Patience = Patience {
    connect: Duration::from_secs(5),
    idle: Duration::from_secs(10),
    total: Duration::from_secs(20),
};

impl BankSettings {
    /// How long a bank is waited for, where nothing else is said.
    pub const PATIENCE: Patience = PATIENCE;

    /// The usual settings for a bank.
    #[must_use]
    pub fn new(
        name: SourceLabel,
        protocol: BankProtocol,
        base: impl Into<String>,
        bank: impl Into<String>,
    ) -> Self {
        Self {
            name,
            protocol,
            base: base.into(),
            bank: bank.into(),
            key: None,
            patience: PATIENCE,
            retry: RetryRules::default(),
            breaker: BreakerRules::default(),
            certificates: None,
        }
    }

    /// Whether they can be used, as far as that shows without asking anybody.
    ///
    /// # Errors
    /// [`SettingsError`] when they cannot.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.checked().map(drop)
    }

    /// The whole address at which the bank is asked.
    pub(super) fn checked(&self) -> Result<Url, SettingsError> {
        // A name of dots alone would be another place of the path.
        let is_place = self.bank.chars().any(|letter| letter != '.');
        if !is_name(&self.bank) || !is_place {
            return Err(wrong_name("bank", &self.bank));
        }
        check_numbers(self.patience, self.retry, self.breaker)?;
        let mut to = address(&self.base, "", "")?;
        let parts = to.path_segments_mut();
        let mut parts = parts.map_err(|()| SettingsError::Base)?;
        parts.pop_if_empty().extend(self.protocol.path(&self.bank));
        drop(parts);
        Ok(to)
    }

    pub(super) fn way(&self) -> Way {
        Way {
            base: self.base.clone(),
            key: self.key.clone(),
            shown: self.protocol.shown(),
            patience: self.patience,
            retry: self.retry,
            certificates: self.certificates.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(base: &str, bank: &str) -> BankSettings {
        let name = SourceLabel::new("name", "elsewhere").unwrap();
        BankSettings::new(name, BankProtocol::Hindsight, base, bank)
    }

    fn asked(base: &str, bank: &str) -> String {
        settings(base, bank).checked().unwrap().to_string()
    }

    #[test]
    fn the_name_of_a_bank_is_one_part_of_the_path() {
        let whole = "https://h.example/v1/default/banks/mine/memories/recall";
        assert_eq!(asked("https://h.example", "mine"), whole);
        assert_eq!(asked("https://h.example/", "mine"), whole);
        assert_eq!(
            asked("https://h.example/memory", "a/../b?c#d"),
            "https://h.example/memory/v1/default/banks/a%2F..%2Fb%3Fc%23d/memories/recall"
        );
        for bank in ["", ".", "..", "two words"] {
            assert!(
                settings("https://h.example", bank).check().is_err(),
                "{bank}"
            );
        }
    }

    #[test]
    fn what_cannot_be_asked_is_said_without_repeating_it() {
        assert_eq!(
            settings("h.example", "mine").check(),
            Err(SettingsError::Base)
        );
        let error = settings("https://me:swordfish@h.example", "mine").check();
        assert_eq!(error, Err(SettingsError::CredentialInBase));
        let mut zero = settings("https://h.example", "mine");
        zero.patience.total = Duration::ZERO;
        let setting = "total_seconds";
        assert_eq!(zero.check(), Err(SettingsError::Zero { setting }));
    }
}
