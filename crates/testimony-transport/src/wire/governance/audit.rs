//! The trail: which events are wanted, whether its chain holds, and what was read.

use serde_json::{Map, Value, json};
use testimony_domain::{
    Bound, ContainerTag, Invalid, KeyId, MemoryId, PersonId, Problem, Reason, RequestId, Timestamp,
};
use testimony_recall::parse_bound;
use testimony_service::oversight::{Against, Verified, VerifyRequest};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::audit::{
    Action, Actor, AuditEvent, ChainHead, Digest, EventFilter, Seq,
};
use testimony_service::ports::ledger::reads::{ReadRow, Rollup, Route};

use super::NEXT;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Form, Kind, Table, label};
use crate::wire::page::{self, PAGE};
use crate::wire::reader::{Log, Object};
use crate::wire::recall::WHEN;
use crate::wire::shape::{Member, Shape};

const OBJECT: Bound = Bound {
    name: "object",
    min: 1.0,
    max: 256.0,
    default: None,
    unit: "characters",
    meaning: "A row that an event is about, as it is spelled.",
};

const ACTOR: Kind = Kind::Form(Form {
    like: "key_…, person_…, host or service",
    check: |_, text| actor("", text).map(drop),
});
const HEAD_FORM: Kind = Kind::Form(Form {
    like: "the number of an event, a colon, and its hash in 64 hexadecimal digits",
    check: |_, text| head("", text).map(drop),
});

/// Which events are wanted.
#[rustfmt::skip]
pub const EVENTS: Table = &[
    &[
        Field::new("container_tag", label!(ContainerTag), "Only events of this container."),
        Field::new("object", Kind::Text(&OBJECT), "Only events about this row, as they spell it."),
        Field::new("actor", ACTOR, "Only events by this actor."),
        Field::new("action", Kind::Word(Action::WORDS), "Only events of this kind."),
        Field::new("since", WHEN, "Only events at or after this instant."),
        Field::new("until", WHEN, "Only events before this instant."),
    ],
    PAGE,
];

/// Which part of a list of numbered events is wanted.
pub const PART: Table = &[PAGE];

/// From where the chain is followed.
#[rustfmt::skip]
pub const VERIFY: Table = &[&[
    Field::new("from", HEAD_FORM, "Go on from here: the `reached` of the part before."),
    Field::new("against", HEAD_FORM, "A head that was kept elsewhere."),
]];

/// Which requests that read are wanted.
#[rustfmt::skip]
pub const READS: Table = &[
    &[Field::new("since", WHEN, "Only requests at or after this instant.")],
    PAGE,
];

/// Which hours are wanted.
#[rustfmt::skip]
pub const ROLLUPS: Table = &[
    &[
        Field::new("since", WHEN, "From the hour of this instant on."),
        Field::new("container_tag", label!(ContainerTag), "Only of this container."),
    ],
    PAGE,
];

#[rustfmt::skip]
const EVENT: &[Member] = &[
    Member::new("seq", Shape::Whole, "Its place, from 1."),
    Member::new("at", Shape::Time, "When."),
    Member::new("actor", Shape::Text, "Who."),
    Member::new("request_id", Shape::Maybe(&Shape::Text), "In which request."),
    Member::new("action", Shape::Word(Action::WORDS), "What was done."),
    Member::new("container_tag", Shape::Maybe(&Shape::Text), "In which container."),
    Member::new("object", Shape::Text, "To which row."),
    Member::new("decision", Shape::Maybe(&Shape::Text), "What was decided."),
    Member::new("reasons", Shape::List(&Shape::Word(Reason::WORDS)), "Why."),
    Member::new("rules", Shape::Text, "The version of the rules."),
    Member::new("previous", Shape::Text, "The hash of the event before it."),
    Member::new("hash", Shape::Text, "Its own hash."),
];

/// A part of the trail.
pub const TRAIL: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(EVENT)),
        "Events in their order; each is a line of an export.",
    ),
    NEXT,
];

/// The end of the chain.
#[rustfmt::skip]
pub const HEAD: &[Member] = &[
    Member::new("seq", Shape::Whole, "The last event."),
    Member::new("hash", Shape::Text, "Its hash."),
    Member::new("head", Shape::Text, "Both, in the form in which they are sent back."),
];

#[rustfmt::skip]
const BROKEN: &[Member] = &[
    Member::new("seq", Shape::Whole, "The event at which it breaks."),
    Member::new("detail", Shape::Text, "How."),
];

/// What following the chain found.
#[rustfmt::skip]
pub const VERIFIED: &[Member] = &[
    Member::new("holds", Shape::Flag, "Whether it holds as far as it was followed, and agrees with what was kept elsewhere."),
    Member::new("complete", Shape::Flag, "Whether it was followed to its end."),
    Member::new("reached", Shape::Object(HEAD), "As far as it holds."),
    Member::new("head", Shape::Object(HEAD), "Where it ends."),
    Member::new("broken", Shape::Maybe(&Shape::Object(BROKEN)), "Where it breaks."),
    Member::new("against", Shape::Maybe(&Shape::Word(Against::WORDS)), "How it stands to the head that was kept elsewhere."),
];

#[rustfmt::skip]
const READ: &[Member] = &[
    Member::new("at", Shape::Time, "When."),
    Member::new("by", Shape::Text, "By whom: the id of a key or of a person, or `host`."),
    Member::new("key_id", Shape::Maybe(&Shape::Id("key")), "The key, where one read."),
    Member::new("route", Shape::Word(Route::WORDS), "Through which door."),
    Member::new("request_id", Shape::Maybe(&Shape::Text), "In which request."),
    Member::new("returned", Shape::List(&Shape::Id("mem")), "What was returned."),
    Member::new("suppressed", Shape::Whole, "How many rows were held back."),
    Member::new("abstained", Shape::Flag, "Whether the answer was that there is none."),
    Member::new("latency_us", Shape::Whole, "How long it took, in microseconds."),
];

/// Requests that read.
pub const READ_ROWS: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(READ)),
        "Requests that read, newest first.",
    ),
    NEXT,
];

#[rustfmt::skip]
pub(crate) const ROLLUP: &[Member] = &[
    Member::new("hour", Shape::Time, "When the first hour began."),
    Member::new("container_tag", Shape::Text, "Where."),
    Member::new("route", Shape::Word(Route::WORDS), "Through which door."),
    Member::new("requests", Shape::Whole, "How many requests."),
    Member::new("abstained", Shape::Whole, "How many of them were answered with nothing."),
    Member::new("abstention_rate", Shape::Number, "Which share of them that is."),
    Member::new("returned", Shape::Whole, "How many rows were returned."),
    Member::new("suppressed", Shape::Whole, "How many rows were held back."),
    Member::new("mean_latency_us", Shape::Whole, "How long one took on average, in microseconds."),
];

/// What was read by the hour.
pub const HOURS: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(ROLLUP)),
        "What was read, by hour, container and door.",
    ),
    NEXT,
];

fn actor(field: &str, text: &str) -> Result<Actor, Invalid> {
    let expected = "key_…, person_…, host or service";
    match text {
        "host" => Ok(Actor::Host),
        "service" => Ok(Actor::Service),
        other => {
            let key = other.parse::<KeyId>().map(Actor::Key);
            let known = key.or_else(|_| other.parse::<PersonId>().map(Actor::Person));
            known.map_err(|_| Invalid::new(field, Problem::Malformed { expected }))
        }
    }
}

fn head(field: &str, text: &str) -> Result<ChainHead, Invalid> {
    let read = || {
        let (seq, hash) = text.split_once(':')?;
        let (pairs, rest) = hash.as_bytes().as_chunks::<2>();
        let bytes = pairs.iter().map(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        });
        let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
        let hash = bytes.try_into().ok().filter(|_| rest.is_empty())?;
        Some(ChainHead {
            seq: Seq(seq.parse().ok()?),
            hash: Digest(hash),
        })
    };
    let expected = "the number of an event, a colon, and its hash in 64 hexadecimal digits";
    read().ok_or_else(|| Invalid::new(field, Problem::Malformed { expected }))
}

fn seq(field: &str, text: &str) -> Result<Seq, Invalid> {
    let expected = "the number of an event";
    let number = text.parse().map(Seq);
    number.map_err(|_| Invalid::new(field, Problem::Malformed { expected }))
}

/// Reads which events are wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_events(query: &Map<String, Value>) -> Result<(EventFilter, Page<Seq>), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, EVENTS, &mut log);
    let filter = EventFilter {
        container: object.read("container_tag", &mut log, ContainerTag::new),
        object: object.owned("object"),
        actor: object.read("actor", &mut log, actor),
        action: object.read("action", &mut log, Action::parse),
        since: object.read("since", &mut log, parse_bound),
        until: object.read("until", &mut log, parse_bound),
    };
    let page = page::page(&object, &mut log, seq);
    log.end((filter, page)).map(|(it, _)| it)
}

/// Reads which part of a list of numbered events is wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_part(query: &Map<String, Value>) -> Result<Page<Seq>, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, PART, &mut log);
    let page = page::page(&object, &mut log, seq);
    log.end(page).map(|(page, _)| page)
}

/// Reads from where the chain is followed.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_verify(body: &Map<String, Value>) -> Result<VerifyRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, VERIFY, &mut log);
    let request = VerifyRequest {
        from: object.read("from", &mut log, head).unwrap_or_default(),
        against: object.read("against", &mut log, head),
    };
    log.end(request).map(|(request, _)| request)
}

/// Since when, which container, and which part.
pub(crate) type Reading = (Timestamp, Option<ContainerTag>, Page<Timestamp>);

/// Reads since when reading is looked at.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read_reads(query: &Map<String, Value>, fields: Table) -> Result<Reading, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, fields, &mut log);
    let since = object.read("since", &mut log, parse_bound);
    let container = object.read("container_tag", &mut log, ContainerTag::new);
    let page = page::page(&object, &mut log, parse_bound);
    log.end((since.unwrap_or(Timestamp::MIN), container, page))
        .map(|(reading, _)| reading)
}

/// A part of the trail.
#[must_use]
pub fn events(events: &[AuditEvent], page: &Page<Seq>) -> Value {
    let last = events.last().map(|event| event.seq);
    page::sent(events.iter().map(event), page, last)
}

fn event(event: &AuditEvent) -> Value {
    let reasons: Vec<&str> = event.reasons.iter().map(|it| it.as_str()).collect();
    json!({
        "seq": event.seq.0,
        "at": event.at.to_string(),
        "actor": event.actor.to_string(),
        "request_id": event.request.as_ref().map(RequestId::as_str),
        "action": event.action.as_str(),
        "container_tag": event.container.as_ref().map(ContainerTag::as_str),
        "object": event.object,
        "decision": event.decision,
        "reasons": reasons,
        "rules": event.rules,
        "previous": event.previous.to_string(),
        "hash": event.own.to_string(),
    })
}

/// The end of the chain.
#[must_use]
pub fn chain_head(head: ChainHead) -> Value {
    json!({
        "seq": head.seq.0,
        "hash": head.hash.to_string(),
        "head": format!("{}:{}", head.seq, head.hash),
    })
}

/// What following the chain found.
#[must_use]
pub fn verified(found: &Verified) -> Value {
    let agrees = found.against.is_none_or(|against| against == Against::Same);
    let broken = found
        .broken
        .map(|broken| json!({ "seq": found.reached.seq.next().0, "detail": broken.to_string() }));
    json!({
        "holds": broken.is_none() && agrees,
        "complete": found.reached == found.head,
        "reached": chain_head(found.reached),
        "head": chain_head(found.head),
        "broken": broken,
        "against": found.against.map(Against::as_str),
    })
}

/// Requests that read.
#[must_use]
pub fn read_rows(rows: &[ReadRow], page: &Page<Timestamp>) -> Value {
    let last = rows.last().map(|row| row.at);
    page::sent(rows.iter().map(read_row), page, last)
}

fn read_row(row: &ReadRow) -> Value {
    let returned: Vec<String> = row.returned.iter().map(MemoryId::to_string).collect();
    json!({
        "at": row.at.to_string(),
        "by": row.by.to_string(),
        "key_id": match row.by {
            Actor::Key(key) => Some(key.to_string()),
            Actor::Person(_) | Actor::Host | Actor::Service => None,
        },
        "route": row.route.as_str(),
        "request_id": row.request.as_ref().map(RequestId::as_str),
        "returned": returned,
        "suppressed": row.suppressed,
        "abstained": row.abstained,
        "latency_us": row.latency_us,
    })
}

/// What was read by the hour; `last` is the last hour that was looked at.
#[must_use]
pub fn hours(rows: &[Rollup], last: Option<Timestamp>) -> Value {
    let items: Vec<Value> = rows.iter().map(rollup).collect();
    json!({ "items": items, "next": last.map(|hour| hour.to_string()) })
}

pub(crate) fn rollup(row: &Rollup) -> Value {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a share needs no more digits than a double has"
    )]
    let rate = row.abstained as f64 / row.requests.max(1) as f64;
    json!({
        "hour": row.hour.to_string(),
        "container_tag": row.container.as_str(),
        "route": row.route.as_str(),
        "requests": row.requests,
        "abstained": row.abstained,
        "abstention_rate": (rate * 10_000.0).round() / 10_000.0,
        "returned": row.returned,
        "suppressed": row.suppressed,
        "mean_latency_us": row.latency_us / row.requests.max(1),
    })
}
