//! The service's own secret, and the keys that are drawn from it: one for each purpose, so that none says anything
//! about another.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::ports::ledger::audit::Digest;

/// The service's own secret: thirty-two bytes that lie in a file beside the ledger and nowhere else.
#[derive(Clone)]
pub struct ServiceSecret([u8; 32]);

impl ServiceSecret {
    /// The secret that the shell read or made.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for ServiceSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServiceSecret(…)")
    }
}

/// What the service signs and hashes with.
#[derive(Clone)]
pub(crate) struct Keyring {
    fingerprints: [u8; 32],
    /// Set up once, since every request hashes a credential.
    credentials: Hmac<Sha256>,
    pages: [u8; 32],
    places: [u8; 32],
    first: [u8; 32],
}

impl Keyring {
    pub(crate) fn of(secret: &ServiceSecret) -> Self {
        Self {
            fingerprints: keyed(&secret.0, b"fingerprints of found secrets").0,
            credentials: ready(&keyed(&secret.0, b"hashes of credentials").0),
            pages: keyed(&secret.0, b"tokens of pages").0,
            places: keyed(&secret.0, b"places of counted attempts").0,
            first: keyed(&secret.0, b"token of the first person").0,
        }
    }

    /// By which fingerprints of found secrets are made, so that nobody can test a guess against one.
    pub(crate) const fn fingerprints(&self) -> &[u8; 32] {
        &self.fingerprints
    }

    /// What the secret of a credential hashes to.
    pub(crate) fn hash_of(&self, secret: &str) -> Digest {
        let hash = self.credentials.clone().chain_update(secret);
        Digest(hash.finalize().into_bytes().into())
    }

    /// What a page shows beside the token of its session.
    pub(crate) fn page_token(&self, session: &str) -> String {
        keyed(&self.pages, session.as_bytes()).to_string()
    }

    /// With what the first person is named.
    pub(crate) fn first_token(&self) -> String {
        keyed(&self.first, b"").to_string()
    }

    /// Whether this is that token, in a time that does not tell how much of it is right.
    pub(crate) fn is_first_token(&self, shown: &str) -> bool {
        self.is_hash_of(self.hash_of(&self.first_token()), shown)
    }

    /// Which of so many places belongs to a text; whoever chooses the text cannot choose the place.
    pub(crate) fn place_of(&self, text: &str, places: usize) -> usize {
        let Digest(hash) = keyed(&self.places, text.as_bytes());
        let number = hash
            .iter()
            .take(7)
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        number.checked_rem(places).unwrap_or_default()
    }

    /// Whether a secret hashes to this, in a time that does not tell how much of it is right.
    pub(crate) fn is_hash_of(&self, hash: Digest, secret: &str) -> bool {
        let shown = self.credentials.clone().chain_update(secret);
        shown.verify_slice(&hash.0).is_ok()
    }
}

/// A key, ready to hash with.
fn ready(key: &[u8; 32]) -> Hmac<Sha256> {
    // An HMAC fills a key up to its block with zeros; done here, there is no length that it could refuse.
    let mut block = [0_u8; 64];
    block
        .iter_mut()
        .zip(key)
        .for_each(|(slot, byte)| *slot = *byte);
    <Hmac<Sha256> as KeyInit>::new(&block.into())
}

fn keyed(key: &[u8; 32], message: &[u8]) -> Digest {
    let hash = ready(key).chain_update(message);
    Digest(hash.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_two_purposes_and_of_two_secrets_differ() {
        let (one, other) = (
            Keyring::of(&ServiceSecret::new([1; 32])),
            Keyring::of(&ServiceSecret::new([2; 32])),
        );
        assert_ne!(keyed(&one.fingerprints, b"a"), one.hash_of("a"));
        assert_ne!(one.hash_of("a"), other.hash_of("a"));
        assert!(one.is_hash_of(one.hash_of("a"), "a"));
        assert!(!one.is_hash_of(one.hash_of("a"), "b"));
        assert!(!other.is_hash_of(one.hash_of("a"), "a"));
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        assert_eq!(
            format!("{:?}", ServiceSecret::new([7; 32])),
            "ServiceSecret(…)"
        );
    }
}
