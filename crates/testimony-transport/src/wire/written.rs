//! What every write answers: its rows, what made none, how each claim stands, and what is still to be done.

use serde_json::{Map, Value, json};
use testimony_admission::reconcile::Cue;
use testimony_domain::{DroppedClaim, MemoryId, SlotKey};
use testimony_service::ports::ledger::jobs::JobKind;
use testimony_service::write::{
    Conflicting, Decision, Idempotency, NextAction, Place, Replay, Retained, Skipped, Unreadable,
    WriteAnswer,
};

use super::Noted;
use super::fault::Fault;
use super::parts::{self, IDLE};
use super::rows::{case_url, courtroom_url, reason, reasons, said_of};
use super::shape::{Member, Shape};

use Shape::{Flag, Groups, List, Maybe, Named, Object, Text, Whole, Word};

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

const INDEX: Member = Member::new(
    "index",
    Maybe(&Whole),
    "Which item of its list it was, from 0.",
);
const POINTER: Member = Member::new("pointer", Text, "Where in the request it stood.");
const DIAGNOSTICS: Shape = Named(
    "WriteDiagnostics",
    &Groups(&[
        IDLE,
        &[
            Member::new("committed", Flag, "Whether something was written."),
            Member::new("retained_count", Whole, "How many memories were made."),
            Member::new("skipped_count", Whole, "How many texts made none."),
            Member::new("conflict_count", Whole, "How many items met a conflict."),
            Member::new("invalid_count", Whole, "How many items cannot be read."),
            Member::new(
                "caller_agent_id_dropped",
                Flag,
                "Whether another agent was claimed, and dropped.",
            ),
            Member::new(
                "dropped_claims",
                parts::DROPPED,
                "What was claimed in vain.",
            ),
        ],
    ]),
);

/// What retain and writeback answer alike.
#[rustfmt::skip]
pub(crate) const COMMON: &[Member] = &[
    Member::new("container_tag", Text, "The container."),
    Member::new("operation_trail_id", Text, "By which name the write is found in the trail."),
    Member::new("committed", Flag, "Whether something was written durably before this answer left."),
    Member::new("committed_memory_ids", List(&parts::MEMORY), "Ids that can be read, examined and named from now on."),
    Member::new("enrichment_status", Word(&["complete", "queued", "pending", "not_applicable"]), "Whether something is still to be done with what was written."),
    Member::new("pending_jobs", List(&Word(JobKind::WORDS)), "What is still to be done."),
    Member::new("runtime_fanout", Maybe(&Named("RuntimeFanout", &Object(&[
        Member::new("queued", Flag, "Whether something was queued."),
        Member::new("routes", List(&Word(JobKind::WORDS)), "What."),
    ]))), "What was queued; `null` where nothing was."),
    Member::new("client_retry_safe", Flag, "Whether the same request can be sent again without being carried out twice."),
    Member::new("idempotency_status", Word(Idempotency::WORDS), "How a repetition is known."),
    Member::new("diagnostics", DIAGNOSTICS, "How the answer came to be.").at_times(),
    Member::new("errors", List(&Named("ItemError", &Object(ERROR))), "Items of a batch of which nothing became a memory that counts.").at_times(),
    parts::WARNINGS,
];

/// An item that cannot be read, or that met a conflict.
#[rustfmt::skip]
const ERROR: &[Member] = &[
    INDEX,
    POINTER,
    Member::new("status", Whole, "The status that the item alone would have had: 409 or 422."),
    Member::new("code", Word(&["conflict", "invalid"]), "What went wrong."),
    Member::new("detail", Text, "Why, and what to do about it."),
    Member::new("errors", parts::FAULTS, "What is wrong with which value.").at_times(),
    Member::new("remedy", Text, "What to do about a conflict.").at_times(),
    Member::new("reason", parts::REASON, "Why it does not count.").at_times(),
    Member::new("memory_id", parts::MEMORY, "The memory that waits.").at_times(),
    Member::new("existing_ids", List(&parts::MEMORY), "The memories that it stands against.").at_times(),
    Member::new("case_id", Maybe(&parts::CASE), "The review case about it.").at_times(),
    parts::CASE_URL.at_times(),
];

/// A row that was made.
#[rustfmt::skip]
pub(crate) const RETAINED: Shape = Named("RetainedMemory", &Groups(&[parts::SAID_OF, &[
    INDEX,
    POINTER,
    parts::BUCKET,
    Member::new("next_action", Word(NextAction::WORDS), "What its caller can do."),
    Member::new("reasons", parts::REASONS, "Why it stands as it does."),
    Member::new("evidence_id", parts::EVIDENCE, "The evidence that it was drawn from."),
    Member::new("case_id", Maybe(&parts::CASE), "The review case that was opened about it."),
    parts::CASE_URL,
]]));

/// A text of which no row was made.
#[rustfmt::skip]
pub(crate) const SKIPPED: Shape = Named("SkippedCandidate", &Object(&[
    INDEX,
    POINTER,
    Member::new("content", Text, "What it says; secrets are redacted."),
    Member::new("reasons", parts::REASONS, "Why no memory was made of it."),
    Member::new("evidence_id", Maybe(&parts::EVIDENCE), "The evidence that was kept."),
    Member::new("existing_id", Maybe(&parts::MEMORY), "The memory that it now supports."),
]));

/// How a claim stands to what was known.
#[rustfmt::skip]
pub(crate) const DECISION: Shape = Named("Decision", &Object(&[
    INDEX,
    POINTER,
    Member::new("content", Text, "What is claimed."),
    Member::new("decision", Word(DECISIONS), "How it stands to what was known."),
    Member::new("cue", Word(Cue::WORDS), "What decided."),
    Member::new("memory_id", Maybe(&parts::MEMORY), "The memory that was made."),
    Member::new("existing_id", Maybe(&parts::MEMORY), "The memory that was met."),
    Member::new("slot", Maybe(&Named("Slot", &Object(&[
        Member::new("subject", Text, "Of whom or what."),
        Member::new("attribute", Text, "Which attribute."),
        Member::new("scope", Text, "Under which circumstances."),
    ]))), "The question to which both are answers."),
    Member::new("reason", parts::REASON, "Why."),
]));

/// How a claim can stand to what was known.
const DECISIONS: &[&str] = &[
    "new",
    "duplicate",
    "supporting",
    "supersedes",
    "contradicts",
    "independent",
];

/// What a conflict names beside the problem itself: what was kept in spite of it, and what to do.
#[rustfmt::skip]
pub(crate) const REFUSAL: &[Member] = &[
    Member::new("kept", Named("Kept", &Object(&[
        Member::new("evidence_ids", List(&parts::EVIDENCE), "The evidence that was kept."),
        Member::new("conflicts", List(&Named("Conflict", &Object(&[
            Member::new("reason", parts::REASON, "Why it does not count."),
            Member::new("memory_id", parts::MEMORY, "The memory that waits."),
            Member::new("existing_ids", List(&parts::MEMORY), "The memories that it stands against."),
            Member::new("case_id", Maybe(&parts::CASE), "The review case about it."),
            parts::CASE_URL,
        ]))), "What stands against what."),
    ])), "What was kept in spite of it.").at_times(),
    Member::new("remedy", Text, "What to do about it.").at_times(),
    Member::new("answer", Shape::Map(&Shape::Anything), "The answer that a batch would have had.").at_times(),
    Member::new("idempotency_status", Word(Idempotency::WORDS), "That this was answered before.").at_times(),
];

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
    notes: &Noted,
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
pub(crate) fn note(body: &mut Map<String, Value>, notes: &Noted) {
    body.insert("warnings".to_owned(), json!(notes.warnings));
    if let Some(Value::Object(diagnostics)) = body.get_mut("diagnostics") {
        let (ignored, recorded) = (&notes.ignored_fields, &notes.recorded_only_fields);
        diagnostics.insert("ignored_fields".to_owned(), json!(ignored));
        diagnostics.insert("recorded_only_fields".to_owned(), json!(recorded));
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

/// What every repetition answers of which the first answer is gone: the rows that are still there.
pub(crate) fn left_of_answer(container: &str, trail: &str, replay: &Replay) -> Map<String, Value> {
    let ids: Vec<String> = replay.memories.iter().map(MemoryId::to_string).collect();
    let mut body = Map::new();
    join(
        &mut body,
        json!({
            "container_tag": container,
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
        }),
    );
    body
}
