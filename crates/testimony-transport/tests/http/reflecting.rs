//! Reflect: what was said, quoted with its source; and nothing where nothing was said.

use serde_json::{Value, json};

use crate::support::{Harness, QUESTION, fact};

const PATH: &str = "/api/v2/containers/workspace/reflect";

#[test]
fn an_answer_is_quoted_with_its_source_and_said_to_be_no_more() {
    let harness = Harness::start();
    let key = harness.agent();
    let retained = harness.retain(&key, &fact()).expect(200).body;
    let id = &retained["memories"][0]["id"];
    let body = harness
        .post(
            &key,
            PATH,
            &json!({ "query": QUESTION, "save_memory": true }),
        )
        .expect(200)
        .body;
    let reply = body["reply"].as_str().unwrap();
    assert!(reply.contains("6543") && reply.ends_with("[1]"), "{reply}");
    assert_eq!(body["answer"], body["reply"]);
    assert_eq!(&body["citations"][0]["memory_id"], id);
    assert_eq!(&body["sources"][0]["id"], id);
    assert_eq!(body["model"], Value::Null);
    assert_eq!(body["trust_policy"], "balanced");
    assert_eq!(body["diagnostics"]["degraded"], true);
    assert_eq!(body["diagnostics"]["synthesis_status"], "unavailable");
    // What only repeats what was handed out proves nothing.
    assert_eq!(body["memory_capture"]["status"], "evidence_only");
    assert_eq!(body["saved_memory_id"], Value::Null);
}

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
