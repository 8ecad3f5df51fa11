//! What comes in: a text, where it stands, and what is known about its writer. All of it borrowed, none of it believed.

use testimony_domain::{EvidenceChannel, MemoryKind, SourceClass, Timestamp};

/// A text and its context.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The text.
    pub text: &'a str,
    /// The way it came in.
    pub channel: EvidenceChannel,
    /// Its class, as the writer's identity and the way in give it.
    pub class: SourceClass,
    /// What the writer says it is.
    pub kind: Option<MemoryKind>,
    /// Who speaks in it.
    pub speaker: Option<&'a str>,
    /// When it was said.
    pub observed_at: Timestamp,
    /// Every other text that comes with it (metadata, tags, custom ids, source labels), scanned as content is.
    pub fields: &'a [Field<'a>],
    /// Whether claims are to be drawn from it; otherwise it is kept as it is.
    pub extract: bool,
    /// Whether its writer wants a person to look first.
    pub review_requested: bool,
    /// What the user said in the same turn; words that stand here are the user's own.
    pub user_message: Option<&'a str>,
    /// Memories that were handed to the same key and run lately.
    pub handed_out: &'a [&'a str],
}

/// A text beside the content: which field it stands in, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The field, as a JSON pointer such as `/metadata/owner` or `/tags/0`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// What holds in the container that the text goes to.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// Rules that an operator has switched off here, by id.
    pub exempt_rules: &'a [&'a str],
    /// Secrets that an operator has allowed here, by fingerprint.
    pub allowed_fingerprints: &'a [&'a str],
    /// The marks that frame the service's own prompt blocks; text that carries one repeats what was handed out.
    pub block_marks: &'a [&'a str],
    /// The service's own key for fingerprints; without it nobody can test a guess against one.
    pub fingerprint_key: &'a [u8; 32],
}
