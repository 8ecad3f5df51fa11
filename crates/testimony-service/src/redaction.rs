//! Looking through texts for secrets under the policy of a container: once when they come in, and again when they leave.

use testimony_admission::secrets::{scan, split_across};
use testimony_admission::submission::Policy;
use testimony_domain::Redacted;
use testimony_recall::pack::{CLOSING, OPENING};

use crate::ports::ledger::containers::ContainerPolicy;
use crate::service::Service;

/// The marks that frame our own prompt blocks.
const BLOCK_MARKS: &[&str] = &[OPENING, CLOSING];

impl Service {
    /// Has something done under the policy of a container, as admission knows it.
    pub(crate) fn under<T>(
        &self,
        policy: &ContainerPolicy,
        work: impl FnOnce(&Policy<'_>) -> T,
    ) -> T {
        fn words(list: &[String]) -> Vec<&str> {
            list.iter().map(String::as_str).collect()
        }
        work(&Policy {
            exempt_rules: &words(&policy.exempt_rules),
            allowed_fingerprints: &words(&policy.allowed_fingerprints),
            block_marks: BLOCK_MARKS,
            fingerprint_key: self.keyring.fingerprints(),
        })
    }

    /// A text without its secrets, for whoever sends back what was sent.
    #[must_use]
    pub fn redact(&self, policy: &ContainerPolicy, text: &str) -> Redacted {
        self.under(policy, |policy| scan(text, policy).redacted)
    }

    /// Whether a name that is kept as it comes looks like a credential.
    pub(crate) fn looks_like_a_credential(&self, name: &str) -> bool {
        self.redact(&ContainerPolicy::default(), name).as_str() != name
    }

    /// Which of these texts show a secret, alone or side by side with another.
    pub(crate) fn show_secrets(&self, policy: &ContainerPolicy, texts: &[&str]) -> Vec<usize> {
        self.under(policy, |policy| {
            let alone = texts
                .iter()
                .enumerate()
                .filter(|(_, text)| scan(text, policy).redacted.as_str() != **text)
                .map(|(at, _)| at);
            let together = split_across(texts, policy);
            let halves = together.iter().map(|split| split.second.0);
            alone.chain(halves).collect()
        })
    }
}
