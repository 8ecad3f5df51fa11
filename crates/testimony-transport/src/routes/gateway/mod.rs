//! The gateway: models behind the interface of OpenAI, with what is known put ahead of the conversation where somebody
//! asks for that. It keeps nothing of a conversation.

mod events;
mod letter;
mod meaning;
mod members;
mod passing;
mod upstream;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::Value;
use testimony_domain::{Capability, Claim, ContainerTag};
use testimony_recall::Options as RecallOptions;
use testimony_service::read::{ContextRequest, Slip};
use testimony_service::write::USER_MESSAGE;

pub use upstream::{Answer, Asking, Coming, Endpoint, Failure, Question, Upstream};

use super::{Call, Door, Flowing, Handler, Onward, Outcome, Reply, Route, get, post};
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use crate::wire::Noted;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::Table;
use crate::wire::gateway::{self as wire, Options, Request};
use events::Events;
use letter::Letter;
use meaning::{Meaning, is_envelope, meaning};
use members::with_member;
use passing::{Passing, whole};

const CHAT: &[u16] = &[200, 400, 401, 403, 404, 413, 415, 422, 429, 503];
const LIST: &[u16] = &[200, 401, 403, 429];
const DOOR: Door = Door::Holder(Capability::GatewayChat);

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    post("chat_completions", "/v1/chat/completions", wire::CHAT, Handler::Relayed(DOOR, chat))
        .answering(CHAT).giving(wire::COMPLETION)
        .saying("Has a model go on with a conversation, with what is known put ahead of it where that is asked for."),
    post("responses", "/v1/responses", wire::RESPONSES, Handler::Relayed(DOOR, responses))
        .answering(CHAT).giving(wire::RESPONSE)
        .saying("Has a model respond, with what is known put ahead of the question where that is asked for."),
    get("models", "/v1/models", &[], Handler::Behind(DOOR, models))
        .answering(LIST).giving(wire::MODELS)
        .saying("Lists the models that can be asked for."),
];

/// What goes on of a stream that comes in these pieces, and whether it was whole: the way of a model's answer without the
/// model, for whoever examines it.
#[must_use]
pub fn passed_on<'p>(
    endpoint: Endpoint,
    memory: Option<String>,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> (Vec<u8>, bool) {
    let mut events = Events::new(endpoint, memory);
    let mut all = Vec::new();
    for piece in pieces {
        let (out, held) = events.take(piece);
        all.extend_from_slice(&out);
        if held.is_err() {
            return (all, false);
        }
    }
    let (out, ended) = events.end();
    all.extend_from_slice(&out);
    (all, ended.is_ok())
}

/// Paths on which clients of OpenAI ask, known or not; what else is there has words of its own.
const OPENAI: &str = "/v1/";
const NOT_OPENAI: &str = "/v1/memories/";

/// Whether whoever asks at a path expects errors in the words of OpenAI.
pub(crate) fn speaks_openai(path: &str) -> bool {
    path.starts_with(OPENAI) && !path.starts_with(NOT_OPENAI)
}

/// Where the gateway leads, and how patiently.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// The models; there are none where nobody configured any.
    pub upstream: Option<Arc<dyn Upstream>>,
    /// For how long a model may say nothing once it has begun.
    pub silence: Duration,
    /// How many bytes an answer may have that does not come piece by piece.
    pub answer_bytes: usize,
}

impl Default for Gateway {
    fn default() -> Self {
        Self {
            upstream: None,
            silence: Duration::from_mins(5),
            answer_bytes: 32 << 20,
        }
    }
}

fn models(call: &Call<'_>) -> Outcome {
    let upstream = call
        .running
        .and_then(|running| running.gateway.upstream.as_ref());
    let listed = upstream.map(|upstream| upstream.listed());
    Ok(Reply::ok(wire::models(listed.unwrap_or_default())))
}

fn chat(call: &Call<'_>, bytes: &Bytes) -> Result<Onward, Problem> {
    relay(call, bytes, Endpoint::ChatCompletions, wire::CHAT)
}

fn responses(call: &Call<'_>, bytes: &Bytes) -> Result<Onward, Problem> {
    relay(call, bytes, Endpoint::Responses, wire::RESPONSES)
}

/// Reads a request, finds what is known, and says whom to ask.
fn relay(
    call: &Call<'_>,
    bytes: &Bytes,
    endpoint: Endpoint,
    table: Table,
) -> Result<Onward, Problem> {
    let request = wire::read(call.input, table).map_err(Problem::invalid)?;
    let letter = Letter::read(bytes)?;
    let unasked = unasked(call)?;
    let container = match request.memory.as_ref().or(unasked.as_ref()) {
        Some(options) => Some((options, reached(call, options)?)),
        None => None,
    };
    let running = call.running.ok_or_else(no_upstream)?;
    let gateway = running.gateway.clone();
    let upstream = gateway.upstream.clone().ok_or_else(no_upstream)?;
    let there = there(upstream.as_ref(), &request)?;
    let noted = call.said(&request.notes);
    let known = container.map(|(options, container)| known(call, options, &container, &noted));
    let known = known.transpose()?;
    let block = known.as_ref().map(|known| known.block.as_str());
    let body = letter.sent(call.input, &there, block.filter(|block| !block.is_empty()));
    let body = body.ok_or_else(|| Problem::no_json("the body is not a JSON object"))?;
    let question = Question {
        model: request.model,
        endpoint,
        body,
        streamed: request.streamed,
    };
    let metrics = Arc::clone(&running.metrics);
    let memory = known.map(|known| Carried {
        told: known.told.to_string(),
        tokens: known.tokens,
        slip: known.slip,
        metrics: Arc::clone(&metrics),
        went: false,
    });
    let answer = onward(gateway, upstream, question, memory, metrics);
    Ok(Box::pin(answer))
}

/// Memory that goes to a model with a question. Whatever becomes of the question, also that its caller leaves, what went
/// by then is noted as handed out and counted, and nothing else is.
struct Carried {
    told: String,
    tokens: usize,
    slip: Slip,
    metrics: Arc<Metrics>,
    went: bool,
}

impl Drop for Carried {
    fn drop(&mut self) {
        self.slip.handed_out(|_| self.went);
        if self.went {
            self.metrics.injected(self.tokens);
        }
    }
}

fn no_upstream() -> Problem {
    let detail = "No model is configured; the operator names one under `[models.…]` in the file of settings.";
    Problem::new(Code::NoUpstream, detail)
}

/// What the provider of the model calls it. What was asked for is its sender's own, so it is not repeated.
fn there(upstream: &dyn Upstream, request: &Request) -> Result<String, Problem> {
    upstream.name_there(&request.model).ok_or_else(|| {
        if upstream.listed().is_empty() {
            return no_upstream();
        }
        let detail = "There is no such model here; `GET /v1/models` lists those there are.";
        Problem {
            faults: vec![Fault::at(Pointer::root().below("model"), "")],
            ..Problem::new(Code::ModelNotFound, detail)
        }
    })
}

/// The container whose memory is meant, if it is reached.
fn reached(call: &Call<'_>, options: &Options) -> Result<ContainerTag, Problem> {
    let sole = || call.principal.containers.sole();
    let Some(container) = options.container.as_ref().or_else(sole) else {
        let at = Pointer::root().below("memory").below("container_tag");
        let detail = "The key reaches more than one container; name the one that is meant.";
        return Err(Problem::invalid(vec![Fault::at(at, detail)]));
    };
    let needed = Capability::AgentContext;
    let claim = Claim::default();
    call.service
        .enter(call.principal, container, needed, &claim)?;
    Ok(container.clone())
}

/// What the configuration of the key says for requests that say nothing: where it names memory to be brought in and the
/// key leaves no doubt whose, that is.
fn unasked(call: &Call<'_>) -> Result<Option<Options>, Problem> {
    let may = call.principal.capabilities.allow(Capability::AgentContext);
    let is_plain = may && call.principal.containers.sole().is_some();
    let wanted = is_plain && call.service.brings_memory_in(call.principal)?;
    Ok(wanted.then(Options::default))
}

/// What is known of the last turn.
struct Known {
    block: String,
    tokens: usize,
    told: Value,
    slip: Slip,
}

fn known(
    call: &Call<'_>,
    options: &Options,
    container: &ContainerTag,
    noted: &Noted,
) -> Result<Known, Problem> {
    let Some(question) = wire::question(call.input) else {
        return Ok(Known {
            block: String::new(),
            tokens: 0,
            told: wire::nothing_went(container, options.trust_policy, noted),
            slip: Slip::default(),
        });
    };
    let slip = Slip::default();
    let request = ContextRequest {
        slip: Some(slip.clone()),
        user_message: last_of(&question),
        tokens: options.tokens,
        options: RecallOptions {
            trust_policy: options.trust_policy,
            ..RecallOptions::default()
        },
        ..ContextRequest::default()
    };
    let known = call
        .service
        .inject(call.principal, container, &request, |found| Known {
            block: found.packet.block.clone(),
            tokens: found.packet.tokens,
            told: wire::went(&found, options.links, noted),
            slip,
        })?;
    Ok(known)
}

/// As much of the end of a turn as memory is asked: a long turn mostly ends with what it is about.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bound is whole, positive and small"
)]
fn last_of(turn: &str) -> String {
    let most = USER_MESSAGE.max as usize;
    let beyond = turn.chars().count().saturating_sub(most);
    turn.chars().skip(beyond).collect()
}

/// Asks the model, and passes its answer on.
async fn onward(
    gateway: Gateway,
    upstream: Arc<dyn Upstream>,
    question: Question,
    memory: Option<Carried>,
    metrics: Arc<Metrics>,
) -> Result<Flowing, Problem> {
    let endpoint = question.endpoint;
    let (answer, memory) = answered(upstream.as_ref(), question, memory).await?;
    let meaning = meaning(answer.status);
    if let Some(problem) = meaning.problem(answer.status, retry_after(&answer)) {
        return refused(&gateway, meaning, problem, answer).await;
    }
    let is_stream = kind_of(&answer).is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut headers = answer.headers;
    let flow = if is_stream {
        headers.push((
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ));
        let passing = Passing::new(answer.body, endpoint, memory, gateway.silence);
        metrics.streaming(passing).boxed_unsync()
    } else {
        let body = whole(answer.body, gateway.answer_bytes, gateway.silence).await?;
        Full::new(told(body, memory)?).boxed_unsync()
    };
    Ok(Flowing {
        status: 200,
        headers,
        flow,
    })
}

/// What the model answers, and what is told of the memory that went to it.
async fn answered(
    upstream: &dyn Upstream,
    question: Question,
    mut memory: Option<Carried>,
) -> Result<(Answer, Option<String>), Problem> {
    let asking = upstream.ask(question);
    let mut went = |went: bool| {
        if let Some(memory) = &mut memory {
            memory.went = went;
        }
    };
    went(true);
    let answer = asking.await.map_err(|failure| {
        tracing::warn!("a model gave no answer: {failure}");
        went(!matches!(failure, Failure::NotAsked { .. }));
        Problem::from(failure)
    })?;
    let told = memory
        .as_mut()
        .map(|memory| std::mem::take(&mut memory.told));
    Ok((answer, told))
}

/// The answer with what is told of memory; one that is no object is none.
fn told(body: Bytes, memory: Option<String>) -> Result<Bytes, Problem> {
    let is_object = serde_json::from_slice::<serde_json::Map<String, Value>>(&body).is_ok();
    let told = match memory {
        Some(memory) => with_member(&body, "memory", &memory).map(Bytes::from),
        None => Some(body),
    };
    told.filter(|_| is_object).ok_or_else(|| {
        let detail = "What the model answered is no JSON object.";
        Problem::new(Code::UpstreamUnavailable, detail)
    })
}

/// What a model says that refuses; its own words go on where they are for the caller, and OpenAI's.
async fn refused(
    gateway: &Gateway,
    meaning: Meaning,
    problem: Problem,
    answer: Answer,
) -> Result<Flowing, Problem> {
    tracing::warn!(
        status = answer.status,
        "a model refused: {}",
        problem.detail
    );
    if !matches!(meaning, Meaning::Refused(_)) {
        return Err(problem);
    }
    let said = whole(answer.body, gateway.answer_bytes, gateway.silence).await;
    let said = said.ok().filter(|said| is_envelope(said));
    let said = said.ok_or(problem)?;
    Ok(Flowing {
        status: answer.status,
        headers: answer.headers,
        flow: Full::new(said).boxed_unsync(),
    })
}

fn kind_of(answer: &Answer) -> Option<&str> {
    let found = answer.headers.iter().find(|(name, _)| name == CONTENT_TYPE);
    found?.1.to_str().ok()
}

fn retry_after(answer: &Answer) -> Option<Duration> {
    let found = answer.headers.iter().find(|(name, _)| name == RETRY_AFTER);
    let seconds: u64 = found?.1.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
