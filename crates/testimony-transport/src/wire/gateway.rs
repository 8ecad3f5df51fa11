//! The gateway: what of a request is read, and what is put into an answer. Everything else goes through as it came.

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, ContainerTag, ContextTokens, TrustBucket, TrustPolicy};
use testimony_service::read::ContextAnswer;

use super::common::trust_policy;
use super::context::{USUAL_POLICY, citation};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table, label};
use super::parts;
use super::reader::{Log, Object};
use super::shape::{Member, Shape};
use super::{Noted, Notes};

/// The name of a model.
pub const MODEL: Bound = Bound {
    name: "model",
    min: 1.0,
    max: 200.0,
    default: None,
    unit: "characters",
    meaning: "The name of a model.",
};

/// What a model is asked in one text.
pub const INPUT: Bound = Bound {
    name: "input",
    min: 1.0,
    max: 20_000_000.0,
    default: None,
    unit: "characters",
    meaning: "What a model is asked in one text.",
};

/// So many messages at most.
const MOST_MESSAGES: usize = 20_000;
const ANY_OBJECT: Kind = Kind::Object;

/// What a request says of the memory that goes with it.
#[rustfmt::skip]
pub const MEMORY: Table = &[&[
    Field::new("container_tag", label!(ContainerTag), "Whose memory; the key's own container where it reaches only one."),
    Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict.").or(|| USUAL_POLICY.as_str().into()),
    Field::new("max_context_tokens", Kind::Whole("ContextTokens"), "How many tokens the memory may cost.").or(|| ContextTokens::default().get().into()),
    Field::new("include_courtroom_links", Kind::Flag, "Whether citations come with the address of their case report.").or(|| true.into()),
]];

const ROUTE: Field = Field::new(
    "model",
    Kind::Text(&MODEL),
    "A model by its configured name, or by `provider/model`.",
)
.required();
const OPTIONS: Field = Field::new(
    "memory",
    Kind::Record(MEMORY),
    "Puts what is known of the last turn ahead of the conversation; without it nothing is added, unless the key is made so. It does not go on.",
);
const STREAM: Field = Field::new(
    "stream",
    Kind::Flag,
    "Whether the answer comes piece by piece, as server-sent events.",
)
.or(|| false.into());
const METADATA: Field = Field::new("metadata", Kind::Object, "The caller's own; it goes on.");

/// What a request for a chat completion carries, as far as it is read.
#[rustfmt::skip]
pub const CHAT: Table = &[&[
    ROUTE,
    Field::new("messages", Kind::List(&ANY_OBJECT, MOST_MESSAGES), "The conversation, each message with its `role`; the text of the last message of a user is what memory is asked.").required(),
    OPTIONS,
    STREAM,
    METADATA,
]];

/// What a request for a response carries, as far as it is read.
#[rustfmt::skip]
pub const RESPONSES: Table = &[&[
    ROUTE,
    Field::new("input", Kind::TextOrList(&INPUT, &ANY_OBJECT, MOST_MESSAGES), "The question, or the conversation; the text of the last message of a user is what memory is asked.").required(),
    OPTIONS,
    STREAM,
    METADATA,
]];

/// What of a request is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Which model.
    pub model: String,
    /// Whether the answer comes piece by piece.
    pub streamed: bool,
    /// What is said of memory.
    pub memory: Option<Options>,
    /// What of that is worth a word; what else is not known here goes on to the model.
    pub notes: Notes,
}

/// What a request says of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Whose.
    pub container: Option<ContainerTag>,
    /// How strict.
    pub trust_policy: TrustPolicy,
    /// How much.
    pub tokens: ContextTokens,
    /// Whether citations come with the address of their case report.
    pub links: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            container: None,
            trust_policy: USUAL_POLICY,
            tokens: ContextTokens::default(),
            links: true,
        }
    }
}

/// Reads what of a request is read.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>, table: Table) -> Result<Request, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, table, &mut log);
    if object.value("messages") == Some(&json!([])) {
        let detail = "It is empty; send at least one message.";
        log.fault(Fault::at(root.below("messages"), detail));
    }
    for (index, message) in object.elements("messages").enumerate() {
        if message.is_object() && message.get("role").is_none_or(|role| !role.is_string()) {
            let at = root.below("messages").below(index).below("role");
            log.fault(Fault::at(
                at,
                "It is required; send whose message it is, such as `user`.",
            ));
        }
    }
    let mut of_memory = Log::default();
    let request = Request {
        model: object.owned("model").unwrap_or_default(),
        streamed: object.flag("stream").unwrap_or(false),
        memory: object
            .object("memory")
            .map(|values| options(values, &root.below("memory"), &mut of_memory)),
        notes: Notes::default(),
    };
    for fault in std::mem::take(&mut of_memory.faults) {
        log.fault(fault);
    }
    let (request, _) = log.end(request)?;
    let (request, notes) = of_memory.end(request)?;
    Ok(Request { notes, ..request })
}

fn options(values: &Map<String, Value>, at: &Pointer, log: &mut Log) -> Options {
    let object = Object::checked(values, at, MEMORY, log);
    Options {
        container: object.read("container_tag", log, ContainerTag::new),
        trust_policy: trust_policy(&object, log).unwrap_or(USUAL_POLICY),
        tokens: object
            .whole("max_context_tokens", log, ContextTokens::new)
            .unwrap_or_default(),
        links: object.flag("include_courtroom_links").unwrap_or(true),
    }
}

/// What an answer says of the memory that went with its request.
#[rustfmt::skip]
const WENT: Shape = Shape::Named("GatewayMemory", &Shape::Object(&[
    Member::new("container_tag", Shape::Text, "Whose memory."),
    Member::new("tokens_injected", Shape::Whole, "How many tokens it cost; 0 where nothing safe is known."),
    Member::new("trust_policy", Shape::Word(TrustPolicy::WORDS), "The policy that held."),
    Member::new("cross_agent_candidates_suppressed", Shape::Whole, "Whether another agent's memory was claimed, and dropped: 0 or 1."),
    Member::new("citations", Shape::List(&Shape::Object(&[
        Member::new("number", Shape::Whole, "The number in the memory that went."),
        Member::new("memory_id", parts::MEMORY, "The memory."),
        Member::new("trust_bucket", Shape::Word(TrustBucket::WORDS), "How far it may be relied on."),
        parts::CASE_URL.at_times(),
    ])), "Which memories they were."),
    parts::WARNINGS,
]));

const MEMORY_IN_ANSWER: Member = Member::new(
    "memory",
    WENT,
    "What went with the request of memory; there where memory was asked for.",
)
.at_times();
const ID: Member = Member::new("id", Shape::Text, "The model's own id of the answer.").at_times();
const OBJECT: Member = Member::new("object", Shape::Text, "What kind of answer it is.").at_times();
const USAGE: Member = Member::new(
    "usage",
    Shape::Maybe(&Shape::Map(&Shape::Anything)),
    "What it took, as the model counts it.",
)
.at_times();

/// What a chat completion holds, as the model gives it.
#[rustfmt::skip]
pub const COMPLETION: Shape = Shape::Named("ChatCompletion", &Shape::Open(&[
    ID,
    OBJECT,
    Member::new("choices", Shape::List(&Shape::Map(&Shape::Anything)), "The answers: `index`, `message` with `role` and `content`, `finish_reason`.").at_times(),
    USAGE,
    MEMORY_IN_ANSWER,
]));

/// What a response holds, as the model gives it.
#[rustfmt::skip]
pub const RESPONSE: Shape = Shape::Named("ModelResponse", &Shape::Open(&[
    ID,
    OBJECT,
    Member::new("output", Shape::List(&Shape::Map(&Shape::Anything)), "What came of it.").at_times(),
    USAGE,
    MEMORY_IN_ANSWER,
]));

/// The models that there are.
#[rustfmt::skip]
pub const MODELS: Shape = Shape::Named("ModelList", &Shape::Object(&[
    Member::new("object", Shape::Word(&["list"]), "That it is a list."),
    Member::new("data", Shape::List(&Shape::Object(&[
        Member::new("id", Shape::Text, "By which name it is asked for."),
        Member::new("object", Shape::Word(&["model"]), "That it is a model."),
        Member::new("created", Shape::Whole, "Unknown, and so 0."),
        Member::new("owned_by", Shape::Text, "Who runs it."),
    ])), "The models."),
]));

/// The models that there are, each with who runs it.
pub fn models(all: impl IntoIterator<Item = (String, String)>) -> Value {
    let all = all.into_iter().map(|(name, provider)| {
        json!({ "id": name, "object": "model", "created": 0, "owned_by": provider })
    });
    json!({ "object": "list", "data": all.collect::<Vec<Value>>() })
}

/// What is told of the memory that goes with a request.
#[must_use]
pub fn went(answer: &ContextAnswer<'_>, links: bool, noted: &Noted) -> Value {
    let (found, packet) = (&answer.recall.answer, answer.packet);
    let cited = packet.citations.iter();
    let cited = cited.map(|cited| json!(citation(cited, links)));
    json!({
        "container_tag": answer.visitor.identity.container().as_str(),
        "tokens_injected": packet.tokens,
        "trust_policy": found.trust_policy.as_str(),
        "cross_agent_candidates_suppressed": found.diagnostics.cross_agent_candidates_suppressed,
        "citations": cited.collect::<Vec<Value>>(),
        "warnings": &noted.warnings,
    })
}

/// The same where nothing was asked of memory.
#[must_use]
pub fn nothing_went(container: &ContainerTag, trust_policy: TrustPolicy, noted: &Noted) -> Value {
    json!({
        "container_tag": container.as_str(),
        "tokens_injected": 0,
        "trust_policy": trust_policy.as_str(),
        "cross_agent_candidates_suppressed": 0,
        "citations": [],
        "warnings": &noted.warnings,
    })
}

/// The text of the last turn of a user: what memory is asked.
#[must_use]
pub fn question(body: &Map<String, Value>) -> Option<String> {
    let text = match (body.get("messages"), body.get("input")) {
        (Some(Value::Array(turns)), _) | (None, Some(Value::Array(turns))) => {
            let of_user = |turn: &&Value| turn.get("role").and_then(Value::as_str) == Some("user");
            let last = turns.iter().rev().find(of_user)?;
            said(last.get("content")?)
        }
        (_, Some(Value::String(text))) => text.clone(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// The texts of a turn, which are not all that it may hold.
fn said(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| {
                let kind = part.get("type").and_then(Value::as_str);
                let is_text = matches!(kind, Some("text" | "input_text") | None);
                part.get("text").filter(|_| is_text)?.as_str()
            });
            texts.collect::<Vec<&str>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_wrong_is_told_by_its_place_and_what_is_not_known_goes_on() {
        let wrong = body(&json!({
            "messages": [{ "content": "hi" }, { "role": 7 }, { "role": "user" }],
            "memory": { "container_tag": "No Tag", "trust_policy": "blind", "max_context_tokens": 7 },
            "stream": "yes",
            "tools": 7,
        }));
        let mut found: Vec<String> = read(&wrong, CHAT)
            .unwrap_err()
            .iter()
            .map(|fault| fault.pointer.to_string())
            .collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                "/memory/container_tag",
                "/memory/max_context_tokens",
                "/memory/trust_policy",
                "/messages/0/role",
                "/messages/1/role",
                "/model",
                "/stream",
            ]
        );
        let good = body(&json!({ "model": "m", "input": "hi", "memory": {}, "tools": [] }));
        let request = read(&good, RESPONSES).unwrap();
        assert_eq!(request.memory, Some(Options::default()));
        let none = body(&json!({ "model": "m", "input": [{}], "memory": null }));
        assert_eq!(read(&none, RESPONSES).unwrap().memory, None);
    }

    #[test]
    fn the_question_is_the_text_of_the_last_turn_of_a_user() {
        for (value, expected) in [
            (json!({ "input": "Which port?" }), Some("Which port?")),
            (
                json!({ "messages": [
                    { "role": "user", "content": "First." },
                    { "role": "user", "content": [
                        { "type": "text", "text": "Which" },
                        { "type": "image_url", "image_url": { "url": "x" } },
                        { "type": "text", "text": "port?" },
                    ]},
                    { "role": "assistant", "content": null, "tool_calls": [] },
                    { "role": "tool", "content": "6543" },
                ]}),
                Some("Which\nport?"),
            ),
            (
                json!({ "input": [{ "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] }, { "type": "function_call_output", "output": "x" }] }),
                Some("Hi."),
            ),
            (
                json!({ "messages": [{ "role": "system", "content": "Be brief." }] }),
                None,
            ),
            (
                json!({ "messages": [{ "role": "user", "content": 7 }] }),
                None,
            ),
            (json!({ "input": [] }), None),
        ] {
            assert_eq!(question(&body(&value)).as_deref(), expected, "{value}");
        }
    }
}
