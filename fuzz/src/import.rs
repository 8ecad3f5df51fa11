//! Files that are taken in: lines of JSON as our own export has them, and documents as other services write them.

use serde_json::{Map, Value, json};
use testimony_transport::wire::json::{Measure, object};
use testimony_transport::wire::transfer::{read_foreign, read_import};

const MOST: Measure = Measure {
    depth: 32,
    values: 20_000,
};
const ORIGINS: &[&str] = &["mem0", "supermemory", "hindsight", "chatgpt", "elsewhere"];

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut lines = lines
        .filter_map(|line| object(line, MOST).ok())
        .map(Value::Object);
    let mut body = Map::new();
    body.insert("header".to_owned(), lines.next().unwrap_or_default());
    body.insert("lines".to_owned(), lines.collect());
    drop(read_import(&body));
    let entries = body.remove("lines").unwrap_or_default();
    for origin in ORIGINS {
        let named = |name: &str, value: &Value| {
            let body = json!({ "container": "workspace", name: value });
            drop(body.as_object().map(|body| read_foreign(origin, body)));
        };
        named("entries", &entries);
        named("document", &entries[0]);
    }
}
