//! Requests of which two readers see two different ends, each with another request inside that must not be answered.

use crate::asking::{House, raw, statuses};
use crate::trial::Trial;

/// What hides in the others.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// What stands between the usual head of a `POST` and the hidden request: headers, an empty line, and what looks like a
/// body to one reader or the other. `{length}` is the length of the hidden request and what stands before it.
#[rustfmt::skip]
const TRICKS: &[(&str, &str)] = &[
    ("a length and chunks", "Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("two lengths", "Content-Length: 0\r\nContent-Length: {length}\r\n\r\n"),
    ("two lengths the other way", "Content-Length: {length}\r\nContent-Length: 0\r\n\r\n"),
    ("a list of lengths", "Content-Length: 0, {length}\r\n\r\n"),
    ("a folded length", "Content-Length:\r\n 0\r\n\r\n"),
    ("a folded header", "X-A: b\r\n Content-Length: {length}\r\nContent-Length: 0\r\n\r\n"),
    ("a blank before the colon", "Content-Length : 0\r\nContent-Length: {length}\r\n\r\n"),
    ("a tab before the colon", "Transfer-Encoding\t: chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("a coding that looks like chunks", "Transfer-Encoding: xchunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("a coding with a control", "Transfer-Encoding: \x0bchunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("a coding between quotes", "Transfer-Encoding: \"chunked\"\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("chunks that are not last", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
    ("chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"),
    ("chunks behind a line feed", "X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n"),
    ("chunks behind a carriage return", "X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"),
    ("a length behind a NUL", "X-A: b\0\r\nContent-Length: 0\r\n\r\n"),
    ("a length with a NUL", "Content-Length: 0\0\r\n\r\n"),
    ("a length with a plus", "Content-Length: +0\r\n\r\n"),
    ("a length with a sign below", "Content-Length: -0\r\n\r\n"),
    ("a length in other digits", "Content-Length: \u{0660}\r\n\r\n"),
    ("a chunk with a sign", "Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n"),
    ("a chunk behind a blank", "Transfer-Encoding: chunked\r\n\r\n 0\r\n\r\n"),
    ("a chunk of line feeds", "Transfer-Encoding: chunked\r\n\r\n0\n\n"),
    ("an extension with a line feed", "Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n"),
    ("a chunk in hexadecimal with a prefix", "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n"),
    ("a name with a blank", "X A: b\r\nContent-Length: 0\r\n\r\n"),
    ("a line without a colon", "nothing\r\nContent-Length: 0\r\n\r\n"),
    ("a header that begins with a blank", " X-A: b\r\nContent-Length: 0\r\n\r\n"),
    ("two hosts", "Host: evil.example\r\nContent-Length: {length}\r\n\r\n"),
    ("a body that is waited for", "Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n"),
    ("another protocol", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: {length}\r\n\r\n"),
    ("a length that is named a hop", "Connection: Content-Length\r\nContent-Length: {length}\r\n\r\n"),
];

/// First lines of which readers see different ends.
const LINES: &[&str] = &[
    "GET /api/v1/admin/keys HTTP/1.1 HTTP/1.1",
    "GET /api/v1/admin/keys\tHTTP/1.1",
    "GET /api/v1/admin/keys HTTP/9.9",
    "GET /api/v1/admin/keys http/1.1",
    "GET  /api/v1/admin/keys HTTP/1.1",
    "GET http://evil.example/api/v1/admin/keys HTTP/1.1",
    "GET http://localhost@evil.example/api/v1/admin/keys HTTP/1.1",
    "GET //evil.example/api/v1/admin/keys HTTP/1.1",
    "GET /api/v1/admin/keys\0 HTTP/1.1",
    "GET /api/v1/admin/../admin/keys HTTP/1.1",
    "GET /api/v1/admin/%2e%2e/admin/keys HTTP/1.1",
    "GET /api/v1/admin%2fkeys HTTP/1.1",
    "GET /API/v1/admin/keys HTTP/1.1",
    "get /api/v1/admin/keys HTTP/1.1",
    "CONNECT localhost:80 HTTP/1.1",
];

pub(super) fn hidden_requests(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    for _ in 0..trial.rounds {
        for (name, trick) in TRICKS {
            let came = raw(&house.server.address, &smuggled(&house.agent, trick));
            judge(trial, name, &came, 0);
            trial.fault();
        }
        for line in LINES {
            let key = &house.operator;
            let request =
                format!("{line}\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n");
            let came = raw(&house.server.address, request.as_bytes());
            judge(trial, line, &came, 0);
            trial.fault();
        }
        trial.round();
    }
    house.is_well(trial, "requests within requests");
}

/// The outer one is asked by a key that may do it, for a route whose body it is not.
fn smuggled(key: &str, trick: &str) -> Vec<u8> {
    let body = trick.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let length = (body.len() + HIDDEN.len()).to_string();
    let trick = trick.replace("{length}", &length);
    format!(
        "POST /api/v2/containers/workspace/recall HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n{trick}{HIDDEN}"
    )
    .into_bytes()
}

/// How many requests were served; all of these have something wrong with them.
fn judge(trial: &mut Trial, name: &str, came: &[u8], most: usize) {
    let all = statuses(came);
    let served = all
        .iter()
        .filter(|status| (200..400).contains(*status))
        .count();
    if served > most {
        trial.leaked(format!("{name}: answered with {all:?}"));
    }
    if all.iter().any(|status| *status >= 500) {
        trial.broken(format!("{name}: answered with {all:?}"));
    }
}

/// Eyes for requests that are served though they stand in others.
pub(super) fn two_honest_requests(trial: &mut Trial) {
    let house = House::open(trial, "pair");
    let came = raw(
        &house.server.address,
        format!("{HIDDEN}{HIDDEN}").as_bytes(),
    );
    judge(trial, "two behind each other", &came, 1);
}
