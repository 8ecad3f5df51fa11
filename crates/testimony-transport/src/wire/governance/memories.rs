//! Memories for operators: which are wanted, what hangs on one, what happened to it, and how it is set right.

use serde_json::{Map, Value, json};
use testimony_domain::{
    AgentId, Event, Memory, MemoryId, MemoryKind, Owner, Plane, Polarity, SourceClass, SourceLabel,
    State, Support, Tag, TrustBucket, UserId,
};
use testimony_recall::parse_bound;
use testimony_service::oversight::{MemoriesRequest, MemoryFile};
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::memories::{HistoryLine, Link, MemoryFilter, Relation};
use testimony_service::write::CONTENT;

use super::jobs::{JOB, job};
use super::memory::{MEMORY, REASONS, memory};
use super::{NEXT, REASON, texts};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table, label};
use crate::wire::page::{self, PAGE};
use crate::wire::reader::{Log, Object};
use crate::wire::recall::{QUERY, WHEN};
use crate::wire::rows::reasons;
use crate::wire::shape::{Member, Shape};

/// Which memories an operator wants.
#[rustfmt::skip]
pub const LIST: Table = &[
    &[
        Field::new("state", Kind::Word(State::WORDS), "Only rows in this state."),
        Field::new("trust", Kind::Word(TrustBucket::WORDS), "Only rows of this bucket of trust."),
        Field::new("memory_plane", Kind::Word(Plane::WORDS), "Only rows of this plane."),
        Field::new("memory_type", Kind::Word(MemoryKind::WORDS), "Only rows of this kind."),
        Field::new("agent_id", label!(AgentId), "Only rows that this agent wrote."),
        Field::new("user_id", label!(UserId), "Only rows with this person as label."),
        Field::new("source", label!(SourceLabel), "Only rows from here."),
        Field::new("tag", label!(Tag), "Only rows with this tag."),
        Field::new("created_after", WHEN, "Only rows kept at or after this instant."),
        Field::new("created_before", WHEN, "Only rows kept before this instant."),
        Field::new("text", Kind::Text(&QUERY), "Only rows in which these words stand, as the index finds them; the best come first, in one part."),
    ],
    PAGE,
];

/// A correction.
#[rustfmt::skip]
pub const CORRECT: Table = &[&[
    Field::new("content", Kind::Text(&CONTENT), "What holds instead; it is examined like anything that comes in.").required(),
    Field::new("reason", Kind::Text(&REASON), "Why; it is kept beside the evidence, without secrets.").required(),
]];

/// A retraction.
#[rustfmt::skip]
pub const RETRACT: Table = &[&[
    Field::new("reason", Kind::Text(&REASON), "Why; it is kept as evidence against the memory, without secrets.").required(),
]];

/// A part of a list of memories.
pub const MEMORIES: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(MEMORY)),
        "Memories in the order in which they were made, or the best first.",
    ),
    NEXT,
];

#[rustfmt::skip]
const SUPPORT: &[Member] = &[
    Member::new("evidence_id", Shape::Id("evd"), "The evidence."),
    Member::new("polarity", Shape::Word(Polarity::WORDS), "What it does for the memory."),
    Member::new("source_class", Shape::Word(SourceClass::WORDS), "Its class."),
    Member::new("key_id", Shape::Id("key"), "The credential that it came through."),
    Member::new("agent_id", Shape::Maybe(&Shape::Text), "The agent."),
    Member::new("run_id", Shape::Maybe(&Shape::Text), "The run."),
    Member::new("source_ref", Shape::Maybe(&Shape::Text), "The document or message."),
    Member::new("echo", Shape::Flag, "Whether it repeats what was handed out."),
    Member::new("text", Shape::Maybe(&Shape::Text), "What was said, without secrets; nothing once it is gone."),
    Member::new("source", Shape::Maybe(&Shape::Text), "Where it came from."),
    Member::new("observed_at", Shape::Maybe(&Shape::Time), "When it was said."),
    Member::new("reasons", REASONS, "What was found in it."),
    Member::new("metadata", Shape::Anything, "What came with it, and what was found in it."),
];

const LINK: &[Member] = &[
    Member::new("from", Shape::Id("mem"), "The one."),
    Member::new(
        "relation",
        Shape::Word(Relation::WORDS),
        "How it stands to the other.",
    ),
    Member::new("to", Shape::Id("mem"), "The other."),
];

const SLOT: &[Member] = &[
    Member::new("subject", Shape::Text, "About whom or what."),
    Member::new("attribute", Shape::Text, "Which property."),
    Member::new("scope", Shape::Text, "Under which circumstances."),
];

#[rustfmt::skip]
const FACT: &[Member] = &[
    Member::new("id", Shape::Id("fact"), "Its id."),
    Member::new("current", Shape::Id("mem"), "The revision that stands."),
    Member::new("slot", Shape::Maybe(&Shape::Object(SLOT)), "The question that it answers."),
];

const REVISION: &[Member] = &[
    Member::new("id", Shape::Id("mem"), "The revision."),
    Member::new("revision", Shape::Whole, "Which."),
    Member::new("state", Shape::Word(State::WORDS), "How it stands."),
];

#[rustfmt::skip]
const ABOUT: &[Member] = &[
    Member::new("id", Shape::Id("case"), "The case."),
    Member::new("kind", Shape::Text, "What it is about."),
    Member::new("decision", Shape::Maybe(&Shape::Text), "How it was decided; nothing while it is open."),
];

/// A memory with all that hangs on it.
#[rustfmt::skip]
pub const FILE: &[Member] = &[
    Member::new("memory", Shape::Object(MEMORY), "The memory."),
    Member::new("fact", Shape::Maybe(&Shape::Object(FACT)), "The fact that it is a revision of."),
    Member::new("revisions", Shape::List(&Shape::Object(REVISION)), "The revisions of that fact, oldest first."),
    Member::new("supports", Shape::List(&Shape::Object(SUPPORT)), "What speaks for and against it."),
    Member::new("links", Shape::List(&Shape::Object(LINK)), "How it stands to other memories."),
    Member::new("entities", Shape::List(&Shape::Text), "What it speaks of."),
    Member::new("cases", Shape::List(&Shape::Object(ABOUT)), "Review cases about it."),
    Member::new("jobs", Shape::List(&Shape::Object(JOB)), "Jobs about it that are not over."),
];

#[rustfmt::skip]
const LINE: &[Member] = &[
    Member::new("seq", Shape::Whole, "The event of the trail that it goes with."),
    Member::new("at", Shape::Time, "When."),
    Member::new("by", Shape::Text, "By whom."),
    Member::new("event", Shape::Maybe(&Shape::Word(Event::WORDS)), "What happened; nothing for what is no matter of the lifecycle."),
    Member::new("state", Shape::Word(State::WORDS), "The state from then on."),
    Member::new("approved", Shape::Flag, "Whether it was approved."),
    Member::new("review", Shape::Maybe(&Shape::Text), "Why a person had to look at it."),
    Member::new("contested", Shape::Flag, "Whether it was one side of a conflict."),
    Member::new("origins", Shape::Whole, "How many origins spoke for it."),
    Member::new("reasons", REASONS, "Why it was what it was."),
    Member::new("valid_from", Shape::Maybe(&Shape::Time), "Since when it held."),
    Member::new("valid_until", Shape::Maybe(&Shape::Time), "Until when it held."),
    Member::new("expires_at", Shape::Maybe(&Shape::Time), "When it was to expire."),
];

/// The history of a memory.
pub const HISTORY: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(LINE)),
        "What happened, oldest first.",
    ),
    NEXT,
];

/// Reads which memories are wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<MemoriesRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let filter = MemoryFilter {
        container: None,
        states: object
            .read("state", &mut log, State::parse)
            .into_iter()
            .collect(),
        owner: object
            .read("agent_id", &mut log, AgentId::new)
            .map(Owner::Agent),
        plane: object.read("memory_plane", &mut log, Plane::parse),
        kind: object.read("memory_type", &mut log, MemoryKind::parse),
        user: object.read("user_id", &mut log, UserId::new),
        source: object.read("source", &mut log, SourceLabel::new),
        tag: object.read("tag", &mut log, Tag::new),
        created_after: object.read("created_after", &mut log, parse_bound),
        created_before: object.read("created_before", &mut log, parse_bound),
    };
    let request = MemoriesRequest {
        filter,
        trust: object.read("trust", &mut log, TrustBucket::parse),
        text: object.owned("text"),
        page: page::page(&object, &mut log, |_, text| text.parse::<MemoryId>()),
    };
    log.end(request).map(|(request, _)| request)
}

/// Reads what is said in place of a memory, and why; nothing is said where it is only taken back.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_change(
    body: &Map<String, Value>,
    fields: Table,
) -> Result<(String, String), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, fields, &mut log);
    let [content, reason] = texts(&object, ["content", "reason"]);
    log.end((content, reason)).map(|(change, _)| change)
}

/// A part of a list of memories; what was found by words comes in one part.
#[must_use]
pub fn listed(rows: &[Memory], request: &MemoriesRequest) -> Value {
    let last = rows.last().filter(|_| request.text.is_none());
    page::sent(
        rows.iter().map(memory),
        &request.page,
        last.map(|row| row.id),
    )
}

/// A memory with all that hangs on it.
#[must_use]
pub fn file(file: &MemoryFile) -> Value {
    let revisions = file.revisions.iter().map(|row| {
        json!({ "id": row.id.to_string(), "revision": row.revision, "state": row.state.as_str() })
    });
    let cases = file.cases.iter().map(|case| {
        let decision = case.closed.as_ref().map(|closing| &closing.decision);
        json!({ "id": case.id.to_string(), "kind": case.kind.as_str(), "decision": decision })
    });
    json!({
        "memory": memory(&file.memory),
        "fact": file.fact.as_ref().map(fact),
        "revisions": revisions.collect::<Vec<_>>(),
        "supports": file.supports.iter().map(support).collect::<Vec<_>>(),
        "links": file.links.iter().map(link).collect::<Vec<_>>(),
        "entities": file.memory.entities,
        "cases": cases.collect::<Vec<_>>(),
        "jobs": file.jobs.iter().map(job).collect::<Vec<_>>(),
    })
}

fn fact(fact: &testimony_domain::Fact) -> Value {
    let slot = fact.slot.as_ref().map(
        |slot| json!({ "subject": slot.subject, "attribute": slot.attribute, "scope": slot.scope }),
    );
    json!({ "id": fact.id.to_string(), "current": fact.current.to_string(), "slot": slot })
}

fn link(link: &Link) -> Value {
    json!({
        "from": link.from.to_string(),
        "relation": link.relation.as_str(),
        "to": link.to.to_string(),
    })
}

fn support((support, kept): &(Support, Option<Kept>)) -> Value {
    let origin = &support.origin;
    let evidence = kept.as_ref().map(|kept| &kept.evidence);
    let metadata = kept.as_ref().and_then(|kept| kept.metadata.as_deref());
    let metadata: Option<Value> = metadata.and_then(|text| serde_json::from_str(text).ok());
    json!({
        "evidence_id": support.evidence.to_string(),
        "polarity": support.polarity.as_str(),
        "source_class": origin.class.as_str(),
        "key_id": origin.key.to_string(),
        "agent_id": origin.agent.as_ref().map(AgentId::as_str),
        "run_id": origin.run.as_ref().map(testimony_domain::RunId::as_str),
        "source_ref": origin.source.as_ref().map(testimony_domain::SourceRef::as_str),
        "echo": origin.echo,
        "text": evidence.map(|it| it.text.as_str()),
        "source": evidence.map(|it| it.label.as_str()),
        "observed_at": evidence.map(|it| it.observed_at.to_string()),
        "reasons": reasons(kept.as_ref().map_or(&[], |kept| &kept.reasons)),
        "metadata": metadata,
    })
}

/// The history of a memory.
#[must_use]
pub fn history(lines: &[HistoryLine]) -> Value {
    let items: Vec<Value> = lines.iter().map(line).collect();
    json!({ "items": items, "next": null })
}

fn line(line: &HistoryLine) -> Value {
    let condition = &line.condition;
    let time = |at: Option<testimony_domain::Timestamp>| at.map(|at| at.to_string());
    json!({
        "seq": line.seq.0,
        "at": line.at.to_string(),
        "by": line.by.to_string(),
        "event": line.event.map(Event::as_str),
        "state": condition.state.as_str(),
        "approved": condition.approved,
        "review": condition.review.map(testimony_domain::ReviewNeed::as_str),
        "contested": condition.contested,
        "origins": condition.origins,
        "reasons": reasons(&condition.reasons),
        "valid_from": time(condition.validity.from),
        "valid_until": time(condition.validity.until),
        "expires_at": time(condition.expires_at),
    })
}
