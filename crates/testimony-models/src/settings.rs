//! What somebody has to say about a model before it is asked.

use std::time::Duration;

use reqwest::Url;
use testimony_service::ports::breaker::BreakerRules;

use crate::chat::ChatStyle;
use crate::key::{ApiKey, Shown};
use crate::rerank::RerankDialect;
use crate::retry::RetryRules;

/// The name of a model that stands for every model of its provider.
pub const ANY_MODEL: &str = "*";

/// How long is waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the next piece of an answer, the first one included.
    pub idle: Duration,
    /// For all of it, attempts and pauses together.
    pub total: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            idle: Duration::from_secs(120),
            total: Duration::from_secs(600),
        }
    }
}

/// What a model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// Questions, in text.
    Chat(ChatStyle),
    /// Passages, with a score for each.
    Scores(RerankDialect),
}

/// Which model, where, and how patiently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSettings {
    /// Its name here; callers may ask for it by that.
    pub name: String,
    /// Who runs it. Callers may ask for it by `provider/model`; models of one provider rest together when it fails.
    pub provider: String,
    /// What it is called there; [`ANY_MODEL`] stands for all of them.
    pub model: String,
    /// The address of the provider. Where it has no path, the usual one is put behind it.
    pub base: String,
    /// The credential, where the provider wants one.
    pub key: Option<ApiKey>,
    /// What it answers.
    pub speaks: Speaks,
    /// How long is waited.
    pub patience: Patience,
    /// When it is asked again.
    pub retry: RetryRules,
    /// When it is left alone.
    pub breaker: BreakerRules,
    /// Certificates in PEM that are believed beside the usual ones.
    pub certificates: Option<Vec<u8>>,
}

impl ModelSettings {
    /// The usual settings for a model that answers questions.
    #[must_use]
    pub fn new(name: impl Into<String>, base: impl Into<String>, model: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            provider: name.clone(),
            name,
            model: model.into(),
            base: base.into(),
            key: None,
            speaks: Speaks::Chat(ChatStyle::Usual),
            patience: Patience::default(),
            retry: RetryRules::default(),
            breaker: BreakerRules::default(),
            certificates: None,
        }
    }
}

/// The way to a server: where it is, how a credential is shown there, and how patiently it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) base: String,
    pub(crate) key: Option<ApiKey>,
    pub(crate) shown: Shown,
    pub(crate) patience: Patience,
    pub(crate) retry: RetryRules,
    pub(crate) certificates: Option<Vec<u8>>,
}

impl ModelSettings {
    pub(crate) fn way(&self) -> Way {
        Way {
            base: self.base.clone(),
            key: self.key.clone(),
            shown: Shown::BEARER,
            patience: self.patience,
            retry: self.retry,
            certificates: self.certificates.clone(),
        }
    }

    /// Whether they can be used, as far as that shows without asking anybody.
    ///
    /// # Errors
    /// [`SettingsError`] when they cannot.
    pub fn check(&self) -> Result<(), SettingsError> {
        check(self)?;
        address(&self.base, "/v1", "").map(drop)
    }
}

/// Why settings cannot be used. Addresses and keys are not repeated: either may hold a credential.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address is none that can be asked.
    #[error(
        "it is no address of a server; write `https://` or `http://`, the host, and the path that stands before \
         `/chat/completions` or before a memory bank's own path, without a question mark"
    )]
    Base,
    /// The address carries a credential.
    #[error(
        "the address holds a name or password; put the credential where keys are, where nobody is shown it"
    )]
    CredentialInBase,
    /// The key cannot stand in a header.
    #[error(
        "the key is empty or holds blanks, line breaks or characters beyond ASCII; copy it again"
    )]
    Key,
    /// A number makes no sense.
    #[error("`{setting}` is zero; give it at least one")]
    Zero {
        /// The setting.
        setting: &'static str,
    },
    /// A name is none.
    #[error(
        "`{setting}` has to be a name without blanks; `{name}` is none or is too long, so write another"
    )]
    Name {
        /// The setting.
        setting: &'static str,
        /// What stands there.
        name: String,
    },
    /// Callers would not know which is meant.
    #[error("two models answer to `{name}`; give one of them another name")]
    Twice {
        /// The name.
        name: String,
    },
    /// Certificates that cannot be read.
    #[error("the certificates are no PEM with at least one certificate; name another file")]
    Certificates,
    /// The client cannot be made.
    #[error("no client could be made for it: {because}")]
    Client {
        /// Why.
        because: String,
    },
}

/// The longest name.
const LONGEST_NAME: usize = 200;

/// Whether everything is there that is needed.
pub(crate) fn check(settings: &ModelSettings) -> Result<(), SettingsError> {
    let names = [
        ("name", &settings.name),
        ("provider", &settings.provider),
        ("model", &settings.model),
    ];
    if let Some((setting, name)) = names.into_iter().find(|(_, name)| !is_name(name)) {
        return Err(wrong_name(setting, name));
    }
    check_numbers(settings.patience, settings.retry, settings.breaker)
}

/// The name that does not do, cut to its beginning.
pub(crate) fn wrong_name(setting: &'static str, name: &str) -> SettingsError {
    let name = name.chars().take(40).collect();
    SettingsError::Name { setting, name }
}

pub(crate) fn is_name(name: &str) -> bool {
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control();
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(plain)
}

pub(crate) fn check_numbers(
    patience: Patience,
    retry: RetryRules,
    breaker: BreakerRules,
) -> Result<(), SettingsError> {
    let Patience {
        connect,
        idle,
        total,
    } = patience;
    let numbers = [
        ("attempts", retry.attempts == 0),
        ("breaker.failures", breaker.failures == 0),
        ("connect_seconds", connect.is_zero()),
        ("idle_seconds", idle.is_zero()),
        ("total_seconds", total.is_zero()),
    ];
    let zero = numbers.into_iter().find(|(_, is_zero)| *is_zero);
    zero.map_or(Ok(()), |(setting, _)| Err(SettingsError::Zero { setting }))
}

/// The whole address of something behind `base`; where that has no path of its own, `usual` stands between.
pub(crate) fn address(base: &str, usual: &str, end: &str) -> Result<Url, SettingsError> {
    let url = Url::parse(base.trim()).map_err(|_| SettingsError::Base)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(SettingsError::CredentialInBase);
    }
    let speaks_http = matches!(url.scheme(), "http" | "https");
    let is_plain = url.query().is_none() && url.fragment().is_none();
    if !speaks_http || !is_plain || url.host_str().is_none_or(str::is_empty) {
        return Err(SettingsError::Base);
    }
    let path = url.path().trim_end_matches('/');
    let path = if path.is_empty() { usual } else { path };
    let mut whole = url.clone();
    whole.set_path(&format!("{path}{end}"));
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(base: &str) -> Result<String, SettingsError> {
        address(base, "/v1", "/chat/completions").map(|url| url.to_string())
    }

    #[test]
    fn the_version_stands_there_unless_the_address_has_a_path_of_its_own() {
        for (base, whole) in [
            (
                "https://models.example",
                "https://models.example/v1/chat/completions",
            ),
            (
                "https://models.example/",
                "https://models.example/v1/chat/completions",
            ),
            (
                "https://models.example/v1/",
                "https://models.example/v1/chat/completions",
            ),
            (
                "http://127.0.0.1:11434/v1",
                "http://127.0.0.1:11434/v1/chat/completions",
            ),
            (
                "https://a.example/v1beta/openai/",
                "https://a.example/v1beta/openai/chat/completions",
            ),
        ] {
            assert_eq!(asked(base).as_deref(), Ok(whole), "{base}");
        }
    }

    #[test]
    fn what_is_no_address_or_holds_a_credential_is_refused_without_being_repeated() {
        for base in [
            "",
            "models.example",
            "ftp://a",
            "https://a?key=1",
            "https://a#x",
        ] {
            assert_eq!(asked(base), Err(SettingsError::Base), "{base}");
        }
        let error = asked("https://me:swordfish@models.example").unwrap_err();
        assert_eq!(error, SettingsError::CredentialInBase);
        assert!(!error.to_string().contains("swordfish"));
    }

    #[test]
    fn a_setting_that_makes_no_sense_is_named() {
        let good = ModelSettings::new("small", "https://a", "m");
        assert_eq!(check(&good), Ok(()));
        let mut zero = good.clone();
        zero.patience.idle = Duration::ZERO;
        let setting = "idle_seconds";
        assert_eq!(check(&zero), Err(SettingsError::Zero { setting }));
        let nameless = ModelSettings {
            model: "two words".to_owned(),
            ..good
        };
        assert!(matches!(
            check(&nameless),
            Err(SettingsError::Name {
                setting: "model",
                ..
            })
        ));
    }
}
