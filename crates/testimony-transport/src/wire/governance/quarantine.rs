//! Quarantine: what is held and by which rules, and what is let through.

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, MemoryId, State};
use testimony_service::oversight::{MemoriesRequest, Quarantined};
use testimony_service::ports::ledger::containers::ContainerPolicy;
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::write::FoundByRule;

use super::NEXT;
use super::memory::{MEMORY, REASON, memory};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::page::{self, PAGE};
use crate::wire::reader::{Log, Object};
use crate::wire::rows::reason;
use crate::wire::shape::{Member, Shape};

const KINDS: &[&str] = &["injection", "secret"];

const NAME: Bound = Bound {
    name: "rule",
    min: 1.0,
    max: 128.0,
    default: None,
    unit: "characters",
    meaning: "The id of a rule, or a fingerprint.",
};

/// Which rows are wanted.
pub const LIST: Table = &[
    &[Field::new(
        "kind",
        Kind::Word(KINDS),
        "Only rows that are held for this.",
    )],
    PAGE,
];

/// A fingerprint that is allowed, or no longer.
#[rustfmt::skip]
pub const FINGERPRINT: Table = &[&[
    Field::new("fingerprint", Kind::Text(&NAME), "The fingerprint, as the quarantine lists it.").required(),
    Field::new("allowed", Kind::Flag, "Whether it is allowed from now on.").or(|| true.into()),
]];

/// A rule that a container is exempt from, or no longer.
#[rustfmt::skip]
pub const RULE: Table = &[&[
    Field::new("rule", Kind::Text(&NAME), "The id of the rule, as the quarantine lists it.").required(),
    Field::new("exempt", Kind::Flag, "Whether the container is exempt from it from now on.").or(|| true.into()),
]];

#[rustfmt::skip]
const FOUND: &[Member] = &[
    Member::new("rule", Shape::Text, "The rule or signal that found it."),
    Member::new("fingerprint", Shape::Maybe(&Shape::Text), "The keyed fingerprint of a secret."),
    Member::new("reason", Shape::Object(REASON), "What it means."),
    Member::new("let_through", Shape::Flag, "Whether the container lets it through by now; it has to be sent again then."),
];

#[rustfmt::skip]
const HELD: &[Member] = &[
    Member::new("memory", Shape::Object(MEMORY), "The row."),
    Member::new("found", Shape::List(&Shape::Object(FOUND)), "What was found in the evidence that it was drawn from."),
    Member::new("case_id", Shape::Maybe(&Shape::Id("case")), "The open case about it."),
];

/// A part of the quarantine.
pub const QUARANTINE: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Object(HELD)),
        "What is held, in the order in which it came.",
    ),
    NEXT,
];

/// What a container lets through.
#[rustfmt::skip]
pub const EXEMPTIONS: &[Member] = &[
    Member::new("exempt_rules", Shape::List(&Shape::Text), "Rules that it is exempt from."),
    Member::new("allowed_fingerprints", Shape::List(&Shape::Text), "Fingerprints that are allowed in it."),
];

/// Reads which rows are wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<MemoriesRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let states = match object.text("kind") {
        Some("injection") => vec![State::QuarantinedInjection],
        Some("secret") => vec![State::QuarantinedSecret],
        _ => vec![State::QuarantinedInjection, State::QuarantinedSecret],
    };
    let request = MemoriesRequest {
        filter: MemoryFilter {
            states,
            ..MemoryFilter::default()
        },
        trust: None,
        text: None,
        page: page::page(&object, &mut log, |_, text| text.parse::<MemoryId>()),
    };
    log.end(request).map(|(request, _)| request)
}

/// Reads what is let through, and whether it is.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_exemption(
    body: &Map<String, Value>,
    fields: Table,
) -> Result<(String, bool), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, fields, &mut log);
    let name = object.owned("fingerprint").or_else(|| object.owned("rule"));
    let there = object.flag("allowed").or_else(|| object.flag("exempt"));
    let exemption = (name.unwrap_or_default(), there.unwrap_or(true));
    log.end(exemption).map(|(exemption, _)| exemption)
}

/// A part of the quarantine.
#[must_use]
pub fn listed(policy: &ContainerPolicy, rows: &[Quarantined], request: &MemoriesRequest) -> Value {
    let items = rows.iter().map(|row| {
        let found = row.found.iter().map(|found| found_by(policy, found));
        json!({
            "memory": memory(&row.memory),
            "found": found.collect::<Vec<_>>(),
            "case_id": row.case.map(|id| id.to_string()),
        })
    });
    let last = rows.last().map(|row| row.memory.id);
    page::sent(items, &request.page, last)
}

fn found_by(policy: &ContainerPolicy, found: &FoundByRule) -> Value {
    let allowed = found.fingerprint.as_ref();
    let allowed = allowed.is_some_and(|known| policy.allowed_fingerprints.contains(known));
    json!({
        "rule": found.rule,
        "fingerprint": found.fingerprint,
        "reason": reason(found.reason),
        "let_through": allowed || policy.exempt_rules.contains(&found.rule),
    })
}

/// What a container lets through.
#[must_use]
pub fn exemptions(policy: &ContainerPolicy) -> Value {
    json!({
        "exempt_rules": policy.exempt_rules,
        "allowed_fingerprints": policy.allowed_fingerprints,
    })
}
