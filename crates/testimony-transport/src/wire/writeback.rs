//! Writeback: what its request carries, and what it answers.

use serde_json::{Map, Value, json};
use testimony_domain::{AgentScope, Confidence, EffectiveIdentity, Memory, Standing};
use testimony_service::write::{
    ASSISTANT_RESPONSE, Replay, Retained, USER_MESSAGE, WriteAnswer, WritebackRequest,
};

use super::Noted;
use super::common::{IDENTITY, Notes, SESSION, Sent, WRITE_ID, claim};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table};
use super::item::{Base, ITEMS, Items, MOST_ITEMS, SOURCE, beside, items, never_raises};
use super::parts;
use super::reader::{Log, Object};
use super::shape::{Member, Shape};
use super::written::{self, Wrong};

/// The lists of candidates.
const LISTS: [&str; 4] = ["observed_facts", "decisions", "preferences", "artifacts"];

/// What a writeback carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        Field::new("observed_facts", ITEMS, "Atomic facts that the agent saw.").or(|| json!([])),
        Field::new("decisions", ITEMS, "Durable decisions.").or(|| json!([])),
        Field::new("preferences", ITEMS, "What the user likes or wants.").or(|| json!([])),
        Field::new("artifacts", ITEMS, "Files, links and other outputs.").or(|| json!([])),
        Field::new("assistant_response", Kind::Text(&ASSISTANT_RESPONSE), "What the assistant said; claims are drawn from it where `auto_extract` is set."),
        Field::new("user_message", Kind::Text(&USER_MESSAGE), "What the user said; preferences and decisions that stand in it are the user's own."),
        Field::new("auto_extract", Kind::Flag, "Whether claims are drawn from the two messages.").or(|| false.into()),
        Field::new("review_required", Kind::Flag, "Whether a person has to look first.").or(|| false.into()),
        SOURCE.or(|| "agent_runtime".into()),
        never_raises("default_confidence", Kind::Number("Score"), "How sure the agent is.").or(|| Confidence::default().get().into()),
        never_raises("default_trust_score", Kind::Number("Score"), "How far the agent would trust it.").or(|| 0.8.into()),
        Field::new("metadata", Kind::Object, "What is to be kept with the evidence; no secrets.").or(|| json!({})),
        WRITE_ID,
        SESSION,
    ],
    IDENTITY,
];

/// A writeback that was read.
#[derive(Clone, Debug)]
pub struct Writeback {
    /// The request.
    pub request: WritebackRequest,
    /// Candidates that cannot be read.
    pub wrong: Wrong,
}

/// Reads a writeback.
///
/// # Errors
/// Everything that is wrong with it. A candidate that is wrong leaves the others alone, unless nothing else came.
pub fn read(body: &Map<String, Value>, sent: &Sent) -> Result<(Writeback, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FIELDS, &mut log);
    let base = Base {
        item: beside(&object, &mut log),
        recorded: Map::new(),
    };
    let lists = LISTS.map(|name| items(&object, name, &base, &mut log));
    let extract = object.flag("auto_extract").unwrap_or(false);
    check_lists(&lists, &mut log);
    let mut wrong = Wrong::default();
    let [observed_facts, decisions, preferences, artifacts] =
        with_names(lists).map(|(name, list)| {
            wrong.add(name, list.wrong);
            list.items
        });
    let writeback = Writeback {
        request: WritebackRequest {
            claim: claim(&object, &mut log),
            observed_facts,
            decisions,
            preferences,
            artifacts,
            assistant_response: object.owned("assistant_response"),
            user_message: object.owned("user_message"),
            base: base.item,
            extract,
            review_required: object.flag("review_required").unwrap_or(false),
            repetition: sent.as_repetition(&object, &mut log),
        },
        wrong,
    };
    log.end(writeback)
}

fn with_names(lists: [Items; 4]) -> [(&'static str, Items); 4] {
    let mut names = LISTS.into_iter();
    lists.map(|list| (names.next().unwrap_or_default(), list))
}

fn check_lists(lists: &[Items], log: &mut Log) {
    let count: usize = lists.iter().map(|list| list.items.len()).sum();
    if count > MOST_ITEMS {
        let detail =
            format!("It brings {count} candidates where {MOST_ITEMS} are allowed; split it.");
        log.fault(Fault::at(Pointer::root(), detail));
    }
    let wrong: usize = lists.iter().map(|list| list.wrong.len()).sum();
    if count > 0 && wrong == count {
        let all = lists.iter().flat_map(|list| &list.wrong);
        all.flat_map(|(_, faults)| faults)
            .for_each(|fault| log.fault(fault.clone()));
    }
}

/// What a writeback answers, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("AgentWritebackResponse", &Shape::Groups(&[&[
    Member::new("retained_memories", Shape::List(&written::RETAINED), "The memories that were made."),
    Member::new("skipped_candidates", Shape::List(&written::SKIPPED), "The texts of which none was made.").at_times(),
    Member::new("review_required_items", Shape::List(&written::RETAINED), "The memories that a person has to look at.").at_times(),
    Member::new("dedupe_supersession_decisions", Shape::List(&written::DECISION), "How each claim stands to what was known.").at_times(),
    Member::new("effective_identity", parts::IDENTITY, "The identity that counted.").at_times(),
    Member::new("stored_visibility_scope", Shape::Maybe(&Shape::Word(&["private_agent", "container"])), "Who sees what was written: the narrowest of its rows.").at_times(),
    Member::new("sharing_eligible", Shape::Flag, "Whether others see it.").at_times(),
    Member::new("sharing_blocked_reason", Shape::Maybe(&Shape::Word(&["nothing_retained", "pending_review", "private_by_place"])), "Why they do not.").at_times(),
], written::COMMON]));

/// What a writeback answers.
#[must_use]
pub fn answer(container: &str, answer: &WriteAnswer, wrong: &Wrong, notes: &Noted) -> Value {
    let mut body = written::common(container, answer, wrong, notes);
    let waiting = answer.retained.iter().filter(|row| waits(row));
    let (scope, eligible, blocked) = sharing(answer);
    let own = json!({
        "retained_memories": written::retained(answer, wrong),
        "skipped_candidates": written::skipped(answer, wrong),
        "review_required_items": waiting.map(|row| written::row(row, wrong)).collect::<Vec<_>>(),
        "dedupe_supersession_decisions": written::decisions(answer, wrong),
        "effective_identity": identity(&answer.identity),
        "stored_visibility_scope": scope,
        "sharing_eligible": eligible,
        "sharing_blocked_reason": blocked,
    });
    written::join(&mut body, own);
    Value::Object(body)
}

/// What is left of an answer that was sent before and is gone.
#[must_use]
pub fn replayed(container: &str, trail: &str, replay: &Replay) -> Value {
    let mut body = written::left_of_answer(container, trail, replay);
    written::join(&mut body, json!({ "retained_memories": [] }));
    Value::Object(body)
}

fn waits(row: &Retained) -> bool {
    let standing = row.memory.standing();
    matches!(standing, Standing::AwaitsReview | Standing::Contested) || row.case.is_some()
}

/// The identity that counted.
pub(crate) fn identity(who: &EffectiveIdentity) -> Value {
    json!({
        "source_app": who.source_app().map(ToString::to_string),
        "agent_id": who.agent().map(ToString::to_string),
        "agent_scope": who.agent_scope().as_str(),
    })
}

/// Who sees what was written: the narrowest of its rows, whether it could be shared, and why not.
fn sharing(answer: &WriteAnswer) -> (Option<&'static str>, bool, Option<&'static str>) {
    let rows: Vec<&Memory> = answer.retained.iter().map(|row| &*row.memory).collect();
    if rows.is_empty() {
        return (None, false, Some("nothing_retained"));
    }
    let waits = rows.iter().any(|row| row.is_private_until_supported());
    let placed = rows.iter().any(|row| row.partition.is_private_by_place());
    match (waits, placed) {
        (true, _) => (Some("private_agent"), false, Some("pending_review")),
        (false, true) => (Some("private_agent"), false, Some("private_by_place")),
        (false, false) => (Some(AgentScope::Container.as_str()), true, None),
    }
}
