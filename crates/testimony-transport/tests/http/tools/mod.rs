//! The tools over MCP, as a client that writes bytes sees them.

mod calls;
mod connect;
mod controls;
mod discovery;
mod messages;
mod revisions;

use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability, ContainerGrant};
use testimony_service::access::KeyOrder;

use crate::support::{Answer, Harness, Sent};

/// The key of an agent with everything that agents may do.
pub(crate) fn agent(harness: &Harness) -> String {
    harness.key(|order| order.capabilities = Capabilities::of(KeyOrder::OF_AN_AGENT))
}

/// A key with these capabilities beside that for tools.
fn with(harness: &Harness, capabilities: &[Capability]) -> String {
    harness.key(|order| {
        let all = capabilities.iter().copied().chain([Capability::McpTools]);
        order.capabilities = Capabilities::of(all);
    })
}

/// A key that reaches several containers.
fn in_several(harness: &Harness, containers: &[&str]) -> String {
    harness.key(|order| {
        order.capabilities = Capabilities::of(KeyOrder::OF_AN_AGENT);
        order.containers = ContainerGrant::parse("containers", containers).unwrap();
    })
}

/// A message, as plain curl would send it.
fn message(key: &str, body: &Value) -> Sent {
    Sent::post("/mcp").key(key).json(body)
}

fn listed(harness: &Harness, key: &str) -> Vec<Value> {
    let list = json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list" });
    let answer = harness.send(&message(key, &list)).expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    answer.body["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect()
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    })
}

fn send(harness: &Harness, key: &str, tool: &str, arguments: &Value) -> Answer {
    harness.send(&message(key, &call(tool, arguments)))
}

/// What a tool gives.
fn done(harness: &Harness, key: &str, tool: &str, arguments: &Value) -> Value {
    let answer = send(harness, key, tool, arguments).expect(200);
    let result = &answer.body["result"];
    assert_eq!(result["isError"], false, "{tool}: {:#}", answer.body);
    result["structuredContent"].clone()
}

/// Why a tool gives nothing.
fn refused(harness: &Harness, key: &str, tool: &str, arguments: &Value) -> String {
    let answer = send(harness, key, tool, arguments).expect(200);
    let result = &answer.body["result"];
    assert_eq!(result["isError"], true, "{tool}: {:#}", answer.body);
    assert!(result["structuredContent"].is_null(), "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}
