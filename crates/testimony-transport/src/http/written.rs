//! An answer as it is written down: its status, its headers and its bytes.

use std::borrow::Cow;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    REFERRER_POLICY, RETRY_AFTER, SET_COOKIE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};
use serde_json::Value;

use super::answer::{Outcome, Said, answers_nobody};
use super::cookies::Cookies;
use super::pages;
use super::request_id::HEADER;
use crate::problem::{Code, Problem};
use crate::routes::{Body, Flow, Flowing, Kept, speaks_openai};

/// In which words a problem is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// As a problem document.
    Problem,
    /// As OpenAI has it, where its clients ask.
    OpenAi,
}

impl Words {
    pub(super) fn of(path: &str) -> Self {
        if speaks_openai(path) {
            Self::OpenAi
        } else {
            Self::Problem
        }
    }

    fn tell(self, problem: &Problem, id: &str) -> (&'static str, Value) {
        match self {
            Self::Problem => ("application/problem+json", problem.document(id)),
            Self::OpenAi => ("application/json", problem.envelope()),
        }
    }
}

/// So many headers an answer has at most, those that tell of a rate among them.
const ROOM_FOR_HEADERS: usize = 16;

pub(super) fn write_down(
    outcome: Outcome,
    cookies: Cookies,
    words: Words,
    id: &str,
) -> Response<Flow> {
    let (status, kind, bytes, more) = match outcome {
        Ok(Said::Reply(reply, kind)) => {
            let (bytes, mut headers) = of_body(reply.body);
            headers.extend(of_session(reply.session.as_ref(), cookies));
            (reply.status, kind, bytes, headers)
        }
        Ok(Said::Page(answer)) => return pages::written(answer, cookies, id),
        Ok(Said::Methods(methods)) => (204, "", Bytes::new(), vec![(ALLOW, methods)]),
        Ok(Said::Nobody) => (400, "", Bytes::new(), Vec::new()),
        Ok(Said::Flowing(flowing)) => return flow_down(flowing, id),
        Ok(Said::Onward(..)) => return write_down(Err(answers_nobody()), cookies, words, id),
        Err(problem) => {
            let (kind, document) = words.tell(&problem, id);
            let bytes = Bytes::from(document.to_string());
            let status = problem.code.status();
            (status, kind, bytes, of_problem(&problem))
        }
    };
    let flow = Full::new(bytes).boxed_unsync();
    headed((status, kind), flow, more, id)
}

/// An answer that comes piece by piece.
fn flow_down(flowing: Flowing, id: &str) -> Response<Flow> {
    let mut response = headed((flowing.status, ""), flowing.flow, Vec::new(), id);
    response.headers_mut().extend(flowing.headers);
    response
}

/// A response with the headers that every one has.
fn headed(
    (status, kind): (u16, &'static str),
    flow: Flow,
    more: Vec<(HeaderName, String)>,
    id: &str,
) -> Response<Flow> {
    let mut response = Response::new(flow);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.reserve(ROOM_FOR_HEADERS);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !kind.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    let named = (HeaderName::from_static(HEADER), id.to_owned());
    for (name, value) in std::iter::once(named).chain(more) {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
    response
}

/// What a page may do: load style sheets of this service, and nothing else; it can stand in no frame and tells nobody
/// where its reader came from.
const OF_PAGES: [(HeaderName, &str); 2] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (REFERRER_POLICY, "no-referrer"),
];

/// A body as it is sent, and the headers that go with it.
fn of_body(body: Body) -> (Bytes, Vec<(HeaderName, String)>) {
    match body {
        // A value can always be written down.
        Body::Written(bytes) => (Bytes::from(bytes), Vec::new()),
        Body::Json(value) => (
            serde_json::to_vec(&value).unwrap_or_default().into(),
            Vec::new(),
        ),
        Body::Text(Cow::Borrowed(text)) => (Bytes::from_static(text.as_bytes()), Vec::new()),
        Body::Text(Cow::Owned(text)) => (Bytes::from(text), Vec::new()),
        Body::Html(page) => {
            let headers = OF_PAGES.map(|(name, value)| (name, value.to_owned()));
            (Bytes::from_static(page.as_bytes()), headers.into())
        }
    }
}

/// What a browser is told about its session.
fn of_session(session: Option<&Kept>, cookies: Cookies) -> Vec<(HeaderName, String)> {
    let told = session.map(|session| (SET_COOKIE, cookies.write(session)));
    told.into_iter().collect()
}

/// What whoever is not known is told of the credential, as RFC 6750 has it: nothing where none came.
fn challenge(code: Code) -> Option<&'static str> {
    let of_a_credential = [
        Code::CredentialMalformed,
        Code::CredentialUnknown,
        Code::CredentialRevoked,
        Code::CredentialExpired,
    ];
    match code.status() {
        401 if of_a_credential.contains(&code) => Some("Bearer error=\"invalid_token\""),
        401 => Some("Bearer"),
        _ => None,
    }
}

/// The headers that go with a problem.
fn of_problem(problem: &Problem) -> Vec<(HeaderName, String)> {
    let retry = problem
        .retry_after()
        .map(|seconds| (RETRY_AFTER, seconds.to_string()));
    let allow = problem.allow.clone().map(|methods| (ALLOW, methods.into()));
    let usual = challenge(problem.code).map(str::to_owned);
    let who = problem
        .challenge
        .as_ref()
        .map(|how| how.0.clone())
        .or(usual);
    let who = who.map(|how| (WWW_AUTHENTICATE, how));
    retry.into_iter().chain(allow).chain(who).collect()
}
