//! The revisions of the protocol: what each begins with, and that none needs a session.

use serde_json::{Value, json};

use super::{agent, call, message};
use crate::support::{Answer, Harness, Sent};

fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": { "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } },
    })
}

#[test]
fn a_client_that_begins_with_initialize_gets_its_revision_and_no_session() {
    let harness = Harness::start();
    let key = agent(&harness);
    for (asked, spoken) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2025-03-26", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let answer = harness.send(&message(&key, &initialize(asked))).expect(200);
        let result = &answer.body["result"];
        assert_eq!(
            result["protocolVersion"], spoken,
            "{asked}: {:#}",
            answer.body
        );
        assert_eq!(result["serverInfo"]["name"], "testimony");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(
            result["instructions"]
                .as_str()
                .unwrap()
                .contains("memory_context")
        );
        assert_eq!(answer.header("mcp-session-id"), None);
        let status = message(&key, &call("memory_status", &json!({})))
            .header("MCP-Protocol-Version", spoken)
            .header("Mcp-Session-Id", "of-another-time");
        let answer = harness.send(&status).expect(200);
        assert_eq!(answer.body["result"]["isError"], false);
        assert!(answer.body["result"]["resultType"].is_null());
    }
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(
        harness.send(&message(&key, &ping)).expect(200).body["result"],
        json!({})
    );
}

fn modern(harness: &Harness, key: &str, method: &str, params: &Value) -> Answer {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": "m", "method": method, "params": params });
    let mut request: Sent = message(key, &body)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("Mcp-Name", name);
    }
    harness.send(&request)
}

#[test]
fn the_newest_revision_begins_with_nothing() {
    let harness = Harness::start();
    let key = agent(&harness);
    let found = modern(&harness, &key, "server/discover", &json!({})).expect(200);
    let versions = found.body["result"]["supportedVersions"].to_string();
    assert_eq!(
        versions, r#"["2025-06-18","2025-11-25","2026-07-28"]"#,
        "{:#}",
        found.body
    );
    let tools = modern(&harness, &key, "tools/list", &json!({})).expect(200);
    let result = &tools.body["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["cacheScope"], "private",
        "what is listed is the caller's own"
    );
    assert_eq!(result["tools"].as_array().map(Vec::len), Some(8));
    let called = modern(
        &harness,
        &key,
        "tools/call",
        &json!({ "name": "memory_status", "arguments": {} }),
    )
    .expect(200);
    assert_eq!(called.body["result"]["structuredContent"]["status"], "ok");
    for method in ["ping", "subscriptions/listen", "songs/list"] {
        let params = json!({ "notifications": {} });
        let gone = modern(&harness, &key, method, &params).expect(404).body;
        assert_eq!(
            gone["error"]["message"], "There is no such method.",
            "{method}"
        );
        assert_eq!(gone["id"], "m", "{method}");
    }
}

#[test]
fn a_revision_that_is_not_spoken_is_refused_with_those_that_are() {
    let harness = Harness::start();
    let key = agent(&harness);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    for (named, repeated) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2099-01-01", "2099-01-01"),
        ("sk-not-a-day", "unknown"),
    ] {
        for (body, id) in [(&list, json!(1)), (&told, Value::Null)] {
            let sent = message(&key, body).header("MCP-Protocol-Version", named);
            let answer = harness.send(&sent).expect(400).body;
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(-32_022), &id)
            );
            let data = &answer["error"]["data"];
            assert_eq!(
                data["supported"],
                json!(["2025-06-18", "2025-11-25", "2026-07-28"])
            );
            assert_eq!(data["requested"], repeated);
        }
    }
    harness.send(&message(&key, &list)).expect(200);
    let older =
        message(&key, &initialize("2025-03-26")).header("MCP-Protocol-Version", "2025-03-26");
    let answer = harness.send(&older).expect(200);
    assert_eq!(answer.body["result"]["protocolVersion"], "2025-11-25");
}

/// The newest revision has no handshake; whoever begins with one means those before it, and gets the newest of them.
#[test]
fn a_handshake_in_the_newest_revision_is_one_in_the_newest_that_has_it() {
    let harness = Harness::start();
    let key = agent(&harness);
    let params = initialize("2026-07-28")["params"].clone();
    let answer = modern(&harness, &key, "initialize", &params).expect(200);
    assert_eq!(answer.body["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn headers_that_contradict_the_message_are_400() {
    let harness = Harness::start();
    let key = agent(&harness);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    for (name, value) in [
        ("MCP-Protocol-Version", "1999-01-01"),
        ("MCP-Protocol-Version", "not a version"),
    ] {
        let answer = harness
            .send(&message(&key, &list).header(name, value))
            .expect(400);
        assert!(answer.body["error"]["code"].is_i64(), "{:#}", answer.body);
        assert_eq!(answer.body["id"], 1);
    }
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    for version in ["1999-01-01", "2026-07-28"] {
        let told = message(&key, &told).header("MCP-Protocol-Version", version);
        let answer = harness.send(&told);
        if answer.status == 400 {
            // Without an id of its own, the answer has none, and says so.
            assert_eq!(answer.body.get("id"), Some(&Value::Null), "{version}");
        } else {
            assert_eq!(answer.status, 202, "{version}: {:#}", answer.body);
        }
    }
    let contradicted =
        message(&key, &initialize("2025-06-18")).header("MCP-Protocol-Version", "2025-11-25");
    harness.send(&contradicted).expect(400);
}
