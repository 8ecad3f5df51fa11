//! The same routes without HTTP: for a command on the data folder while no server runs on it.

use serde_json::{Map, Value};
use testimony_domain::{Principal, RequestId};
use testimony_service::Service;
use testimony_service::read::Slip;

use crate::problem::{Code, Problem};
use crate::routes::{Call, Found, Guest, Handler, Reply, Running, find};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The method.
    pub method: &'a str,
    /// The path, as it would stand behind the address of a server.
    pub path: &'a str,
    /// The body; the query where the route reads none.
    pub input: Map<String, Value>,
    /// The name of the request.
    pub idempotency_key: Option<RequestId>,
}

/// Has a route answer somebody who is known already; `running` is what a program has beside the use cases.
///
/// # Errors
/// [`Problem`], as a caller over HTTP would get it.
pub fn ask(
    service: &Service,
    running: Option<&Running>,
    principal: Principal,
    ask: &Ask<'_>,
) -> Result<Reply, Problem> {
    put(service, running, principal, (ask, None))
}

/// The same for whoever knows only afterwards which of the rows go out, and then says so.
///
/// # Errors
/// [`Problem`], as a caller over HTTP would get it.
pub(crate) fn ask_and_tell_later(
    service: &Service,
    running: Option<&Running>,
    principal: Principal,
    (ask, slip): (&Ask<'_>, &Slip),
) -> Result<Reply, Problem> {
    put(service, running, principal, (ask, Some(slip)))
}

fn put(
    service: &Service,
    running: Option<&Running>,
    principal: Principal,
    (ask, slip): (&Ask<'_>, Option<&Slip>),
) -> Result<Reply, Problem> {
    let Found::Route(route, named) = find(ask.method, ask.path) else {
        let detail =
            "There is no such route; the description of the interface names those there are.";
        return Err(Problem::new(Code::RouteNotFound, detail));
    };
    let Handler::Behind(door, handle) = route.handler else {
        let detail = "This route is about a running server; ask one.";
        return Err(Problem::new(Code::RouteNotFound, detail));
    };
    let guest = Guest::let_in(service, principal, &named, door)?;
    handle(&Call {
        service,
        principal: &guest.principal,
        visitor: guest.visitor.as_ref(),
        session: guest.session.as_ref(),
        from: None,
        named: &named,
        input: &ask.input,
        idempotency_key: ask.idempotency_key.as_ref(),
        running,
        slip,
    })
}
