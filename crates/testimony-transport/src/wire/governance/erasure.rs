//! Erasure: what is to go, and what went from where.

use serde_json::{Map, Value, json};
use testimony_domain::{AgentId, ContainerTag, FactId, MemoryId, SourceLabel, UserId};
use testimony_service::oversight::{Erased, Ground};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::erasure::{Erasure, NO_GROUND, Target, Toll};

use super::NEXT;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Form, Kind, Table, label};
use crate::wire::item::MEMORY_ID;
use crate::wire::page;
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

const FACT_ID: Kind = Kind::Form(Form {
    like: "fact_ and 32 hexadecimal digits",
    check: |_, text| text.parse::<FactId>().map(drop),
});

/// An erasure.
#[rustfmt::skip]
pub const ERASE: Table = &[&[
    Field::new("target", Kind::Object, "What goes: `memory`, or `fact`, or `container` alone or with one of `user`, `agent` and `source`.").required(),
    Field::new("dry_run", Kind::Flag, "Whether it is only told what would go.").or(|| true.into()),
    Field::new("reason", Kind::Word(Ground::WORDS), "On which ground; it stands in the trail and outlives what goes, so it is a word.").or(|| Ground::Other.as_str().into()),
]];

/// What goes.
#[rustfmt::skip]
pub const TARGET: Table = &[&[
    Field::new("memory", MEMORY_ID, "One memory, and the evidence that no other rests on."),
    Field::new("fact", FACT_ID, "A fact with its revisions."),
    Field::new("container", label!(ContainerTag), "Everything in a container, or what the next three name in it."),
    Field::new("user", label!(UserId), "Everything about or for a person."),
    Field::new("agent", label!(AgentId), "Everything of an agent."),
    Field::new("source", label!(SourceLabel), "Everything from a source."),
]];

#[rustfmt::skip]
const PLACE: &[Member] = &[
    Member::new("place", Shape::Text, "A table of the ledger, the index, or the pages that it stood on."),
    Member::new("rows", Shape::Maybe(&Shape::Whole), "How many rows; nothing where there is nothing to count."),
    Member::new("done", Shape::Text, "What is done there."),
];

/// What an erasure takes, or took.
#[rustfmt::skip]
pub const TOLL: &[Member] = &[
    Member::new("dry_run", Shape::Flag, "Whether it was only told what would go."),
    Member::new("erasure_seq", Shape::Maybe(&Shape::Whole), "Its event; nothing where nothing was carried out."),
    Member::new("memory_ids", Shape::List(&Shape::Id("mem")), "The memories."),
    Member::new("places", Shape::List(&Shape::Object(PLACE)), "How much of what, in every place."),
];

#[rustfmt::skip]
const DONE: &[Member] = &[
    Member::new("seq", Shape::Whole, "Its event."),
    Member::new("at", Shape::Time, "When."),
    Member::new("by", Shape::Text, "By whom."),
    Member::new("reason", Shape::Maybe(&Shape::Text), "On which ground, where one was given."),
    Member::new("memory_ids", Shape::List(&Shape::Id("mem")), "The memories."),
    Member::new("rows", Shape::Map(&Shape::Whole), "How many rows of which table."),
];

/// Erasures that were carried out.
pub const ERASURES: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(DONE)),
        "Erasures in their order.",
    ),
    NEXT,
];

/// An erasure that was read.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What goes.
    pub target: Target,
    /// Whether it is only told what would go.
    pub dry_run: bool,
    /// On which ground.
    pub ground: Ground,
}

/// Reads an erasure.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>) -> Result<Asked, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, ERASE, &mut log);
    let target = object.object("target").and_then(|named| {
        let at = object.pointer("target");
        target(
            &Object::checked(named, &at, TARGET, &mut log),
            &at,
            &mut log,
        )
    });
    let dry_run = object.flag("dry_run").unwrap_or(true);
    let ground = object.read("reason", &mut log, Ground::parse);
    let (target, _) = log.end(target)?;
    let target = target.ok_or_else(|| vec![names_nothing(&root.below("target"))])?;
    Ok(Asked {
        target,
        dry_run,
        ground: ground.unwrap_or(Ground::Other),
    })
}

fn names_nothing(at: &Pointer) -> Fault {
    let detail = "It names nothing, or several things; send `memory`, or `fact`, or `container` alone or with one of `user`, `agent` and `source`.";
    Fault::at(at.clone(), detail)
}

/// What goes. Of several things it is never guessed which.
fn target(object: &Object<'_>, at: &Pointer, log: &mut Log) -> Option<Target> {
    let memory = object.read("memory", log, |_, text| text.parse::<MemoryId>());
    let fact = object.read("fact", log, |_, text| text.parse::<FactId>());
    let container = object.read("container", log, ContainerTag::new);
    let user = object.read("user", log, UserId::new);
    let agent = object.read("agent", log, AgentId::new);
    let source = object.read("source", log, SourceLabel::new);
    let target = match (memory, fact, container, user, agent, source) {
        (Some(id), None, None, None, None, None) => Some(Target::Memory(id)),
        (None, Some(id), None, None, None, None) => Some(Target::Fact(id)),
        (None, None, Some(tag), None, None, None) => Some(Target::Container(tag)),
        (None, None, Some(tag), Some(user), None, None) => Some(Target::User(tag, user)),
        (None, None, Some(tag), None, Some(agent), None) => Some(Target::Agent(tag, agent)),
        (None, None, Some(tag), None, None, Some(source)) => Some(Target::Source(tag, source)),
        _ => None,
    };
    if target.is_none() && log.faults.is_empty() {
        log.fault(names_nothing(at));
    }
    target
}

/// What an erasure would take.
#[must_use]
pub fn would_take(toll: &Toll) -> Value {
    json!({
        "dry_run": true,
        "erasure_seq": null,
        "memory_ids": ids(&toll.memories),
        "places": places(toll, ["would be erased", "would be purged", "would be overwritten"]),
    })
}

/// What an erasure took.
#[must_use]
pub fn took(erased: &Erased) -> Value {
    json!({
        "dry_run": false,
        "erasure_seq": erased.seq.map(|seq| seq.0),
        "memory_ids": ids(&erased.toll.memories),
        "places": places(&erased.toll, ["erased", "purged", "overwritten, and the log cut"]),
    })
}

fn places(toll: &Toll, [row, index, page]: [&str; 3]) -> Vec<Value> {
    let tables = toll.rows.iter().map(
        |(table, rows)| json!({ "place": format!("ledger.{table}"), "rows": rows, "done": row }),
    );
    let others = [
        json!({ "place": "index", "rows": toll.memories.len(), "done": index }),
        json!({ "place": "free_pages", "rows": null, "done": page }),
    ];
    let others = others.into_iter().filter(|_| !toll.rows.is_empty());
    tables.chain(others).collect()
}

fn ids(ids: &[MemoryId]) -> Vec<String> {
    ids.iter().map(MemoryId::to_string).collect()
}

/// Erasures that were carried out.
#[must_use]
pub fn listed(erasures: &[Erasure], page: &Page<Seq>) -> Value {
    let last = erasures.last().map(|erasure| erasure.seq);
    page::sent(erasures.iter().map(done), page, last)
}

fn done(erasure: &Erasure) -> Value {
    let rows = erasure.rows.iter();
    let rows = rows.map(|(table, rows)| (table.clone(), Value::from(*rows)));
    let ground = Some(&erasure.ground).filter(|ground| *ground != NO_GROUND);
    json!({
        "seq": erasure.seq.0,
        "at": erasure.at.to_string(),
        "by": erasure.by.to_string(),
        "reason": ground,
        "memory_ids": ids(&erasure.memories),
        "rows": Map::from_iter(rows),
    })
}
