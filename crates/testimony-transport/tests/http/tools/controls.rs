//! Output controls: compact or raw, only how the answer came to be, and never more bytes than were asked for.

use serde_json::{Value, json};
use testimony_transport::routes::all;
use testimony_transport::wire::shape::differences;

use super::{agent, call, done, message};
use crate::support::{Answer, Harness, Sent};

fn filled(harness: &Harness, key: &str) {
    let names = [
        "Ada", "Bela", "Cora", "Dora", "Edda", "Fina", "Gita", "Hana", "Ines", "Jana", "Kaja",
        "Lena",
    ];
    let text = |(n, name): (usize, &&str)| {
        let tools = "a hammer, a chisel, a lamp, a rope and ".repeat(n * 4);
        json!({ "content": format!("{name} works at the Harborlight shipyard with {tools}a saw.") })
    };
    let texts: Vec<Value> = names.iter().enumerate().map(text).collect();
    let kept = json!({ "contents": texts, "auto_extract": false });
    done(harness, key, "memory_retain", &kept);
}

const WHO: &str = "Who works at the Harborlight shipyard?";

#[test]
fn compact_is_usual_and_full_is_what_the_route_answers() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let compact = done(&harness, &key, "memory_recall", &json!({ "query": WHO }));
    assert!(
        compact["results"][0]["why_recalled"].is_null(),
        "{compact:#}"
    );
    let shape = all().find(|route| route.name == "recall").unwrap().answer;
    for control in [
        json!({ "response_format": "full" }),
        json!({ "include_raw": true }),
    ] {
        let mut arguments = json!({ "query": WHO });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(control.as_object().unwrap().clone());
        let answer = harness
            .send(&message(&key, &call("memory_recall", &arguments)))
            .expect(200);
        let result = &answer.body["result"];
        assert_eq!(
            differences(&shape, &result["structuredContent"]),
            Vec::<String>::new()
        );
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
    }
}

#[test]
fn only_how_the_answer_came_to_be_holds_no_memory() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    for (tool, arguments) in [
        (
            "memory_recall",
            json!({ "query": WHO, "diagnostics_only": true }),
        ),
        (
            "memory_context",
            json!({ "user_message": WHO, "diagnostics_only": true, "include_raw": true }),
        ),
        (
            "memory_reflect",
            json!({ "query": WHO, "diagnostics_only": true }),
        ),
    ] {
        let said = done(&harness, &key, tool, &arguments);
        assert!(
            said["diagnostics"]["source_health_status"].is_string(),
            "{said:#}"
        );
        assert!(said["counts"].is_object(), "{said:#}");
        assert!(
            !said
                .to_string()
                .contains("works at the Harborlight shipyard with"),
            "{tool}: {said:#}"
        );
    }
}

/// How long a body is, byte by byte.
fn bytes(harness: &Harness, request: &Sent) -> (usize, Answer) {
    let raw = harness.raw(&request.bytes());
    let at = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (raw.len() - at - 4, Answer::read(&raw))
}

#[test]
fn no_answer_is_longer_than_was_asked_for() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let id = harness
        .recall(&key, &json!({ "query": WHO }))
        .expect(200)
        .body["results"][0]["id"]
        .clone();
    let calls = [
        (
            "memory_recall",
            json!({ "query": WHO, "limit": 100 }),
            "container_tag",
        ),
        (
            "memory_recall",
            json!({ "query": WHO, "include_raw": true }),
            "container_tag",
        ),
        (
            "memory_recall",
            json!({ "query": WHO, "diagnostics_only": true }),
            "container_tag",
        ),
        (
            "memory_context",
            json!({ "user_message": WHO, "max_context_tokens": 8000 }),
            "container_tag",
        ),
        ("memory_reflect", json!({ "query": WHO }), "container_tag"),
        ("memory_case", json!({ "memory_id": id }), "memory_id"),
        ("memory_recall", json!({}), ""),
    ];
    for most in [1_024, 1_500, 2_000, 3_333, 6_000, 24_000] {
        for (tool, arguments, always) in &calls {
            let mut body = call(tool, arguments);
            body["params"]["arguments"]["max_response_bytes"] = json!(most);
            body["id"] = json!("ä".repeat(60));
            let modern = message(&key, &with_meta(&body))
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", tool);
            for request in [message(&key, &body), modern] {
                let (length, answer) = bytes(&harness, &request);
                assert!(length <= most, "{tool} {most}: {length}");
                assert_eq!(answer.status, 200, "{:#}", answer.body);
                let members = &answer.body["result"]["structuredContent"];
                assert!(
                    always.is_empty() || members[*always].is_string(),
                    "{tool} {most}: {:#}",
                    answer.body
                );
            }
        }
    }
}

fn with_meta(body: &Value) -> Value {
    let mut body = body.clone();
    body["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    body
}

#[test]
fn what_was_cut_is_said() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let whole = done(&harness, &key, "memory_recall", &json!({ "query": WHO }));
    assert!(whole["cut"].is_null());
    let cut = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": WHO, "max_response_bytes": 3000 }),
    );
    assert_eq!(cut["cut"]["max_response_bytes"], 3000, "{cut:#}");
    assert!(cut["cut"]["left_out"].is_object());
    let raw = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": WHO, "include_raw": true, "max_response_bytes": 9000 }),
    );
    assert!(raw["raw_left_out"].is_string(), "{raw:#}");
}
