//! Reflect: what its request carries, and what it answers.

use serde_json::{Map, Value, json};
use testimony_domain::{
    MemoryKind, MemoryScope, Plane, ReflectLimit, ReplyTokens, Tag, Temperature, TrustPolicy,
};
use testimony_recall::Options;
use testimony_service::read::{ReflectAnswer, ReflectRequest, TASK_GOAL};
use testimony_service::write::{WriteAnswer, Written};

use super::common::{
    IDENTITY, IDS, Notes, SESSION, Sent, TAGS, WORDS, WRITE_ID, claim, context_types, filters,
    priority_ids, request_id, trust_policy,
};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table};
use super::reader::{Log, Object};
use super::recall::{NO_MODEL, QUERY};
use super::rows::{self, Dress, courtroom_url};
use super::written::{self, Wrong, join, note};

testimony_domain::words! {
    /// How a question is answered.
    pub enum AnswerMode {
        /// In words of its own that cite what they rest on.
        Grounded = "grounded",
        /// In sentences that were said.
        Extractive = "extractive",
    }
}

/// How strict a reflection is where nobody says otherwise.
pub const USUAL_POLICY: TrustPolicy = TrustPolicy::Balanced;

/// What a reflection carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        Field::new("query", Kind::Text(&QUERY), "What is asked.").required(),
        Field::new("answer_mode", Kind::Word(AnswerMode::WORDS), "How it is answered; without a model always in sentences that were said.").or(|| AnswerMode::Grounded.as_str().into()),
        Field::new("recall_limit", Kind::Whole("ReflectLimit"), "How many rows are read at most.").or(|| ReflectLimit::default().get().into()),
        Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict.").or(|| USUAL_POLICY.as_str().into()),
        Field::new("max_tokens", Kind::Whole("ReplyTokens"), "How long the reply may be.").or(|| ReplyTokens::default().get().into()),
        Field::new("temperature", Kind::Number("Temperature"), "How freely a model phrases it.").or(|| Temperature::default().get().into()).ignored(NO_MODEL),
        Field::new("save_memory", Kind::Flag, "Whether the reply becomes a memory candidate.").or(|| false.into()),
        Field::new("rewrite_context", Kind::Flag, "Whether a model words the context anew.").or(|| true.into()).ignored(NO_MODEL),
        Field::new("context", Kind::Text(&TASK_GOAL), "What the turn is about; its words count half."),
        Field::new("context_tags", TAGS, "Tags that lift a row in the order, and never over the floor."),
        Field::new("context_types", WORDS, "Kinds that lift a row in the order, and never over the floor."),
        Field::new("priority_ids", IDS, "Rows that go first when they are eligible."),
        Field::new("memory_plane", Kind::Word(Plane::WORDS), "Only rows of this plane."),
        Field::new("memory_scope", Kind::Word(MemoryScope::WORDS), "Only rows of this scope."),
        Field::new("memory_type", Kind::Word(MemoryKind::WORDS), "Only rows of this kind."),
        Field::new("tags", TAGS, "Only rows with these tags."),
        Field::new("metadata", Kind::Object, "The caller's own.").or(|| json!({})).ignored("A read keeps nothing of it."),
        WRITE_ID,
        SESSION,
    ],
    IDENTITY,
];

/// A reflection that was read.
#[derive(Clone, Debug)]
pub struct Reflect {
    /// The request.
    pub request: ReflectRequest,
    /// How it is to be answered.
    pub mode: AnswerMode,
    /// Whether one of `priority_ids` is no id, and so is not there.
    pub names_nothing: bool,
}

/// Reads a reflection.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>, sent: &Sent) -> Result<(Reflect, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FIELDS, &mut log);
    let (priority_ids, names_nothing) = priority_ids(&object);
    let options = Options {
        trust_policy: trust_policy(&object, &mut log).unwrap_or(USUAL_POLICY),
        filters: filters(&object, &mut log),
        context_tags: object.list("context_tags", &mut log, Tag::new),
        context_types: context_types(&object, &mut log),
        priority_ids,
        ..Options::default()
    };
    let mode = object.read("answer_mode", &mut log, AnswerMode::parse);
    let reflect = Reflect {
        mode: mode.unwrap_or(AnswerMode::Grounded),
        names_nothing,
        request: ReflectRequest {
            claim: claim(&object, &mut log),
            query: object.owned("query").unwrap_or_default(),
            context: object.owned("context"),
            limit: object
                .whole("recall_limit", &mut log, ReflectLimit::new)
                .unwrap_or_default(),
            tokens: object
                .whole("max_tokens", &mut log, ReplyTokens::new)
                .unwrap_or_default(),
            options,
            save: object.flag("save_memory").unwrap_or(false),
            repetition: sent.as_repetition(&object, &mut log),
            request: request_id(&object, &mut log),
        },
    };
    log.end(reflect)
}

/// What came of saving a reply, as it is sent and kept to be sent again.
#[must_use]
pub fn capture(container: &str, answer: &WriteAnswer) -> Value {
    let wrong = Wrong::default();
    let mut body = written::common(container, answer, &wrong, &json!({}));
    let own = json!({
        "saved": answer.saved(),
        "memories": written::retained(answer, &wrong),
        "skipped": written::skipped(answer, &wrong),
        "decisions": written::decisions(answer, &wrong),
    });
    join(&mut body, own);
    Value::Object(body)
}

fn captured(container: &str, saved: Option<&Written>) -> Value {
    match saved {
        None => Value::Null,
        Some(Written::Done(answer)) => capture(container, answer),
        Some(Written::Replayed(replay)) => {
            let kept = replay.response.as_deref();
            let kept = kept.and_then(|text| serde_json::from_str::<Value>(text).ok());
            let mut kept =
                kept.unwrap_or_else(|| written::replayed_without_answer(container, "", replay));
            written::mark_replayed(&mut kept);
            kept
        }
    }
}

/// What a reflection answers; `query` is what was asked, without secrets.
#[must_use]
pub fn answer(reflect: &Reflect, answer: &ReflectAnswer<'_>, query: &str, notes: &Value) -> Value {
    let found = &answer.recall.recall.answer;
    let packet = answer.recall.packet;
    let container = answer.recall.visitor.identity.container().as_str();
    let rows = quoted(answer);
    let capture = captured(container, answer.saved.as_ref());
    let mut body = Map::new();
    join(
        &mut body,
        json!({
            "container_tag": container,
            "query": query,
            "reply": answer.reply,
            "answer": answer.reply,
            "model": null,
            "answer_mode": AnswerMode::Extractive.as_str(),
            "recall_context": packet.block,
            "sources": rows,
            "memories": rows,
            "citations": citations(answer),
            "tokens_injected": packet.tokens,
            "trust_policy": found.trust_policy.as_str(),
            "usage": { "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 },
            "saved_memory_id": capture.pointer("/committed_memory_ids/0"),
            "memory_capture": capture,
            "diagnostics": diagnostics(reflect, answer),
        }),
    );
    note(&mut body, notes);
    Value::Object(body)
}

/// The rows that the reply quotes.
fn quoted(answer: &ReflectAnswer<'_>) -> Vec<Value> {
    let dress = Dress {
        links: true,
        trust_report: false,
    };
    let all = answer.recall.packet.citations.iter();
    let quoted = all.filter(|cited| answer.cited.contains(&cited.row.memory.id));
    quoted
        .map(|cited| rows::recalled(&cited.row, dress))
        .collect()
}

fn citations(answer: &ReflectAnswer<'_>) -> Vec<Value> {
    let numbered = (1..).zip(&answer.cited);
    let one = |(number, id): (usize, &testimony_domain::MemoryId)| json!({ "number": number, "memory_id": id.to_string(), "courtroom_url": courtroom_url(*id) });
    numbered.map(one).collect()
}

/// That no model phrased the reply is said where one was asked for.
fn diagnostics(reflect: &Reflect, answer: &ReflectAnswer<'_>) -> Value {
    let mut body = rows::diagnostics(&answer.recall.recall.answer.diagnostics);
    let degraded = reflect.mode == AnswerMode::Grounded;
    let because = degraded.then_some("no_model_configured");
    if let Value::Object(body) = &mut body {
        join(
            body,
            json!({
                "synthesis_status": if degraded { "degraded" } else { "complete" },
                "degraded": degraded,
                "degraded_reason": because,
                "answer_mode_requested": reflect.mode.as_str(),
            }),
        );
    }
    body
}
