//! Keys are made, listed, rotated and revoked by operators, and a secret is shown once.

use serde_json::{Value, json};

use super::fits;
use crate::support::{Harness, QUESTION, fact};

const KEYS: &str = "/api/v1/admin/keys";

fn order() -> Value {
    json!({
        "name": "the desk",
        "containers": ["harbour", "quay"],
        "capabilities": ["memory.recall", "memory.write"],
        "source_app": "desk",
        "agent_id": "helper",
        "class": "user_statement",
        "user_id": "mara",
        "expires_at": "2099-01-01T00:00:00Z",
        "requests_per_minute": 600,
        "items_per_day": 9_000,
    })
}

fn shown(made: &Value) -> (String, String) {
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    (text("key"), format!("{KEYS}/{}", text("id")))
}

#[test]
fn a_key_is_shown_once_and_does_what_was_ordered() {
    let harness = Harness::start();
    let operator = harness.operator();
    let made = harness.post(&operator, KEYS, &order()).expect(200).body;
    fits("make_key", &made);
    let (key, path) = shown(&made);
    harness
        .post(&key, "/api/v2/containers/quay/retain", &fact())
        .expect(200);
    let body = json!({ "query": QUESTION, "user_id": "mara" });
    let found = harness
        .post(&key, "/api/v2/containers/quay/recall", &body)
        .expect(200);
    assert_eq!(found.body["total"], 1);
    harness
        .post(&key, "/api/v2/containers/workspace/recall", &body)
        .expect(403);
    let no_reflect = harness
        .post(&key, "/api/v2/containers/quay/reflect", &body)
        .expect(403);
    assert_eq!(no_reflect.code(), "capability_missing");
    let held = harness.get(&operator, &path).expect(200).body;
    fits("get_key", &held);
    for (field, expected) in [
        ("containers", json!(["harbour", "quay"])),
        ("capabilities", json!(["memory.recall", "memory.write"])),
        ("agent_id", json!("helper")),
        ("user_id", json!("mara")),
        ("ceiling", json!("user_statement")),
        ("requests_per_minute", json!(600)),
        ("items_per_day", json!(9_000)),
        ("gateway_memory", json!(false)),
        ("expires_at", json!("2099-01-01T00:00:00Z")),
    ] {
        assert_eq!(held[field], expected, "{field}");
    }
    let list = harness.get(&operator, KEYS).expect(200).body;
    fits("list_keys", &list);
    let secret = key.rsplit('_').next().unwrap();
    assert!(!list.to_string().contains(secret) && !held.to_string().contains(secret));
}

#[test]
fn a_key_of_a_prefix_and_a_key_of_an_operator() {
    let harness = Harness::start();
    let operator = harness.operator();
    let made = harness
        .post(&operator, KEYS, &json!({ "containers": "user-*" }))
        .expect(200)
        .body;
    assert_eq!(made["record"]["containers"], json!(["user-*"]));
    let (key, _) = shown(&made);
    harness
        .post(&key, "/api/v2/containers/user-7/retain", &fact())
        .expect(200);
    let second = harness
        .post(
            &operator,
            KEYS,
            &json!({ "kind": "operator", "name": "second" }),
        )
        .expect(200)
        .body;
    assert_eq!(second["record"]["containers"], json!(["*"]));
    let (second, _) = shown(&second);
    harness.get(&second, KEYS).expect(200);
    let bound = json!({ "kind": "operator", "containers": ["a"] });
    let answer = harness.post(&operator, KEYS, &bound).expect(422);
    assert_eq!(answer.pointers(), ["/containers"]);
    let connector = json!({ "kind": "connector", "containers": ["harbour"] });
    let connector = harness.post(&operator, KEYS, &connector).expect(200).body;
    assert_eq!(connector["record"]["class"], "agent_observation");
}

#[test]
fn unknown_words_are_answered_with_those_there_are() {
    let harness = Harness::start();
    let operator = harness.operator();
    let wrong = json!({
        "containers": [],
        "capabilities": ["memory.recall", "admin"],
        "class": "oracle",
        "agent_scope": "all",
        "kind": "person",
        "expires_at": "soon",
        "requests_per_minute": 0,
    });
    let answer = harness.post(&operator, KEYS, &wrong).expect(422);
    let at = [
        "/agent_scope",
        "/capabilities/1",
        "/class",
        "/containers",
        "/expires_at",
        "/kind",
        "/requests_per_minute",
    ];
    assert_eq!(answer.pointers(), at);
    let said = answer.body.to_string();
    for allowed in [
        "memory.review",
        "external_document",
        "own, container",
        "operator",
    ] {
        assert!(said.contains(allowed), "{allowed}: {said}");
    }
    let over = json!({ "containers": ["a"], "expires_at": "2020-01-01T00:00:00Z" });
    assert_eq!(
        harness.post(&operator, KEYS, &over).expect(422).pointers(),
        ["/expires_at"]
    );
    let mixed = json!({ "containers": ["a", "user-*"] });
    assert_eq!(
        harness.post(&operator, KEYS, &mixed).expect(422).pointers(),
        ["/containers"]
    );
}

#[test]
fn two_secrets_live_while_a_key_is_rotated() {
    let harness = Harness::start();
    let operator = harness.operator();
    let (old, path) = shown(&harness.post(&operator, KEYS, &order()).expect(200).body);
    let rotate = format!("{path}/rotate");
    let rotated = harness
        .post(&operator, &rotate, &json!({ "overlap_hours": 1 }))
        .expect(200)
        .body;
    fits("rotate_key", &rotated);
    assert!(rotated["record"]["old_secret_until"].is_string());
    let (new, _) = shown(&rotated);
    let works = |key: &str| {
        harness
            .post(
                key,
                "/api/v2/containers/quay/recall",
                &json!({ "query": "?" }),
            )
            .status
    };
    assert_eq!((works(&old), works(&new)), (200, 200));
    harness.pass(3_600);
    assert_eq!((works(&old), works(&new)), (401, 200));
    let at_once = harness
        .post(&operator, &rotate, &json!({ "overlap_hours": 0 }))
        .expect(200)
        .body;
    assert_eq!(works(&new), 401);
    assert_eq!(works(&shown(&at_once).0), 200);
}

#[test]
fn a_revoked_key_is_refused_from_the_next_request_on() {
    let harness = Harness::start();
    let operator = harness.operator();
    let (key, path) = shown(&harness.post(&operator, KEYS, &order()).expect(200).body);
    let revoked = harness.delete(&operator, &path).expect(200).body;
    fits("revoke_key", &revoked);
    assert!(revoked["revoked_at"].is_string());
    let refused = harness
        .post(
            &key,
            "/api/v2/containers/quay/recall",
            &json!({ "query": "?" }),
        )
        .expect(401);
    assert_eq!(refused.code(), "credential_revoked");
    let gone = "/api/v1/admin/keys/key_00000000000000000000000000000000";
    for path in [path.as_str(), gone, "/api/v1/admin/keys/nothing"] {
        assert_eq!(
            harness.delete(&operator, path).expect(404).code(),
            "key_not_found"
        );
        let rotate = format!("{path}/rotate");
        assert_eq!(
            harness
                .post(&operator, &rotate, &json!({}))
                .expect(404)
                .code(),
            "key_not_found"
        );
    }
}

#[test]
fn writing_and_reading_are_both_uses_of_a_key() {
    let harness = Harness::start();
    let operator = harness.operator();
    let body = json!({ "containers": ["workspace"] });
    let made = harness.post(&operator, KEYS, &body).expect(200).body;
    let (key, path) = shown(&made);
    let last = || {
        let held = harness.get(&operator, &path).expect(200).body;
        held["last_used_at"].as_str().map(str::to_owned)
    };
    assert_eq!(last(), None);
    harness.retain(&key, &fact()).expect(200);
    let written = last();
    assert!(written.is_some());
    harness.pass(60);
    harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
    let read = last();
    assert!(read > written, "{read:?}");
    harness.pass(60);
    let other = json!({ "content": "The pier of Harborlight has nine lamps." });
    harness.retain(&key, &other).expect(200);
    assert!(last() > read);
}
