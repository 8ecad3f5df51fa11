//! Every status that a public route is described to answer, on every route that is described to.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability};
use testimony_service::ports::ledger::LedgerError;
use testimony_transport::http::Limits;
use testimony_transport::routes::{Audience, Route, all};

use crate::support::{Harness, QUESTION, Sent, fact, limits};

/// The routes of a container that are public.
fn routes() -> impl Iterator<Item = &'static Route> {
    let public = all().filter(|route| route.audience == Audience::Public);
    public.filter(|route| route.body.is_some() && route.pattern.contains("{container_tag}"))
}

/// A body that each of them takes; what one of them does not know, it ignores.
fn body() -> Value {
    json!({ "content": fact()["content"], "query": QUESTION, "user_message": QUESTION, "save_memory": true })
}

fn path(route: &Route) -> String {
    route.pattern.replace("{container_tag}", "workspace")
}

fn sent(route: &Route, key: &str) -> Sent {
    Sent::post(&path(route)).key(key).json(&body())
}

#[test]
fn every_route_of_a_container_answers_and_refuses_alike() {
    let harness = Harness::start();
    let (key, operator) = (harness.agent(), harness.operator());
    let powerless = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::CourtroomRead]);
    });
    for route in routes() {
        let elsewhere = |tag: &str| Sent::post(&route.pattern.replace("{container_tag}", tag));
        let large = vec![b' '; (1 << 20) + 1];
        for (request, status) in [
            (sent(route, &key), 200),
            (Sent::post(&path(route)).json(&body()), 401),
            (sent(route, &powerless), 403),
            (elsewhere("elsewhere").key(&key).json(&body()), 403),
            (elsewhere("nowhere").key(&operator).json(&body()), 404),
            (sent(route, &key).body("application/json", &large), 413),
            (sent(route, &key).body("text/plain", b"{}"), 415),
            (sent(route, &key).header("Host", "evil.test"), 421),
            (sent(route, &key).json(&json!([])), 422),
        ] {
            let answer = harness.send(&request);
            assert_eq!(answer.status, status, "{}: {:#}", route.name, answer.body);
        }
    }
}

#[test]
fn every_route_of_a_container_says_when_there_is_too_much_to_do_or_nothing_comes() {
    let full = Harness::with(Limits {
        at_once: 0,
        ..limits()
    });
    let slow = Harness::with(Limits {
        body_time: Duration::from_millis(20),
        ..limits()
    });
    let (of_full, of_slow) = (full.agent(), slow.agent());
    for route in routes() {
        full.send(&sent(route, &of_full)).expect(429);
        let half = Sent::post(&path(route))
            .key(&of_slow)
            .header("Content-Type", "application/json")
            .header("Content-Length", "10");
        slow.send(&half).expect(408);
    }
}

#[test]
fn every_route_of_a_container_fails_without_a_word_of_what_is_inside() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    harness.clock.broken.store(true, Ordering::SeqCst);
    for route in routes() {
        let answer = harness.send(&sent(route, &key)).expect(500);
        assert_eq!(answer.code(), "internal", "{}", route.name);
    }
    harness.clock.broken.store(false, Ordering::SeqCst);
    *harness.excuse.lock().unwrap() = Some(|| LedgerError::Full);
    for route in routes().filter(|route| route.statuses.contains(&507)) {
        let answer = harness.send(&sent(route, &key)).expect(507);
        assert_eq!(answer.code(), "storage_full", "{}", route.name);
    }
}

#[test]
fn every_write_insists_on_the_body_of_its_idempotency_key() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    for route in routes().filter(|route| route.statuses.contains(&409)) {
        let named = |request: Sent| request.header("Idempotency-Key", "write-1");
        harness.send(&named(sent(route, &key))).expect(200);
        let mut other = body();
        other["metadata"] = json!({ "page": 2 });
        let refused = harness
            .send(&named(sent(route, &key).json(&other)))
            .expect(409);
        assert_eq!(refused.code(), "idempotency_key_reused", "{}", route.name);
    }
}

#[test]
fn a_connector_token_is_refused_like_any_other_request() {
    const PATH: &str = "/mcp/connect/nothing";
    let sent = || Sent::post(PATH).json(&json!({ "client": "other" }));
    let harness = Harness::start();
    let foreign = sent().header("Host", "evil.test");
    harness.send(&foreign).expect(421);
    let large = vec![b' '; (1 << 20) + 1];
    let text = Sent::post(PATH).body("text/plain", b"{}");
    harness.send(&text).expect(415);
    let long = Sent::post(PATH).body("application/json", &large);
    harness.send(&long).expect(413);
    let order = json!({ "containers": ["workspace"] });
    let made = harness.post(&harness.operator(), "/api/v1/admin/connectors", &order);
    let path = made.expect(200).body["path"].as_str().unwrap().to_owned();
    let exchange = Sent::post(&path).json(&json!({ "client": "other" }));
    *harness.excuse.lock().unwrap() = Some(|| LedgerError::Full);
    harness.send(&exchange).expect(507);
    *harness.excuse.lock().unwrap() = None;
    harness.clock.broken.store(true, Ordering::SeqCst);
    harness.send(&exchange).expect(500);
    let full = Harness::with(Limits {
        at_once: 0,
        ..limits()
    });
    full.send(&sent()).expect(429);
    let slow = Harness::with(Limits {
        body_time: Duration::from_millis(20),
        ..limits()
    });
    let half = Sent::post(PATH)
        .header("Content-Type", "application/json")
        .header("Content-Length", "10");
    slow.send(&half).expect(408);
}

#[test]
fn a_case_report_refuses_like_every_other_route() {
    let harness = Harness::start();
    let key = harness.agent();
    let id = harness.retain(&key, &fact()).expect(200).body["memories"][0]["id"].clone();
    let powerless = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::Recall]);
    });
    let full = Harness::with(Limits {
        at_once: 0,
        ..limits()
    });
    for path in ["/api/v1/memories", "/v1/memories"] {
        let path = format!("{path}/{}/courtroom", id.as_str().unwrap());
        let get = |path: &str| Sent::new("GET", path);
        for (request, status) in [
            (get(&path).key(&key), 200),
            (get(&path), 401),
            (get(&path).key(&powerless), 403),
            (get(&path.replace("mem_", "mem_x")).key(&key), 404),
            (get(&path).key(&key).header("Host", "evil.test"), 421),
            (get(&format!("{path}?include_ai=maybe")).key(&key), 422),
        ] {
            let answer = harness.send(&request);
            assert_eq!(answer.status, status, "{:#}", answer.body);
        }
        full.get(&full.agent(), &path).expect(429);
        harness.clock.broken.store(true, Ordering::SeqCst);
        harness.get(&key, &path).expect(500);
        harness.clock.broken.store(false, Ordering::SeqCst);
    }
}

#[test]
fn what_was_read_while_nothing_could_be_written_is_written_down_afterwards() {
    let harness = Harness::start();
    let (agent, operator) = (harness.agent(), harness.operator());
    harness.retain(&agent, &fact()).expect(200);
    let reads = "/api/v1/admin/containers/workspace/reads";
    let before = harness.get(&operator, reads).expect(200).body;
    let journal = |harness: &Harness| harness.service.journal_health().as_str();
    *harness.excuse.lock().unwrap() = Some(|| LedgerError::Full);
    harness
        .recall(&agent, &json!({ "query": QUESTION }))
        .expect(200);
    // Whoever looks at the reads has the journal written first, as far as it can be.
    harness.get(&operator, reads).expect(200);
    assert_eq!(journal(&harness), "degraded");
    *harness.excuse.lock().unwrap() = None;
    let after = harness.get(&operator, reads).expect(200).body;
    assert_eq!(journal(&harness), "healthy");
    let count = |reads: &Value| reads["items"].as_array().unwrap().len();
    assert_eq!(count(&after), count(&before) + 1);
}
