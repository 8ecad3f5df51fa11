//! The ways in for a text, each with every part of a request in which it could be handed over.

use serde_json::{Value, json};

use super::eyes::Eyes;
use super::samples::Sample;
use crate::asking::{House, WORKSPACE, within};
use crate::client::Answer;
use crate::trial::Trial;

/// A request that carries a text somewhere.
struct Way {
    name: &'static str,
    path: &'static str,
    body: fn(&str) -> Value,
}

impl Way {
    fn take(&self, house: &mut House, text: &str) -> Answer {
        let path = if self.path.starts_with('/') {
            self.path.to_owned()
        } else {
            within(WORKSPACE, self.path)
        };
        let key = if path.contains("admin") {
            house.operator.clone()
        } else {
            house.agent.clone()
        };
        house.post(&key, &path, &(self.body)(text))
    }
}

/// What every way answers to a sentence that has nothing in it: its own words are nobody's secret.
pub(super) fn plain_answers(house: &mut House) -> Vec<Answer> {
    WAYS.iter().map(|way| way.take(house, PLAIN)).collect()
}

/// A sentence that has nothing in it.
const PLAIN: &str = "The ferry office has a green door.";

const RETAIN: &str = "retain";
const WRITEBACK: &str = "agent/writeback";

fn beside(field: &str, value: Value) -> Value {
    let mut body = json!({ "content": PLAIN });
    body[field] = value;
    body
}

fn turn(field: &str, value: Value) -> Value {
    let mut body = json!({ "observed_facts": [PLAIN], "auto_extract": true });
    body[field] = value;
    body
}

/// Ways of routes of a container, and beneath them those with a path of their own.
#[rustfmt::skip]
const WAYS: &[Way] = &[
    Way { name: "content", path: RETAIN, body: |text| json!({ "content": text }) },
    Way { name: "content with extraction", path: RETAIN, body: |text| json!({ "content": format!("Ines said: {text}"), "auto_extract": true }) },
    Way { name: "a batch", path: RETAIN, body: |text| json!({ "contents": [PLAIN, text, { "content": text, "tags": ["ferry"] }] }) },
    Way { name: "metadata", path: RETAIN, body: |text| beside("metadata", json!({ "note": text, "deep": [{ "list": [text] }] })) },
    Way { name: "a name in metadata", path: RETAIN, body: |text| beside("metadata", json!({ text: 1, "deep": { text: [text] } })) },
    Way { name: "a tag", path: RETAIN, body: |text| beside("tags", json!([text])) },
    Way { name: "an id of its own", path: RETAIN, body: |text| beside("custom_id", json!(text)) },
    Way { name: "a source", path: RETAIN, body: |text| beside("source", json!(text)) },
    Way { name: "a place in a source", path: RETAIN, body: |text| beside("source_ref", json!(text)) },
    Way { name: "a speaker", path: RETAIN, body: |text| beside("speaker", json!(text)) },
    Way { name: "evidence", path: RETAIN, body: |text| beside("evidence", json!(text)) },
    Way { name: "a request's name", path: RETAIN, body: |text| beside("request_id", json!(text)) },
    Way { name: "a person", path: RETAIN, body: |text| beside("user_id", json!(text)) },
    Way { name: "a run", path: RETAIN, body: |text| beside("run_id", json!(text)) },
    Way { name: "a reason to look", path: RETAIN, body: |text| { let mut body = beside("review_reason", json!(text)); body["review_required"] = json!(true); body } },
    Way { name: "what it replaces", path: RETAIN, body: |text| beside("supersedes", json!({ "content": text })) },
    Way { name: "a field that nobody knows", path: RETAIN, body: |text| { let mut body = beside("notes", json!(text)); body[text] = json!(text); body } },
    Way { name: "a turn of the user", path: WRITEBACK, body: |text| turn("user_message", json!(text)) },
    Way { name: "a turn of the assistant", path: WRITEBACK, body: |text| turn("assistant_response", json!(text)) },
    Way { name: "an observation", path: WRITEBACK, body: |text| turn("observed_facts", json!([text])) },
    Way { name: "a decision", path: WRITEBACK, body: |text| turn("decisions", json!([{ "content": text, "source_ref": text }])) },
    Way { name: "a preference", path: WRITEBACK, body: |text| turn("preferences", json!([text])) },
    Way { name: "an artifact", path: WRITEBACK, body: |text| turn("artifacts", json!([text])) },
    Way { name: "metadata of a turn", path: WRITEBACK, body: |text| turn("metadata", json!({ "log": text })) },
    Way { name: "a question", path: "recall", body: |text| json!({ "query": text, "request_id": text }) },
    Way { name: "a question to be kept", path: "reflect", body: |text| json!({ "query": text, "context": text, "save_memory": true }) },
    Way { name: "a turn to come", path: "agent/context", body: |text| json!({ "user_message": text, "task_goal": text, "metadata": { "a": text } }) },
    Way { name: "a tool", path: "/mcp", body: |text| tool("memory_retain", &json!({ "content": text, "tags": [text] })) },
    Way { name: "a tool's turn", path: "/mcp", body: |text| tool("memory_writeback", &json!({ "observed_facts": [text], "user_message": text })) },
    Way { name: "no tool at all", path: "/mcp", body: |text| tool(text, &json!({ text: text })) },
    Way { name: "a conversation", path: "/v1/chat/completions", body: |text| json!({ "model": text, "messages": [{ "role": "user", "content": text }], "memory": { "container_tag": WORKSPACE } }) },
    Way { name: "an import from elsewhere", path: "/api/v1/admin/import/mem0", body: |text| json!({ "container": WORKSPACE, "entries": [{ "id": text, "memory": text, "metadata": { "a": text }, "user_id": "mara" }] }) },
    Way { name: "an export of our own", path: "/api/v1/admin/import", body: exported },
    Way { name: "the name of a key", path: "/api/v1/admin/keys", body: |text| json!({ "name": text, "containers": [WORKSPACE], "agent_id": text, "user_id": text, "source_app": text }) },
    Way { name: "the name of a connection", path: "/api/v1/admin/connectors", body: |text| json!({ "name": text, "containers": [text] }) },
    Way { name: "the name of a person", path: "/api/v1/admin/people", body: |text| json!({ "name": text, "password": text }) },
    Way { name: "the name of a container", path: "/api/v1/admin/containers", body: |text| json!({ "container_tag": text, "exempt_rules": [text] }) },
    Way { name: "somebody who signs in", path: "/api/v1/session", body: |text| json!({ "name": text, "password": text }) },
];

fn tool(name: &str, arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": name, "arguments": arguments } })
}

/// Lines as an export has them, of which evidence says this.
fn exported(text: &str) -> Value {
    let header = json!({ "container": null, "format": "testimony-export", "record": "header", "user": null, "version": 1 });
    let place = json!({ "agent": "first", "app": null, "container": WORKSPACE, "key": null, "org": null, "plane": "task", "run": null, "scope": "user", "user": null });
    let origin = json!({ "agent": "first", "class": "user_statement", "echo": false, "key": format!("key_{}", "7".repeat(32)), "run": null, "source": null });
    let digits: u64 = text
        .bytes()
        .fold(7, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
    let line = json!({
        "id": format!("evd_01a1fc4596ac7ab2{digits:016x}"), "label": text, "metadata": { "a": text }, "observed_at": "2026-11-21T04:02:58Z",
        "origin": origin, "place": place, "reasons": ["admitted"], "record": "evidence", "recorded_at": "2026-11-21T04:02:58Z", "text": text,
    });
    json!({ "header": header, "lines": [line] })
}

/// So many ways each text takes in the short form of things: the first, which is its content, and as many others as a
/// turn brings.
const EACH: usize = 6;

pub(super) fn send(
    trial: &mut Trial,
    house: &mut House,
    eyes: &mut Eyes,
    sample: &Sample,
    at: usize,
) {
    let others = WAYS.iter().cycle().skip(at * EACH).take(EACH);
    for way in WAYS.iter().take(1).chain(others) {
        let answer = way.take(house, &sample.text);
        trial.fault();
        eyes.look_at(trial, &format!("the answer to {}", way.name), &answer.body);
        eyes.look_at(
            trial,
            &format!("the head for {}", way.name),
            answer.head.as_bytes(),
        );
        if answer.status >= 500 && !(answer.status == 503 && way.path.starts_with("/v1/")) {
            trial.broken(format!("{}: {}", way.name, answer.status));
        }
    }
}
