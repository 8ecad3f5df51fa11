//! From a request to its response: the checks in their order, the use case off the reactor, and the answer.

use std::future::Future;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, EXPECT, HOST, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, Response};
use serde_json::{Map, Value};
use testimony_domain::{KeyId, Principal, RequestId};
use testimony_service::Service;
use testimony_service::ports::caller::Caller;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;

use super::body::{self, Held, Unread};
use super::cookies::Cookies;
use super::hosts::Hosts;
use super::options::Limits;
use super::pages;
use super::rate::{Told, tell_standing};
use super::relay::{limit_of, waited_for};
use super::request_id::{HEADER, RequestIds};
use super::spoken::{Manner, speak};
use super::written::{Words, write_down};
use crate::console;
use crate::mcp::Mcp;
use crate::metrics::NO_ROUTE;
use crate::problem::{Code, Problem};
use crate::routes::{
    Call, Door, Flow, Flowing, Found, Guest, Handler, Method, Named, Onward, Reply, Route, Running,
    Stranger, find,
};
use crate::share::Shares;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::json;
use crate::wire::reader::of_query;

/// What all connections share.
pub(super) struct Shared {
    pub(super) service: Arc<Service>,
    pub(super) limits: Limits,
    pub(super) hosts: Hosts,
    pub(super) running: Running,
    pub(super) cookies: Cookies,
    /// Whether a proxy tells the addresses of callers.
    pub(super) behind_proxy: bool,
    /// The address under which callers know the service.
    pub(super) base: Arc<str>,
    pub(super) at_once: Arc<Semaphore>,
    /// How much of that each credential has.
    pub(super) shares: Arc<Shares>,
    /// The room for all bodies together.
    pub(super) bodies: Arc<Semaphore>,
    /// The room for answers of models.
    pub(super) relays: Arc<Semaphore>,
    /// How much of that each credential has.
    pub(super) relay_shares: Arc<Shares>,
    pub(super) ids: RequestIds,
    pub(super) asker: Asker,
    /// Who speaks with agents.
    pub(super) mcp: Arc<Mcp>,
}

/// How it is known who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    /// By the credential of the request.
    Bearer,
    /// By the way that it came: only the host has the key to that.
    #[cfg(unix)]
    Host,
}

/// A command of the host may take as long as a backup of everything does.
#[cfg(unix)]
const COMMAND_TIME: Duration = Duration::from_hours(4);

#[cfg(unix)]
impl Shared {
    /// The same for the host, who gets in when everybody else is told to wait.
    pub(super) fn for_host(&self, at_once: usize) -> Self {
        let at_once = Arc::new(Semaphore::new(at_once));
        Self {
            service: Arc::clone(&self.service),
            limits: Limits {
                request_time: COMMAND_TIME,
                ..self.limits
            },
            hosts: Hosts::Any,
            running: self.running.clone(),
            cookies: self.cookies,
            behind_proxy: self.behind_proxy,
            base: Arc::clone(&self.base),
            at_once: Arc::clone(&at_once),
            bodies: body::room(&self.limits),
            shares: Arc::clone(&self.shares),
            relays: Arc::clone(&self.relays),
            relay_shares: Arc::clone(&self.relay_shares),
            ids: RequestIds::default(),
            asker: Asker::Host,
            mcp: Arc::new(Mcp::new(
                Arc::clone(&self.service),
                self.running.clone(),
                at_once,
                self.limits.json,
            )),
        }
    }
}

impl Shared {
    /// The address that a proxy saw: the last one, since callers may have written those before it.
    fn caller(&self, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.behind_proxy {
            return None;
        }
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        let last = last.to_str().ok()?.rsplit(',').next()?.trim();
        last.parse().ok()
    }
}

/// What is answered, before it is written down.
pub(super) enum Said {
    Reply(Reply, &'static str),
    /// A page of the console.
    Page(console::Answer),
    /// That somebody else is to be waited for, on behalf of a credential; of none, where the host asks.
    Onward(Onward, Option<KeyId>),
    /// What comes piece by piece.
    Flowing(Flowing),
    /// The methods of a route.
    Methods(String),
    /// Nothing: whoever asked is gone.
    Nobody,
}

pub(super) type Outcome = Result<Said, Problem>;

/// Answers a request. Whatever happens to it, there is an answer.
pub(super) async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
    from: Option<IpAddr>,
) -> Response<Flow> {
    let began = Instant::now();
    let id = shared.ids.take(text(request.headers(), HEADER));
    let method = request.method().as_str().to_owned();
    let found = find(&method, request.uri().path());
    let route = match &found {
        Found::Route(route, _) => route.name,
        Found::Nothing if is_page(&shared, request.uri().path()) => console::ROUTE,
        Found::OtherMethods(_) | Found::Nothing => NO_ROUTE,
    };
    let metrics = Arc::clone(&shared.running.metrics);
    let in_flight = metrics.enter();
    let limit = limit_of(&found, &shared.limits);
    let words = Words::of(request.uri().path());
    let span = tracing::info_span!("request", id = %id, route);
    let cookies = shared.cookies;
    let seen = Seen::of(shared.caller(request.headers()).or(from));
    let told = Arc::clone(&seen.told);
    let work = carry_out(shared, found, request, seen);
    let task = Caught(Box::pin(work.instrument(span)));
    let outcome = match timeout(limit, task).await {
        Ok(Some(outcome)) => outcome,
        Ok(None) => Err(panicked()),
        Err(_) => Err(too_long()),
    };
    let abstained = matches!(&outcome, Ok(Said::Reply(reply, _)) if reply.abstained);
    let mut response = write_down(outcome, cookies, words, &id);
    tell_standing(response.headers_mut(), told.get());
    drop(in_flight);
    let (status, took) = (response.status().as_u16(), began.elapsed());
    metrics.answered(route, status, took, abstained);
    let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let method = known_method(&method);
    tracing::info!(id = %id, route, method, status, took_us, "request");
    response
}

/// The method as logs have it: whoever asks chooses its own words.
fn known_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    KNOWN
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}

/// Work whose panic ends the request and nothing else: it is then `None`.
struct Caught<F>(Pin<Box<F>>);

impl<F: Future> Future for Caught<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // What panicked is never polled again, so nothing half done of it is ever seen.
        let polled = catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    }
}

fn panicked() -> Problem {
    tracing::error!("a request panicked");
    let detail =
        "Something went wrong here; the operator finds it in the log under the request id.";
    Problem::new(Code::Internal, detail)
}

fn too_long() -> Problem {
    let detail =
        "It took too long, and may still be carried out; send it again with the same `request_id`.";
    Problem::new(Code::Overloaded, detail)
}

/// What a connection knows about a request, and how its credential stands.
struct Seen {
    from: Option<IpAddr>,
    told: Told,
}

impl Seen {
    fn of(from: Option<IpAddr>) -> Self {
        let told = Told::default();
        Self { from, told }
    }
}

async fn carry_out(
    shared: Arc<Shared>,
    found: Found,
    request: Request<Incoming>,
    seen: Seen,
) -> Outcome {
    let (parts, mut sent) = request.into_parts();
    let manner = Manner::of(&found);
    // Whoever waits to be told to go on has not sent anything yet.
    let waits = parts.headers.contains_key(EXPECT);
    let outcome = match manner.admits(&shared, &parts) {
        Ok(()) => checked(&shared, found, parts, &mut sent, seen).await,
        Err(problem) => Err(problem),
    };
    let outcome = outcome.map_err(|problem| manner.challenging(problem, &shared.base));
    if !waits {
        body::discard(sent);
    }
    outcome
}

/// The checks, in their order.
async fn checked(
    shared: &Arc<Shared>,
    found: Found,
    parts: Parts,
    sent: &mut Incoming,
    seen: Seen,
) -> Outcome {
    let open =
        matches!(&found, Found::Route(route, _) if matches!(route.handler, Handler::Open(_)));
    let is_ours = names_one_host(&parts) && shared.hosts.serve(host(&parts));
    if !open && !is_ours {
        let detail = "The service is not known by this host; use its public address.";
        return Err(Problem::new(Code::HostNotServed, detail));
    }
    match found {
        Found::Route(route, named) => match route.handler {
            Handler::Open(handler) => {
                let (service, running) = (Arc::clone(&shared.service), shared.running.clone());
                let reply = work(shared, move || handler(&service, &running)).await??;
                Ok(Said::Reply(reply, route.media))
            }
            Handler::Behind(..) | Handler::Stranger(_) | Handler::Spoken(_) => {
                let asked = Asked::of(parts, named, shared.cookies, seen);
                behind(shared, route, asked, sent).await
            }
            Handler::Relayed(..) => {
                let asked = Asked::of(parts, named, shared.cookies, seen);
                let said = behind(shared, route, asked, sent).await?;
                waited_for(shared, said).await
            }
        },
        Found::OtherMethods(methods) if parts.method == hyper::Method::OPTIONS => {
            Ok(Said::Methods(methods))
        }
        Found::OtherMethods(methods) => Err(Problem::method(methods)),
        Found::Nothing => no_route(shared, &parts, seen, sent).await,
    }
}

/// Where there is no route there may be a page.
async fn no_route(shared: &Arc<Shared>, parts: &Parts, seen: Seen, sent: &mut Incoming) -> Outcome {
    if is_page(shared, parts.uri.path()) {
        let answer = pages::visit(shared, parts, seen.from, sent).await;
        return Ok(Said::Page(answer.unwrap_or_else(console::trouble)));
    }
    let detail = "There is no such route; the description of the interface names those there are.";
    Err(Problem::new(Code::RouteNotFound, detail))
}

/// Whether a path is a page. The host asks routes, and has no browser.
fn is_page(shared: &Shared, path: &str) -> bool {
    shared.asker == Asker::Bearer && console::is_here(path)
}

/// What a request says beside its body.
struct Asked {
    named: Named,
    bearer: Option<String>,
    /// The token of a session that the browser keeps.
    cookie: Option<String>,
    /// The token that a page shows.
    page_token: Option<String>,
    idempotency_key: Option<String>,
    query: Map<String, Value>,
    headers: HeaderMap,
    seen: Seen,
}

impl Asked {
    fn of(parts: Parts, named: Named, cookies: Cookies, seen: Seen) -> Self {
        let query = parts.uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes());
        Self {
            named,
            bearer: bearer(&parts.headers),
            cookie: cookies.read(&parts.headers),
            page_token: text(&parts.headers, "x-csrf-token").map(str::to_owned),
            idempotency_key: parts.headers.get("idempotency-key").map(spelled),
            query: query
                .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
                .collect(),
            headers: parts.headers,
            seen,
        }
    }

    fn idempotency_key(&self) -> Result<Option<RequestId>, Problem> {
        let key = self.idempotency_key.as_deref();
        let read = key
            .map(|key| RequestId::new("Idempotency-Key", key))
            .transpose();
        read.map_err(|wrong| Problem::invalid(vec![Fault::at(Pointer::root(), wrong.to_string())]))
    }
}

/// Answers whoever is let in.
///
/// A short body has mostly come with its head. It is received first then, and everything is checked in one go off the
/// reactor; still nothing of it is looked at before it is known who asks.
async fn behind(
    shared: &Arc<Shared>,
    route: &'static Route,
    asked: Asked,
    sent: &mut Incoming,
) -> Outcome {
    let limits = &limits_of(route, &shared.limits);
    let admissible = match route.body {
        Some(_) => body::check(&asked.headers, sent, limits),
        None => Ok(()),
    };
    let is_spoken = matches!(route.handler, Handler::Spoken(_));
    let is_short = !is_spoken && admissible.is_ok() && body::is_short(&asked.headers, sent);
    let mut receiving = pin!(received(shared, route, limits, sent));
    let early = match is_short {
        true => timeout(body::MOMENT, &mut receiving).await.ok(),
        false => None,
    };
    let desk = Desk::of(shared, route);
    if let Some(held) = early {
        let all = move || {
            let guest = desk.let_in(&asked)?;
            desk.handle(&asked, guest.as_ref(), held)
        };
        return work(shared, all).await?;
    }
    let who = move || {
        let guest = desk.let_in(&asked);
        (desk, asked, guest)
    };
    let (desk, asked, guest) = work(shared, who).await?;
    let guest = guest?;
    admissible?;
    let held = receiving.await;
    if let (true, Some(guest)) = (is_spoken, &guest) {
        return speak(shared, guest, &asked.headers, held).await;
    }
    work(shared, move || desk.handle(&asked, guest.as_ref(), held)).await?
}

/// Whoever has no credential has little to say.
fn limits_of(route: &Route, usual: &Limits) -> Limits {
    const OF_A_STRANGER: usize = 16 << 10;
    let mut limits = *usual;
    if matches!(route.handler, Handler::Stranger(_)) {
        limits.body_bytes = limits.body_bytes.min(OF_A_STRANGER);
    }
    limits
}

/// The body, where the route reads one.
async fn received(
    shared: &Shared,
    route: &Route,
    limits: &Limits,
    sent: &mut Incoming,
) -> Result<Option<Held>, Unread> {
    if route.body.is_none() {
        return Ok(None);
    }
    let held = body::read(sent, limits, &shared.bodies).await?;
    Ok(Some(held))
}

/// Where a request is handed to its handler.
struct Desk {
    service: Arc<Service>,
    running: Running,
    address: Arc<str>,
    route: &'static Route,
    most: json::Measure,
    asker: Asker,
    shares: Arc<Shares>,
}

impl Desk {
    fn of(shared: &Shared, route: &'static Route) -> Self {
        Self {
            service: Arc::clone(&shared.service),
            running: shared.running.clone(),
            address: Arc::clone(&shared.base),
            route,
            most: shared.limits.json,
            asker: shared.asker,
            shares: Arc::clone(&shared.shares),
        }
    }

    /// Who asks, with a place for what is asked; nobody who is known, on the routes of strangers.
    fn let_in(&self, asked: &Asked) -> Result<Option<Guest>, Problem> {
        let Some(guest) = self.guest(asked)? else {
            return Ok(None);
        };
        let key = self.counted(&guest);
        let place = key.map(|key| self.shares.take(key)).transpose()?;
        Ok(Some(Guest {
            _place: place,
            ..guest
        }))
    }

    /// Whose share it is that a guest takes of; nobody's, where it is the host.
    fn counted(&self, guest: &Guest) -> Option<KeyId> {
        (self.asker == Asker::Bearer).then_some(guest.principal.key)
    }

    fn guest(&self, asked: &Asked) -> Result<Option<Guest>, Problem> {
        let (Handler::Behind(door, _) | Handler::Relayed(door, _) | Handler::Spoken(door)) =
            self.route.handler
        else {
            return Ok(None);
        };
        let principal = match self.asker {
            Asker::Bearer => {
                let for_pages = self.route.takes_sessions(door);
                if let (None, Some(token), true) = (&asked.bearer, &asked.cookie, for_pages) {
                    return self.let_person_in(asked, token, door).map(Some);
                }
                self.known(asked)?
            }
            #[cfg(unix)]
            Asker::Host => Principal::host(),
        };
        Guest::let_in(&self.service, principal, &asked.named, door).map(Some)
    }

    /// Who holds the credential of a request, which is counted.
    fn known(&self, asked: &Asked) -> Result<Principal, Problem> {
        let known = self.service.recognise(asked.bearer.as_deref())?;
        if let Some(standing) = self.service.count(&known) {
            // Said once for each request, so it is there once.
            let _ = asked.seen.told.set(standing);
            if let Some(wait) = standing.wait {
                return Err(Problem::wait(wait));
            }
        }
        Ok(known.principal)
    }

    fn let_person_in(&self, asked: &Asked, token: &str, door: Door) -> Result<Guest, Problem> {
        let signed_in = self.service.session(token)?;
        let shown = asked.page_token.as_deref().unwrap_or_default();
        let is_safe = self.route.method == Method::Get;
        if !is_safe && !self.service.is_of_page(&signed_in, shown) {
            let detail = "Send the `csrf_token` of the session as `X-CSRF-Token`.";
            return Err(Problem::new(Code::PageTokenMissing, detail));
        }
        let guest = Guest::let_in(&self.service, signed_in.principal(), &asked.named, door)?;
        Ok(Guest {
            session: Some(signed_in),
            ..guest
        })
    }

    fn handle(
        &self,
        asked: &Asked,
        guest: Option<&Guest>,
        held: Result<Option<Held>, Unread>,
    ) -> Outcome {
        let input = match held {
            Ok(None) => of_query(asked.query.clone(), self.route.query),
            Ok(Some(held)) if matches!(self.route.handler, Handler::Relayed(..)) => {
                return self.relay(asked, guest, held);
            }
            Ok(Some(held)) => json::object(&held.bytes, self.most)
                .map_err(|wrong| Problem::no_json(wrong.to_string()))?,
            Err(Unread::Refused(problem)) => return Err(problem),
            Err(Unread::Gone) => return Ok(Said::Nobody),
        };
        let reply = self.answer(asked, guest, &input)?;
        Ok(Said::Reply(reply, self.route.media))
    }

    /// Hands what was sent to whoever sends it on; it keeps its room until it is answered.
    fn relay(&self, asked: &Asked, guest: Option<&Guest>, held: Held) -> Outcome {
        /// What is sent on is read no deeper than its parser goes, and schemas of tools nest deeply.
        const DEPTH: usize = 100;
        let (Handler::Relayed(_, relay), Some(guest)) = (self.route.handler, guest) else {
            return Err(answers_nobody());
        };
        let most = json::Measure {
            depth: self.most.depth.max(DEPTH),
            ..self.most
        };
        let input = json::object_that_goes_on(&held.bytes, most)
            .map_err(|wrong| Problem::no_json(wrong.to_string()))?;
        let onward = relay(&self.call(asked, guest, &input, None), &held.bytes)?;
        let onward = Box::pin(async move {
            let _room = held;
            onward.await
        });
        Ok(Said::Onward(onward, self.counted(guest)))
    }

    fn call<'c>(
        &'c self,
        asked: &'c Asked,
        guest: &'c Guest,
        input: &'c Map<String, Value>,
        idempotency_key: Option<&'c RequestId>,
    ) -> Call<'c> {
        Call {
            service: &self.service,
            principal: &guest.principal,
            visitor: guest.visitor.as_ref(),
            session: guest.session.as_ref(),
            from: asked.seen.from,
            named: &asked.named,
            input,
            idempotency_key,
            running: Some(&self.running),
            slip: None,
        }
    }

    fn answer(
        &self,
        asked: &Asked,
        guest: Option<&Guest>,
        input: &Map<String, Value>,
    ) -> Result<Reply, Problem> {
        match (self.route.handler, guest) {
            (Handler::Behind(_, handle), Some(guest)) => {
                let key = asked.idempotency_key()?;
                handle(&self.call(asked, guest, input, key.as_ref()))
            }
            (Handler::Stranger(greet), _) => greet(&Stranger {
                service: &self.service,
                from: asked.seen.from,
                address: &self.address,
                named: &asked.named,
                input,
            }),
            (
                Handler::Behind(..) | Handler::Relayed(..) | Handler::Open(_) | Handler::Spoken(_),
                _,
            ) => Err(answers_nobody()),
        }
    }
}

pub(super) fn answers_nobody() -> Problem {
    let detail = "The route answers nobody; please report this.";
    Problem::new(Code::Internal, detail)
}

/// Has work done off the reactor, so many pieces at a time. A caller who leaves does not end it, but nobody outside is
/// waited for on its behalf any longer.
pub(super) async fn work<T: Send + 'static>(
    shared: &Shared,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let permit = place_of(shared)?;
    let span = tracing::Span::current();
    let caller = Caller::default();
    let _here = caller.here();
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        caller.waits_for(|| span.in_scope(work))
    });
    task.await.map_err(|_| panicked())
}

/// A place among the requests that are worked on.
fn place_of(shared: &Shared) -> Result<OwnedSemaphorePermit, Problem> {
    let place = Arc::clone(&shared.at_once).try_acquire_owned();
    place.map_err(|_| {
        let detail = "As many requests are worked on as are taken; try again in a moment.";
        Problem::new(Code::Overloaded, detail)
    })
}

/// A header's words; what cannot be read becomes what no name can hold.
fn spelled(value: &HeaderValue) -> String {
    value.to_str().unwrap_or("\0").to_owned()
}

pub(super) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Whether it is plain for which host a request is: of two names a proxy before this service may have looked at the other.
fn names_one_host(parts: &Parts) -> bool {
    parts.headers.get_all(HOST).iter().nth(1).is_none()
}

pub(super) fn host(parts: &Parts) -> Option<&str> {
    let of_uri = parts
        .uri
        .authority()
        .map(hyper::http::uri::Authority::as_str);
    let of_uri = of_uri.map(|host| host.rsplit('@').next().unwrap_or(host));
    of_uri.or_else(|| text(&parts.headers, HOST.as_str()))
}

/// What stands behind `Bearer`; anything else in its place is a credential that cannot be read.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let first = all.next()?;
    let words = first.to_str().unwrap_or_default();
    let (scheme, rest) = words.split_once(' ').unwrap_or((words, ""));
    let known = scheme.eq_ignore_ascii_case("bearer") && all.next().is_none();
    Some(if known {
        rest.trim().to_owned()
    } else {
        String::new()
    })
}
