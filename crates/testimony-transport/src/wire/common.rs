//! What requests have in common: whom they claim to come from, by which name they are known, and how they are filtered.

use testimony_domain::{
    AgentId, AppId, Claim, Invalid, Labels, MemoryId, MemoryKind, MemoryScope, OrgId, Plane,
    RequestId, RunId, SourceApp, TrustPolicy, UserId,
};
use testimony_recall::{Filters, TagMatch, TagMode};
use testimony_service::ports::ledger::audit::Digest;
use testimony_service::write::Repetition;

use super::fault::{Fault, Notice, Warning};
use super::field::{Effect, Field, Kind, Table, label};
use super::reader::{Log, Object};

/// The greatest number of tags, or other words, of one field.
const MOST_WORDS: usize = 100;
const TAG: Kind = label!(Tag);
/// A list of tags.
pub(crate) const TAGS: Kind = Kind::List(&TAG, MOST_WORDS);
const ANY_WORD: Kind = label!(SourceLabel);
/// A list of words.
pub(crate) const WORDS: Kind = Kind::List(&ANY_WORD, MOST_WORDS);

const CLAIMED: &str = "Where the key binds another, that one counts and this one is dropped.";

/// Whom a request claims to come from.
#[rustfmt::skip]
pub(crate) const IDENTITY: &[Field] = &[
    Field::new("agent_id", label!(AgentId), CLAIMED),
    Field::new("source_app", label!(SourceApp), CLAIMED),
    Field::new("app_id", label!(AppId), CLAIMED),
    Field::new("run_id", label!(RunId), CLAIMED),
    Field::new("user_id", label!(UserId), CLAIMED),
    Field::new("org_id", label!(OrgId), CLAIMED),
];

/// Another name of the run.
pub(crate) const SESSION: Field =
    Field::new("session_id", label!(RunId), "Another name of `run_id`.");
/// The caller's name of a write.
pub(crate) const WRITE_ID: Field = Field::new(
    "request_id",
    label!(RequestId),
    "The caller's name of this write; the same name with the same body is carried out once.",
);
/// The caller's name of a read.
pub(crate) const READ_ID: Field = Field::new(
    "request_id",
    label!(RequestId),
    "The caller's name of this read, as the trail keeps it.",
);

/// Names that are kept as they come.
pub(crate) const NAMES: Table = &[IDENTITY, &[SESSION, WRITE_ID, SPEAKER]];

/// Who said something.
pub(crate) const SPEAKER: Field = Field::new("speaker", label!(Speaker), "Who said it.");

/// What was found beside a request that can be carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// What is worth a word.
    pub warnings: Vec<Warning>,
    /// Fields that came and count for nothing.
    pub idle: Vec<(&'static str, Effect)>,
}

impl Log {
    /// What was read, if nothing is wrong with it.
    pub(crate) fn end<T>(self, request: T) -> Result<(T, Notes), Vec<Fault>> {
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let notes = Notes {
            warnings: self.warnings,
            idle: self.idle,
        };
        Ok((request, notes))
    }
}

/// Whom a request claims to come from.
pub(crate) fn claim(object: &Object<'_>, log: &mut Log) -> Claim {
    let run = object.read("run_id", log, RunId::new);
    let session = object.read("session_id", log, RunId::new);
    if run.is_some() && session.is_some() && run != session {
        let detail = "It names another run than `run_id`, which counts.";
        log.warn(Notice::WithoutEffect, object.pointer("session_id"), detail);
    }
    Claim {
        agent: object.read("agent_id", log, AgentId::new),
        source_app: object.read("source_app", log, SourceApp::new),
        labels: Labels {
            user: object.read("user_id", log, UserId::new),
            app: object.read("app_id", log, AppId::new),
            org: object.read("org_id", log, OrgId::new),
            run: run.or(session),
        },
    }
}

/// The name of a request.
pub(crate) fn request_id(object: &Object<'_>, log: &mut Log) -> Option<RequestId> {
    object.read("request_id", log, RequestId::new)
}

/// By what a repetition of a write is known.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// The digest of its body.
    pub body: Digest,
    /// Its `Idempotency-Key`.
    pub key: Option<RequestId>,
}

impl Sent {
    pub(crate) fn as_repetition(&self, object: &Object<'_>, log: &mut Log) -> Repetition {
        Repetition {
            request: request_id(object, log),
            key: self.key.clone(),
            body: self.body,
            ..Repetition::default()
        }
    }
}

/// Which rows are wanted, in the fields that recall and context share.
pub(crate) fn filters(object: &Object<'_>, log: &mut Log) -> Filters {
    Filters {
        plane: object.read("memory_plane", log, Plane::parse),
        scope: object.read("memory_scope", log, MemoryScope::parse),
        kind: object.read("memory_type", log, MemoryKind::parse),
        tags: object.list("tags", log, testimony_domain::Tag::new),
        ..Filters::default()
    }
}

/// How tags are compared.
pub(crate) fn tag_rules(object: &Object<'_>, filters: &mut Filters, log: &mut Log) {
    if let Some(mode) = object.read("tag_mode", log, TagMode::parse) {
        filters.tag_mode = mode;
    }
    if let Some(how) = object.read("tag_match", log, TagMatch::parse) {
        filters.tag_match = how;
    }
}

/// Kinds of memory that are named as context; other words lift nothing.
pub(crate) fn context_types(object: &Object<'_>, log: &mut Log) -> Vec<MemoryKind> {
    let mut kinds = Vec::new();
    for (index, word) in object.texts("context_types").enumerate() {
        match MemoryKind::parse("context_types", word) {
            Ok(kind) => kinds.push(kind),
            Err(_) => {
                let detail = "It is no kind of memory, so it lifts nothing.";
                let at = object.pointer("context_types").below(index);
                log.warn(Notice::WithoutEffect, at, detail);
            }
        }
    }
    kinds
}

/// Ids that go first. One that is no id is as good as one that is not there.
pub(crate) const IDS: Kind = Kind::List(&ANY_WORD, MOST_WORDS);

/// Rows that go first, and whether one of their ids is none.
pub(crate) fn priority_ids(object: &Object<'_>) -> (Vec<MemoryId>, bool) {
    let ids = object.texts("priority_ids").map(str::parse);
    let ids: Vec<Result<MemoryId, Invalid>> = ids.collect();
    let names_nothing = ids.iter().any(Result::is_err);
    (ids.into_iter().flatten().collect(), names_nothing)
}

/// The policy that a request asks for.
pub(crate) fn trust_policy(object: &Object<'_>, log: &mut Log) -> Option<TrustPolicy> {
    object.read("trust_policy", log, TrustPolicy::parse)
}
