//! Ids of requests: the caller's, where it is a plain word, or one of our own.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use testimony_admission::secrets::scan;
use testimony_admission::submission::Policy;

/// The header, in and out.
pub(super) const HEADER: &str = "x-request-id";
/// No id is longer.
const LONGEST: usize = 128;

/// Makes ids that no other run of the program makes. Nothing rests on nobody guessing them.
#[derive(Debug, Default)]
pub(super) struct RequestIds {
    of_this_run: RandomState,
    made: AtomicU64,
}

impl RequestIds {
    /// The caller's id, if it is one that can be sent back and written into a log; else a new one.
    pub(super) fn take(&self, sent: Option<&str>) -> String {
        sent.filter(|id| is_plain(id))
            .map_or_else(|| self.make(), str::to_owned)
    }

    fn make(&self) -> String {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let mixed = self.of_this_run.hash_one(number);
        format!("req_{mixed:016x}{:08x}", number & 0xffff_ffff)
    }
}

fn is_plain(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:/+=".contains(&byte);
    let named = !id.is_empty() && id.len() <= LONGEST && id.bytes().all(plain);
    // A credential, one of ours or of anybody's, is no name for a request, and must not end up in a log.
    named && !id.starts_with("tst_") && !is_credential(id)
}

fn is_credential(id: &str) -> bool {
    let policy = Policy {
        exempt_rules: &[],
        allowed_fingerprints: &[],
        block_marks: &[],
        // Nothing of what is found is kept.
        fingerprint_key: &[0; 32],
    };
    scan(id, &policy).redacted.as_str() != id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_id_is_kept_and_another_replaced() {
        let ids = RequestIds::default();
        assert_eq!(ids.take(Some("trace-7:a.b")), "trace-7:a.b");
        for strange in ["", "a b", "a\nb", "tst_agent_x", "ü", &"a".repeat(129)] {
            assert!(ids.take(Some(strange)).starts_with("req_"), "{strange}");
        }
        for usual in [
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "018bcfe5-687b-7000-a000-000000000001",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(ids.take(Some(usual)), usual);
        }
        // It is made up, and stands here in parts.
        let token = ["gh", "p_", "q7Rt2LmX9vKc4BzN8wYh3JfD6sGp1TaE5uVi"].concat();
        assert!(ids.take(Some(&token)).starts_with("req_"));
        assert_ne!(ids.take(None), ids.take(None));
    }
}
