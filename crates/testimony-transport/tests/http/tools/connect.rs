//! The set-up of clients as `docs/connect.md` has it: what the exchange answers, word for word, and what the server expects.

use serde_json::{Value, json};
use testimony_transport::http::Options;

use crate::support::{Harness, Sent, limits};

const PAGE: &str = include_str!("../../../../../docs/connect.md");
const KEY: &str = "tst_agent_your_key";

/// The configuration that a client gets, with another key in it.
fn configuration(harness: &Harness, client: &str) -> Value {
    let order = json!({ "containers": ["notes"], "agent_id": "editor" });
    let made = harness.post(&harness.operator(), "/api/v1/admin/connectors", &order);
    let path = made.expect(200).body["path"].as_str().unwrap().to_owned();
    let exchange = Sent::post(&path).json(&json!({ "client": client }));
    let got = harness.send(&exchange).expect(200).body;
    let key = got["key"].as_str().unwrap();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    harness
        .send(&Sent::post("/mcp").key(key).json(&list))
        .expect(200);
    let said = got["configuration"].to_string().replace(key, KEY);
    serde_json::from_str(&said).unwrap()
}

/// The server that a text configures.
fn server(format: &str, text: &str) -> Value {
    let all: Value = match format {
        "toml" => toml::from_str(text).unwrap(),
        _ => serde_json::from_str(text).unwrap(),
    };
    let servers = all.as_object().unwrap().values().next().unwrap();
    servers["testimony"].clone()
}

#[test]
fn the_page_says_what_the_exchange_answers_and_the_server_expects() {
    let harness = Harness::of(Options {
        limits: limits(),
        public_url: Some("https://memory.example.com/".to_owned()),
        ..Options::default()
    });
    for (client, heading) in [
        ("claude-code", "### Claude Code"),
        ("codex", "### Codex"),
        ("cursor", "### Cursor"),
        ("vscode", "### VS Code"),
        ("generic", "### Any other client over HTTP"),
    ] {
        let section = PAGE.split(heading).nth(1).unwrap();
        let section = section.split("\n### ").next().unwrap();
        let written = configuration(&harness, client);
        let (format, text) = (
            written["format"].as_str().unwrap(),
            written["text"].as_str().unwrap(),
        );
        assert!(
            section.contains(&format!("```{format}\n{text}```")),
            "{client}: {text}"
        );
        if let Some(file) = written["file"].as_str().filter(|_| client != "generic") {
            assert!(section.contains(&format!("`{file}`")), "{client}: {file}");
        }
        if let Some(command) = written["command"].as_str() {
            assert!(
                section.contains(&format!("```sh\n{command}\n```")),
                "{client}: {command}"
            );
        }
        let server = server(format, text);
        assert_eq!(server["url"], "https://memory.example.com/mcp", "{client}");
        let headers = if format == "toml" {
            "http_headers"
        } else {
            "headers"
        };
        assert_eq!(
            server[headers]["Authorization"],
            format!("Bearer {KEY}"),
            "{client}"
        );
    }
}
