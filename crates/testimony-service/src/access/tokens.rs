//! Tokens that somebody else signs: the port through which one is examined, and the principal that one stands for.

use sha2::{Digest as _, Sha256};
use testimony_domain::{Capabilities, Capability, KeyId, Principal, PrincipalKind, Timestamp};

use super::{KeyOrder, Known, NoEntry};

/// Examines tokens. It decides whose word a token is and what whoever configured the issuer lets it do; nothing of a
/// token decides how it is examined.
pub trait Tokens: Send + Sync {
    /// What a token stands for.
    ///
    /// # Errors
    /// [`NoEntry`] when it is not to be believed.
    fn examine(&self, token: &str, now: Timestamp) -> Result<Bearer, NoEntry>;

    /// Whose tokens are believed, for whoever wants to get one.
    fn issuers(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What a token stands for.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// Who signed it.
    pub issuer: String,
    /// Whom it was signed for.
    pub subject: String,
    /// What it lets its holder do. Its kind and its name do not count, and nobody operates by a token.
    pub order: KeyOrder,
}

impl Bearer {
    /// Somebody of an issuer is the same in every token, so that rows have one author.
    #[must_use]
    pub fn id(&self) -> KeyId {
        let mut hash = Sha256::new();
        for part in [&self.issuer, &self.subject] {
            // Lengths keep the two apart, so that nothing can move from one into the other.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let mut bytes = [0_u8; 16];
        for (slot, byte) in bytes.iter_mut().zip(hash.finalize()) {
            *slot = byte;
        }
        KeyId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Whoever holds the token.
    pub(super) fn into_known(self) -> Known {
        let id = self.id();
        let may = self.order.capabilities.iter();
        let may = may.filter(|capability| *capability != Capability::Admin);
        let capabilities = Capabilities::of(may);
        let requests_per_minute = self.order.allowance.requests_per_minute;
        Known {
            principal: Principal {
                kind: PrincipalKind::Agent,
                capabilities,
                ..self.order.principal(id)
            },
            requests_per_minute,
        }
    }
}

/// Whether it has the form of a token, whoever signed it.
pub(super) fn looks_like_one(words: &str) -> bool {
    words.matches('.').count() == 2 && !words.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer(issuer: &str, subject: &str) -> Bearer {
        Bearer {
            issuer: issuer.to_owned(),
            subject: subject.to_owned(),
            order: KeyOrder::operator("a token"),
        }
    }

    #[test]
    fn somebody_is_the_same_in_every_token_and_nobody_else() {
        let id = bearer("https://id.example", "mara").id();
        assert_eq!(id, bearer("https://id.example", "mara").id());
        assert_ne!(id, bearer("https://id.example", "mar").id());
        assert_ne!(id, bearer("https://id.examplem", "ara").id());
        assert_eq!(id.uuid().get_version_num(), 8);
    }

    #[test]
    fn nobody_operates_by_a_token() {
        let known = bearer("a", "b").into_known();
        assert_eq!(known.principal.kind, PrincipalKind::Agent);
        assert!(!known.principal.capabilities.allow(Capability::Admin));
    }
}
