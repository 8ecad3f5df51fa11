//! Connections of HTTP/2 that somebody holds without needing them: kept open by pings, or with answers that are never
//! taken. What is sent are frames, byte for byte.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use testimony_transport::http::Limits;

use crate::support::{Harness, QUESTION, fact, limits};

/// Longer than any test runs.
const FOR_EVER: Duration = Duration::from_secs(600);
const SOON: Duration = Duration::from_millis(40);
/// So many pings take far longer than anybody is waited for here.
const MANY: usize = 500_000;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const INITIAL_WINDOW: [u8; 2] = [0, 4];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()];
    [&head.concat(), payload].concat()
}

/// A text as heads have it, without compression.
fn text(text: &str) -> Vec<u8> {
    const PREFIX: usize = 127;
    let mut bytes = Vec::new();
    let mut rest = text.len();
    if rest < PREFIX {
        bytes.push(u8::try_from(rest).unwrap());
    } else {
        bytes.push(127);
        rest -= PREFIX;
        while rest >= 128 {
            bytes.push(u8::try_from(rest % 128).unwrap() | 128);
            rest /= 128;
        }
        bytes.push(u8::try_from(rest).unwrap());
    }
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// A head: `0x82` and `0x83` are the methods, `0x86` the scheme, `4` and `1` the names of path and authority.
fn head(method: u8, path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = vec![method, 0x86, 4];
    bytes.extend(text(path));
    bytes.push(1);
    bytes.extend(text("localhost"));
    for (name, value) in more {
        bytes.push(0);
        bytes.extend(text(name));
        bytes.extend(text(value));
    }
    bytes
}

fn get(stream: u32) -> Vec<u8> {
    let head = head(0x82, "/healthz", &[]);
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &head)
}

/// A connection whose answers may be so long.
fn connected(harness: &Harness, window: u32) -> TcpStream {
    let mut stream = harness.connect();
    let window = [&INITIAL_WINDOW[..], &window.to_be_bytes()].concat();
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .unwrap();
    stream.write_all(&frame(SETTINGS, 0, 0, &window)).unwrap();
    stream
}

/// Says that it is there, and reads what comes; whether the connection goes on.
fn is_there(stream: &mut TcpStream, came: &mut Vec<u8>) -> bool {
    let mut piece = [0; 4096];
    if stream.write_all(&frame(PING, 0, 0, &[7; 8])).is_err() {
        return false;
    }
    let count = stream.read(&mut piece).unwrap_or(0);
    came.extend_from_slice(&piece[..count]);
    count > 0
}

fn ends(stream: &mut TcpStream) -> bool {
    let mut came = Vec::new();
    (0..MANY).any(|_| !is_there(stream, &mut came))
}

/// What comes in frames of a kind.
fn frames(mut came: &[u8], kind: u8) -> Vec<u8> {
    let mut all = Vec::new();
    while came.len() >= 9 {
        let length = u32::from_be_bytes([0, came[0], came[1], came[2]]) as usize;
        let Some(payload) = came.get(9..9 + length) else {
            break;
        };
        if came[3] == kind {
            all.extend_from_slice(payload);
        }
        came = &came[9 + length..];
    }
    all
}

fn impatient(idle: Duration, write: Duration) -> Harness {
    Harness::with(Limits {
        header_time: SOON,
        idle_time: idle,
        write_time: write,
        ..limits()
    })
}

#[test]
fn pings_alone_keep_no_connection() {
    let harness = impatient(SOON, FOR_EVER);
    let mut stream = connected(&harness, 65_535);
    stream.write_all(&get(1)).unwrap();
    assert!(ends(&mut stream));
}

#[test]
fn an_answer_that_is_never_taken_is_held_for_a_while_only() {
    for window in [0, 3] {
        let harness = impatient(FOR_EVER, SOON);
        let mut stream = connected(&harness, window);
        stream.write_all(&get(1)).unwrap();
        assert!(ends(&mut stream), "{window}");
    }
}

#[test]
fn whoever_waits_for_the_service_is_not_cut() {
    let harness = impatient(SOON, SOON);
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    let mut stream = connected(&harness, 65_535);
    let gate = harness.clock.gate.lock().unwrap();
    let before = harness.clock.read.load(Ordering::SeqCst);
    let body = json!({ "query": QUESTION }).to_string();
    let bearer = format!("Bearer {key}");
    let more = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let head = head(0x83, "/api/v2/containers/workspace/recall", &more);
    stream
        .write_all(&frame(HEADERS, END_HEADERS, 1, &head))
        .unwrap();
    let data = frame(DATA, END_STREAM, 1, body.as_bytes());
    stream.write_all(&data).unwrap();
    let mut came = Vec::new();
    while harness.clock.read.load(Ordering::SeqCst) == before {
        assert!(is_there(&mut stream, &mut came));
    }
    // However long the service takes, it is the service that is waited for.
    assert!((0..2_000).all(|_| is_there(&mut stream, &mut came)));
    drop(gate);
    while !String::from_utf8_lossy(&frames(&came, DATA)).contains("6543") {
        assert!(is_there(&mut stream, &mut came));
    }
}
