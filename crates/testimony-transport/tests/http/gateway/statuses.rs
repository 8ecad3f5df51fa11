//! Every status of the gateway, in the words of OpenAI.

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability};
use testimony_transport::http::Limits;
use testimony_transport::routes::gateway::Failure;

use super::scripted::{
    Before, CHAT, Line, RESPONSES, ask, ask_with_memory, completion, gone, good, not_reached,
};
use crate::support::{Answer, Harness, QUESTION, Sent, fact, limits};

/// A body that both routes take.
fn body() -> Value {
    let mut body = ask_with_memory(QUESTION, &json!({}));
    body["input"] = json!(QUESTION);
    body
}

fn code(answer: &Answer) -> &str {
    let error = &answer.body["error"];
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{error}"
    );
    assert!(error["type"].is_string(), "{error}");
    assert_eq!(answer.header("content-type"), Some("application/json"));
    error["code"].as_str().unwrap()
}

#[test]
fn every_route_of_the_gateway_answers_and_refuses_alike() {
    let before = Before::model(good(&completion()));
    let harness = &before.harness;
    let (key, operator) = (before.key(), harness.operator());
    let powerless = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::Recall]);
    });
    let large = vec![b' '; (1 << 20) + 1];
    let told = |memory: Value| {
        let mut body = body();
        body["memory"] = memory;
        body
    };
    harness.retain(&key, &fact()).expect(200);
    for path in [CHAT, RESPONSES] {
        let sent = |key: &str| Sent::post(path).key(key).json(&body());
        for (request, status, expected) in [
            (Sent::post(path).json(&body()), 401, "credential_missing"),
            (sent("tst_nonsense"), 401, "credential_malformed"),
            (sent(&powerless), 403, "capability_missing"),
            (
                sent(&key).json(&told(json!({ "container_tag": "elsewhere" }))),
                403,
                "container_not_reached",
            ),
            (
                sent(&operator).json(&told(json!({ "container_tag": "nowhere" }))),
                404,
                "container_not_found",
            ),
            (
                sent(&key).body("application/json", &large),
                413,
                "body_too_large",
            ),
            (
                sent(&key).body("text/plain", b"{}"),
                415,
                "unsupported_media_type",
            ),
            (
                sent(&key).header("Host", "evil.test"),
                421,
                "host_not_served",
            ),
            (sent(&key).json(&json!([])), 422, "invalid_json"),
            (
                sent(&key).json(&json!({ "model": "house/small" })),
                422,
                "invalid_request",
            ),
            (sent(&key).json(&told(json!("yes"))), 422, "invalid_request"),
            (
                sent(&operator).json(&told(json!({}))),
                422,
                "invalid_request",
            ),
            (Sent::new("GET", path).key(&key), 405, "method_not_allowed"),
        ] {
            let answer = harness.send(&request);
            assert_eq!(answer.status, status, "{path}: {:#}", answer.body);
            assert_eq!(code(&answer), expected);
        }
        harness.send(&sent(&key)).expect(200);
        harness.clock.broken.store(true, Ordering::SeqCst);
        assert_eq!(code(&harness.send(&sent(&key)).expect(500)), "internal");
        harness.clock.broken.store(false, Ordering::SeqCst);
    }
    let unknown = Sent::post("/v1/embeddings").key(&key).json(&json!({}));
    assert_eq!(code(&harness.send(&unknown).expect(404)), "route_not_found");
}

#[test]
fn what_is_wrong_is_named_as_clients_of_openai_read_it() {
    let before = Before::model(good(&completion()));
    let key = before.key();
    let wrong = ask_with_memory(QUESTION, &json!({ "trust_policy": "blind" }));
    let refused = before.chat(&key, &wrong).expect(422);
    assert_eq!(refused.body["error"]["param"], "memory.trust_policy");
    assert_eq!(refused.body["error"]["type"], "invalid_request_error");
    assert!(refused.header("x-request-id").is_some());
    let wrong = json!({ "messages": [], "stream": "yes", "memory": { "trust_policy": "blind" } });
    let refused = before.chat(&key, &wrong).expect(422);
    let said = refused.body["error"]["message"].as_str().unwrap();
    assert!(said.starts_with("4 values are wrong. "), "{said}");
    for part in [
        "`model`: It is required; send a text",
        "`messages`: It is empty; send at least one message.",
        "`stream`: It has the wrong type; send",
        "`memory.trust_policy`: ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("errors"), "{said}");
    let nobodys =
        json!({ "model": "house/small", "messages": [{ "role": "user" }, { "content": "hi" }] });
    let refused = before.chat(&key, &nobodys).expect(422);
    assert_eq!(refused.body["error"]["param"], "messages.1.role");
    let twice = "{\"model\":\"house/small\",\"messages\":[{\"role\":\"user\"}],\"memory\":{},\"memory\":{}}";
    let twice = Sent::post(CHAT)
        .key(&key)
        .body("application/json", twice.as_bytes());
    let refused = before.harness.send(&twice).expect(422);
    assert_eq!(refused.body["error"]["param"], "memory");
    assert_eq!(before.asked().len(), 0);
}

#[test]
fn what_a_model_refuses_comes_to_what_callers_can_act_on() {
    let own = json!({ "error": { "message": "too many images", "type": "invalid_request_error", "param": "messages", "code": "images" } });
    let line = |status| Line::Json(status, &[("retry-after", "7")], own.to_string());
    for (status, told, expected) in [
        (400, 400, "images"),
        (422, 422, "images"),
        (413, 413, "images"),
        (404, 404, "model_not_found"),
        (429, 429, "upstream_busy"),
        (401, 503, "upstream_unavailable"),
        (500, 503, "upstream_unavailable"),
        (503, 503, "upstream_unavailable"),
    ] {
        let before = Before::model(line(status));
        for path in [CHAT, RESPONSES] {
            let answer = before
                .harness
                .post(&before.key(), path, &body())
                .expect(told);
            assert_eq!(code(&answer), expected);
            if [429, 503].contains(&told) {
                assert_eq!(answer.header("retry-after"), Some("7"));
                assert!(!answer.body.to_string().contains("images"));
            }
        }
    }
    let before = Before::model(Line::Json(400, &[], "<html>".to_owned()));
    let answer = before.chat(&before.key(), &ask("Hi")).expect(400);
    assert_eq!(code(&answer), "upstream_refused");
}

#[test]
fn a_model_that_fails_is_told_with_503_and_one_that_is_busy_with_429() {
    let busy = Failure::Busy {
        detail: "model `house/small` is asked too often at present".to_owned(),
        retry_after: Some(Duration::from_secs(3)),
    };
    for (line, status, retry) in [
        (Line::Fails(gone()), 503, "1"),
        (Line::Fails(not_reached()), 503, "1"),
        (Line::Fails(busy), 429, "3"),
        (Line::Json(200, &[], "{\"choices\": [".to_owned()), 503, "1"),
        (Line::Json(200, &[], "[]".to_owned()), 503, "1"),
        (Line::Json(200, &[], String::new()), 503, "1"),
    ] {
        let before = Before::model(line.clone());
        for path in [CHAT, RESPONSES] {
            let answer = before
                .harness
                .post(&before.key(), path, &body())
                .expect(status);
            assert_eq!(answer.header("retry-after"), Some(retry), "{line:?}");
            assert!(code(&answer).starts_with("upstream_"));
        }
    }
}

#[test]
fn without_a_model_the_gateway_says_so() {
    let harness = Harness::start();
    let key = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::GatewayChat, Capability::AgentContext]);
    });
    for path in [CHAT, RESPONSES] {
        let answer = harness.post(&key, path, &body()).expect(503);
        assert_eq!(code(&answer), "no_upstream");
    }
    let listed = harness.get(&key, "/v1/models").expect(200);
    assert_eq!(listed.body, json!({ "object": "list", "data": [] }));
}

#[test]
fn there_is_an_end_to_how_much_is_passed_on_and_how_long_it_takes() {
    let with = |line: Line, limits: Limits| Before::with(line, limits, Duration::from_secs(60));
    let full = with(
        good(&completion()),
        Limits {
            at_once: 0,
            ..limits()
        },
    );
    let no_room = with(
        good(&completion()),
        Limits {
            relays: 0,
            ..limits()
        },
    );
    let slow = with(
        good(&completion()),
        Limits {
            body_time: Duration::from_millis(20),
            ..limits()
        },
    );
    let endless = with(
        Line::Silence,
        Limits {
            relay_time: Duration::from_millis(40),
            ..limits()
        },
    );
    for path in [CHAT, RESPONSES] {
        for before in [&full, &no_room, &endless] {
            let answer = before
                .harness
                .post(&before.key(), path, &body())
                .expect(429);
            assert_eq!(code(&answer), "overloaded");
        }
        let half = Sent::post(path)
            .key(&slow.key())
            .header("Content-Type", "application/json")
            .header("Content-Length", "10");
        slow.harness.send(&half).expect(408);
    }
    endless.model_sees_somebody_leave();
    full.harness.get(&full.key(), "/v1/models").expect(429);
}

#[test]
fn the_list_of_models_refuses_like_every_other_route() {
    let before = Before::model(good(&completion()));
    let harness = &before.harness;
    let powerless = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::Recall]);
    });
    let get = || Sent::new("GET", "/v1/models");
    for (request, status) in [
        (get().key(&before.key()), 200),
        (get(), 401),
        (get().key(&powerless), 403),
        (get().key(&before.key()).header("Host", "evil.test"), 421),
    ] {
        assert_eq!(harness.send(&request).status, status);
    }
    let key = before.key();
    harness.clock.broken.store(true, Ordering::SeqCst);
    harness.send(&get().key(&key)).expect(500);
    harness.clock.broken.store(false, Ordering::SeqCst);
}

#[test]
fn one_credential_takes_its_share_of_the_answers_that_are_passed_on() {
    let limits = Limits {
        relays: 2,
        ..limits()
    };
    let before = Before::with(Line::Silence, limits, Duration::from_secs(60));
    let keys = [before.key(), before.key()];
    let asking = |key: &str, count: usize| {
        let mut caller = before.harness.connect();
        let sent = Sent::post(CHAT).key(key).json(&ask("Hi"));
        caller.write_all(&sent.bytes()).unwrap();
        while before.asked().len() < count {
            std::thread::yield_now();
        }
        caller
    };
    let first = asking(&keys[0], 1);
    let refused = before.chat(&keys[0], &ask("Hi")).expect(429);
    assert_eq!(refused.code(), "overloaded");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let second = asking(&keys[1], 2);
    drop((first, second));
    before.model_sees_somebody_leave();
    before.model_sees_somebody_leave();
}
