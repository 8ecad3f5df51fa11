//! Answers that come piece by piece.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use super::scripted::{Before, CHAT, Line, RESPONSES, ask, ask_with_memory};
use crate::support::{QUESTION, Sent, fact, limits};

const PARTS: &[&str] = &[
    "data: {\"id\":\"c1\",\"choices\":[{\"delta\":{\"role\":\"assist",
    "ant\",\"content\":\"It \\u00e9\"},\"finish_reason\":null}]}\n",
    "\ndata: {\"id\":\"c1\",\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"a\\\": 1.0\"}}]}}]}\n\n: ping\n\n",
    "data: {\"id\":\"c1\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\nda",
    "ta: [DONE]\n\n",
];

fn pieces(all: &[&str]) -> Vec<String> {
    all.iter().map(|piece| (*piece).to_owned()).collect()
}

fn streaming(mut body: Value) -> Value {
    body["stream"] = json!(true);
    body
}

/// The data of events.
fn data(text: &str) -> Vec<Value> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn a_stream_goes_on_byte_for_byte() {
    let before = Before::model(Line::Pieces(pieces(PARTS)));
    let (head, body) = before.streamed(&before.key(), CHAT, &streaming(ask("Hi")));
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    assert_eq!(body, PARTS.concat());
    assert_eq!(before.last()["stream"], true);
}

#[test]
fn the_last_chunk_of_a_stream_tells_of_memory() {
    let before = Before::model(Line::Pieces(pieces(PARTS)));
    let key = before.key();
    before.harness.retain(&key, &fact()).expect(200);
    let body = streaming(ask_with_memory(QUESTION, &json!({})));
    let (_, text) = before.streamed(&key, CHAT, &body);
    assert!(text.ends_with("\n\ndata: [DONE]\n\n"), "{text}");
    let events = data(&text);
    let (last, others) = events.split_last().unwrap();
    assert!(
        last["memory"]["tokens_injected"].as_u64().unwrap() > 0,
        "{last}"
    );
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    assert!(others.iter().all(|event| event.get("memory").is_none()));
}

#[test]
fn a_completed_response_tells_of_memory() {
    let steps = [
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{}}\n\n",
        "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\"}}\n\n",
    ];
    let before = Before::model(Line::Pieces(pieces(&steps)));
    let body = json!({ "model": "house/small", "input": "Hi", "memory": {}, "stream": true });
    let (_, text) = before.streamed(&before.key(), RESPONSES, &body);
    let events = data(&text);
    assert_eq!(
        events[1]["response"]["memory"]["container_tag"],
        "workspace"
    );
    assert!(text.contains("event: response.completed\n"), "{text}");
}

#[test]
fn a_stream_that_breaks_off_ends_with_an_error() {
    let half = pieces(&PARTS[..3]);
    for (line, expected) in [
        (Line::Half(half.clone()), "broke off"),
        (Line::Pieces(half.clone()), "before its answer was whole"),
        (Line::Pieces(pieces(&["data: oh no\n\n"])), "no JSON"),
    ] {
        let before = Before::model(line);
        let (_, text) = before.streamed(&before.key(), CHAT, &streaming(ask("Hi")));
        let error = data(&text).pop().unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{text}");
        assert_eq!(error["error"]["code"], "upstream_unavailable");
        assert!(!text.contains("[DONE]"), "{text}");
    }
    let before = Before::model(Line::Half(Vec::new()));
    let body = json!({ "model": "house/small", "input": "Hi", "stream": true });
    let (_, text) = before.streamed(&before.key(), RESPONSES, &body);
    assert!(text.starts_with("event: error\n"), "{text}");
    assert_eq!(data(&text)[0]["type"], "error");
}

#[test]
fn a_model_that_falls_silent_is_left_and_whoever_asked_is_told() {
    let before = Before::with(
        Line::Endless(pieces(&PARTS[..3])),
        limits(),
        Duration::from_millis(40),
    );
    let (_, text) = before.streamed(&before.key(), CHAT, &streaming(ask("Hi")));
    let error = data(&text).pop().unwrap();
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("said nothing"),
        "{text}"
    );
    before.model_sees_somebody_leave();
}

#[test]
fn a_model_sees_its_caller_leave() {
    for line in [Line::Endless(pieces(&PARTS[..3])), Line::Silence] {
        let is_silent = matches!(line, Line::Silence);
        let before = Before::model(line);
        let sent = Sent::post(CHAT)
            .key(&before.key())
            .json(&streaming(ask("Hi")));
        let mut caller = before.harness.connect();
        caller.write_all(&sent.bytes()).unwrap();
        if is_silent {
            while before.asked().is_empty() {
                std::thread::yield_now();
            }
        } else {
            let mut byte = [0; 1];
            caller.read_exact(&mut byte).unwrap();
        }
        drop(caller);
        before.model_sees_somebody_leave();
    }
}

#[test]
fn a_model_that_is_to_answer_whole_sees_its_caller_leave() {
    for line in [Line::Silence, Line::Begun("{\"id\":".to_owned())] {
        let before = Before::model(line);
        let sent = Sent::post(CHAT).key(&before.key()).json(&ask("Hi"));
        let mut caller = before.harness.connect();
        caller.write_all(&sent.bytes()).unwrap();
        while before.asked().is_empty() {
            std::thread::yield_now();
        }
        drop(caller);
        before.model_sees_somebody_leave();
    }
}

#[test]
fn a_model_may_answer_whole_what_was_asked_for_in_pieces() {
    let before = Before::model(super::scripted::good(&super::scripted::completion()));
    let answer = before
        .chat(&before.key(), &streaming(ask("Hi")))
        .expect(200);
    assert_eq!(answer.body["id"], "chatcmpl-1");
}
