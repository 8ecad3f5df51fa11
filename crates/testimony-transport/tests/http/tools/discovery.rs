//! How a client finds out how to be let in.

use serde_json::json;
use testimony_transport::http::Options;

use super::agent;
use crate::support::{Harness, Sent, limits};

const METADATA: &str = "/.well-known/oauth-protected-resource";

#[test]
fn whoever_is_not_let_in_is_told_where_it_stands_how_to_be() {
    let harness = Harness::of(Options {
        limits: limits(),
        public_url: Some("https://memory.example.com/".to_owned()),
        ..Options::default()
    });
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let where_to =
        "resource_metadata=\"https://memory.example.com/.well-known/oauth-protected-resource/mcp\"";
    let missing = harness.send(&Sent::post("/mcp").json(&list)).expect(401);
    assert_eq!(
        missing.header("www-authenticate"),
        Some(format!("Bearer {where_to}").as_str())
    );
    let unknown = harness
        .send(&Sent::post("/mcp").key("tst_agent_x").json(&list))
        .expect(401);
    let said = unknown.header("www-authenticate").unwrap();
    assert_eq!(said, format!("Bearer error=\"invalid_token\", {where_to}"));
    let powerless = harness
        .send(&Sent::post("/mcp").key(&harness.agent()).json(&list))
        .expect(403);
    let said = powerless.header("www-authenticate").unwrap();
    assert!(
        said.contains("insufficient_scope") && said.contains("scope=\"mcp.tools\""),
        "{said}"
    );
    let elsewhere = harness.send(&Sent::new("GET", "/metrics")).expect(401);
    assert_eq!(elsewhere.header("www-authenticate"), Some("Bearer"));
    harness
        .send(&Sent::post("/mcp").key(&agent(&harness)).json(&list))
        .expect(200);
}

#[test]
fn the_metadata_names_the_resource() {
    let harness = Harness::of(Options {
        limits: limits(),
        public_url: Some("https://memory.example.com".to_owned()),
        ..Options::default()
    });
    for (path, resource) in [
        (METADATA.to_owned(), "https://memory.example.com"),
        (format!("{METADATA}/mcp"), "https://memory.example.com/mcp"),
    ] {
        let told = harness.send(&Sent::new("GET", &path)).expect(200).body;
        assert_eq!(told["resource"], resource);
        assert_eq!(told["bearer_methods_supported"], json!(["header"]));
        assert!(told["scopes_supported"].to_string().contains("mcp.tools"));
        assert!(!told["scopes_supported"].to_string().contains("admin"));
        assert!(
            told["authorization_servers"].is_null(),
            "only keys of the service are believed"
        );
    }
    let foreign = Sent::new("GET", METADATA).header("Host", "evil.test");
    harness.send(&foreign).expect(421);
}

#[test]
fn what_is_told_to_anybody_waits_for_room() {
    let full = Harness::with(testimony_transport::http::Limits {
        at_once: 0,
        ..limits()
    });
    for path in [METADATA.to_owned(), format!("{METADATA}/mcp")] {
        full.send(&Sent::new("GET", &path)).expect(429);
    }
}
