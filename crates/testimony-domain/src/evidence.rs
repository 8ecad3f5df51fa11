//! Evidence: what was said, redacted before it is kept, and never rewritten.

use std::fmt;

use crate::{EvidenceId, Origin, Partition, SourceLabel, Timestamp};

/// Text from which every secret has been taken.
///
/// Everything that is kept, logged or answered carries text of this type.
/// Only admission makes one from a caller's words, and only a store makes one from its own rows; a repository test
/// names the places that may call [`Redacted::attest`].
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Redacted(Box<str>);

impl Redacted {
    /// States that `text` has been through redaction.
    #[must_use]
    pub fn attest(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first characters, at most `max`; a text without secrets has none in its beginning either.
    #[must_use]
    pub fn head(&self, max: usize) -> Self {
        let end = self.0.char_indices().nth(max).map(|(end, _)| end);
        let cut = end.and_then(|end| self.0.split_at_checked(end));
        cut.map_or_else(|| self.clone(), |(head, _)| Self(head.into()))
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Its id.
    pub id: EvidenceId,
    /// Where it lives.
    pub partition: Partition,
    /// Where it comes from, and its class.
    pub origin: Origin,
    /// Where it came from, in the caller's words.
    pub label: SourceLabel,
    /// What was said.
    pub text: Redacted,
    /// When it was said, as far as known.
    pub observed_at: Timestamp,
    /// When it was kept.
    pub recorded_at: Timestamp,
}
