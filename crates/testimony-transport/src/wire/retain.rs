//! Retain: what its request carries, and what it answers.

use serde_json::{Map, Value, json};
use testimony_service::write::{BATCH, Item, Replay, RetainRequest, WriteAnswer};

use super::Noted;
use super::common::{IDENTITY, Notes, SESSION, Sent, WRITE_ID, claim};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table, label};
use super::item::{
    BESIDE, Base, ITEM_CONTENT, ITEMS, Items, KEPT, SOURCE, TRUST_SCORE, items, never_raises,
    warn_about_shared,
};
use super::reader::{Log, Object};
use super::shape::{Member, Shape};
use super::written::{self, Wrong};

/// What a retain carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        ITEM_CONTENT,
        Field::new("contents", ITEMS, "Several things to be remembered; either this or `content` is needed."),
        SOURCE.or(|| "api".into()),
        Field::new("auto_extract", Kind::Flag, "Whether claims are drawn from the texts.").or(|| true.into()),
        Field::new("review_required", Kind::Flag, "Whether a person has to look first.").or(|| false.into()),
        Field::new("review_reason", label!(SourceRef), "Why a person has to look; it stands in the review case."),
        Field::new("recall_hint", label!(SourceRef), "When it may be of use.").recorded(KEPT),
        Field::new("capture_kind", label!(SourceLabel), "How it was captured.").recorded(KEPT),
        Field::new("durability", label!(SourceLabel), "How long it is meant to last.").recorded(KEPT),
        Field::new("extraction_profile", label!(SourceLabel), "How claims are to be drawn.").recorded(KEPT),
        never_raises("lifecycle_state", label!(SourceLabel), "The state that the caller would give it."),
        never_raises("promotion_state", label!(SourceLabel), "How far the caller would promote it."),
        TRUST_SCORE,
        WRITE_ID,
        SESSION,
    ],
    BESIDE,
    IDENTITY,
];

/// A retain that was read.
#[derive(Clone, Debug)]
pub struct Retain {
    /// The request.
    pub request: RetainRequest,
    /// Items that cannot be read.
    pub wrong: Wrong,
}

/// Reads a retain.
///
/// # Errors
/// Everything that is wrong with it. An item of a batch that is wrong leaves the others alone, unless all are.
pub fn read(body: &Map<String, Value>, sent: &Sent) -> Result<(Retain, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FIELDS, &mut log);
    let base = Base::of(&object, FIELDS, &mut log);
    let batch = items(&object, BATCH.name, &base, &mut log);
    let is_batch = object.value(BATCH.name).is_some();
    let alone = object.text("content").map(|content| base.alone(content));
    if alone.is_none() {
        warn_about_shared(&object, &mut log);
    }
    check_presence(&object, &batch, alone.as_ref(), &mut log);
    let (items, wrong) = together(batch, alone, is_batch);
    let retain = Retain {
        request: RetainRequest {
            claim: claim(&object, &mut log),
            items,
            is_batch,
            extract: object.flag("auto_extract").unwrap_or(true),
            review_required: object.flag("review_required").unwrap_or(false),
            review_reason: object.owned("review_reason"),
            repetition: sent.as_repetition(&object, &mut log),
        },
        wrong,
    };
    log.end(retain)
}

fn check_presence(object: &Object<'_>, batch: &Items, alone: Option<&Item>, log: &mut Log) {
    let there = |name: &str| object.value(name).is_some();
    if !there("content") && !there(BATCH.name) {
        let detail = "It is required where `contents` is absent; send one of the two.";
        log.fault(Fault::at(object.pointer("content"), detail));
    }
    if there(BATCH.name) && batch.items.is_empty() && alone.is_none() {
        let detail = "It has no element; send at least one.";
        log.fault(Fault::at(object.pointer(BATCH.name), detail));
    }
    if batch.is_all_wrong() && alone.is_none() {
        let all = batch.wrong.iter().flat_map(|(_, faults)| faults);
        all.for_each(|fault| log.fault(fault.clone()));
    }
}

/// A content that comes beside a batch is one more item, behind the others.
fn together(batch: Items, alone: Option<Item>, is_batch: bool) -> (Vec<Item>, Wrong) {
    let mut wrong = Wrong::default();
    wrong.add(BATCH.name, batch.wrong);
    if is_batch && alone.is_some() {
        wrong.content_behind(batch.items.len());
    }
    let items = batch.items.into_iter().chain(alone).collect();
    (items, wrong)
}

/// What a retain answers, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("RetainResponse", &Shape::Groups(&[&[
    Member::new("saved", Shape::Whole, "How many rows are known or wait."),
    Member::new("memories", Shape::List(&written::RETAINED), "The memories that were made."),
    Member::new("skipped", Shape::List(&written::SKIPPED), "The texts of which none was made.").at_times(),
    Member::new("decisions", Shape::List(&written::DECISION), "How each claim stands to what was known.").at_times(),
], written::COMMON]));

/// What a retain answers.
#[must_use]
pub fn answer(container: &str, answer: &WriteAnswer, wrong: &Wrong, notes: &Noted) -> Value {
    let mut body = written::common(container, answer, wrong, notes);
    let own = json!({
        "saved": answer.saved(),
        "memories": written::retained(answer, wrong),
        "skipped": written::skipped(answer, wrong),
        "decisions": written::decisions(answer, wrong),
    });
    written::join(&mut body, own);
    Value::Object(body)
}

/// What is left of an answer that was sent before and is gone.
#[must_use]
pub fn replayed(container: &str, trail: &str, replay: &Replay) -> Value {
    let mut body = written::left_of_answer(container, trail, replay);
    let own = json!({ "saved": replay.memories.len(), "memories": [] });
    written::join(&mut body, own);
    Value::Object(body)
}
