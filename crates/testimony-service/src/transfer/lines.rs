//! Rows as the lines of an export.

use serde_json::{Map, Value, json};
use testimony_domain::{
    Entity, EvidenceId, Fact, Labels, Memory, Origin, Owner, Partition, Reason, Slot, SlotKey,
    Support, Timestamp,
};

use crate::ports::ledger::containers::Container;
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::memories::{Condition, HistoryLine, Link};
use crate::ports::ledger::reviews::{Closing, ReviewCase};

pub(super) fn container(container: &Container) -> Value {
    let policy = &container.policy;
    json!({
        "record": "container",
        "tag": container.tag.as_str(),
        "made_at": time(container.made.at),
        "made_by": container.made.by.to_string(),
        "pending_expires_after_hours": policy.pending_expires_after_hours,
        "evidence_kept_days": policy.evidence_kept_days,
        "exempt_rules": policy.exempt_rules,
        "allowed_fingerprints": policy.allowed_fingerprints,
    })
}

pub(super) fn evidence(kept: &Kept) -> Value {
    let evidence = &kept.evidence;
    let metadata = kept.metadata.as_deref();
    let metadata = metadata.and_then(|text| serde_json::from_str::<Value>(text).ok());
    json!({
        "record": "evidence",
        "id": evidence.id.to_string(),
        "place": place(&evidence.partition),
        "origin": origin(&evidence.origin),
        "label": evidence.label.as_str(),
        "text": evidence.text.as_str(),
        "observed_at": time(evidence.observed_at),
        "recorded_at": time(evidence.recorded_at),
        "reasons": reasons(&kept.reasons),
        "metadata": metadata,
    })
}

/// What a memory's line is made of.
pub(super) struct Whole<'a> {
    pub(super) memory: &'a Memory,
    pub(super) evidence: &'a [EvidenceId],
    pub(super) history: &'a [HistoryLine],
    pub(super) supports: &'a [Support],
    pub(super) mentions: &'a [Entity],
}

pub(super) fn memory(whole: &Whole<'_>) -> Value {
    let memory = whole.memory;
    json!({
        "record": "memory",
        "id": memory.id.to_string(),
        "fact": memory.fact.to_string(),
        "revision": memory.revision,
        "content": memory.content.as_str(),
        "kind": memory.kind.as_str(),
        "slot": memory.slot.as_ref().map(slot),
        "entities": memory.entities,
        "speaker": memory.speaker.as_ref().map(ToString::to_string),
        "place": place(&memory.partition),
        "class": memory.class.as_str(),
        "source": memory.source.as_str(),
        "source_app": memory.source_app.as_ref().map(ToString::to_string),
        "tags": strings(&memory.tags),
        "custom_id": memory.custom_id.as_ref().map(ToString::to_string),
        "evidence": strings(whole.evidence),
        "observed_at": time(memory.observed_at),
        "created_at": time(memory.created_at),
        "condition": condition(&Condition::of(memory)),
        "history": whole.history.iter().map(happened).collect::<Vec<_>>(),
        "supports": whole.supports.iter().map(support).collect::<Vec<_>>(),
        "mentions": whole.mentions.iter().map(entity).collect::<Vec<_>>(),
    })
}

pub(super) fn fact(fact: &Fact) -> Value {
    json!({
        "record": "fact",
        "id": fact.id.to_string(),
        "slot": fact.slot.as_ref().map(slot_key),
        "current": fact.current.to_string(),
    })
}

pub(super) fn link(link: Link) -> Value {
    json!({
        "record": "link",
        "from": link.from.to_string(),
        "relation": link.relation.as_str(),
        "to": link.to.to_string(),
    })
}

pub(super) fn case(case: &ReviewCase) -> Value {
    json!({
        "record": "case",
        "id": case.id.to_string(),
        "container": case.container.as_str(),
        "kind": case.kind.as_str(),
        "group": case.group,
        "memory": case.memory.to_string(),
        "against": strings(&case.against),
        "note": case.note,
        "opened_at": time(case.opened_at),
        "closed": case.closed.as_ref().map(closing),
    })
}

fn closing(closing: &Closing) -> Value {
    json!({
        "at": time(closing.at),
        "by": closing.by.to_string(),
        "decision": closing.decision,
        "note": closing.note,
    })
}

fn happened(line: &HistoryLine) -> Value {
    json!({
        "at": time(line.at),
        "by": line.by.to_string(),
        "event": line.event.map(testimony_domain::Event::as_str),
        "condition": condition(&line.condition),
    })
}

pub(super) fn condition(condition: &Condition) -> Value {
    json!({
        "state": condition.state.as_str(),
        "approved": condition.approved,
        "review": condition.review.map(testimony_domain::ReviewNeed::as_str),
        "contested": condition.contested,
        "origins": condition.origins,
        "reasons": reasons(&condition.reasons),
        "valid_from": condition.validity.from.map(time),
        "valid_until": condition.validity.until.map(time),
        "expires_at": condition.expires_at.map(time),
    })
}

fn support(support: &Support) -> Value {
    json!({
        "evidence": support.evidence.to_string(),
        "polarity": support.polarity.as_str(),
        "origin": origin(&support.origin),
    })
}

fn entity(entity: &Entity) -> Value {
    json!({ "id": entity.id.to_string(), "name": entity.name, "aliases": entity.aliases })
}

fn origin(origin: &Origin) -> Value {
    json!({
        "key": origin.key.to_string(),
        "agent": origin.agent.as_ref().map(ToString::to_string),
        "run": origin.run.as_ref().map(ToString::to_string),
        "source": origin.source.as_ref().map(ToString::to_string),
        "class": origin.class.as_str(),
        "echo": origin.echo,
    })
}

fn place(partition: &Partition) -> Value {
    let Labels {
        user,
        app,
        org,
        run,
    } = partition.labels();
    let (agent, key) = match partition.owner() {
        Owner::Agent(agent) => (Some(agent.to_string()), None),
        Owner::Key(key) => (None, Some(key.to_string())),
    };
    json!({
        "container": partition.container().as_str(),
        "plane": partition.plane().as_str(),
        "scope": partition.scope().as_str(),
        "agent": agent,
        "key": key,
        "user": user.as_ref().map(ToString::to_string),
        "app": app.as_ref().map(ToString::to_string),
        "org": org.as_ref().map(ToString::to_string),
        "run": run.as_ref().map(ToString::to_string),
    })
}

fn slot(slot: &Slot) -> Value {
    let mut value = slot_key(&slot.key);
    if let Value::Object(members) = &mut value {
        let own = json!({ "value": slot.value, "unit": slot.unit, "negated": slot.negated });
        members.extend(own.as_object().cloned().unwrap_or_else(Map::new));
    }
    value
}

fn slot_key(key: &SlotKey) -> Value {
    json!({ "subject": key.subject, "attribute": key.attribute, "scope": key.scope })
}

fn strings<T: ToString>(list: &[T]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn reasons(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.as_str()).collect()
}

fn time(at: Timestamp) -> String {
    at.to_string()
}
