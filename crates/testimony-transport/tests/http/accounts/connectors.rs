//! A connector token is exchanged once, and soon, for a key and what a client needs to connect.

use serde_json::{Value, json};
use testimony_transport::http::Options;

use super::fits;
use crate::support::{Answer, Harness, QUESTION, Sent, fact, limits};

const CONNECTORS: &str = "/api/v1/admin/connectors";

fn make(harness: &Harness, order: &Value) -> Value {
    let made = harness
        .post(&harness.operator(), CONNECTORS, order)
        .expect(200)
        .body;
    fits("make_connector", &made);
    made
}

fn order() -> Value {
    json!({ "containers": ["harbour"], "name": "an editor", "agent_id": "editor", "requests_per_minute": 100 })
}

fn exchange(harness: &Harness, token: &str, client: &str) -> Answer {
    let path = format!("/mcp/connect/{token}");
    harness.send(&Sent::post(&path).json(&json!({ "client": client })))
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap()
}

#[test]
fn a_token_becomes_a_key_and_a_configuration() {
    let harness = Harness::of(Options {
        limits: limits(),
        public_url: Some("https://memory.example.com/".to_owned()),
        ..Options::default()
    });
    let made = make(&harness, &order());
    let got = exchange(&harness, text(&made, "token"), "Claude Code")
        .expect(200)
        .body;
    fits("exchange_connector", &got);
    assert_eq!(got["client"], "claude_code");
    assert_eq!(got["container_tag"], "harbour");
    assert_eq!(got["mcp"]["url"], "https://memory.example.com/mcp");
    let key = text(&got, "key");
    assert!(key.starts_with("tst_connector_"), "{key}");
    for place in [
        &got["mcp"]["headers"]["Authorization"],
        &got["configuration"]["text"],
        &got["configuration"]["command"],
    ] {
        assert!(
            place.as_str().unwrap().contains(&format!("Bearer {key}")),
            "{place}"
        );
    }
    let retained = harness
        .post(key, "/api/v2/containers/harbour/retain", &fact())
        .expect(200);
    assert_eq!(retained.header("ratelimit-limit"), Some("100"));
    assert_eq!(
        retained.body["memories"][0]["source_class"],
        "agent_observation"
    );
    harness
        .post(
            key,
            "/api/v2/containers/workspace/recall",
            &json!({ "query": QUESTION }),
        )
        .expect(403);
    harness.get(key, CONNECTORS).expect(403);
    let record = harness
        .get(
            &harness.operator(),
            &format!("/api/v1/admin/keys/{}", text(&got, "id")),
        )
        .expect(200)
        .body;
    assert_eq!(
        (&record["kind"], &record["agent_id"]),
        (&json!("connector"), &json!("editor"))
    );
    assert_eq!(record["id"], made["record"]["becomes"]["id"]);
}

#[test]
fn unknown_used_withdrawn_and_ended_are_one_answer() {
    let harness = Harness::start();
    let [used, withdrawn, ended] = [(), (), ()].map(|()| make(&harness, &order()));
    exchange(&harness, text(&used, "token"), "cursor").expect(200);
    let operator = harness.operator();
    let path = format!("{CONNECTORS}/{}", text(&withdrawn, "id"));
    let gone = harness.delete(&operator, &path).expect(200).body;
    fits("withdraw_connector", &gone);
    assert_eq!(gone["state"], "withdrawn");
    harness.pass(600);
    let told = |token: &str| {
        let mut answer = exchange(&harness, token, "cursor").expect(404).body;
        answer.as_object_mut().unwrap().remove("request_id");
        answer
    };
    let unknown = told("tsc_unknown");
    assert_eq!(unknown["code"], "connector_not_found");
    for made in [&used, &withdrawn, &ended] {
        assert_eq!(told(text(made, "token")), unknown);
    }
    let list = harness.get(&operator, CONNECTORS).expect(200).body;
    fits("list_connectors", &list);
    let states: Vec<&str> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| text(it, "state"))
        .collect();
    assert_eq!(states, ["used", "withdrawn", "ended"]);
    assert!(!list.to_string().contains("tsc_"));
    let missing = format!("{CONNECTORS}/con_00000000000000000000000000000000");
    for path in [&path, &missing, &format!("{CONNECTORS}/none")] {
        assert_eq!(
            harness.delete(&operator, path).expect(404).code(),
            "connector_not_found"
        );
    }
}

#[test]
fn a_body_that_is_wrong_does_not_use_the_token_up() {
    let harness = Harness::start();
    let made = make(&harness, &order());
    let path = text(&made, "path").to_owned();
    for wrong in [
        json!({}),
        json!({ "client": null }),
        json!({ "client": 7 }),
        json!({ "client": " " }),
        json!({ "client": "x".repeat(129) }),
    ] {
        let wrong = harness.send(&Sent::post(&path).json(&wrong)).expect(422);
        assert_eq!(wrong.pointers(), ["/client"]);
    }
    harness
        .send(&Sent::post(&path).body("application/json", b"["))
        .expect(422);
    harness
        .send(&Sent::post(&path).body("text/plain", b"{}"))
        .expect(415);
    let long = json!({ "client": "x".repeat(20_000) });
    harness.send(&Sent::post(&path).json(&long)).expect(413);
    // A key beside it changes nothing, and neither does a client that nobody knows.
    let unknown = Sent::post(&path)
        .key("tst_agent_x")
        .json(&json!({ "client": "an unknown one" }));
    assert_eq!(harness.send(&unknown).expect(200).body["client"], "other");
}

#[test]
fn a_token_alone_opens_nothing_and_its_key_is_none_before() {
    let harness = Harness::start();
    let made = make(&harness, &order());
    let refused = harness
        .recall(text(&made, "token"), &json!({ "query": QUESTION }))
        .expect(401);
    assert_eq!(refused.code(), "credential_malformed");
    let key = format!(
        "/api/v1/admin/keys/{}",
        text(&made["record"]["becomes"], "id")
    );
    harness.get(&harness.operator(), &key).expect(404);
}

#[test]
fn of_many_who_exchange_at_once_one_gets_the_key() {
    let harness = Harness::start();
    let token = text(&make(&harness, &order()), "token").to_owned();
    let harness = &harness;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| exchange(harness, &token, "cursor").status))
            .collect();
        tries.into_iter().map(|each| each.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 404)),
        "{statuses:?}"
    );
}

#[test]
fn what_is_ordered_is_checked_like_a_key() {
    let harness = Harness::start();
    let wrong = json!({ "containers": [], "capabilities": ["admin"], "minutes": 61 });
    let answer = harness
        .post(&harness.operator(), CONNECTORS, &wrong)
        .expect(422);
    assert_eq!(
        answer.pointers(),
        ["/capabilities/0", "/containers", "/minutes"]
    );
}
