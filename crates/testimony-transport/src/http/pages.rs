//! Pages of the console over HTTP: the session by its cookie, forms as browsers send them, and the headers of a page.

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    HeaderValue, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use testimony_console::{Method, Origin, serve};
use testimony_service::ServiceError;
use testimony_service::access::SignedIn;

use super::answer::{Shared, host, text, work};
use super::body::{self, Unread};
use super::cookies::Cookies;
use super::request_id::HEADER;
use crate::console::{Answer, AtDesk, Body, POLICY, Visit};
use crate::problem::{Code, Problem};
use crate::routes::Flow;

/// Whoever has no session has little to say.
const OF_A_STRANGER: usize = 16 << 10;

/// Answers whoever asks for a page.
pub(super) async fn visit(
    shared: &Arc<Shared>,
    parts: &Parts,
    from: Option<IpAddr>,
    sent: &mut Incoming,
) -> Result<Answer, Problem> {
    let cookie = shared.cookies.read(&parts.headers);
    let mut visit = Visit {
        method: method(parts)?,
        path: parts.uri.path().to_owned(),
        query: Visit::fields(parts.uri.query().unwrap_or_default().as_bytes()),
        form: Vec::new(),
        origin: origin(parts),
        has_cookie: cookie.is_some(),
    };
    let known = Arc::clone(shared);
    let signed_in = work(shared, move || session(&known, cookie.as_deref())).await??;
    if visit.method == Method::Post {
        visit.form = form(shared, parts, signed_in.is_some(), sent).await?;
    }
    let at = Arc::clone(shared);
    work(shared, move || {
        let parts = (at.service.as_ref(), &at.running);
        serve(&visit, &AtDesk::new(parts, &at.base, from, signed_in))
    })
    .await
}

fn method(parts: &Parts) -> Result<Method, Problem> {
    match parts.method.as_str() {
        "GET" | "HEAD" => Ok(Method::Get),
        "POST" => Ok(Method::Post),
        _ => Err(Problem::method("GET, HEAD, POST".to_owned())),
    }
}

/// Whence a browser says that the request comes. What it says of the site goes before what it says of the origin.
fn origin(parts: &Parts) -> Origin {
    let headers = &parts.headers;
    if let Some(site) = text(headers, "sec-fetch-site") {
        return match site {
            "same-origin" | "none" => Origin::Here,
            _ => Origin::Elsewhere,
        };
    }
    let Some(origin) = text(headers, ORIGIN.as_str()) else {
        return Origin::Unsaid;
    };
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    if authority.is_some() && authority == host(parts) {
        Origin::Here
    } else {
        Origin::Elsewhere
    }
}

/// Who keeps the token of a session; a session that is over is as good as none.
fn session(shared: &Shared, token: Option<&str>) -> Result<Option<SignedIn>, Problem> {
    let Some(token) = token else { return Ok(None) };
    match shared.service.session(token) {
        Ok(signed_in) => Ok(Some(signed_in)),
        Err(ServiceError::NoEntry(_)) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

async fn form(
    shared: &Shared,
    parts: &Parts,
    is_known: bool,
    sent: &mut Incoming,
) -> Result<Vec<(String, String)>, Problem> {
    let kind = text(&parts.headers, CONTENT_TYPE.as_str()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        let detail = "A page sends its form as `application/x-www-form-urlencoded`.";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    let mut limits = shared.limits;
    if !is_known {
        limits.body_bytes = limits.body_bytes.min(OF_A_STRANGER);
    }
    match body::read(sent, &limits, &shared.bodies).await {
        Ok(held) => Ok(Visit::fields(&held.bytes)),
        Err(Unread::Refused(problem)) => Err(problem),
        Err(Unread::Gone) => Err(Problem::new(
            Code::BadRequest,
            "The form did not come whole.",
        )),
    }
}

/// An answer as it is sent.
pub(super) fn written(answer: Answer, cookies: Cookies, id: &str) -> Response<Flow> {
    let (kind, bytes, more) = of_body(answer.body);
    let mut response = Response::new(Full::new(bytes).boxed_unsync());
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let session = answer.session;
    let session = session.map(|session| (SET_COOKIE, cookies.write(&session)));
    let fixed = [
        (CACHE_CONTROL, "no-store".to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (CONTENT_SECURITY_POLICY, POLICY.to_owned()),
        // Forms are told whence they come, and nobody else is.
        (REFERRER_POLICY, "same-origin".to_owned()),
        (HeaderName::from_static(HEADER), id.to_owned()),
        (CONTENT_TYPE, kind.to_owned()),
    ];
    for (name, value) in fixed.into_iter().chain(more).chain(session) {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A body with its medium and the headers that go with it. Files of the console change their address when they change.
fn of_body(body: Body) -> (&'static str, Bytes, Vec<(HeaderName, String)>) {
    const KEPT: &str = "public, max-age=31536000, immutable";
    match body {
        Body::Page(page) => ("text/html; charset=utf-8", page.into(), Vec::new()),
        Body::Asset(media, bytes) => (
            media,
            Bytes::from_static(bytes),
            vec![(CACHE_CONTROL, KEPT.to_owned())],
        ),
        Body::File(name, text) => {
            let disposition = format!("attachment; filename=\"{name}\"");
            let headers = vec![(CONTENT_DISPOSITION, disposition)];
            ("application/jsonl; charset=utf-8", text.into(), headers)
        }
        Body::Elsewhere(address) => ("", Bytes::new(), vec![(LOCATION, address)]),
    }
}
