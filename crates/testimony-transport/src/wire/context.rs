//! Agent context: what its request carries, and what it answers.

use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use serde_json::{Map, Value, json};
use testimony_domain::{
    AgentId, ContextLimit, ContextTokens, DroppedClaim, SourceApp, Tag, Threshold, TrustBucket,
    TrustPolicy,
};
use testimony_recall::pack::{Citation, LeftOut};
use testimony_recall::{Options, Suppressed};
use testimony_service::read::{ContextAnswer, ContextRequest, TASK_GOAL};
use testimony_service::write::USER_MESSAGE;

use super::Noted;
use super::common::{
    IDENTITY, Notes, READ_ID, SESSION, TAGS, WORDS, claim, context_types, filters, request_id,
    trust_policy,
};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table};
use super::parts;
use super::reader::{Log, Object};
use super::rows::{self, Dress, More, case_url};
use super::shape::{Member, Shape};
use super::told::{Each, Shown, told};

/// How strict a packet is where nobody says otherwise.
pub const USUAL_POLICY: TrustPolicy = TrustPolicy::Balanced;

/// What a request for a packet carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        Field::new("user_message", Kind::Text(&USER_MESSAGE), "What the user said.").required(),
        Field::new("task_goal", Kind::Text(&TASK_GOAL), "What the turn is for; its words count half."),
        Field::new("limit", Kind::Whole("ContextLimit"), "How many rows at most.").or(|| ContextLimit::default().get().into()),
        Field::new("max_context_tokens", Kind::Whole("ContextTokens"), "How many tokens the packet may cost.").or(|| ContextTokens::default().get().into()),
        Field::new("threshold", Kind::Number("Threshold"), "The caller's own floor; the system's holds below it.").or(|| Threshold::default().get().into()),
        Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict.").or(|| USUAL_POLICY.as_str().into()),
        Field::new("include_courtroom_links", Kind::Flag, "Whether rows come with the address of their case report.").or(|| true.into()),
        Field::new("memory_plane", Kind::Word(testimony_domain::Plane::WORDS), "Only rows of this plane."),
        Field::new("memory_scope", Kind::Word(testimony_domain::MemoryScope::WORDS), "Only rows of this scope."),
        Field::new("tags", TAGS, "Only rows with these tags."),
        Field::new("context_tags", TAGS, "Tags that lift a row in the order, and never over the floor."),
        Field::new("context_types", WORDS, "Kinds that lift a row in the order, and never over the floor."),
        Field::new("metadata", Kind::Object, "The caller's own.").or(|| json!({})).ignored("A read keeps nothing of it."),
        READ_ID,
        SESSION,
    ],
    IDENTITY,
];

/// A request for a packet that was read.
#[derive(Clone, Debug)]
pub struct Context {
    /// The request.
    pub request: ContextRequest,
    /// Whether rows come with the address of their case report.
    pub links: bool,
}

/// Reads a request for a packet.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>) -> Result<(Context, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FIELDS, &mut log);
    let options = Options {
        threshold: object
            .number("threshold", &mut log, Threshold::new)
            .unwrap_or_default(),
        trust_policy: trust_policy(&object, &mut log).unwrap_or(USUAL_POLICY),
        filters: filters(&object, &mut log),
        context_tags: object.list("context_tags", &mut log, Tag::new),
        context_types: context_types(&object, &mut log),
        ..Options::default()
    };
    let context = Context {
        links: object.flag("include_courtroom_links").unwrap_or(true),
        request: ContextRequest {
            claim: claim(&object, &mut log),
            user_message: object.owned("user_message").unwrap_or_default(),
            task_goal: object.owned("task_goal"),
            limit: object
                .whole("limit", &mut log, ContextLimit::new)
                .unwrap_or_default(),
            tokens: object
                .whole("max_context_tokens", &mut log, ContextTokens::new)
                .unwrap_or_default(),
            options,
            request: request_id(&object, &mut log),
            slip: None,
        },
    };
    log.end(context)
}

/// What a request for a packet answers, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("AgentContextResponse", &Shape::Object(&[
    Member::new("container_tag", Shape::Text, "The container."),
    Member::new("query", Shape::Text, "What the user said; secrets are redacted."),
    Member::new("trust_policy", Shape::Word(TrustPolicy::WORDS), "The policy that held."),
    Member::new("prompt_memory_block", Shape::Text, "The packet as a block for a prompt; empty where nothing is in it."),
    Member::new("context", Shape::Text, "The same block."),
    Member::new("memories", Shape::List(&parts::RECALLED), "The rows of the packet."),
    Member::new("trusted_context", Shape::List(&parts::RECALLED), "Those of them that are trusted."),
    Member::new("citations", Shape::List(&Shape::Named("Citation", &Shape::Object(CITATION))), "Which number of the block is which row."),
    Member::new("suppressed", Shape::List(&parts::SUPPRESSED), "Rows that were held back, without what they say."),
    Member::new("suppressed_count", Shape::Whole, "How many."),
    Member::new("needs_confirmation", Shape::List(&parts::UNCONFIRMED), "Rows that somebody has to confirm first."),
    Member::new("tokens_injected", Shape::Whole, "How many tokens the block costs."),
    Member::new("effective_agent_id", Shape::Text, "The agent that counted.").at_times(),
    Member::new("effective_source_app", Shape::Text, "The application that counted.").at_times(),
    Member::new("caller_agent_id_dropped", Shape::Flag, "Whether another agent was claimed, and dropped."),
    Member::new("diagnostics", parts::CONTEXT_DIAGNOSTICS, "How the packet came to be."),
    parts::WARNINGS,
]));

#[rustfmt::skip]
const CITATION: &[Member] = &[
    Member::new("number", Shape::Whole, "The number in the block."),
    Member::new("memory_id", parts::MEMORY, "The memory."),
    parts::BUCKET,
    parts::CASE_URL.at_times(),
];

/// What a request for a packet answers; `query` is what the user said, without secrets.
pub fn answer<'a>(
    context: &'a Context,
    answer: &'a ContextAnswer<'a>,
    query: &'a str,
    noted: &'a Noted,
) -> impl Serialize {
    let (found, packet) = (&answer.recall.answer, answer.packet);
    let (cited, links) = (packet.citations.as_slice(), context.links);
    let dress = Dress {
        links,
        trust_report: false,
    };
    let is_trusted = |cited: &&Citation<'_>| cited.row.trust_bucket == TrustBucket::Trusted;
    let row = move |cited: &'a Citation<'a>| rows::recalled(&cited.row, dress);
    let waiting = found.needs_confirmation.iter();
    let who = &answer.visitor.identity;
    told!({
        "caller_agent_id_dropped": answer.visitor.dropped.contains(&DroppedClaim::Agent),
        "citations": Each(cited.iter().map(move |cited| citation(cited, links))),
        "container_tag": who.container().as_str(),
        "context": packet.block.as_str(),
        "diagnostics": rows::diagnostics(&found.diagnostics, More::Context(cited, noted)),
        "effective_agent_id"?: who.agent().map(AgentId::as_str),
        "effective_source_app"?: who.source_app().map(SourceApp::as_str),
        "memories": Each(cited.iter().map(row)),
        "needs_confirmation": Each(waiting.map(move |row| rows::unconfirmed(row, dress))),
        "prompt_memory_block": packet.block.as_str(),
        "query": query,
        "suppressed": HeldBack(&found.suppressed, &packet.left_out),
        "suppressed_count": found.suppressed.len() + packet.left_out.len(),
        "tokens_injected": packet.tokens,
        "trust_policy": found.trust_policy.as_str(),
        "trusted_context": Each(cited.iter().filter(is_trusted).map(row)),
        "warnings": &noted.warnings,
    })
}

/// What was held back on the way to the packet, and at its door.
struct HeldBack<'a>(&'a [Suppressed], &'a [LeftOut]);

impl Serialize for HeldBack<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(held, left_out) = self;
        let mut list = serializer.serialize_seq(Some(held.len() + left_out.len()))?;
        for row in *held {
            list.serialize_element(&rows::suppressed(row))?;
        }
        for row in *left_out {
            list.serialize_element(&rows::left_out(row))?;
        }
        list.end()
    }
}

pub(super) fn citation<'a>(cited: &'a Citation<'a>, links: bool) -> impl Serialize {
    told!({
        "courtroom_url"?: links.then(|| case_url(cited.row.memory)),
        "memory_id": Shown(cited.row.memory.id),
        "number": cited.number,
        "trust_bucket": cited.row.trust_bucket.as_str(),
    })
}
