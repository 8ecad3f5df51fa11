//! The order of checks: host and route, credential, container and capability, size and kind, JSON, fields, use case.

use serde_json::json;
use testimony_domain::{Capabilities, Capability, ContainerGrant, PrincipalKind, Timestamp};
use testimony_service::access::Credential;
use testimony_service::ports::ledger::audit::Actor;

use crate::support::{Harness, Sent, fact};

const RETAIN: &str = "/api/v2/containers/workspace/retain";

/// A request that is wrong in every way that comes after the credential.
fn hopeless(path: &str) -> Sent {
    let deep = "[".repeat(2 << 20);
    Sent::post(path).body("text/plain", deep.as_bytes())
}

#[test]
fn each_check_comes_before_the_next() {
    let harness = Harness::start();
    let key = harness.agent();
    let reader = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::Recall]);
    });
    let cases = [
        (
            hopeless(RETAIN).header("Host", "evil.test"),
            421,
            "host_not_served",
        ),
        (
            // Of two hosts it is not known which a proxy in front looked at.
            hopeless(RETAIN).header("X-More", "1\r\nHost: localhost"),
            421,
            "host_not_served",
        ),
        (
            hopeless("/api/v2/containers/workspace/nothing"),
            404,
            "route_not_found",
        ),
        (hopeless(RETAIN), 401, "credential_missing"),
        (
            hopeless("/api/v2/containers/elsewhere/retain").key(&key),
            403,
            "container_not_reached",
        ),
        (
            hopeless("/api/v2/containers/No%20Tag/retain").key(&key),
            403,
            "container_not_reached",
        ),
        (hopeless(RETAIN).key(&reader), 403, "capability_missing"),
        (hopeless(RETAIN).key(&key), 413, "body_too_large"),
        (
            Sent::post(RETAIN).key(&key).body("text/plain", b"{"),
            415,
            "unsupported_media_type",
        ),
        (Sent::post(RETAIN).key(&key), 415, "unsupported_media_type"),
        (
            Sent::post(RETAIN).key(&key).body("application/json", b"{"),
            422,
            "invalid_json",
        ),
        (
            Sent::post(RETAIN).key(&key).body("application/json", b""),
            422,
            "invalid_json",
        ),
        (
            Sent::post(RETAIN).key(&key).body("application/json", b"[]"),
            422,
            "invalid_json",
        ),
        (
            Sent::post(RETAIN).key(&key).body(
                "application/json",
                br#"{"content":"Mara has a cat.","content":"Mara has a dog."}"#,
            ),
            422,
            "invalid_json",
        ),
        (
            Sent::post(RETAIN).key(&key).json(&json!({})),
            422,
            "invalid_request",
        ),
    ];
    for (sent, status, code) in cases {
        let answer = harness.send(&sent);
        assert_eq!(
            (answer.status, answer.code()),
            (status, code),
            "{:#}",
            answer.body
        );
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(answer.body["status"], status);
        assert_eq!(
            answer.body["request_id"].as_str(),
            answer.header("x-request-id")
        );
    }
}

#[test]
fn every_way_of_not_being_known_is_401_and_says_which() {
    let harness = Harness::start();
    let key = harness.agent();
    let revoked = harness.agent();
    let id = Credential::read(&revoked).unwrap().key();
    harness.service.revoke_key(Actor::Service, id).unwrap();
    let expired = harness.key(|order| {
        order.expires_at = Some(Timestamp::constant(1_790_000_000, 0));
    });
    let unknown = {
        let elsewhere = Harness::start();
        elsewhere.agent();
        elsewhere.agent();
        elsewhere.agent();
        elsewhere.agent()
    };
    for (value, code) in [
        (None, "credential_missing"),
        (Some(String::new()), "credential_malformed"),
        (Some("Basic abc".to_owned()), "credential_malformed"),
        (Some("Bearer nonsense".to_owned()), "credential_malformed"),
        (Some(format!("Bearer {key}x")), "credential_malformed"),
        (Some(format!("Bearer {unknown}")), "credential_unknown"),
        (Some(format!("Bearer {revoked}")), "credential_revoked"),
        (Some(format!("Bearer {expired}")), "credential_expired"),
    ] {
        let sent = Sent::post(RETAIN).json(&fact());
        let sent = match &value {
            Some(value) => sent.header("Authorization", value),
            None => sent,
        };
        let answer = harness.send(&sent);
        assert_eq!((answer.status, answer.code()), (401, code), "{value:?}");
        let how = match value {
            None => "Bearer",
            Some(_) => "Bearer error=\"invalid_token\"",
        };
        assert_eq!(answer.header("www-authenticate"), Some(how), "{value:?}");
        // The gateway says the same in its own envelope.
        let models = Sent::new("GET", "/v1/models");
        let models = match &value {
            Some(value) => models.header("Authorization", value),
            None => models,
        };
        let answer = harness.send(&models);
        assert_eq!((answer.status, answer.code()), (401, code), "{value:?}");
        assert_eq!(answer.header("www-authenticate"), Some(how), "{value:?}");
    }
    let sent = Sent::post(RETAIN).json(&fact());
    let sent = sent.header("Authorization", &format!("bearer  {key}"));
    harness.send(&sent).expect(200);
}

#[test]
fn a_container_that_is_not_there_is_told_only_to_whom_it_would_belong() {
    let harness = Harness::start();
    let operator = harness.key(|order| {
        order.kind = PrincipalKind::Operator;
        order.containers = ContainerGrant::All;
        order.capabilities = Capabilities::of([Capability::Admin]);
    });
    let nowhere = "/api/v2/containers/nowhere/recall";
    let question = json!({ "query": "where?" });
    let gone = harness.post(&operator, nowhere, &question).expect(404);
    assert_eq!(gone.code(), "container_not_found");
    let no_tag = "/api/v2/containers/No%20Tag/recall";
    harness.post(&operator, no_tag, &question).expect(404);
    harness
        .post(&harness.agent(), nowhere, &question)
        .expect(403);
}

#[test]
fn other_methods_are_named() {
    let harness = Harness::start();
    let refused = harness.send(&Sent::new("GET", RETAIN)).expect(405);
    assert_eq!(refused.header("allow"), Some("POST, OPTIONS"));
    let options = harness.send(&Sent::new("OPTIONS", RETAIN)).expect(204);
    assert_eq!(options.header("allow"), Some("POST, OPTIONS"));
    let head = harness.raw(&Sent::new("HEAD", "/healthz").bytes());
    let head = String::from_utf8(head).unwrap();
    assert!(
        head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    assert!(head.contains("content-length: 15"), "{head}");
}

#[test]
fn a_request_keeps_the_id_it_came_with() {
    let harness = Harness::start();
    let named = Sent::new("GET", "/nothing").header("X-Request-Id", "trace-7");
    let answer = harness.send(&named).expect(404);
    assert_eq!(answer.header("x-request-id"), Some("trace-7"));
    assert_eq!(answer.body["request_id"], "trace-7");
    let strange = Sent::new("GET", "/healthz").header("X-Request-Id", "a b");
    let answer = harness.send(&strange).expect(200);
    assert!(answer.header("x-request-id").unwrap().starts_with("req_"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}
