//! MCP: the tools of agents over JSON-RPC, as thin clients of the same routes that everybody else asks.
//!
//! [`message`] says what a message has to be before anything is made of it; [`catalogue`] is the table of tools; `server`
//! answers for them, through the SDK of the protocol's makers, which speaks its revisions; `carry` turns a call into a
//! question to a route, with the caller's own principal, so that every gate, limit and row of the trail holds; `compact`
//! and `fit` make of the answer what a model needs, within the bytes that it may cost; `discovery` tells a client how
//! to be let in.
//!
//! There are no sessions: every message stands for itself, whichever revision it speaks, and is answered in one piece.

mod carry;
pub mod catalogue;
mod compact;
mod controls;
mod correction;
pub(crate) mod discovery;
mod fit;
pub mod message;
mod schema;
mod server;
mod status;
mod stored;
mod underway;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Request, Response};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpService;
use serde_json::{Map, Value, json};
use testimony_domain::{Capability, Principal, Refusal};
use testimony_service::ports::ledger::containers::ContainerPolicy;
use testimony_service::{Service, ServiceError};
use tokio::sync::Semaphore;

use crate::problem::{Code, Problem};
use crate::routes::{Body, Reply, Running};
use crate::wire::json::{self, Measure, NoObject};
use message::{INVALID_PARAMS, INVALID_REQUEST, Incoming, NO_JSON, REFUSED, UNSPOKEN, error};
use server::REVISIONS;
use underway::Underway;

/// What stands behind every call.
struct Desk {
    service: Arc<Service>,
    running: Running,
    /// So many calls are worked on at a time.
    at_once: Arc<Semaphore>,
    underway: Arc<Underway>,
}

/// Who calls, as it stands in the extensions of a request.
#[derive(Clone)]
struct Caller {
    desk: Arc<Desk>,
    principal: Arc<Principal>,
    span: tracing::Span,
}

/// A conversation over MCP, for whoever has found out who speaks.
pub struct Mcp {
    protocol: StreamableHttpService<server::Tools, NeverSessionManager>,
    desk: Arc<Desk>,
    most: Measure,
}

impl fmt::Debug for Mcp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mcp(…)")
    }
}

/// What every request carries to the SDK: this service has made its own checks by then, and answers in one piece.
const FIXED: [(HeaderName, &str); 3] = [
    (HOST, "localhost"),
    (ACCEPT, "application/json, text/event-stream"),
    (CONTENT_TYPE, "application/json"),
];

/// By which a message says which revision it speaks.
const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// Headers of the protocol begin so.
const OF_THE_PROTOCOL: &str = "mcp-";

/// What is longer than any body was refused before.
const ANY_LENGTH: usize = usize::MAX;

impl Mcp {
    /// A conversation with the tools of a service; calls beyond those that `at_once` has room for are asked to come
    /// again.
    #[must_use]
    pub fn new(
        service: Arc<Service>,
        running: Running,
        at_once: Arc<Semaphore>,
        most: Measure,
    ) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(ANY_LENGTH)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        Self {
            protocol: StreamableHttpService::new(|| Ok(server::Tools), sessions, config),
            desk: Arc::new(Desk {
                service,
                running,
                at_once,
                underway: Arc::default(),
            }),
            most,
        }
    }

    /// Answers a message of somebody who is known. A caller who leaves drops this future, and what has not begun by then
    /// does not begin.
    pub async fn answer(&self, principal: Principal, headers: &HeaderMap, body: Bytes) -> Reply {
        let read = json::object(&body, self.most).map_err(|wrong| {
            let problem = Problem::no_json(wrong.to_string());
            told(code_of(wrong), None, &problem)
        });
        let object = match read {
            Ok(object) => object,
            Err(reply) => return reply,
        };
        let incoming = match message::read(&object) {
            Ok(incoming) => incoming,
            Err(wrong) => return told(wrong.code, wrong.id.as_ref(), &wrong.problem),
        };
        if let Some(problem) = shut(&incoming, &principal) {
            return told(REFUSED, incoming.id.as_ref(), &problem);
        }
        if let Some(reply) = unspoken(&incoming, headers) {
            return reply;
        }
        if let Some(id) = &incoming.cancelled {
            let was_there = self.desk.underway.give_up(principal.key, id);
            tracing::debug!(was_there, "a call was taken back");
        }
        let caller = Caller {
            desk: Arc::clone(&self.desk),
            principal: Arc::new(principal),
            span: tracing::Span::current(),
        };
        let request = as_request(headers, body, caller);
        self.spoken(request, &incoming).await
    }

    /// The same for whoever shows this key, where no server has looked at it.
    pub async fn answer_to(&self, key: &str, headers: &HeaderMap, body: Bytes) -> Reply {
        match self.recognised(key) {
            Ok(principal) => self.answer(principal, headers, body).await,
            Err(problem) => Reply {
                status: problem.code.status(),
                body: Body::Json(problem.document_without_request()),
                session: None,
                abstained: false,
            },
        }
    }

    fn recognised(&self, key: &str) -> Result<Principal, Problem> {
        let known = self.desk.service.recognise(Some(key))?;
        let standing = self.desk.service.count(&known);
        if let Some(wait) = standing.and_then(|standing| standing.wait) {
            return Err(Problem::wait(wait));
        }
        let needed = Capability::McpTools;
        if !known.principal.capabilities.allow(needed) {
            return Err(ServiceError::from(Refusal::Capability { needed }).into());
        }
        Ok(known.principal)
    }

    async fn spoken(&self, request: Request<Full<Bytes>>, incoming: &Incoming) -> Reply {
        let response = self.protocol.handle(request).await;
        let (parts, body) = Response::into_parts(response);
        // Its error type has no value.
        let bytes = body
            .collect()
            .await
            .map(http_body_util::Collected::to_bytes);
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let kind = parts.headers.get(CONTENT_TYPE);
        let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        match parts.status.as_u16() {
            status if is_json => self.of_protocol(status, text, incoming),
            202 => of(202, String::new()),
            // What the SDK cannot read is no message of the protocol; it says so in plain text.
            415 => told(INVALID_PARAMS, incoming.id.as_ref(), &not_its_params()),
            status @ 400..500 => refused_by_protocol(status, incoming, &text),
            _ => {
                tracing::error!("the protocol gave no answer");
                told(
                    message::INTERNAL,
                    incoming.id.as_ref(),
                    &Problem::new(
                        Code::Internal,
                        "Something went wrong here; the operator finds it in the log under the request id.",
                    ),
                )
            }
        }
    }
}

impl Mcp {
    /// What the SDK answers. Its results go on as they are; its errors say what the others here say in the same place,
    /// and hold no credential: it repeats headers that it does not understand.
    fn of_protocol(&self, status: u16, text: String, incoming: &Incoming) -> Reply {
        /// No error is longer, so a long result is not read again.
        const LONGEST: usize = 8 << 10;
        if status < 400 && text.len() > LONGEST {
            return of(status, text);
        }
        let Ok(Value::Object(mut said)) = serde_json::from_str(&text) else {
            return of(status, text);
        };
        let Some(Value::Object(error)) = said.get_mut("error") else {
            return of(status, text);
        };
        let code = error
            .get("code")
            .and_then(Value::as_i64)
            .unwrap_or_default();
        let detail = error.get("message").and_then(Value::as_str);
        let detail = detail.unwrap_or_default();
        let is_params = code == INVALID_PARAMS;
        if is_params && (status == 400 || detail == message::NOT_ITS_PARAMS) {
            return told(INVALID_PARAMS, incoming.id.as_ref(), &not_its_params());
        }
        let detail = match code {
            message::NO_METHOD => message::NO_SUCH_METHOD.to_owned(),
            _ => self.without_secrets(detail),
        };
        error.insert("message".to_owned(), Value::String(detail));
        // An error to what has no id says so.
        said.entry("id").or_insert(Value::Null);
        of(status, Value::Object(said).to_string())
    }

    fn without_secrets(&self, text: &str) -> String {
        let policy = ContainerPolicy::default();
        self.desk.service.redact(&policy, text).to_string()
    }
}

/// As JSON-RPC numbers it: what is no JSON, and JSON that is no message.
const fn code_of(wrong: NoObject) -> i64 {
    match wrong {
        NoObject::Syntax { .. } => NO_JSON,
        NoObject::Deep { .. }
        | NoObject::Many { .. }
        | NoObject::Twice { .. }
        | NoObject::Other => INVALID_REQUEST,
    }
}

fn not_its_params() -> Problem {
    Problem::new(Code::InvalidRequest, message::NOT_ITS_PARAMS)
}

/// An answer in the words of the protocol.
const fn of(status: u16, text: String) -> Reply {
    Reply {
        status,
        body: Body::Text(Cow::Owned(text)),
        session: None,
        abstained: false,
    }
}

/// A refusal in the words of the protocol, with the problem beside it.
fn told(code: i64, id: Option<&Value>, problem: &Problem) -> Reply {
    let body = error(
        code,
        id,
        &problem.detail,
        Some(problem.document_without_request()),
    );
    of(problem.code.status(), body.to_string())
}

/// The refusal of a revision that is not spoken here; a message without one speaks any. The SDK knows more revisions than
/// are spoken, and would serve them.
fn unspoken(incoming: &Incoming, headers: &HeaderMap) -> Option<Reply> {
    let asked = headers.get(REVISION)?;
    let is_spoken = REVISIONS.iter().any(|known| *asked == known.as_str());
    if is_spoken || incoming.method == message::INITIALIZE {
        return None;
    }
    let supported: Vec<&str> = REVISIONS.iter().map(ProtocolVersion::as_str).collect();
    let requested = spoken(&REVISION, asked);
    let detail = format!(
        "The revision that `MCP-Protocol-Version` names is not spoken here; send one of {}.",
        supported.join(", ")
    );
    let data = json!({ "supported": supported, "requested": requested.to_str().ok() });
    let body = error(UNSPOKEN, incoming.id.as_ref(), &detail, Some(data));
    Some(of(400, body.to_string()))
}

fn refused_by_protocol(status: u16, incoming: &Incoming, text: &str) -> Reply {
    let body = error(INVALID_REQUEST, incoming.id.as_ref(), text, None);
    of(status, body.to_string())
}

/// Why a tool that there is must not be called by somebody.
fn shut(incoming: &Incoming, principal: &Principal) -> Option<Problem> {
    let tool = catalogue::find(incoming.tool.as_deref()?)?;
    let needed = tool
        .needs
        .filter(|needed| !principal.capabilities.allow(*needed))?;
    let detail = format!(
        "This key lacks the capability `{needed}`, which `{}` needs; ask your operator to grant it.",
        tool.name
    );
    Some(Problem::new(Code::CapabilityMissing, detail))
}

/// A header as it is handed on. A revision is a day; what is none is repeated by whoever refuses it, so it goes on unnamed.
fn spoken(name: &HeaderName, value: &HeaderValue) -> HeaderValue {
    let is_of_a_day = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let is_day = value.len() <= 10 && value.as_bytes().iter().all(is_of_a_day);
    if *name == REVISION && !is_day {
        return HeaderValue::from_static("unknown");
    }
    value.clone()
}

fn as_request(headers: &HeaderMap, body: Bytes, caller: Caller) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = hyper::Method::POST;
    for (name, value) in FIXED {
        let value = HeaderValue::from_static(value);
        request.headers_mut().insert(name, value);
    }
    for (name, value) in headers {
        // There are no sessions, whatever a client remembers of one.
        let counts = name.as_str().starts_with(OF_THE_PROTOCOL) && name != "mcp-session-id";
        if counts {
            let value = spoken(name, value);
            request.headers_mut().append(name.clone(), value);
        }
    }
    request.extensions_mut().insert(caller);
    request
}

impl Problem {
    /// The document, for answers whose request id stands elsewhere.
    fn document_without_request(&self) -> Value {
        let mut document = self.document("");
        if let Value::Object(members) = &mut document {
            members.remove("request_id");
        }
        document
    }
}

/// A JSON object.
type Members = Map<String, Value>;
