//! Reflect: what its request carries, and what it answers.

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, ReflectLimit, ReplyTokens, Tag, Temperature, TrustPolicy};
use testimony_recall::Options;
use testimony_service::ModelFailure;
use testimony_service::read::{
    AnswerMode, Phrasing, ReflectAnswer, ReflectRequest, SynthesisStatus, TASK_GOAL,
};
use testimony_service::write::{WriteAnswer, Written};

use super::Noted;
use super::common::{
    IDENTITY, IDS, Notes, SESSION, Sent, TAGS, WORDS, WRITE_ID, claim, context_types, filters,
    priority_ids, trust_policy,
};
use super::context::USUAL_POLICY;
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table};
use super::parts;
use super::reader::{Log, Object};
use super::recall::QUERY;
use super::rows::{self, Dress, More, courtroom_url};
use super::shape::{Member, Shape};
use super::written::{join, note};

/// What the turn is about.
const CONTEXT: Bound = Bound {
    name: "context",
    ..TASK_GOAL
};

/// What a reflection carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        Field::new("query", Kind::Text(&QUERY), "What is asked.").required(),
        Field::new("answer_mode", Kind::Word(AnswerMode::WORDS), "How it is answered: phrased by a model in sentences that each cite what says them, or quoted; quoted too where no model does.").or(|| AnswerMode::Grounded.as_str().into()),
        Field::new("recall_limit", Kind::Whole("ReflectLimit"), "How many rows are read at most.").or(|| ReflectLimit::default().get().into()),
        Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict.").or(|| USUAL_POLICY.as_str().into()),
        Field::new("max_tokens", Kind::Whole("ReplyTokens"), "How long the reply may be.").or(|| ReplyTokens::default().get().into()),
        Field::new("temperature", Kind::Number("Temperature"), "How freely a model phrases it; nothing to a quotation.").or(|| Temperature::default().get().into()),
        Field::new("save_memory", Kind::Flag, "Whether the reply becomes a memory candidate; that needs `memory.write` too.").or(|| false.into()),
        Field::new("rewrite_context", Kind::Flag, "Whether a model words `context` anew before it is searched with; where none does it counts as it is.").or(|| true.into()),
        Field::new("context", Kind::Text(&CONTEXT), "What the turn is about; its words count half, and a model that phrases the reply is shown it."),
        Field::new("context_tags", TAGS, "Tags that lift a row in the order, and never over the floor."),
        Field::new("context_types", WORDS, "Kinds that lift a row in the order, and never over the floor."),
        Field::new("priority_ids", IDS, "Rows that go first when they are eligible."),
        Field::new("memory_plane", Kind::Word(testimony_domain::Plane::WORDS), "Only rows of this plane."),
        Field::new("memory_scope", Kind::Word(testimony_domain::MemoryScope::WORDS), "Only rows of this scope."),
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
    let repetition = sent.as_repetition(&object, &mut log);
    let reflect = Reflect {
        names_nothing,
        request: ReflectRequest {
            claim: claim(&object, &mut log),
            query: object.owned("query").unwrap_or_default(),
            mode: object
                .read("answer_mode", &mut log, AnswerMode::parse)
                .unwrap_or(AnswerMode::Grounded),
            rewrite_context: object.flag("rewrite_context").unwrap_or(true),
            temperature: object
                .number("temperature", &mut log, Temperature::new)
                .unwrap_or_default(),
            context: object.owned("context"),
            limit: object
                .whole("recall_limit", &mut log, ReflectLimit::new)
                .unwrap_or_default(),
            tokens: object
                .whole("max_tokens", &mut log, ReplyTokens::new)
                .unwrap_or_default(),
            options: Options {
                priority_ids,
                ..options(&object, &mut log)
            },
            save: object.flag("save_memory").unwrap_or(false),
            request: repetition.request.clone(),
            repetition,
            slip: None,
        },
    };
    log.end(reflect)
}

fn options(object: &Object<'_>, log: &mut Log) -> Options {
    Options {
        trust_policy: trust_policy(object, log).unwrap_or(USUAL_POLICY),
        filters: filters(object, log),
        context_tags: object.list("context_tags", log, Tag::new),
        context_types: context_types(object, log),
        ..Options::default()
    }
}

/// What a reflection answers, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("ReflectResponse", &Shape::Object(&[
    Member::new("container_tag", Shape::Text, "The container."),
    Member::new("query", Shape::Text, "What was asked; secrets are redacted."),
    Member::new("reply", Shape::Text, "The reply."),
    Member::new("answer", Shape::Text, "The same reply."),
    Member::new("model", Shape::Maybe(&Shape::Text), "The model that phrased it, as `provider/model`; `null` where it quotes."),
    Member::new("recall_context", Shape::Text, "What was read, as a block for a prompt."),
    Member::new("sources", Shape::List(&parts::RECALLED), "The rows that the reply rests on."),
    Member::new("memories", Shape::List(&parts::RECALLED), "The same rows."),
    Member::new("citations", Shape::List(&Shape::Named("ReplyCitation", &Shape::Object(&[
        Member::new("number", Shape::Whole, "Its number in the reply, and in `recall_context`."),
        Member::new("memory_id", parts::MEMORY, "The memory."),
        parts::CASE_URL,
    ]))), "Which number of the reply is which row."),
    Member::new("tokens_injected", Shape::Whole, "How many tokens what was read costs."),
    Member::new("trust_policy", Shape::Word(TrustPolicy::WORDS), "The policy that held."),
    Member::new("usage", Shape::Named("Usage", &Shape::Object(&[
        Member::new("prompt_tokens", Shape::Whole, "Tokens that a model read."),
        Member::new("completion_tokens", Shape::Whole, "Tokens that it wrote."),
        Member::new("total_tokens", Shape::Whole, "Both together."),
    ])), "What models took, also for what was thrown away; nothing where none was asked or none says so."),
    Member::new("memory_capture", Shape::Maybe(&Shape::Named("MemoryCapture", &Shape::Object(&[
        Member::new("status", Shape::Word(&["retained", "evidence_only", "replayed"]), "What became of saving the reply."),
        Member::new("memory_id", Shape::Maybe(&parts::MEMORY), "The memory that was made."),
        Member::new("reasons", parts::REASONS, "Why."),
    ]))), "What became of saving the reply; `null` where that was not asked for."),
    Member::new("saved_memory_id", Shape::Maybe(&parts::MEMORY), "The memory that was made of the reply."),
    Member::new("diagnostics", parts::REFLECT_DIAGNOSTICS, "How the reply came to be."),
    parts::WARNINGS,
]));

/// What a reflection answers; `query` is what was asked, without secrets.
#[must_use]
pub fn answer(answer: &ReflectAnswer<'_>, query: &str, notes: &Noted) -> Value {
    let (found, packet) = (&answer.recall.recall.answer, answer.recall.packet);
    let rows = quoted(answer);
    let citations = answer.cited.iter().map(|cited| {
        json!({
            "number": cited.number,
            "memory_id": cited.memory.to_string(),
            "courtroom_url": courtroom_url(cited.memory),
        })
    });
    let capture = answer.saved.as_ref().map(capture);
    let saved = capture.as_ref().and_then(|it| it.get("memory_id").cloned());
    let mut body = Map::new();
    join(
        &mut body,
        json!({
            "container_tag": answer.recall.visitor.identity.container().as_str(),
            "query": query,
            "reply": answer.reply,
            "answer": answer.reply,
            "model": answer.phrasing.model,
            "recall_context": packet.block,
            "sources": rows,
            "memories": rows,
            "citations": citations.collect::<Vec<_>>(),
            "tokens_injected": packet.tokens,
            "trust_policy": found.trust_policy.as_str(),
            "usage": usage(&answer.phrasing),
            "memory_capture": capture,
            "saved_memory_id": saved,
            "diagnostics": diagnostics(answer),
        }),
    );
    note(&mut body, notes);
    Value::Object(body)
}

/// The rows that the reply rests on.
fn quoted(answer: &ReflectAnswer<'_>) -> Vec<Value> {
    let dress = Dress {
        links: true,
        trust_report: false,
    };
    let all = answer.recall.packet.citations.iter();
    let rests_on = |number| answer.cited.iter().any(|cited| cited.number == number);
    all.filter(|it| rests_on(it.number))
        .map(|it| json!(rows::recalled(&it.row, dress)))
        .collect()
}

/// What models took.
fn usage(phrasing: &Phrasing) -> Value {
    let took = phrasing.usage;
    json!({
        "prompt_tokens": took.prompt,
        "completion_tokens": took.completion,
        "total_tokens": took.prompt.saturating_add(took.completion),
    })
}

/// How the reply came to be worded: a reply that was to be phrased and quotes says so, and why.
fn diagnostics(answer: &ReflectAnswer<'_>) -> Value {
    let found = &answer.recall.recall.answer.diagnostics;
    let mut body = json!(rows::diagnostics(found, More::Nothing));
    let phrasing = &answer.phrasing;
    let mode = match phrasing.status {
        SynthesisStatus::Generated => AnswerMode::Grounded,
        SynthesisStatus::NotRequested
        | SynthesisStatus::NotNeeded
        | SynthesisStatus::Unavailable
        | SynthesisStatus::Rejected => AnswerMode::Extractive,
    };
    let fell_back = answer.fell_back();
    let dropped = phrasing
        .dropped
        .iter()
        .map(|(reason, count)| json!({ "reason": reason.as_str(), "count": count }));
    if let Value::Object(body) = &mut body {
        join(
            body,
            json!({
                "degraded": fell_back.is_some(),
                "synthesis_status": phrasing.status.as_str(),
                "synthesis_failure": fell_back.map(ModelFailure::as_str),
                "fallback": fell_back.map(|_| AnswerMode::Extractive.as_str()),
                "answer_mode_applied": mode.as_str(),
                "dropped_sentences": dropped.collect::<Vec<_>>(),
                "reply_redacted": phrasing.redacted,
                "context_rewritten": phrasing.context_rewritten,
            }),
        );
    }
    body
}

/// What came of saving the reply.
fn capture(written: &Written) -> Value {
    match written {
        Written::Done(answer) => captured(answer),
        Written::Replayed(replay) => json!({
            "status": "replayed",
            "memory_id": replay.memories.first().map(ToString::to_string),
            "reasons": [],
        }),
    }
}

fn captured(answer: &WriteAnswer) -> Value {
    let kept = answer.retained.first();
    let of_skipped = answer.skipped.first().map(|it| it.reasons.as_slice());
    let why = kept.map(|row| row.reasons.as_slice()).or(of_skipped);
    json!({
        "status": if kept.is_some() { "retained" } else { "evidence_only" },
        "memory_id": kept.map(|row| row.memory.id.to_string()),
        "reasons": rows::reasons(why.unwrap_or_default()),
    })
}
