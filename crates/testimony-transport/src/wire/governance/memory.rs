//! A memory as operators and reviewers see it: all that is kept of it, and how it stands.

use serde_json::{Map, Value, json};
use testimony_domain::{
    AppId, Labels, Memory, MemoryKind, MemoryScope, OrgId, Owner, Plane, ReviewNeed, RunId,
    SourceClass, State, TrustBucket, UserId, Verdict,
};

use crate::wire::rows::{case_url, reasons, said_of};
use crate::wire::shape::{Member, Shape};
use crate::wire::written::join;

/// A reason as code and sentence.
pub(crate) const REASON: &[Member] = &[
    Member::new("code", Shape::Text, "The stable code."),
    Member::new("sentence", Shape::Text, "The reason as a sentence."),
];
/// Reasons.
pub(crate) const REASONS: Shape = Shape::List(&Shape::Object(REASON));

const OWNER: &[Member] = &[
    Member::new(
        "agent_id",
        Shape::Maybe(&Shape::Text),
        "The agent, where one wrote it.",
    ),
    Member::new(
        "key_id",
        Shape::Maybe(&Shape::Id("key")),
        "The key, where it is bound to no agent.",
    ),
];

/// The labels of a row.
pub(crate) const LABELS: &[Member] = &[
    Member::new("user_id", Shape::Maybe(&Shape::Text), "The person."),
    Member::new("app_id", Shape::Maybe(&Shape::Text), "The application."),
    Member::new("org_id", Shape::Maybe(&Shape::Text), "The organisation."),
    Member::new("run_id", Shape::Maybe(&Shape::Text), "The run."),
];

const STATES: &[&str] = &[
    "active",
    "pending",
    "quarantined",
    "forensic",
    "superseded",
    "expired",
    "rejected",
    "erased",
];

/// A memory.
#[rustfmt::skip]
pub(crate) const MEMORY: &[Member] = &[
    Member::new("id", Shape::Id("mem"), "Its id."),
    Member::new("fact_id", Shape::Id("fact"), "The fact that it is a revision of."),
    Member::new("revision", Shape::Whole, "Which revision, from 1."),
    Member::new("custom_id", Shape::Maybe(&Shape::Text), "The caller's own id of it."),
    Member::new("content", Shape::Text, "What it says, without secrets."),
    Member::new("memory_type", Shape::Word(MemoryKind::WORDS), "What it is."),
    Member::new("memory_plane", Shape::Word(Plane::WORDS), "The plane."),
    Member::new("memory_scope", Shape::Word(MemoryScope::WORDS), "The scope."),
    Member::new("lifecycle_state", Shape::Word(STATES), "Its state, as everybody sees it."),
    Member::new("state", Shape::Word(State::WORDS), "Its state, with the two kinds of quarantine apart."),
    Member::new("source", Shape::Text, "Where it came from."),
    Member::new("source_app", Shape::Maybe(&Shape::Text), "The application that wrote it."),
    Member::new("source_class", Shape::Word(SourceClass::WORDS), "The weakest class of its lineage."),
    Member::new("speaker", Shape::Maybe(&Shape::Text), "Who said it."),
    Member::new("tags", Shape::List(&Shape::Text), "Words by which it is filtered."),
    Member::new("observed_at", Shape::Time, "When it was said."),
    Member::new("created_at", Shape::Time, "When it was kept."),
    Member::new("expires_at", Shape::Maybe(&Shape::Time), "When it expires."),
    Member::new("container_tag", Shape::Text, "Where it lives."),
    Member::new("owner", Shape::Object(OWNER), "Who wrote it."),
    Member::new("labels", Shape::Object(LABELS), "The labels that it carries."),
    Member::new("trust_bucket", Shape::Word(TrustBucket::WORDS), "How far it may be relied on."),
    Member::new("trust_verdict", Shape::Word(Verdict::WORDS), "What the verdict table says of it."),
    Member::new("trust_reasons", REASONS, "Why the verdict is what it is."),
    Member::new("reasons", REASONS, "Why the row is what it is."),
    Member::new("approved", Shape::Flag, "Whether a person approved it."),
    Member::new("review", Shape::Maybe(&Shape::Word(ReviewNeed::WORDS)), "Why a person has to look at it first."),
    Member::new("contested", Shape::Flag, "Whether it is one side of an unresolved conflict."),
    Member::new("origins", Shape::Whole, "How many independent origins speak for it."),
    Member::new("valid_from", Shape::Maybe(&Shape::Time), "Since when it holds."),
    Member::new("valid_until", Shape::Maybe(&Shape::Time), "Until when it holds."),
    Member::new("courtroom_url", Shape::Text, "Where its case report is."),
];

/// A memory with all that is kept of it.
pub(crate) fn memory(memory: &Memory) -> Value {
    let mut body = said_of(memory);
    join(&mut body, standing(memory));
    Value::Object(body)
}

fn standing(memory: &Memory) -> Value {
    let ruling = memory.ruling();
    let partition = &memory.partition;
    let time = |at: Option<testimony_domain::Timestamp>| at.map(|at| at.to_string());
    json!({
        "state": memory.state.as_str(),
        "container_tag": partition.container().as_str(),
        "owner": owner(partition.owner()),
        "labels": labels(partition.labels()),
        "trust_bucket": ruling.verdict.bucket().as_str(),
        "trust_verdict": ruling.verdict.as_str(),
        "trust_reasons": reasons(ruling.reasons),
        "reasons": reasons(&memory.reasons),
        "approved": memory.approved,
        "review": memory.review.map(ReviewNeed::as_str),
        "contested": memory.contested,
        "origins": memory.origins,
        "valid_from": time(memory.validity.from),
        "valid_until": time(memory.validity.until),
        "courtroom_url": case_url(memory),
    })
}

fn owner(owner: &Owner) -> Value {
    match owner {
        Owner::Agent(agent) => json!({ "agent_id": agent.as_str(), "key_id": null }),
        Owner::Key(key) => json!({ "agent_id": null, "key_id": key.to_string() }),
    }
}

/// The labels of a row.
pub(crate) fn labels(labels: &Labels) -> Value {
    let said = [
        ("user_id", labels.user.as_ref().map(UserId::as_str)),
        ("app_id", labels.app.as_ref().map(AppId::as_str)),
        ("org_id", labels.org.as_ref().map(OrgId::as_str)),
        ("run_id", labels.run.as_ref().map(RunId::as_str)),
    ];
    let members = said.map(|(name, value)| (name.to_owned(), Value::from(value)));
    Value::Object(Map::from_iter(members))
}
