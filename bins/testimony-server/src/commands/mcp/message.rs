//! Messages as they stand on a line: what a client asks, what goes beside it over HTTP, and what it is told when there is
//! no answer.

use serde_json::{Map, Value};
use testimony_transport::mcp::message::{INVALID_REQUEST, NO_JSON, REFUSED, error};

/// Under this name a request says which revision it speaks.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a line is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// A request, with its id and its method.
    Request(Request),
    /// The request of this id is no longer wanted, in the message that says so.
    Cancel(Value, Request),
    /// Something that needs no answer, and that nobody behind this waits for.
    Aside,
    /// No message; this is what its sender is told.
    Wrong(Value),
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) id: Value,
    pub(super) method: String,
    /// The revision that it says it speaks.
    pub(super) revision: Option<String>,
    /// What it is about, in the newest revision's header.
    pub(super) name: Option<String>,
    pub(super) text: String,
}

impl Line {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Self {
        let message: Map<String, Value> = match serde_json::from_str(line) {
            Ok(Value::Object(message)) => message,
            Ok(_) => {
                return wrong(
                    INVALID_REQUEST,
                    "The line is no message; send one JSON object a line.",
                );
            }
            Err(_) => return wrong(NO_JSON, "The line is no JSON; send one JSON object a line."),
        };
        let method = message.get("method").and_then(Value::as_str);
        let params = message.get("params");
        let request = |method: &str, id: &Value| Request {
            id: id.clone(),
            method: method.to_owned(),
            revision: params.and_then(|it| text(it.get("_meta")?, REVISION)),
            name: params.and_then(|it| text(it, "name").or_else(|| text(it, "uri"))),
            text: line.to_owned(),
        };
        match (method, message.get("id")) {
            (Some(method @ "notifications/cancelled"), _) => {
                let id = params.and_then(|params| params.get("requestId"));
                id.map_or(Self::Aside, |id| {
                    Self::Cancel(id.clone(), request(method, &Value::Null))
                })
            }
            (None, _) | (Some(_), None) => Self::Aside,
            (Some(method), Some(id)) => Self::Request(request(method, id)),
        }
    }
}

fn wrong(code: i64, what: &str) -> Line {
    Line::Wrong(error(code, None, what, None))
}

fn text(object: &Value, name: &str) -> Option<String> {
    object.get(name)?.as_str().map(str::to_owned)
}

impl Request {
    /// The headers that go beside it; `spoken` is the revision that was agreed on before.
    pub(super) fn headers(&self, spoken: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        let agreed = spoken.filter(|_| self.method != "initialize");
        if let Some(revision) = self.revision.as_deref().or(agreed) {
            headers.push(("mcp-protocol-version", revision.to_owned()));
        }
        if self.revision.is_some() {
            headers.push(("mcp-method", self.method.clone()));
            headers.extend(self.name.clone().map(|name| ("mcp-name", name)));
        }
        headers
    }

    /// The answer as it came over HTTP, as a line. What is no message becomes one that says what was said.
    pub(super) fn answer(&self, status: u16, body: &str) -> Value {
        let said: Value = serde_json::from_str(body).unwrap_or_default();
        if said.get("jsonrpc").is_some() {
            let mut said = said;
            if let Some(id) = said.get_mut("id").filter(|id| id.is_null()) {
                id.clone_from(&self.id);
            }
            return said;
        }
        let detail = said.get("detail").and_then(Value::as_str);
        let unnamed = format!("The service answered with status {status}, and did not say why.");
        let data = Some(said.clone()).filter(Value::is_object);
        error(REFUSED, Some(&self.id), detail.unwrap_or(&unnamed), data)
    }

    /// That there is no answer.
    pub(super) fn unanswered(&self, why: &str) -> Value {
        error(REFUSED, Some(&self.id), why, None)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(line: &Value) -> Request {
        let read = Line::read(&line.to_string());
        let Line::Request(request) = read else {
            panic!("{read:?}");
        };
        request
    }

    #[test]
    fn a_line_is_a_request_or_needs_no_answer_or_is_wrong() {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
        let Line::Cancel(id, told) = Line::read(&cancel.to_string()) else {
            panic!("{cancel}");
        };
        assert_eq!((id, told.text), (json!(7), cancel.to_string()));
        for aside in [
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        ] {
            assert_eq!(Line::read(&aside.to_string()), Line::Aside);
        }
        for (line, code) in [("{", -32_700), ("[]", -32_600)] {
            let Line::Wrong(said) = Line::read(line) else {
                panic!("{line}")
            };
            assert_eq!(
                (&said["error"]["code"], &said["id"]),
                (&json!(code), &Value::Null)
            );
        }
    }

    #[test]
    fn what_the_newest_revision_wants_in_headers_is_read_off_the_message() {
        let plain = request(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
        assert_eq!(plain.headers(None), []);
        assert_eq!(
            plain.headers(Some("2025-06-18")),
            [("mcp-protocol-version", "2025-06-18".to_owned())]
        );
        let first = request(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}));
        assert_eq!(first.headers(Some("2025-06-18")), []);
        let newest = request(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "memory_recall", "_meta": {REVISION: "2026-07-28"}},
        }));
        assert_eq!(
            newest.headers(Some("2025-06-18")),
            [
                ("mcp-protocol-version", "2026-07-28".to_owned()),
                ("mcp-method", "tools/call".to_owned()),
                ("mcp-name", "memory_recall".to_owned()),
            ]
        );
    }

    #[test]
    fn a_refusal_becomes_a_message_that_says_why() {
        let request = request(&json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"}));
        let problem = json!({"detail": "This key is not known.", "code": "credential_unknown", "status": 401});
        let said = request.answer(401, &problem.to_string());
        assert_eq!(said["id"], "a");
        assert_eq!(said["error"]["message"], "This key is not known.");
        assert_eq!(said["error"]["data"]["code"], "credential_unknown");
        let of_protocol =
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "No."}});
        let said = request.answer(422, &of_protocol.to_string());
        assert_eq!(
            (&said["id"], &said["error"]["code"]),
            (&json!("a"), &json!(-32600))
        );
        let unnamed = request.answer(502, "<html>");
        assert!(
            unnamed["error"]["message"]
                .as_str()
                .unwrap()
                .contains("502")
        );
    }
}
