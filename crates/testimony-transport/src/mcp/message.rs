//! What a message of JSON-RPC has to be, before anything is made of it, and errors in its words.

use serde_json::{Map, Value, json};
use testimony_domain::Bound;

use crate::problem::Problem;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::reader::{Log, Object, check};
use crate::wire::shape::{Member, Shape};

/// The bytes are no JSON.
pub const NO_JSON: i64 = -32_700;
/// The JSON is no message.
pub const INVALID_REQUEST: i64 = -32_600;
/// The method does not take these parameters.
pub const INVALID_PARAMS: i64 = -32_602;
/// There is no such method.
pub const NO_METHOD: i64 = -32_601;
/// The revision of the protocol is none that is spoken here; `data` names those that are.
pub const UNSPOKEN: i64 = -32_022;
/// Something went wrong here.
pub const INTERNAL: i64 = -32_603;
/// The service does not do it for this caller; `data` says why.
pub const REFUSED: i64 = -32_010;

const METHOD: Bound = Bound {
    name: "method",
    min: 1.0,
    max: 128.0,
    default: None,
    unit: "characters",
    meaning: "What is asked.",
};

const ID: Bound = Bound {
    name: "id",
    min: 1.0,
    max: 128.0,
    default: None,
    unit: "characters",
    meaning: "By what the caller knows the answer.",
};

/// What a message carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[&[
    Field::new("jsonrpc", Kind::Word(&["2.0"]), "The version of JSON-RPC.").required(),
    Field::new("id", Kind::TextOrWhole(&ID), "By what the caller knows the answer; notifications have none.").required(),
    Field::new("method", Kind::Text(&METHOD), "What is asked: `tools/list`, `tools/call`, `initialize` …").required(),
    Field::new("params", Kind::Object, "What the method takes."),
]];

/// What the protocol itself says.
const META: Field = Field::new(
    "_meta",
    Kind::Object,
    "What the protocol itself says of the request.",
);

/// What a call of a tool carries beside that.
#[rustfmt::skip]
const OF_A_CALL: Table = &[&[
    Field::new("name", Kind::Text(&METHOD), "The tool.").required(),
    Field::new("arguments", Kind::Object, "What it takes."),
    META,
]];

/// What the beginning of the revisions with a handshake carries.
#[rustfmt::skip]
const OF_A_BEGINNING: Table = &[&[
    Field::new("protocolVersion", Kind::Text(&METHOD), "The revision that the client speaks.").required(),
    Field::new("capabilities", Kind::Object, "What the client can do.").required(),
    Field::new("clientInfo", Kind::Object, "What the client is.").required(),
    META,
]];

/// What a list carries. All of it comes at once, so nobody was given a place to go on at.
#[rustfmt::skip]
const OF_A_LIST: Table = &[&[
    Field::new("cursor", Kind::Text(&METHOD), "Where to go on."),
    META,
]];

/// What the beginning of the newest revision carries.
#[rustfmt::skip]
const OF_A_DISCOVERY: Table = &[&[META.required()]];

/// How the revisions with a handshake begin. It chooses the revision of what follows, so it is heard in any.
pub(super) const INITIALIZE: &str = "initialize";

/// Methods that there are, each with what its parameters hold.
const METHODS: &[(&str, Table)] = &[
    (INITIALIZE, OF_A_BEGINNING),
    ("server/discover", OF_A_DISCOVERY),
    ("ping", &[&[META]]),
    ("tools/list", OF_A_LIST),
    ("tools/call", OF_A_CALL),
];

/// Whether there is a method.
pub(super) fn is_method(name: &str) -> bool {
    METHODS.iter().any(|(known, _)| *known == name)
}

/// What is said of parameters that only the SDK finds wrong.
pub(super) const NOT_ITS_PARAMS: &str =
    "`params` are not what this method takes; the specification of MCP says what they hold.";
/// What is said of a method that there is not, which is its sender's own word and is not repeated.
pub(super) const NO_SUCH_METHOD: &str = "There is no such method.";

/// What an answer holds.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("JsonRpcAnswer", &Shape::Object(&[
    Member::new("jsonrpc", Shape::Word(&["2.0"]), "The version of JSON-RPC."),
    Member::new("id", Shape::Anything, "The id of the request."),
    Member::new("result", Shape::Map(&Shape::Anything), "What came of it: `tools` of `tools/list`; `content`, `structuredContent` and `isError` of `tools/call`.").at_times(),
    Member::new("error", Shape::Object(&[
        Member::new("code", Shape::Whole, "What went wrong, as JSON-RPC numbers it."),
        Member::new("message", Shape::Text, "Why, and what to do about it."),
        Member::new("data", Shape::Anything, "The problem, as the other routes tell it.").at_times(),
    ]), "What went wrong.").at_times(),
]));

/// A message that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// By what its answer is known; a notification has none.
    pub id: Option<Value>,
    /// What is asked.
    pub method: String,
    /// Which tool is called.
    pub tool: Option<String>,
    /// The id of the message whose answer nobody waits for any longer.
    pub cancelled: Option<Value>,
}

/// Why a message is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// As JSON-RPC numbers it.
    pub code: i64,
    /// By what its answer is known, where that can be read.
    pub id: Option<Value>,
    /// Everything that is wrong.
    pub problem: Problem,
}

/// What notifications are called.
const NOTIFICATIONS: &str = "notifications/";
/// What the one is called that takes a request back.
const CANCELLED: &str = "notifications/cancelled";

/// Reads a message.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(message: &Map<String, Value>) -> Result<Incoming, Box<Wrong>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(message, &root, FIELDS, &mut log);
    let method = object.owned("method").unwrap_or_default();
    let is_notification = method.starts_with(NOTIFICATIONS) && !message.contains_key("id");
    if is_notification {
        let of_id = object.pointer("id");
        log.faults.retain(|fault| fault.pointer != of_id);
    }
    // Here `null` is not the same as absent.
    if message.get("params").is_some_and(Value::is_null) {
        let detail = "It is `null`; send an object, or leave it out.";
        log.fault(Fault::at(object.pointer("params"), detail));
    }
    let id = object.value("id").filter(|id| fits(id)).cloned();
    if !log.faults.is_empty() {
        return Err(wrong(INVALID_REQUEST, id, log));
    }
    match tool(message, &method) {
        Ok(tool) => Ok(Incoming {
            id,
            cancelled: cancelled(message, &method),
            method,
            tool,
        }),
        Err(log) => Err(wrong(INVALID_PARAMS, id, log)),
    }
}

/// Which message a notification takes back.
fn cancelled(message: &Map<String, Value>, method: &str) -> Option<Value> {
    let params = message.get("params").filter(|_| method == CANCELLED);
    let id = params?.get("requestId")?;
    fits(id).then(|| id.clone())
}

/// An id that was refused is not sent back.
fn fits(id: &Value) -> bool {
    let at = Pointer::root().below(ID.name);
    let mut log = Log::default();
    check(&Kind::TextOrWhole(&ID), &at, id, &mut log);
    log.faults.is_empty()
}

fn wrong(code: i64, id: Option<Value>, log: Log) -> Box<Wrong> {
    let problem = Problem::invalid(log.faults);
    Box::new(Wrong { code, id, problem })
}

/// The name of the tool that is called, where one is; what a method needs has to be there.
fn tool(message: &Map<String, Value>, method: &str) -> Result<Option<String>, Log> {
    let Some((_, table)) = METHODS.iter().find(|(known, _)| *known == method) else {
        return Ok(None);
    };
    let mut log = Log::default();
    let at = Pointer::root().below("params");
    let nothing = Map::new();
    let params = message.get("params").and_then(Value::as_object);
    let params = params.unwrap_or(&nothing);
    let object = Object::checked(params, &at, table, &mut log);
    if params.get("arguments").is_some_and(Value::is_null) {
        let detail = "It is `null`; send an object, or leave it out.";
        log.fault(Fault::at(object.pointer("arguments"), detail));
    }
    if log.faults.is_empty() {
        Ok(object.owned("name").filter(|_| method == "tools/call"))
    } else {
        Err(log)
    }
}

/// An error in the words of JSON-RPC.
#[must_use]
pub fn error(code: i64, id: Option<&Value>, message: &str, data: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message });
    if let (Some(data), Some(members)) = (data, error.as_object_mut()) {
        members.insert("data".to_owned(), data);
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(message: &Value) -> (i64, Vec<String>) {
        let Err(wrong) = read(message.as_object().unwrap()) else {
            return (0, Vec::new());
        };
        let faults = wrong.problem.faults.iter();
        (
            wrong.code,
            faults.map(|it| it.pointer.to_string()).collect(),
        )
    }

    #[test]
    fn what_is_no_message_is_told_by_its_place() {
        let long = "x".repeat(129);
        for (message, code, expected) in [
            (
                json!({}),
                INVALID_REQUEST,
                &["/jsonrpc", "/id", "/method"][..],
            ),
            (
                json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
                INVALID_REQUEST,
                &["/jsonrpc"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
                INVALID_REQUEST,
                &["/id"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
                INVALID_REQUEST,
                &["/id"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": long, "method": "ping"}),
                INVALID_REQUEST,
                &["/id"],
            ),
            (
                json!({"jsonrpc": "2.0", "method": "tools/list"}),
                INVALID_REQUEST,
                &["/id"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": ""}),
                INVALID_REQUEST,
                &["/method"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "x", "params": []}),
                INVALID_REQUEST,
                &["/params"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "x", "params": null}),
                INVALID_REQUEST,
                &["/params"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
                INVALID_REQUEST,
                &["/method"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}),
                INVALID_PARAMS,
                &["/params/name"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1, "arguments": "x"}}),
                INVALID_PARAMS,
                &["/params/name", "/params/arguments"],
            ),
            (
                json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"}),
                0,
                &[],
            ),
            (
                json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                0,
                &[],
            ),
        ] {
            let expected = expected.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(pointers(&message), (code, expected), "{message}");
        }
    }

    #[test]
    fn the_tool_that_is_called_is_known() {
        let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "memory_recall"}});
        let incoming = read(call.as_object().unwrap()).unwrap();
        assert_eq!(
            (incoming.tool.as_deref(), incoming.id),
            (Some("memory_recall"), Some(json!(7)))
        );
    }

    #[test]
    fn the_request_that_is_taken_back_is_known() {
        for (method, params, expected) in [
            (
                "notifications/cancelled",
                json!({"requestId": 7}),
                Some(json!(7)),
            ),
            (
                "notifications/cancelled",
                json!({"requestId": "a", "reason": "late"}),
                Some(json!("a")),
            ),
            ("notifications/cancelled", json!({"requestId": [7]}), None),
            ("notifications/cancelled", json!({}), None),
            ("notifications/progress", json!({"requestId": 7}), None),
        ] {
            let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
            let incoming = read(message.as_object().unwrap()).unwrap();
            assert_eq!(incoming.cancelled, expected, "{message}");
        }
    }
}
