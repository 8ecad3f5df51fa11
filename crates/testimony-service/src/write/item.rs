//! What a caller hands in: items, and what holds for all of them.

use std::fmt;
use std::sync::Arc;

use testimony_domain::{
    Bound, Claim, EvidenceChannel, EvidenceId, ExpiryHours, Invalid, MemoryId, MemoryKind,
    MemoryScope, Plane, Problem, RequestId, SourceClass, Timestamp, UserId,
};

use super::answer::WriteAnswer;
use crate::ports::ledger::audit::Digest;

/// A text that a request carries: how long it may be, in characters.
pub const CONTENT: Bound = text("content", 50_000, "What is to be remembered.");
/// The assistant's words of a turn.
pub const ASSISTANT_RESPONSE: Bound =
    text("assistant_response", 50_000, "What the assistant said.");
/// The user's words of a turn.
pub const USER_MESSAGE: Bound = text("user_message", 20_000, "What the user said.");
/// What stands in the metadata of an item, names and values together. It is copied to every item of a batch, and every text
/// in it is looked through.
pub(super) const METADATA: Bound = text(
    "metadata",
    16_384,
    "What is kept with the evidence, names and values together.",
);
/// How many names and values the metadata of an item has.
pub(super) const MOST_IN_METADATA: usize = 1_000;
/// How many items a batch has.
pub const BATCH: Bound = Bound {
    name: "contents",
    min: 1.0,
    max: 100.0,
    default: None,
    unit: "items",
    meaning: "How many items one request brings.",
};

const fn text(name: &'static str, max: u32, meaning: &'static str) -> Bound {
    Bound {
        name,
        min: 1.0,
        max: max as f64,
        default: None,
        unit: "characters",
        meaning,
    }
}

/// Checks a text against its bound.
pub(crate) fn check_text(field: &str, content: &str, bound: &Bound) -> Result<(), Invalid> {
    let length = content.chars().count();
    if content.trim().is_empty() {
        return Err(Invalid::new(field, Problem::Empty));
    }
    let max = bound.max as usize;
    if length > max {
        return Err(Invalid::new(field, Problem::TooLong { length, max }));
    }
    Ok(())
}

/// One thing to be remembered, as its caller sends it.
///
/// Texts that end up in labels are taken as they were sent: they are looked through for secrets first, and only what is
/// left of them is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// What it says.
    pub content: String,
    /// What it is.
    pub kind: Option<MemoryKind>,
    /// The plane.
    pub plane: Option<Plane>,
    /// The scope.
    pub scope: Option<MemoryScope>,
    /// Where it came from, in the caller's words.
    pub source: Option<String>,
    /// The class that its caller asks for; it can only lower.
    pub class: Option<SourceClass>,
    /// The document or message it was taken from.
    pub source_ref: Option<String>,
    /// Words by which it is filtered.
    pub tags: Vec<String>,
    /// What comes with it: a JSON object.
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
    /// The caller's own id of it.
    pub custom_id: Option<String>,
    /// When it was said.
    pub observed_at: Option<Timestamp>,
    /// Who said it.
    pub speaker: Option<String>,
    /// The person it is about or for, where the request leaves it open.
    pub user: Option<UserId>,
    /// After how long it expires.
    pub expires_in: Option<ExpiryHours>,
    /// Memories that it replaces.
    pub supersedes: Vec<MemoryId>,
    /// Memories that it takes back.
    pub retracts: Vec<MemoryId>,
    /// The words that it was drawn from.
    pub excerpt: Option<String>,
}

impl Item {
    /// An item that says this and nothing else.
    #[must_use]
    pub fn of(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            ..Self::default()
        }
    }

    /// What this item does not say itself is taken from what holds for the whole request.
    #[must_use]
    pub fn inheriting(self, from: &Self) -> Self {
        let or_tags = |own: Vec<String>| {
            let inherited = from.tags.iter().filter(|tag| !own.contains(tag)).cloned();
            let inherited: Vec<String> = inherited.collect();
            own.into_iter().chain(inherited).collect()
        };
        Self {
            kind: self.kind.or(from.kind),
            plane: self.plane.or(from.plane),
            scope: self.scope.or(from.scope),
            source: self.source.or_else(|| from.source.clone()),
            class: self.class.or(from.class),
            source_ref: self.source_ref.or_else(|| from.source_ref.clone()),
            tags: or_tags(self.tags),
            metadata: self.metadata.or_else(|| from.metadata.clone()),
            custom_id: self.custom_id.or_else(|| from.custom_id.clone()),
            observed_at: self.observed_at.or(from.observed_at),
            speaker: self.speaker.or_else(|| from.speaker.clone()),
            user: self.user.or_else(|| from.user.clone()),
            expires_in: self.expires_in.or(from.expires_in),
            ..self
        }
    }
}

/// Where in a request an item stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The field, such as `contents` or `observed_facts`.
    pub field: &'static str,
    /// Its number in the field; `None` where the field is the item.
    pub index: Option<usize>,
}

impl Place {
    /// The item as a JSON pointer.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.index.map_or_else(
            || format!("/{}", self.field),
            |index| format!("/{}/{index}", self.field),
        )
    }
}

/// An item with the way it comes in.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The way in.
    pub channel: EvidenceChannel,
    /// The item.
    pub item: Item,
    /// Whether claims are to be drawn from it.
    pub extract: bool,
    /// The evidence that it was drawn from, where that is kept already: it is evidence of nothing new.
    pub drawn_from: Option<EvidenceId>,
}

/// Writes an answer down as it will be sent, so that a repetition of the request gets the same.
#[derive(Clone)]
pub struct Render(Arc<dyn Fn(&WriteAnswer) -> String + Send + Sync>);

impl Render {
    /// Writes answers down so.
    pub fn new(render: impl Fn(&WriteAnswer) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(render))
    }

    pub(super) fn write(&self, answer: &WriteAnswer) -> String {
        (self.0)(answer)
    }
}

impl Default for Render {
    /// A repetition is answered with ids alone.
    fn default() -> Self {
        Self::new(|_| String::new())
    }
}

impl fmt::Debug for Render {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Render(…)")
    }
}

/// The name of a request, by which a repetition of it is known.
#[derive(Clone, Debug, Default)]
pub struct Repetition {
    /// The caller's own id of the request, from its body.
    pub request: Option<RequestId>,
    /// The `Idempotency-Key` of the request, which insists on the same body.
    pub key: Option<RequestId>,
    /// The digest of the body.
    pub body: Digest,
    /// How the answer is written down.
    pub render: Render,
}

/// A retain.
#[derive(Clone, Debug)]
pub struct RetainRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What is to be remembered, with what holds for the whole request filled in.
    pub items: Vec<Item>,
    /// Whether the items came as a batch.
    pub is_batch: bool,
    /// Whether claims are to be drawn from the items.
    pub extract: bool,
    /// Whether a person has to look first.
    pub review_required: bool,
    /// Why.
    pub review_reason: Option<String>,
    /// By what a repetition is known.
    pub repetition: Repetition,
}

impl Default for RetainRequest {
    fn default() -> Self {
        Self {
            claim: Claim::default(),
            items: Vec::new(),
            is_batch: false,
            extract: true,
            review_required: false,
            review_reason: None,
            repetition: Repetition::default(),
        }
    }
}

impl RetainRequest {
    /// A request that this be remembered, and nothing else.
    #[must_use]
    pub fn of(content: impl Into<String>) -> Self {
        Self {
            items: vec![Item::of(content)],
            ..Self::default()
        }
    }
}

/// A writeback.
#[derive(Clone, Debug, Default)]
pub struct WritebackRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What the agent saw.
    pub observed_facts: Vec<Item>,
    /// What was decided.
    pub decisions: Vec<Item>,
    /// What the user likes or wants.
    pub preferences: Vec<Item>,
    /// What was made.
    pub artifacts: Vec<Item>,
    /// What the assistant said.
    pub assistant_response: Option<String>,
    /// What the user said.
    pub user_message: Option<String>,
    /// What holds for what is drawn from either message.
    pub base: Item,
    /// Whether claims are to be drawn from the messages.
    pub extract: bool,
    /// Whether a person has to look first.
    pub review_required: bool,
    /// By what a repetition is known.
    pub repetition: Repetition,
}
