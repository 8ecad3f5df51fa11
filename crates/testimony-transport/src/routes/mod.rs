//! The routes as a table: method, pattern, what is needed, what is read, which statuses come, and who answers.

mod accounts;
mod context;
mod courtroom;
mod description;
mod door;
pub mod gateway;
mod governance;
mod health;
mod machine;
mod mcp;
mod metrics;
mod public;
mod recall;
mod reflect;
mod retain;
mod session;
mod transfer;
mod writeback;
mod writing;

use std::borrow::Cow;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::header::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Map, Value};
use testimony_domain::{ContainerTag, Principal, RequestId};
use testimony_service::access::{SignedIn, Visitor};
use testimony_service::read::Slip;
use testimony_service::write::Repetition;
use testimony_service::{NotFound, Service, ServiceError};

pub use door::Door;
pub(crate) use door::Guest;
pub use gateway::Gateway;
pub(crate) use gateway::speaks_openai;
pub use health::HealthProbe;
pub(crate) use health::ready;
pub use testimony_console::Kept;

use crate::caretaker::Caretaker;
use crate::metrics::{Gauge, Metrics};
use crate::problem::Problem;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Table, each};
use crate::wire::shape::Shape;
use crate::wire::{NAMES, Noted, Notes, Sent, json};

testimony_domain::words! {
    /// What can be done with a route. `HEAD` is a `GET` without its body; `OPTIONS` names the methods.
    pub enum Method {
        /// Read.
        Get = "GET",
        /// Do.
        Post = "POST",
        /// Change.
        Patch = "PATCH",
        /// Remove.
        Delete = "DELETE",
    }
}

/// What an answer holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// JSON.
    Json(Value),
    /// JSON that is written down already.
    Written(Vec<u8>),
    /// A page for people. It may load style sheets of this service, and nothing else.
    Html(&'static str),
    /// A text of another kind, in the medium of its route.
    Text(Cow<'static, str>),
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: Body,
    /// What becomes of the session that the browser keeps.
    pub session: Option<Kept>,
    /// Whether it says that nothing is known.
    pub abstained: bool,
}

impl Reply {
    /// An answer to what was carried out, written down at once.
    pub(crate) fn written(body: &impl Serialize) -> Self {
        /// Most answers fit.
        const USUAL: usize = 4 << 10;
        let mut bytes = Vec::with_capacity(USUAL);
        // Nothing that is answered has names that are no texts, and memory takes what is written.
        let _ = serde_json::to_writer(&mut bytes, body);
        Self::holding(Body::Written(bytes))
    }

    /// The same, which says that nothing is known where that is so.
    pub(crate) fn abstaining(self, abstained: bool) -> Self {
        Self { abstained, ..self }
    }

    /// An answer to what was carried out.
    #[must_use]
    pub const fn ok(body: Value) -> Self {
        Self::holding(Body::Json(body))
    }

    /// An answer of any kind to what was carried out.
    #[must_use]
    pub const fn holding(body: Body) -> Self {
        Self {
            status: 200,
            body,
            session: None,
            abstained: false,
        }
    }

    /// The same, with what the browser is told about its session.
    #[must_use]
    pub fn keeping(self, session: Kept) -> Self {
        Self {
            session: Some(session),
            ..self
        }
    }

    /// Its JSON; `null` where it holds something else.
    #[must_use]
    pub fn into_json(self) -> Value {
        match self.body {
            Body::Json(value) => value,
            Body::Written(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Body::Html(_) | Body::Text(_) => Value::Null,
        }
    }
}

/// What a handler is called with where anybody may ask.
pub struct Stranger<'a> {
    /// The use cases.
    pub service: &'a Service,
    /// Whence the request came.
    pub from: Option<IpAddr>,
    /// The address under which callers know the service, without a slash at its end.
    pub address: &'a str,
    /// What the path holds in place of the names in braces.
    pub named: &'a Named,
    /// The body.
    pub input: &'a Map<String, Value>,
}

/// Answers anybody.
pub type Greet = fn(&Stranger<'_>) -> Outcome;

/// What a handler is called with, once it is known who asks and what was sent.
pub struct Call<'a> {
    /// The use cases.
    pub service: &'a Service,
    /// Who asks.
    pub principal: &'a Principal,
    /// Where, on the routes of a container.
    pub visitor: Option<&'a Visitor>,
    /// The session by which a person asks.
    pub session: Option<&'a SignedIn>,
    /// Whence the request came.
    pub from: Option<IpAddr>,
    /// What the path holds in place of the names in braces.
    pub named: &'a Named,
    /// The body, or the query where the route reads none.
    pub input: &'a Map<String, Value>,
    /// The `Idempotency-Key`.
    pub idempotency_key: Option<&'a RequestId>,
    /// The server; there is none where routes are asked without one.
    pub running: Option<&'a Running>,
    /// Where it is noted which rows were handed out, once whoever asks knows; without one, all of them count.
    pub slip: Option<&'a Slip>,
}

/// What comes of a request.
pub type Outcome = Result<Reply, Problem>;

/// What the path of a request holds in place of the names in its pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named(Vec<(&'static str, String)>);

impl Named {
    /// What stands in place of a name; nothing where the pattern has no such name.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        let held = self.0.iter().find(|(held, _)| *held == name);
        held.map_or("", |(_, text)| text)
    }
}

/// What a server that runs has beside the use cases.
#[derive(Clone, Debug)]
pub struct Running {
    /// How its parts are asked whether they are well.
    pub health: HealthProbe,
    /// What it counts.
    pub metrics: Arc<Metrics>,
    /// What else can be measured.
    pub gauge: Option<Gauge>,
    /// Who looks after what it is kept in.
    pub caretaker: Option<Arc<dyn Caretaker>>,
    /// The models to which the gateway leads.
    pub gateway: Gateway,
}

impl Running {
    /// A server that has counted nothing yet; where nobody says how parts are asked, the index alone is.
    pub(crate) fn of(
        health: Option<HealthProbe>,
        gauge: Option<Gauge>,
        caretaker: Option<Arc<dyn Caretaker>>,
        service: &Arc<Service>,
    ) -> Self {
        Self {
            health: health.unwrap_or_else(|| HealthProbe::of(service)),
            metrics: Arc::default(),
            gauge,
            caretaker,
            gateway: Gateway::default(),
        }
    }

    /// The same, with the models to which the gateway leads.
    pub(crate) fn leading_to(self, gateway: Gateway) -> Self {
        Self { gateway, ..self }
    }
}

/// Answers whoever was let in.
pub type Handle = fn(&Call<'_>) -> Outcome;

/// Reads what whoever was let in has sent, byte for byte, and says who is to be waited for.
pub type Relay = fn(&Call<'_>, &Bytes) -> Result<Onward, Problem>;

/// An answer that somebody else gives.
pub type Onward = Pin<Box<dyn Future<Output = Result<Flowing, Problem>> + Send>>;

/// What comes of an answer, piece by piece.
pub type Flow = UnsyncBoxBody<Bytes, Infallible>;

/// An answer that comes piece by piece.
pub struct Flowing {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// What comes.
    pub flow: Flow,
}

/// Who answers.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Anybody is answered.
    Open(fn(&Service, &Running) -> Outcome),
    /// Anybody is, with what was sent: whoever has no credential yet.
    Stranger(Greet),
    /// Whoever comes through this door is.
    Behind(Door, Handle),
    /// Whoever comes through this door is answered by somebody else, for as long as that takes.
    Relayed(Door, Relay),
    /// Whoever comes through this door is spoken with, message by message.
    Spoken(Door),
}

testimony_domain::words! {
    /// For whom a route is described.
    pub enum Audience {
        /// Agents and whoever builds them.
        Public = "public",
        /// Operators and reviewers.
        Operator = "operator",
        /// Whoever looks at a page; it stands in no description.
        Browser = "browser",
    }
}

/// A route.
#[derive(Clone, Copy)]
pub struct Route {
    /// Its name, as logs have it.
    pub name: &'static str,
    /// Its method.
    pub method: Method,
    /// Its path; names stand in braces.
    pub pattern: &'static str,
    /// What its body carries.
    pub body: Option<Table>,
    /// What its query carries.
    pub query: Table,
    /// The statuses of its own, beside those that every route can answer.
    pub statuses: &'static [u16],
    /// Who answers.
    pub handler: Handler,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// For whom it is described.
    pub audience: Audience,
    /// What its answer of success holds.
    pub answer: Shape,
    /// In which medium.
    pub media: &'static str,
    /// Fields of its body of which at least one is needed.
    pub one_of: &'static [&'static str],
}

const fn post(name: &'static str, pattern: &'static str, body: Table, handler: Handler) -> Route {
    Route {
        name,
        method: Method::Post,
        pattern,
        body: Some(body),
        query: &[],
        statuses: &[200, 401, 403, 404, 409, 413, 415, 422, 429, 507],
        handler,
        summary: "",
        audience: Audience::Public,
        answer: Shape::Anything,
        media: "application/json",
        one_of: &[],
    }
}

const fn get(name: &'static str, pattern: &'static str, query: Table, handler: Handler) -> Route {
    Route {
        name,
        method: Method::Get,
        pattern,
        body: None,
        query,
        statuses: &[200, 401, 403, 404, 409, 422, 429],
        handler,
        summary: "",
        audience: Audience::Public,
        answer: Shape::Anything,
        media: "application/json",
        one_of: &[],
    }
}

/// The statuses that every route can answer, whatever its own are.
const EVERYWHERE: &[u16] = &[500];
/// Those that every route beside them can answer where the host counts.
const OF_A_HOST: &[u16] = &[421];
/// Those that every route with a body can answer beside them.
const WITH_BODY: &[u16] = &[408];

impl Route {
    /// Whether the session of a person opens it. A cookie comes with every request of a browser, so it counts only where
    /// pages of the service ask; people read case reports too.
    pub(crate) fn takes_sessions(&self, door: Door) -> bool {
        self.audience == Audience::Operator || matches!(door, Door::Object(_))
    }

    /// Whether a path is one of its own.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        named(self.pattern, path).is_some()
    }

    /// Every status that it can answer, each once, in no order.
    pub fn all_statuses(&self) -> impl Iterator<Item = u16> {
        let is_open = matches!(self.handler, Handler::Open(_));
        let groups = [
            self.statuses,
            EVERYWHERE,
            if is_open { &[] } else { OF_A_HOST },
            if self.body.is_some() { WITH_BODY } else { &[] },
        ];
        groups.into_iter().flatten().copied()
    }

    const fn saying(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    const fn answering(mut self, statuses: &'static [u16]) -> Self {
        self.statuses = statuses;
        self
    }

    /// The same, with what its answer of success holds.
    const fn giving(mut self, answer: Shape) -> Self {
        self.answer = answer;
        self
    }

    /// The same, in another medium than JSON.
    const fn in_media(mut self, media: &'static str) -> Self {
        self.media = media;
        self
    }

    /// The same, with fields of which at least one is needed.
    const fn needing_one_of(mut self, fields: &'static [&'static str]) -> Self {
        self.one_of = fields;
        self
    }

    /// The same, for whoever looks at a page.
    const fn for_browsers(mut self) -> Self {
        self.audience = Audience::Browser;
        self
    }

    /// The same, for operators.
    const fn for_operators(mut self) -> Self {
        self.audience = Audience::Operator;
        self
    }
}

/// Every route, in groups.
const GROUPS: &[&[Route]] = &[
    public::ROUTES,
    accounts::ROUTES,
    gateway::ROUTES,
    governance::ROUTES,
    machine::ROUTES,
    mcp::ROUTES,
    session::ROUTES,
    transfer::ROUTES,
];

/// Every route.
pub fn all() -> impl Iterator<Item = &'static Route> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// What became of looking for a route.
pub(crate) enum Found {
    /// A route, with what stands in place of the names in its pattern.
    Route(&'static Route, Named),
    /// The path is known, with these methods.
    OtherMethods(String),
    /// The path is not known.
    Nothing,
}

/// Looks for the route of a request.
pub(crate) fn find(method: &str, path: &str) -> Found {
    let mut methods: Vec<&str> = Vec::new();
    let wanted = if method == "HEAD" { "GET" } else { method };
    for route in all().filter(|route| begins_alike(route.pattern, path)) {
        let Some(named) = named(route.pattern, path) else {
            continue;
        };
        if route.method.as_str() == wanted {
            return Found::Route(route, named);
        }
        methods.push(route.method.as_str());
        if route.method == Method::Get {
            methods.push("HEAD");
        }
    }
    if methods.is_empty() {
        return Found::Nothing;
    }
    methods.push("OPTIONS");
    methods.dedup();
    Found::OtherMethods(methods.join(", "))
}

/// Whether a path begins as a pattern does up to its first name: most routes are told apart by that alone.
fn begins_alike(pattern: &str, path: &str) -> bool {
    let of_pattern = pattern.bytes().take_while(|byte| *byte != b'{');
    let mut of_path = path.bytes();
    of_pattern
        .into_iter()
        .all(|byte| of_path.next() == Some(byte))
}

/// What a path holds in place of the names in a pattern.
fn named(pattern: &'static str, path: &str) -> Option<Named> {
    let (mut parts, mut of_path) = (pattern.split('/'), path.split('/'));
    let mut named = Named::default();
    loop {
        match (parts.next(), of_path.next()) {
            (None, None) => return Some(named),
            (Some(part), Some(text)) if part.starts_with('{') => {
                let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
                let decoded = decoded.ok().filter(|name| !name.is_empty())?;
                let name = part.trim_matches(['{', '}']);
                named.0.push((name, decoded.into_owned()));
            }
            (Some(part), Some(text)) if part == text => {}
            _ => return None,
        }
    }
}

impl Call<'_> {
    /// The container; a route of a container always has one.
    fn container(&self) -> Result<&ContainerTag, Problem> {
        let visitor = self.visitor.ok_or_else(no_container)?;
        Ok(visitor.identity.container())
    }

    /// The id that the path holds; what is none is not there.
    fn id<T: FromStr>(&self, name: &str, missing: NotFound) -> Result<T, Problem> {
        let id = self.named.get(name).parse();
        id.map_err(|_| ServiceError::from(missing).into())
    }

    /// The container that the path of an operator's route holds; what is no tag names none.
    fn tag(&self) -> Result<ContainerTag, Problem> {
        let tag = self.named.get("container_tag");
        ContainerTag::new("container_tag", tag).map_err(|_| Problem::no_container())
    }

    /// By what a repetition of the request is known.
    fn sent(&self) -> Sent {
        Sent {
            body: json::digest(self.input),
            key: self.idempotency_key.cloned(),
        }
    }

    /// The name of a write that was carried out before.
    fn trail(&self, repetition: &Repetition) -> String {
        let named = repetition.request.as_ref().or(repetition.key.as_ref());
        named.map_or_else(String::new, |name| self.redacted(name.as_str()))
    }

    /// Names are kept and answered as they came, so none of them may be a secret.
    fn names_no_secret(&self) -> Result<(), Problem> {
        let named = names_in(self.input, &Pointer::root());
        let of_items = self.input.iter().flat_map(|(list, value)| {
            let items = value.as_array().into_iter().flatten().enumerate();
            items.flat_map(move |(index, item)| {
                let at = Pointer::root().below(list).below(index);
                item.as_object()
                    .map_or_else(Vec::new, |item| names_in(item, &at))
            })
        });
        let header = self.idempotency_key.map(|key| {
            let at = Pointer::root().below("Idempotency-Key");
            (at, key.as_str())
        });
        let faults: Vec<Fault> = named
            .into_iter()
            .chain(of_items)
            .chain(header)
            .filter(|(_, text)| self.redacted(text) != *text)
            .map(|(pointer, _)| Fault::at(pointer, HOLDS_A_SECRET))
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::invalid(faults))
        }
    }

    /// Notes as they are sent, without secrets.
    fn said(&self, notes: &Notes) -> Noted {
        notes.as_sent(|text| self.redacted(text))
    }

    /// A text of the caller's own as it may be sent back.
    fn redacted(&self, text: &str) -> String {
        let policy = self.visitor.map(|visitor| &visitor.container.policy);
        let usual = testimony_service::ports::ledger::containers::ContainerPolicy::default();
        let redacted = self.service.redact(policy.unwrap_or(&usual), text);
        redacted.as_str().to_owned()
    }
}

/// What keys, connections, people and containers are called and bound to, beside the names of [`NAMES`].
const NAMES_OF_ACCOUNTS: &[&str] = &["name", "containers"];

/// The names that an object holds, one in a field or several.
fn names_in<'v>(object: &'v Map<String, Value>, at: &Pointer) -> Vec<(Pointer, &'v str)> {
    let fields = each(NAMES).map(|field| field.name);
    let named = fields.chain(NAMES_OF_ACCOUNTS.iter().copied());
    let named = named.filter_map(|field| {
        let value = object.get(field)?;
        Some((at.below(field), value))
    });
    let texts = named.flat_map(|(at, value)| {
        let several = value.as_array().into_iter().flatten();
        let texts = several.chain([value]).filter_map(Value::as_str);
        texts.map(move |text| (at.clone(), text))
    });
    texts.collect()
}

const HOLDS_A_SECRET: &str = "It holds what looks like a credential; send a name that is none.";

fn no_container() -> Problem {
    Problem::new(
        crate::problem::Code::Internal,
        "The route has no container; please report this.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_whole_and_exactly() {
        let found = |method, path| match find(method, path) {
            Found::Route(route, named) => {
                let texts = named.0.iter().map(|(_, text)| text.as_str());
                let texts: Vec<&str> = texts.collect();
                format!("{} {}", route.name, texts.join(" "))
            }
            Found::OtherMethods(methods) => methods,
            Found::Nothing => String::new(),
        };
        for (method, path, expected) in [
            ("POST", "/api/v2/containers/work/recall", "recall work"),
            ("POST", "/api/v2/containers/w%6Frk/recall", "recall work"),
            ("GET", "/v1/memories/mem_1/courtroom", "courtroom_v1 mem_1"),
            ("HEAD", "/healthz", "healthz "),
            ("GET", "/api/v2/containers/work/recall", "POST, OPTIONS"),
            ("DELETE", "/healthz", "GET, HEAD, OPTIONS"),
            ("POST", "/api/v2/containers/work/recall/", ""),
            ("POST", "/api/v2/containers//recall", ""),
            ("POST", "/api/v2/containers/a/b/recall", ""),
            ("GET", "", ""),
        ] {
            assert_eq!(found(method, path), expected, "{method} {path}");
        }
    }

    #[test]
    fn no_route_stands_twice_and_each_says_what_it_does() {
        for (at, route) in all().enumerate() {
            assert!(!route.summary.is_empty(), "{}", route.name);
            let twice = all().skip(at + 1).any(|other| {
                (other.method, other.pattern) == (route.method, route.pattern)
                    || other.name == route.name
            });
            assert!(!twice, "{}", route.name);
        }
    }
}
