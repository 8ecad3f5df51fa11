//! Whatever may be handed in: texts, where they stand, and what comes with them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Strategy, any};
use testimony_admission::submission::{Field, Submission};
use testimony_domain::{EvidenceChannel, MemoryKind, SourceClass, Timestamp};

use super::one_of;
use super::text::{giant_texts, hostile_texts};
use super::time::instants;

/// A submission that owns what a [`Submission`] borrows.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedSubmission {
    /// The text.
    pub text: String,
    /// The way it came in.
    pub channel: EvidenceChannel,
    /// Its class.
    pub class: SourceClass,
    /// What the writer says it is.
    pub kind: Option<MemoryKind>,
    /// Who speaks in it.
    pub speaker: Option<String>,
    /// When it was said.
    pub observed_at: Timestamp,
    /// The other texts that come with it, by name.
    pub fields: Vec<(String, String)>,
    /// Whether claims are to be drawn from it.
    pub extract: bool,
    /// Whether its writer wants a person to look first.
    pub review_requested: bool,
    /// What the user said in the same turn.
    pub user_message: Option<String>,
    /// Memories that were handed out lately.
    pub handed_out: Vec<String>,
}

impl OwnedSubmission {
    /// Hands `read` the submission as admission takes it.
    pub fn lend<T>(&self, read: impl FnOnce(&Submission<'_>) -> T) -> T {
        let fields = self.fields.iter().map(|(name, text)| Field { name, text });
        let handed_out: Vec<&str> = self.handed_out.iter().map(String::as_str).collect();
        read(&Submission {
            text: &self.text,
            channel: self.channel,
            class: self.class,
            kind: self.kind,
            speaker: self.speaker.as_deref(),
            observed_at: self.observed_at,
            fields: &fields.collect::<Vec<_>>(),
            extract: self.extract,
            review_requested: self.review_requested,
            user_message: self.user_message.as_deref(),
            handed_out: &handed_out,
        })
    }
}

/// Whatever may be handed in.
pub fn submissions() -> BoxedStrategy<OwnedSubmission> {
    let says = (
        giant_texts(),
        option::of(hostile_texts()),
        option::of(hostile_texts()),
    );
    let as_what = (
        one_of(EvidenceChannel::ALL),
        one_of(SourceClass::ALL),
        option::of(one_of(MemoryKind::ALL)),
    );
    let name =
        one_of(&["/metadata/owner", "/tags/0", "/custom_id", "/source"]).prop_map(str::to_owned);
    let beside = (
        vec((name, hostile_texts()), 0..4),
        vec(hostile_texts(), 0..3),
    );
    let wishes = (any::<bool>(), any::<bool>());
    (says, as_what, instants(), beside, wishes)
        .prop_map(|(says, as_what, observed_at, beside, wishes)| {
            let (text, speaker, user_message) = says;
            let (channel, class, kind) = as_what;
            let (fields, handed_out) = beside;
            let (extract, review_requested) = wishes;
            OwnedSubmission {
                text,
                channel,
                class,
                kind,
                speaker,
                observed_at,
                fields,
                extract,
                review_requested,
                user_message,
                handed_out,
            }
        })
        .boxed()
}
