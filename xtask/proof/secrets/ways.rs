//! The ways in for a text: every route, tool and form that takes one, with every part of it in which it could be handed
//! over. That none is missing is looked after in `whole.rs`.

use serde_json::{Value, json};

use super::desk::Desk;
use super::eyes::Eyes;
use super::samples::Sample;
use crate::asking::WORKSPACE;
use crate::client::Answer;
use crate::trial::Trial;

/// A request that carries a text somewhere.
pub(super) struct Way {
    pub(super) name: &'static str,
    /// Its route as the descriptions name it, or `FORM` and where a page sends it. What stands in braces, here or in the
    /// body, is made for it.
    pub(super) route: &'static str,
    pub(super) body: fn(&str) -> Value,
}

impl Way {
    fn take(&self, desk: &mut Desk, text: &str) -> Answer {
        let (method, path) = self.route.split_once(' ').unwrap_or_default();
        let (path, body) = desk.with_what_it_needs(path, &(self.body)(text), text);
        desk.send(method, &path, &body)
    }
}

/// What every way answers to a sentence that has nothing in it: its own words are nobody's secret.
pub(super) fn plain_answers(desk: &mut Desk) -> Vec<Answer> {
    WAYS.iter().map(|way| way.take(desk, PLAIN)).collect()
}

/// A sentence that has nothing in it.
const PLAIN: &str = "The ferry office has a green door.";

const RETAIN: &str = "POST /api/v2/containers/{container_tag}/retain";
const WRITEBACK: &str = "POST /api/v2/containers/{container_tag}/agent/writeback";
const DECIDE: &str = "POST /api/v1/containers/{container_tag}/reviews/{case_id}/decide";
const HELD: &str = "POST /api/v1/containers/{container_tag}/reviews/{held_id}/decide";
const CLOSED: &str = "POST /api/v1/containers/{container_tag}/reviews/{closed_id}/decide";
const GROUP: &str = "POST /api/v1/containers/{container_tag}/reviews/decide";
const CORRECT: &str = "POST /api/v1/admin/memories/{memory_id}/correct";
const ERASE: &str = "POST /api/v1/admin/erasures";
const TOOL: &str = "POST /mcp";

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

/// What somebody is asked to replace.
const REPLACED: &str = "{memory_id}";
/// What stands beside a case, for decisions that need it.
const OTHER: &str = "{other_id}";

fn decided(decision: &str, reason: &str) -> Value {
    json!({ "decision": decision, "reason": reason })
}

fn decided_with(decision: &str, reason: &str) -> Value {
    json!({ "decision": decision, "reason": reason, "target": OTHER })
}

/// Every way.
#[rustfmt::skip]
pub(super) const WAYS: &[Way] = &[
    Way { name: "content", route: RETAIN, body: |text| json!({ "content": text }) },
    Way { name: "content with extraction", route: RETAIN, body: |text| json!({ "content": format!("Ines said: {text}"), "auto_extract": true }) },
    Way { name: "a batch", route: RETAIN, body: |text| json!({ "contents": [PLAIN, text, { "content": text, "tags": ["ferry"] }] }) },
    Way { name: "metadata", route: RETAIN, body: |text| beside("metadata", json!({ "note": text, "deep": [{ "list": [text] }] })) },
    Way { name: "a name in metadata", route: RETAIN, body: |text| beside("metadata", json!({ text: 1, "deep": { text: [text] } })) },
    Way { name: "a tag", route: RETAIN, body: |text| beside("tags", json!([text])) },
    Way { name: "an id of its own", route: RETAIN, body: |text| beside("custom_id", json!(text)) },
    Way { name: "a source", route: RETAIN, body: |text| beside("source", json!(text)) },
    Way { name: "a place in a source", route: RETAIN, body: |text| beside("source_ref", json!(text)) },
    Way { name: "a speaker", route: RETAIN, body: |text| beside("speaker", json!(text)) },
    Way { name: "evidence", route: RETAIN, body: |text| beside("evidence", json!(text)) },
    Way { name: "a request's name", route: RETAIN, body: |text| beside("request_id", json!(text)) },
    Way { name: "a person", route: RETAIN, body: |text| beside("user_id", json!(text)) },
    Way { name: "a run", route: RETAIN, body: |text| beside("run_id", json!(text)) },
    Way { name: "a reason to look", route: RETAIN, body: |text| { let mut body = beside("review_reason", json!(text)); body["review_required"] = json!(true); body } },
    Way { name: "what it replaces", route: RETAIN, body: |text| beside("supersedes", json!({ "content": text })) },
    Way { name: "a field that nobody knows", route: RETAIN, body: |text| { let mut body = beside("notes", json!(text)); body[text] = json!(text); body } },
    Way { name: "a turn of the user", route: WRITEBACK, body: |text| turn("user_message", json!(text)) },
    Way { name: "a turn of the assistant", route: WRITEBACK, body: |text| turn("assistant_response", json!(text)) },
    Way { name: "an observation", route: WRITEBACK, body: |text| turn("observed_facts", json!([text])) },
    Way { name: "a decision", route: WRITEBACK, body: |text| turn("decisions", json!([{ "content": text, "source_ref": text }])) },
    Way { name: "a preference", route: WRITEBACK, body: |text| turn("preferences", json!([text])) },
    Way { name: "an artifact", route: WRITEBACK, body: |text| turn("artifacts", json!([text])) },
    Way { name: "metadata of a turn", route: WRITEBACK, body: |text| turn("metadata", json!({ "log": text })) },
    Way { name: "a question", route: "POST /api/v2/containers/{container_tag}/recall", body: |text| json!({ "query": text, "request_id": text }) },
    Way { name: "a question to be kept", route: "POST /api/v2/containers/{container_tag}/reflect", body: |text| json!({ "query": text, "context": text, "save_memory": true }) },
    Way { name: "a turn to come", route: "POST /api/v2/containers/{container_tag}/agent/context", body: |text| json!({ "user_message": text, "task_goal": text, "metadata": { "a": text } }) },
    Way { name: "a tool", route: TOOL, body: |text| tool("memory_retain", &json!({ "content": text, "tags": [text] })) },
    Way { name: "a tool's turn", route: TOOL, body: |text| tool("memory_writeback", &json!({ "observed_facts": [text], "user_message": text })) },
    Way { name: "no tool at all", route: TOOL, body: |text| tool(text, &json!({ text: text })) },
    Way { name: "the name of a model", route: "POST /v1/chat/completions", body: |text| json!({ "model": text, "messages": [{ "role": "user", "content": text }], "memory": { "container_tag": WORKSPACE } }) },
    Way { name: "an import from elsewhere", route: "POST /api/v1/admin/import/{origin}", body: |text| json!({ "container": WORKSPACE, "entries": [{ "id": text, "memory": text, "metadata": { "a": text }, "user_id": "mara" }] }) },
    Way { name: "an export of our own", route: "POST /api/v1/admin/import", body: exported },
    Way { name: "the name of a key", route: "POST /api/v1/admin/keys", body: |text| json!({ "name": text, "containers": [WORKSPACE], "agent_id": text, "user_id": text, "source_app": text }) },
    Way { name: "the name of a connection", route: "POST /api/v1/admin/connectors", body: |text| json!({ "name": text, "containers": [text] }) },
    Way { name: "the name of a person", route: "POST /api/v1/admin/people", body: |text| json!({ "name": text, "password": text }) },
    Way { name: "the name of a container", route: "POST /api/v1/admin/containers", body: |text| json!({ "container_tag": text, "exempt_rules": [text] }) },
    Way { name: "somebody who signs in", route: "POST /api/v1/session", body: |text| json!({ "name": text, "password": text }) },
    Way { name: "a session", route: RETAIN, body: |text| beside("session_id", json!(text)) },
    Way { name: "an application", route: RETAIN, body: |text| beside("app_id", json!(text)) },
    Way { name: "an organisation", route: RETAIN, body: |text| beside("org_id", json!(text)) },
    Way { name: "an agent", route: RETAIN, body: |text| beside("agent_id", json!(text)) },
    Way { name: "what it takes back", route: RETAIN, body: |text| beside("retracts", json!({ "content": text })) },
    Way { name: "a session of a turn", route: WRITEBACK, body: |text| turn("session_id", json!(text)) },
    Way { name: "a tool's question", route: TOOL, body: |text| tool("memory_recall", &json!({ "query": text, "tags": [text] })) },
    Way { name: "a tool's turn to come", route: TOOL, body: |text| tool("memory_context", &json!({ "user_message": text, "task_goal": text })) },
    Way { name: "a tool's question to be kept", route: TOOL, body: |text| tool("memory_reflect", &json!({ "query": text, "context": text, "save_memory": true })) },
    Way { name: "a tool's correction", route: TOOL, body: |text| tool("memory_correct", &json!({ "memory_id": REPLACED, "content": text, "request_id": text })) },
    Way { name: "a tool's case", route: TOOL, body: |text| tool("memory_case", &json!({ "memory_id": REPLACED, "query": text })) },
    Way { name: "a conversation", route: "POST /v1/chat/completions", body: |text| json!({ "model": "chat", "messages": [{ "role": "user", "content": text }], "metadata": { "a": text }, "memory": { "container_tag": WORKSPACE } }) },
    Way { name: "a conversation of the other kind", route: "POST /v1/responses", body: |text| json!({ "model": "chat", "input": text, "metadata": { "a": text }, "memory": { "container_tag": WORKSPACE } }) },
    Way { name: "a client that wants a key", route: "POST /mcp/connect/{connector_token}", body: |text| json!({ "client": text }) },
    Way { name: "a reason to approve", route: DECIDE, body: |text| decided("approve", text) },
    Way { name: "a claim as it is approved", route: DECIDE, body: |text| json!({ "decision": "approve", "content": text }) },
    Way { name: "a reason to reject", route: DECIDE, body: |text| decided("reject", text) },
    Way { name: "a reason to hide", route: DECIDE, body: |text| decided("hide", text) },
    Way { name: "a reason to replace", route: DECIDE, body: |text| decided_with("supersede", text) },
    Way { name: "a reason to merge", route: DECIDE, body: |text| decided_with("merge", text) },
    Way { name: "what a case is merged with", route: DECIDE, body: |text| json!({ "decision": "merge", "target": text }) },
    Way { name: "a reason to release", route: HELD, body: |text| decided("release_redacted", text) },
    Way { name: "a reason to undo", route: CLOSED, body: |text| decided("undo", text) },
    Way { name: "a reason about a group", route: GROUP, body: |text| json!({ "group": "{group}", "kind": "requested", "decision": "reject", "reason": text }) },
    Way { name: "the name of a group", route: GROUP, body: |text| json!({ "group": text, "decision": "reject" }) },
    Way { name: "a correction", route: CORRECT, body: |text| json!({ "content": text, "reason": "It was measured again." }) },
    Way { name: "a reason to correct", route: CORRECT, body: |text| json!({ "content": "The pier was measured again {memory_id}.", "reason": text }) },
    Way { name: "a reason to take back", route: "POST /api/v1/admin/memories/{memory_id}/retract", body: |text| json!({ "reason": text }) },
    Way { name: "why it was recalled", route: "POST /api/v1/admin/memories/{memory_id}/why", body: |text| json!({ "query": text }) },
    Way { name: "a reason to erase", route: ERASE, body: |text| json!({ "target": { "memory": REPLACED }, "reason": text }) },
    Way { name: "whom to erase", route: ERASE, body: |text| json!({ "target": { "container": WORKSPACE, "user": text }, "reason": "other" }) },
    Way { name: "which source to erase", route: ERASE, body: |text| json!({ "target": { "container": WORKSPACE, "source": text }, "dry_run": true }) },
    Way { name: "a fingerprint to let through", route: "POST /api/v1/admin/containers/{container_tag}/exemptions/fingerprints", body: |text| json!({ "fingerprint": text }) },
    Way { name: "a rule to leave out", route: "POST /api/v1/admin/containers/{container_tag}/exemptions/rules", body: |text| json!({ "rule": text }) },
    Way { name: "rules of a container", route: "PATCH /api/v1/admin/containers/{container_tag}", body: |text| json!({ "allowed_fingerprints": [text], "exempt_rules": [text] }) },
    Way { name: "labels of a key", route: "POST /api/v1/admin/keys", body: |text| json!({ "containers": [WORKSPACE], "app_id": text, "org_id": text, "run_id": text }) },
    Way { name: "a new password", route: "PATCH /api/v1/admin/people/{person_id}", body: |text| json!({ "password": text }) },
    Way { name: "a password of one's own", route: "POST /api/v1/session/password", body: |text| json!({ "password": text, "new_password": text }) },
    Way { name: "a head of the trail", route: "POST /api/v1/admin/audit/verify", body: |text| json!({ "against": text }) },
    Way { name: "a head for the doctor", route: "POST /api/v1/admin/doctor", body: |text| json!({ "against": text }) },
    Way { name: "where a backup goes", route: "POST /api/v1/admin/backups", body: |text| json!({ "path": format!("pier/{text}") }) },
    Way { name: "a form that corrects", route: "FORM /memories/{memory_id}/correct", body: |text| json!({ "content": text, "reason": text }) },
    Way { name: "a form that takes back", route: "FORM /memories/{memory_id}/retract", body: |text| json!({ "reason": text }) },
    Way { name: "a form that decides", route: "FORM /review/decide", body: |text| json!({ "container": WORKSPACE, "case": "{case_id}", "decision": "approve_as", "content": text, "reason": text }) },
    Way { name: "a form about a memory", route: "FORM /review/decide", body: |text| json!({ "container": WORKSPACE, "memory": REPLACED, "decision": "reject", "reason": text, "kind": text }) },
    Way { name: "a form about a group", route: "FORM /review/group", body: |text| json!({ "container": WORKSPACE, "group": "{group}", "kind": "requested", "decision": "reject", "reason": text }) },
    Way { name: "a form for a container", route: "FORM /containers", body: |text| json!({ "container_tag": text }) },
    Way { name: "a form for a key", route: "FORM /connections/keys", body: |text| json!({ "name": text, "containers": WORKSPACE, "agent_id": text, "user_id": text, "run_id": text }) },
    Way { name: "a form for a connection", route: "FORM /connections/keys", body: |text| json!({ "kind": "connector", "name": text, "containers": WORKSPACE }) },
    Way { name: "a form for a key to be tried", route: "FORM /connections/verify", body: |text| json!({ "key": text }) },
    Way { name: "a form for a person", route: "FORM /people", body: |text| json!({ "name": text, "role": "reviewer", "password": text }) },
    Way { name: "a form about a person", route: "FORM /people/{person_id}", body: |text| json!({ "password": text }) },
    Way { name: "a form for a password", route: "FORM /account/password", body: |text| json!({ "password": text, "new_password": text, "again": text }) },
    Way { name: "a form for a head of the trail", route: "FORM /activity/audit/verify", body: |text| json!({ "against": text }) },
    Way { name: "a form that asks what would go", route: "FORM /operations/erase", body: |text| json!({ "kind": "user", "which": text, "container": WORKSPACE, "reason": text }) },
    Way { name: "a form that erases", route: "FORM /operations/erase/now", body: |text| json!({ "kind": "user", "which": text, "container": WORKSPACE, "reason": "other", "typed": "erase" }) },
    Way { name: "a form that signs in", route: "FORM /login", body: |text| json!({ "name": text, "password": text, "next": text }) },
    Way { name: "a form for the first person", route: "FORM /welcome", body: |text| json!({ "token": text, "name": text, "password": text }) },
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

/// So many ways each text takes, in the short form and in the long one: the first, which is its content, and as many
/// others as a turn brings. All of them for every text would take hours.
const EACH: usize = 7;
const EACH_LONG: usize = 24;

pub(super) fn send(
    trial: &mut Trial,
    desk: &mut Desk,
    eyes: &mut Eyes,
    sample: &Sample,
    at: usize,
) {
    let (first, others) = WAYS.split_first().unwrap();
    let many = if trial.is_long { EACH_LONG } else { EACH } - 1;
    let others = others.iter().cycle().skip(at * many).take(many);
    for way in std::iter::once(first).chain(others) {
        let answer = way.take(desk, &sample.text);
        trial.fault();
        eyes.look_at(trial, &format!("the answer to {}", way.name), &answer.body);
        eyes.look_at(
            trial,
            &format!("the head for {}", way.name),
            answer.head.as_bytes(),
        );
        if answer.status == 0 || answer.status >= 500 {
            trial.broken(format!("{}: {}", way.name, answer.status));
        }
    }
}
