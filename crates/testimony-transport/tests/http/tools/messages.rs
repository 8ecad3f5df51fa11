//! Messages: who may send one, what one has to be, and what is answered when it is not.

use std::time::Duration;

use serde_json::{Value, json};
use testimony_domain::Capability;
use testimony_transport::http::Limits;

use super::{agent, call, listed, message, names, send, with};
use crate::support::{Harness, QUESTION, Sent, fact, limits};

fn list() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })
}

#[test]
fn the_examples_of_the_interface_work_with_plain_requests() {
    let harness = Harness::start();
    let key = agent(&harness);
    harness.retain(&key, &fact()).expect(200);
    let tools = listed(&harness, &key);
    assert!(names(&tools).contains(&"memory_recall"), "{tools:?}");
    assert!(tools.iter().all(|tool| tool["description"].is_string()));
    let answer = send(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION }),
    )
    .expect(200);
    assert_eq!(answer.body["jsonrpc"], "2.0");
    assert_eq!(answer.body["id"], 1);
    let found = &answer.body["result"]["structuredContent"]["results"][0];
    assert_eq!(found["content"], fact()["content"]);
}

#[test]
fn whoever_sends_one_is_checked_like_on_every_route() {
    let harness = Harness::start();
    let key = agent(&harness);
    let powerless = harness.agent();
    let large = vec![b' '; (1 << 20) + 1];
    let body = list();
    let sent = || message(&key, &body);
    for (request, status, code) in [
        (sent(), 200, ""),
        (Sent::post("/mcp").json(&body), 401, "credential_missing"),
        (message("tst_agent_x", &body), 401, "credential_malformed"),
        (message(&powerless, &body), 403, "capability_missing"),
        (
            sent().header("Origin", "https://evil.test"),
            403,
            "origin_not_allowed",
        ),
        (sent().header("Origin", "null"), 403, "origin_not_allowed"),
        (sent().header("Origin", "http://localhost:3000"), 200, ""),
        (sent().header("Host", "evil.test"), 421, "host_not_served"),
        (
            sent().body("application/json", &large),
            413,
            "body_too_large",
        ),
        (
            sent().body("text/plain", b"{}"),
            415,
            "unsupported_media_type",
        ),
        (
            Sent::new("GET", "/mcp").key(&key),
            405,
            "method_not_allowed",
        ),
        (
            Sent::new("DELETE", "/mcp").key(&key),
            405,
            "method_not_allowed",
        ),
    ] {
        let answer = harness.send(&request);
        assert_eq!(
            (answer.status, answer.code()),
            (status, code),
            "{:#}",
            answer.body
        );
    }
    let full = Harness::with(Limits {
        at_once: 0,
        ..limits()
    });
    full.send(&message(&agent(&full), &body)).expect(429);
    let slow = Harness::with(Limits {
        body_time: Duration::from_millis(20),
        ..limits()
    });
    let half = Sent::post("/mcp")
        .key(&agent(&slow))
        .header("Content-Type", "application/json")
        .header("Content-Length", "10");
    slow.send(&half).expect(408);
}

#[test]
fn what_is_no_message_is_422_in_the_words_of_the_protocol() {
    let harness = Harness::start();
    let key = agent(&harness);
    for (body, code) in [
        (&b"{"[..], -32_700),
        (b"", -32_700),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1} x", -32_700),
        (b"\xff", -32_700),
        (b"[]", -32_600),
        (b"[1]", -32_600),
        (br#"[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]"#, -32_600),
        (br#""x""#, -32_600),
        (b"7", -32_600),
        (b"null", -32_600),
        (br#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}"#, -32_600),
        (b"{}", -32_600),
        (br#"{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}"#, -32_600),
        (br#"{"jsonrpc": "2.0", "method": "tools/list"}"#, -32_600),
        (br#"{"jsonrpc": "2.0", "id": 1}"#, -32_600),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 7}}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": 5}}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": 5}}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "server/discover"}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {}}}"#, -32_602),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {}, "x": 1}}"#, -32_602),
    ] {
        let request = Sent::post("/mcp").key(&key).body("application/json", body);
        let answer = harness.send(&request).expect(422);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.body["error"]["code"], code, "{:#}", answer.body);
        assert_eq!(answer.body["jsonrpc"], "2.0");
        let data = &answer.body["error"]["data"];
        assert_eq!(data["status"], 422, "{:#}", answer.body);
    }
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let deep = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "memory_recall", "arguments": {{"query": {deep}}}}}}}"#
    );
    let request = Sent::post("/mcp")
        .key(&key)
        .body("application/json", deep.as_bytes());
    harness.send(&request).expect(422);
}

#[test]
fn a_notification_is_taken_and_not_answered() {
    let harness = Harness::start();
    let key = agent(&harness);
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answer = harness.send(&message(&key, &told)).expect(202);
    assert_eq!(answer.body, Value::Null);
}

#[test]
fn a_tool_that_a_key_may_not_call_is_403_and_not_listed() {
    let harness = Harness::start();
    let reader = with(&harness, &[Capability::Recall]);
    assert_eq!(
        names(&listed(&harness, &reader)),
        ["memory_recall", "memory_status"]
    );
    for (tool, needed) in [
        ("memory_retain", "memory.write"),
        ("memory_correct", "memory.write"),
        ("memory_writeback", "agent.writeback"),
        ("memory_context", "agent.context"),
        ("memory_reflect", "memory.reflect"),
        ("memory_case", "courtroom.read"),
    ] {
        let answer = send(&harness, &reader, tool, &json!({})).expect(403);
        assert_eq!(answer.body["error"]["code"], -32_010);
        assert_eq!(answer.body["error"]["data"]["code"], "capability_missing");
        let said = answer.body["error"]["message"].as_str().unwrap();
        assert!(said.contains(needed), "{said}");
    }
}

#[test]
fn what_there_is_not_is_an_error_of_the_protocol() {
    let harness = Harness::start();
    let key = agent(&harness);
    let unknown = send(&harness, &key, "memory_sing", &json!({})).expect(200);
    assert_eq!(unknown.body["error"]["code"], -32_602);
    assert!(
        !unknown.body.to_string().contains("sing"),
        "{}",
        unknown.body
    );
    let method = json!({ "jsonrpc": "2.0", "id": 1, "method": "songs/list" });
    let answer = harness.send(&message(&key, &method)).expect(200);
    assert_eq!(answer.body["error"]["code"], -32_601);
    // What the protocol knows by name, and the service does not do, is told in the same words.
    for known in ["resources/read", "subscriptions/listen"] {
        let method = json!({ "jsonrpc": "2.0", "id": 1, "method": known, "params": { "uri": "x", "notifications": {} } });
        let said = harness.send(&message(&key, &method)).expect(200).body;
        assert_eq!(said["error"], answer.body["error"], "{known}");
    }
}

#[test]
fn a_message_counts_once_against_the_limit_of_its_key() {
    let harness = Harness::start();
    let key = harness.key(|order| {
        order.capabilities =
            testimony_domain::Capabilities::of([Capability::Recall, Capability::McpTools]);
        order.allowance.requests_per_minute = Some(2);
    });
    for left in ["1", "0"] {
        let answer = send(
            &harness,
            &key,
            "memory_recall",
            &json!({ "query": QUESTION }),
        )
        .expect(200);
        assert_eq!(answer.header("ratelimit-remaining"), Some(left));
    }
    harness
        .send(&message(
            &key,
            &call("memory_recall", &json!({ "query": QUESTION })),
        ))
        .expect(429);
}

#[test]
fn a_failure_inside_is_told_without_a_word_of_what_is_inside() {
    let harness = Harness::start();
    let key = agent(&harness);
    harness
        .clock
        .broken
        .store(true, std::sync::atomic::Ordering::SeqCst);
    let answer = harness.send(&message(&key, &list()));
    assert_eq!(
        (answer.status, answer.code()),
        (500, "internal"),
        "{:#}",
        answer.body
    );
}
