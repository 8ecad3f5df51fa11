//! What every write answers: its rows, what made none, how each claim stands, and what is still to be done.

use serde_json::{Map, Value, json};
use testimony_domain::{DroppedClaim, MemoryId, SlotKey};
use testimony_service::write::{
    Conflicting, Decision, Idempotency, Place, Replay, Retained, Skipped, Unreadable, WriteAnswer,
};

use super::fault::Fault;
use super::rows::{case_url, courtroom_url, reason, reasons, said_of};

/// What to do about a conflict.
pub const REMEDY: &str = "If the new value holds, send it again with `supersedes` naming what it replaces; else leave it to the review case.";

/// Items that cannot be read, by field and place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wrong {
    items: Vec<(&'static str, usize, Vec<Fault>)>,
    /// At which place of the batch `content` stands, where it came beside it.
    content_at: Option<usize>,
}

impl Wrong {
    pub(crate) fn add(&mut self, field: &'static str, wrong: Vec<(usize, Vec<Fault>)>) {
        let named = wrong
            .into_iter()
            .map(|(index, faults)| (field, index, faults));
        self.items.extend(named);
    }

    pub(crate) const fn content_behind(&mut self, items: usize) {
        self.content_at = Some(items);
    }

    fn faults(&self, item: &Unreadable) -> Vec<Fault> {
        let known = self.items.iter().find(|(field, index, _)| {
            *field == item.place.field && Some(*index) == item.place.index
        });
        let place = item.place.pointer();
        // What a use case finds out about an item it names without the item.
        let found = || {
            let found = item.problems.iter().map(Fault::of);
            found.map(|fault| fault.within(&place)).collect()
        };
        known.map_or_else(found, |(_, _, faults)| faults.clone())
    }

    /// Where an item stands in the body as it was sent.
    fn place(&self, place: &Place) -> Place {
        if self.content_at.is_some() && place.index == self.content_at {
            return Place {
                field: "content",
                index: None,
            };
        }
        place.clone()
    }
}

/// Adds fields to an object.
pub(crate) fn join(body: &mut Map<String, Value>, more: Value) {
    if let Value::Object(more) = more {
        body.extend(more);
    }
}

/// What retain and writeback answer alike.
pub(crate) fn common(
    container: &str,
    answer: &WriteAnswer,
    wrong: &Wrong,
    notes: &Value,
) -> Map<String, Value> {
    let ids: Vec<String> = answer
        .retained
        .iter()
        .map(|row| row.memory.id.to_string())
        .collect();
    let committed = !answer.retained.is_empty() || !answer.skipped.is_empty();
    let mut body = Map::new();
    let jobs: Vec<&str> = answer.pending_jobs.iter().map(|job| job.as_str()).collect();
    join(
        &mut body,
        json!({
            "container_tag": container,
            "operation_trail_id": answer.trail,
            "committed": committed,
            "committed_memory_ids": ids,
            "enrichment_status": enrichment(answer),
            "pending_jobs": jobs,
            "runtime_fanout": fanout(&jobs),
            "client_retry_safe": answer.idempotency == Idempotency::Recorded,
            "idempotency_status": answer.idempotency.as_str(),
            "diagnostics": diagnostics(answer, committed),
        }),
    );
    let errors = errors(answer, wrong);
    if !errors.is_empty() {
        body.insert("errors".to_owned(), Value::Array(errors));
    }
    note(&mut body, notes);
    body
}

/// Adds what was noted while a request was read: warnings beside the answer, idle fields to its diagnostics.
pub(crate) fn note(body: &mut Map<String, Value>, notes: &Value) {
    let part = |name: &str| notes.get(name).cloned().unwrap_or_else(|| json!([]));
    body.insert("warnings".to_owned(), part("warnings"));
    if let Some(Value::Object(diagnostics)) = body.get_mut("diagnostics") {
        for name in ["ignored_fields", "recorded_only_fields"] {
            diagnostics.insert(name.to_owned(), part(name));
        }
    }
}

fn diagnostics(answer: &WriteAnswer, committed: bool) -> Value {
    let dropped: Vec<&str> = answer.dropped.iter().map(|claim| claim.as_str()).collect();
    json!({
        "committed": committed,
        "retained_count": answer.retained.len(),
        "skipped_count": answer.skipped.len(),
        "conflict_count": answer.conflicts.len(),
        "invalid_count": answer.invalid.len(),
        "caller_agent_id_dropped": answer.dropped.contains(&DroppedClaim::Agent),
        "dropped_claims": dropped,
    })
}

fn enrichment(answer: &WriteAnswer) -> &'static str {
    if answer.saved() == 0 {
        "not_applicable"
    } else if answer.pending_jobs.is_empty() {
        "complete"
    } else {
        "queued"
    }
}

fn fanout(jobs: &[&str]) -> Value {
    if jobs.is_empty() {
        Value::Null
    } else {
        json!({ "queued": true, "routes": jobs })
    }
}

/// The rows that were made.
pub(crate) fn retained(answer: &WriteAnswer, wrong: &Wrong) -> Vec<Value> {
    answer.retained.iter().map(|it| row(it, wrong)).collect()
}

/// A row that was made.
pub(crate) fn row(retained: &Retained, wrong: &Wrong) -> Value {
    let memory = &retained.memory;
    let place = wrong.place(&retained.place);
    let mut body = said_of(memory);
    join(
        &mut body,
        json!({
            "index": place.index,
            "pointer": place.pointer(),
            "trust_bucket": memory.ruling().verdict.bucket().as_str(),
            "next_action": retained.next_action.as_str(),
            "reasons": reasons(&retained.reasons),
            "evidence_id": retained.evidence.to_string(),
            "case_id": retained.case.map(|case| case.to_string()),
            "courtroom_url": case_url(memory),
        }),
    );
    Value::Object(body)
}

/// The texts of which no row was made.
pub(crate) fn skipped(answer: &WriteAnswer, wrong: &Wrong) -> Vec<Value> {
    let one = |skipped: &Skipped| {
        let place = wrong.place(&skipped.place);
        json!({
            "index": place.index,
            "pointer": place.pointer(),
            "content": skipped.content.as_str(),
            "reasons": reasons(&skipped.reasons),
            "evidence_id": skipped.evidence.map(|id| id.to_string()),
            "existing_id": skipped.existing.map(|id| id.to_string()),
        })
    };
    answer.skipped.iter().map(one).collect()
}

/// How each claim stands to what was known.
pub(crate) fn decisions(answer: &WriteAnswer, wrong: &Wrong) -> Vec<Value> {
    let one = |decision: &Decision| {
        let place = wrong.place(&decision.place);
        json!({
            "index": place.index,
            "pointer": place.pointer(),
            "content": decision.content.as_str(),
            "decision": decision.relation.map_or("new", |relation| relation.as_str()),
            "cue": decision.cue.as_str(),
            "memory_id": decision.memory.map(|id| id.to_string()),
            "existing_id": decision.existing.map(|id| id.to_string()),
            "slot": decision.slot.as_ref().map(slot),
            "reason": reason(decision.reason),
        })
    };
    answer.decisions.iter().map(one).collect()
}

fn slot(slot: &SlotKey) -> Value {
    json!({ "subject": slot.subject, "attribute": slot.attribute, "scope": slot.scope })
}

fn errors(answer: &WriteAnswer, wrong: &Wrong) -> Vec<Value> {
    let conflicts = answer.conflicts.iter().map(|one| {
        let mut error = json!({ "status": 409, "code": "conflict", "detail": one.reason.sentence(), "remedy": REMEDY });
        if let Value::Object(error) = &mut error {
            let place = wrong.place(&one.place);
            error.insert("index".to_owned(), json!(place.index));
            error.insert("pointer".to_owned(), json!(place.pointer()));
            join(error, kept(one));
        }
        error
    });
    let invalid = answer.invalid.iter().map(|one| {
        let place = wrong.place(&one.place);
        json!({
            "index": place.index,
            "pointer": place.pointer(),
            "status": 422,
            "code": "invalid",
            "detail": "Nothing of this item was kept; correct it and send it again.",
            "errors": faults(&wrong.faults(one)),
        })
    });
    conflicts.chain(invalid).collect()
}

/// What is wrong, as errors of a body.
pub(crate) fn faults(faults: &[Fault]) -> Vec<Value> {
    let one = |fault: &Fault| json!({ "pointer": fault.pointer.as_str(), "detail": fault.detail });
    faults.iter().map(one).collect()
}

fn kept(conflict: &Conflicting) -> Value {
    json!({
        "reason": reason(conflict.reason),
        "memory_id": conflict.challenger.to_string(),
        "existing_ids": conflict.incumbents.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "case_id": conflict.case.map(|case| case.to_string()),
        "courtroom_url": courtroom_url(conflict.challenger),
    })
}

/// What a refusal names: what was kept in spite of it, and what to do.
#[must_use]
pub fn refusal(answer: &WriteAnswer, body: &Value) -> Map<String, Value> {
    let evidence = answer.retained.iter().map(|row| row.evidence.to_string());
    let mut said = Map::new();
    join(
        &mut said,
        json!({
            "kept": {
                "evidence_ids": evidence.collect::<Vec<_>>(),
                "conflicts": answer.conflicts.iter().map(kept).collect::<Vec<_>>(),
            },
            "remedy": REMEDY,
            "answer": body,
        }),
    );
    said
}

/// Says of an answer that it was sent before.
pub(crate) fn mark_replayed(answer: &mut Value) {
    if let Value::Object(answer) = answer {
        let replayed = Idempotency::Replayed.as_str();
        answer.insert("idempotency_status".to_owned(), replayed.into());
    }
}

/// What is answered to a repetition of which the first answer is gone: the rows that are still there.
#[must_use]
pub fn replayed_without_answer(container: &str, trail: &str, replay: &Replay) -> Value {
    let ids: Vec<String> = replay.memories.iter().map(MemoryId::to_string).collect();
    json!({
        "container_tag": container,
        "saved": ids.len(),
        "memories": [],
        "retained_memories": [],
        "committed": true,
        "committed_memory_ids": ids,
        "enrichment_status": "not_applicable",
        "pending_jobs": [],
        "runtime_fanout": null,
        "client_retry_safe": true,
        "idempotency_status": Idempotency::Replayed.as_str(),
        "operation_trail_id": trail,
        "warnings": [{
            "code": "erased",
            "pointer": "",
            "detail": "This was carried out before, and something that the first answer spoke of was erased since; the ids of the rest are named.",
        }],
    })
}
