//! Review: which cases are wanted, how they are decided, and what is told of both.

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, CaseId, MemoryId, State};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::reviews::{CaseKind, Closing};
use testimony_service::review::{
    CaseGroup, CaseGroups, CaseLine, CaseState, Decided, Decision, QueueRequest,
};

use super::memory::{MEMORY, memory};
use super::{NEXT, WHY};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::item::{ITEM_CONTENT, MEMORY_ID};
use crate::wire::page::{self, PAGE};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

const GROUP: Bound = Bound {
    name: "group",
    min: 1.0,
    max: 8_192.0,
    default: None,
    unit: "characters",
    meaning: "What review cases have in common.",
};

/// Which state is wanted: one, or either.
const STATES: &[&str] = &["open", "closed", "any"];

/// What the queue is asked.
#[rustfmt::skip]
pub const QUEUE: Table = &[
    &[
        Field::new("kind", Kind::Word(CaseKind::WORDS), "Only cases of this kind."),
        Field::new("group", Kind::Text(&GROUP), "Only cases of this group."),
        Field::new("state", Kind::Word(STATES), "Only cases in this state.").or(|| "open".into()),
    ],
    PAGE,
];

const DECISIONS: &[&str] = &[
    "approve",
    "reject",
    "hide",
    "supersede",
    "merge",
    "release_redacted",
    "undo",
];
const DECISION: Field =
    Field::new("decision", Kind::Word(DECISIONS), "What is decided.").required();
const TARGET: Field = Field::new(
    "target",
    MEMORY_ID,
    "The memory whose place it takes (`supersede`), or into which it goes (`merge`).",
);

/// A decision about one case.
#[rustfmt::skip]
pub const DECIDE: Table = &[&[
    DECISION,
    TARGET,
    WHY,
    Field { required: false, note: "With `approve`: the words in which it holds; they are examined like any others, and take the place of the row's.", ..ITEM_CONTENT },
]];

/// A decision about every open case of a group.
#[rustfmt::skip]
pub const DECIDE_GROUP: Table = &[&[
    Field::new("group", Kind::Text(&GROUP), "Which group.").required(),
    Field::new("kind", Kind::Word(CaseKind::WORDS), "Only its cases of this kind; what was held is approved by itself."),
    DECISION,
    TARGET,
    WHY,
]];

#[rustfmt::skip]
const CLOSED: &[Member] = &[
    Member::new("at", Shape::Time, "When."),
    Member::new("by", Shape::Text, "By whom."),
    Member::new("decision", Shape::Text, "What was decided, in a stable word."),
    Member::new("reason", Shape::Maybe(&Shape::Text), "Why, in the reviewer's words."),
];

/// A case with its rows.
#[rustfmt::skip]
pub const CASE: &[Member] = &[
    Member::new("id", Shape::Id("case"), "Its id."),
    Member::new("container_tag", Shape::Text, "Where."),
    Member::new("kind", Shape::Word(CaseKind::WORDS), "What it is about."),
    Member::new("group", Shape::Text, "What it has in common with others."),
    Member::new("state", Shape::Word(CaseState::WORDS), "How it stands."),
    Member::new("note", Shape::Maybe(&Shape::Text), "What the writer said about it."),
    Member::new("opened_at", Shape::Time, "When it was opened."),
    Member::new("closed", Shape::Maybe(&Shape::Object(CLOSED)), "How it was closed."),
    Member::new("memory", Shape::Object(MEMORY), "The row to be decided about."),
    Member::new("against", Shape::List(&Shape::Object(MEMORY)), "The rows that it stands against, as far as the reviewer may know of them."),
];

/// A group of cases.
#[rustfmt::skip]
const GROUPED: &[Member] = &[
    Member::new("group", Shape::Text, "What its cases have in common."),
    Member::new("cases", Shape::Whole, "How many cases it holds."),
    Member::new("kinds", Shape::Map(&Shape::Whole), "How many of each kind."),
    Member::new("opened_at", Shape::Time, "When the first was opened."),
    Member::new("last_opened_at", Shape::Time, "When the last was opened."),
    Member::new("first", Shape::Object(CASE), "The first of them."),
];

/// A part of the queue.
pub const QUEUED: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(CASE)),
        "Cases in the order in which they were opened.",
    ),
    NEXT,
];

/// A part of the groups.
pub const GROUPS: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(GROUPED)),
        "Groups in the order of their first cases.",
    ),
    NEXT,
    Member::new(
        "kinds",
        Shape::Map(&Shape::Whole),
        "How many cases of each kind there are in all groups that were asked for, also beyond this part.",
    ),
];

const OTHER: &[Member] = &[
    Member::new("memory_id", Shape::Id("mem"), "Which."),
    Member::new("state", Shape::Word(State::WORDS), "How it stands now."),
];

/// What came of a decision.
#[rustfmt::skip]
pub const DECIDED: &[Member] = &[
    Member::new("case_id", Shape::Id("case"), "The case."),
    Member::new("memory_id", Shape::Id("mem"), "The row."),
    Member::new("state", Shape::Word(State::WORDS), "How the row stands now."),
    Member::new("others", Shape::List(&Shape::Object(OTHER)), "Other rows that changed with it."),
    Member::new("released_id", Shape::Maybe(&Shape::Id("mem")), "The row that was made of what is left without secrets."),
    Member::new("reworded_id", Shape::Maybe(&Shape::Id("mem")), "The row in whose words it holds."),
];

/// What came of a decision about a group; what is left of it is decided by asking again.
pub const DECIDED_GROUP: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(DECIDED)),
        "What came of each case.",
    ),
    NEXT,
];

/// Reads a question to the queue.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_queue(query: &Map<String, Value>) -> Result<QueueRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, QUEUE, &mut log);
    let state = match object.text("state") {
        Some("any") => None,
        Some("closed") => Some(CaseState::Closed),
        _ => Some(CaseState::Open),
    };
    let queue = QueueRequest {
        kind: object.read("kind", &mut log, CaseKind::parse),
        group: object.owned("group"),
        state,
        page: page::page(&object, &mut log, |_, text| text.parse::<CaseId>()),
    };
    log.end(queue).map(|(queue, _)| queue)
}

/// A decision that was read.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The group, where it is about one.
    pub group: String,
    /// The kind, where only one of the group is meant.
    pub kind: Option<CaseKind>,
    /// What is decided.
    pub decision: Decision,
    /// Why.
    pub reason: Option<String>,
}

/// Reads a decision by its table.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_decision(body: &Map<String, Value>, fields: Table) -> Result<Ruling, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, fields, &mut log);
    let target = object.read("target", &mut log, |_, text| text.parse::<MemoryId>());
    let decision = decision(&object, target, &mut log);
    let ruling = Ruling {
        group: object.owned("group").unwrap_or_default(),
        kind: object.read("kind", &mut log, CaseKind::parse),
        decision: decision.unwrap_or(Decision::Reject),
        reason: object.owned("reason"),
    };
    log.end(ruling).map(|(ruling, _)| ruling)
}

/// What is decided; nothing where something is wrong, which the log then says.
fn decision(object: &Object<'_>, target: Option<MemoryId>, log: &mut Log) -> Option<Decision> {
    let word = object.text("decision")?;
    let content = object.owned("content");
    let takes_target = matches!(word, "supersede" | "merge");
    if takes_target && object.value("target").is_none() {
        let detail = "It is required with this decision; send the id of a memory.";
        log.fault(Fault::at(object.pointer("target"), detail));
    }
    for (name, belongs) in [("target", takes_target), ("content", word == "approve")] {
        if object.value(name).is_some() && !belongs {
            let detail = "It has no meaning with this decision; leave it out.";
            log.fault(Fault::at(object.pointer(name), detail));
        }
    }
    match word {
        "approve" => Some(content.map_or(Decision::Approve, Decision::ApproveAs)),
        "reject" => Some(Decision::Reject),
        "hide" => Some(Decision::Hide),
        "supersede" => target.map(Decision::Supersede),
        "merge" => target.map(Decision::Merge),
        "release_redacted" => Some(Decision::ReleaseRedacted),
        "undo" => Some(Decision::Undo),
        _ => None,
    }
}

/// A part of the queue, case by case.
#[must_use]
pub fn cases(lines: &[CaseLine], page: &Page<CaseId>) -> Value {
    let last = lines.last().map(|line| line.case.id);
    page::sent(lines.iter().map(case), page, last)
}

/// A part of the queue, group by group.
#[must_use]
pub fn groups(found: &CaseGroups, page: &Page<CaseId>) -> Value {
    let last = found.groups.last().map(|group| group.first.case.id);
    let mut sent = page::sent(found.groups.iter().map(group), page, last);
    if let Value::Object(members) = &mut sent {
        members.insert("kinds".to_owned(), kinds(&found.kinds));
    }
    sent
}

fn kinds(counted: &[(CaseKind, u64)]) -> Value {
    let counted = counted.iter();
    let counted = counted.map(|(kind, count)| (kind.to_string(), Value::from(*count)));
    Value::Object(counted.collect())
}

fn group(group: &CaseGroup) -> Value {
    json!({
        "group": group.group,
        "cases": group.cases(),
        "kinds": kinds(&group.kinds),
        "opened_at": group.opened_at.to_string(),
        "last_opened_at": group.last_opened_at.to_string(),
        "first": case(&group.first),
    })
}

/// A case with its rows.
#[must_use]
pub fn case(line: &CaseLine) -> Value {
    let case = &line.case;
    json!({
        "id": case.id.to_string(),
        "container_tag": case.container.as_str(),
        "kind": case.kind.as_str(),
        "group": case.group,
        "state": CaseState::of(case).as_str(),
        "note": case.note,
        "opened_at": case.opened_at.to_string(),
        "closed": case.closed.as_ref().map(closing),
        "memory": memory(&line.memory),
        "against": line.against.iter().map(memory).collect::<Vec<_>>(),
    })
}

fn closing(closing: &Closing) -> Value {
    json!({
        "at": closing.at.to_string(),
        "by": closing.by.to_string(),
        "decision": closing.decision,
        "reason": closing.note,
    })
}

/// What came of a decision.
#[must_use]
pub fn decided(decided: &Decided) -> Value {
    let others = decided.others.iter();
    let others =
        others.map(|(id, state)| json!({ "memory_id": id.to_string(), "state": state.as_str() }));
    json!({
        "case_id": decided.case.to_string(),
        "memory_id": decided.memory.to_string(),
        "state": decided.state.as_str(),
        "others": others.collect::<Vec<_>>(),
        "released_id": decided.released.map(|id| id.to_string()),
        "reworded_id": decided.reworded.map(|id| id.to_string()),
    })
}
