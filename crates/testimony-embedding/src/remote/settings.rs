//! What somebody has to say about a server before texts are sent to it.

use std::fmt;
use std::time::Duration;

use super::BreakerRules;
use crate::{Calibration, EmbedderIdentity};

/// A credential of a server. It is shown to nobody: not by `Debug`, and by no error.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a credential as it is sent behind `Bearer`.
    ///
    /// # Errors
    /// [`SettingsError::Key`] when a header cannot hold it.
    pub fn new(key: impl Into<String>) -> Result<Self, SettingsError> {
        let key = key.into();
        let fits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then_some(Self(key)).ok_or(SettingsError::Key)
    }

    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(not shown)")
    }
}

/// Which server, which model, and how patiently.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteSettings {
    /// The address, with or without the `/v1` at its end.
    pub base: String,
    /// The model, as the server calls it; also the embedder's name.
    pub model: String,
    /// What changes whenever the server gives the same text another vector. Nobody but its operator can know that; where
    /// the model behind a name is replaced, another revision here has every container embedded again.
    pub revision: String,
    /// How many numbers the model's vectors have.
    pub dimensions: usize,
    /// Whether the server is asked to shorten its vectors to that. Not every server knows the wish.
    pub shorten: bool,
    /// The credential, where the server wants one.
    pub key: Option<ApiKey>,
    /// What its cosines mean, where somebody has measured it.
    pub calibration: Option<Calibration>,
    /// How many texts go into one request.
    pub texts_per_request: usize,
    /// How many bytes of texts go into one request; a longer text goes alone.
    pub bytes_per_request: usize,
    /// How long one request may take, from finding the server to the last byte of its answer.
    pub timeout: Duration,
    /// How long it may take while somebody waits for it, who would rather do without.
    pub timeout_at_once: Duration,
    /// How often a request is sent before it is given up.
    pub attempts: u32,
    /// The longest wait between two of them; a server that asks for more is left alone instead.
    pub longest_wait: Duration,
    /// When the server is left alone.
    pub breaker: BreakerRules,
}

/// Vectors are asked for again by jobs that wait anyway, so a server of them is left alone for longer than others.
const BREAKER: BreakerRules = BreakerRules {
    failures: 5,
    rest: Duration::from_secs(15),
    longest_rest: Duration::from_secs(300),
};

impl RemoteSettings {
    /// The usual settings for a model.
    #[must_use]
    pub fn new(base: impl Into<String>, model: impl Into<String>, dimensions: usize) -> Self {
        Self {
            base: base.into(),
            model: model.into(),
            revision: "unversioned".to_owned(),
            dimensions,
            shorten: false,
            key: None,
            calibration: None,
            texts_per_request: 64,
            bytes_per_request: 128 * 1_024,
            timeout: Duration::from_secs(20),
            timeout_at_once: Duration::from_secs(2),
            attempts: 3,
            longest_wait: Duration::from_secs(10),
            breaker: BREAKER,
        }
    }

    /// Who an embedder with these settings is.
    #[must_use]
    pub fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: self.model.clone(),
            revision: self.revision.clone(),
            dimensions: self.dimensions,
        }
    }

    /// Whether a server could be asked by them, before anything is made or shown of them.
    ///
    /// # Errors
    /// [`SettingsError`] says what cannot be.
    pub fn check(&self) -> Result<(), SettingsError> {
        check(self)?;
        address(self).map(drop)
    }
}

/// Why settings cannot be used. The value is not repeated: it may hold a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address is none that can be asked.
    #[error(
        "it is no address of a server; write `https://` or `http://`, the host, and the path that stands before \
         `/v1/embeddings`, without a question mark"
    )]
    Base,
    /// The address carries a credential.
    #[error(
        "the address holds a name or password; put the credential where keys are, where no error shows it"
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
    /// A name is missing.
    #[error("`{setting}` is empty; name it")]
    Nameless {
        /// The setting.
        setting: &'static str,
    },
}

/// The whole address that is asked.
pub(super) fn address(settings: &RemoteSettings) -> Result<ureq::http::Uri, SettingsError> {
    let base = settings.base.trim_end_matches('/');
    let base = base.strip_suffix("/v1").unwrap_or(base);
    let whole = format!("{base}/v1/embeddings");
    let uri: ureq::http::Uri = whole.parse().map_err(|_| SettingsError::Base)?;
    let authority = uri.authority().ok_or(SettingsError::Base)?;
    if authority.as_str().contains('@') {
        return Err(SettingsError::CredentialInBase);
    }
    let speaks_http = matches!(uri.scheme_str(), Some("http" | "https"));
    let is_plain = uri.query().is_none() && !whole.contains('#') && !authority.host().is_empty();
    (speaks_http && is_plain)
        .then_some(uri)
        .ok_or(SettingsError::Base)
}

/// Whether everything is there that is needed.
fn check(settings: &RemoteSettings) -> Result<(), SettingsError> {
    let names = [("model", &settings.model), ("revision", &settings.revision)];
    let attempts = usize::try_from(settings.attempts).unwrap_or(usize::MAX);
    let failures = usize::try_from(settings.breaker.failures).unwrap_or(usize::MAX);
    let numbers = [
        ("dimensions", settings.dimensions),
        ("texts_per_request", settings.texts_per_request),
        ("bytes_per_request", settings.bytes_per_request),
        ("attempts", attempts),
        ("breaker.failures", failures),
        ("timeout", usize::from(!settings.timeout.is_zero())),
        (
            "timeout_at_once",
            usize::from(!settings.timeout_at_once.is_zero()),
        ),
    ];
    if let Some((setting, _)) = names.into_iter().find(|(_, name)| name.trim().is_empty()) {
        return Err(SettingsError::Nameless { setting });
    }
    let zero = numbers.into_iter().find(|(_, number)| *number == 0);
    zero.map_or(Ok(()), |(setting, _)| Err(SettingsError::Zero { setting }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(base: &str) -> Result<String, SettingsError> {
        address(&RemoteSettings::new(base, "m", 4)).map(|uri| uri.to_string())
    }

    #[test]
    fn an_address_is_written_with_or_without_its_version() {
        let whole = Ok("https://vectors.example/v1/embeddings".to_owned());
        for base in [
            "https://vectors.example",
            "https://vectors.example/",
            "https://vectors.example/v1/",
        ] {
            assert_eq!(asked(base), whole, "{base}");
        }
        let deeper = Ok("http://127.0.0.1:8080/api/v1/embeddings".to_owned());
        assert_eq!(asked("http://127.0.0.1:8080/api"), deeper);
    }

    #[test]
    fn what_is_no_address_or_holds_a_credential_is_refused_without_being_repeated() {
        for base in [
            "",
            "vectors.example",
            "ftp://vectors.example",
            "https://a b",
            "https://a?key=1",
            "https://a#x",
        ] {
            assert_eq!(asked(base), Err(SettingsError::Base), "{base}");
        }
        let error = asked("https://me:swordfish@vectors.example").unwrap_err();
        assert_eq!(error, SettingsError::CredentialInBase);
        assert!(!error.to_string().contains("swordfish"));
    }

    #[test]
    fn a_setting_that_makes_no_sense_is_named() {
        let good = RemoteSettings::new("https://a", "m", 4);
        assert_eq!(check(&good), Ok(()));
        let zero = |setting| Err(SettingsError::Zero { setting });
        assert_eq!(
            check(&RemoteSettings {
                dimensions: 0,
                ..good.clone()
            }),
            zero("dimensions")
        );
        assert_eq!(
            check(&RemoteSettings {
                timeout: Duration::ZERO,
                ..good.clone()
            }),
            zero("timeout")
        );
        let nameless = RemoteSettings {
            model: " ".to_owned(),
            ..good
        };
        assert_eq!(
            check(&nameless),
            Err(SettingsError::Nameless { setting: "model" })
        );
    }

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new("swordfish-1").unwrap();
        assert!(!format!("{key:?}").contains("swordfish"));
        assert_eq!(ApiKey::new("two words"), Err(SettingsError::Key));
        assert_eq!(ApiKey::new("a\r\nHost: b"), Err(SettingsError::Key));
    }
}
