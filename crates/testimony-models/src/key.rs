//! A credential of a provider. It is wiped when it goes, and shown to nobody but the provider.

use std::fmt;

use reqwest::header::{HeaderName, HeaderValue};
use zeroize::Zeroizing;

use crate::settings::SettingsError;

/// In which header a credential is shown, and behind which words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) header: &'static str,
    pub(crate) before: &'static str,
}

impl Shown {
    pub(crate) const BEARER: Self = Self {
        header: "authorization",
        before: "Bearer ",
    };
}

/// A credential.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// Takes a credential.
    ///
    /// # Errors
    /// [`SettingsError::Key`] when a header cannot hold it.
    pub fn new(key: impl Into<String>) -> Result<Self, SettingsError> {
        let key = Zeroizing::new(key.into());
        let fits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then_some(Self(key)).ok_or(SettingsError::Key)
    }

    /// The header that shows it; whoever prints headers does not print this one.
    pub(crate) fn header(&self, shown: Shown) -> Result<(HeaderName, HeaderValue), SettingsError> {
        let words = Zeroizing::new(format!("{}{}", shown.before, self.0.as_str()));
        let mut value = HeaderValue::from_str(&words).map_err(|_| SettingsError::Key)?;
        value.set_sensitive(true);
        Ok((HeaderName::from_static(shown.header), value))
    }

    /// Whether somebody repeats it.
    pub(crate) fn stands_in(&self, bytes: &[u8]) -> bool {
        let key = self.0.as_bytes();
        // An answer that is looked through is short, and so is a key.
        bytes.windows(key.len()).any(|window| window == key)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(not shown)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new("swordfish-1").unwrap();
        let header = key.header(Shown::BEARER).unwrap();
        assert!(!format!("{key:?} {header:?}").contains("swordfish"));
        assert!(key.stands_in(b"the key swordfish-1 is wrong"));
        assert!(!key.stands_in(b"the key is wrong"));
    }

    #[test]
    fn what_no_header_can_hold_is_no_key() {
        for wrong in ["", "two words", "a\r\nHost: b", "schlüssel"] {
            assert_eq!(ApiKey::new(wrong), Err(SettingsError::Key), "{wrong:?}");
        }
    }
}
