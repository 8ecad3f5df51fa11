//! Reflect: nothing where nothing was said, bounds, and what saving a reply needs.

use serde_json::{Value, json};

use crate::support::{Harness, QUESTION, fact};

const PATH: &str = "/api/v2/containers/workspace/reflect";

#[test]
fn what_nobody_said_is_not_answered() {
    let harness = Harness::start();
    let key = harness.agent();
    let body = harness
        .post(&key, PATH, &json!({ "query": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(body["citations"], json!([]));
    assert_eq!(body["diagnostics"]["abstained"], true);
    assert_eq!(body["memory_capture"], Value::Null);
}

#[test]
fn bounds_and_words_are_kept_and_every_fault_is_named() {
    let harness = Harness::start();
    let key = harness.agent();
    let wrong = json!({
        "answer_mode": "poetic", "recall_limit": 2, "max_tokens": 10, "temperature": 2,
    });
    let answer = harness.post(&key, PATH, &wrong).expect(422);
    let mut pointers = answer.pointers();
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/answer_mode",
            "/max_tokens",
            "/query",
            "/recall_limit",
            "/temperature"
        ]
    );
}

#[test]
fn saving_needs_the_capability_to_write() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    let reader = harness.key(|order| {
        order.capabilities =
            testimony_domain::Capabilities::of([testimony_domain::Capability::Reflect]);
    });
    let ask = |save| json!({ "query": QUESTION, "save_memory": save });
    harness.post(&reader, PATH, &ask(false)).expect(200);
    harness.post(&reader, PATH, &ask(true)).expect(403);
}
