//! Writes that come twice, and writes that say otherwise than what is known.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::support::{Harness, QUESTION, Sent, fact};
use testimony_domain::SourceClass;

const RETAIN: &str = "/api/v2/containers/workspace/retain";

fn with_id(id: &str) -> Value {
    let mut body = fact();
    body["request_id"] = json!(id);
    body
}

#[test]
fn the_same_write_twice_is_carried_out_once_and_answered_alike() {
    let harness = Harness::start();
    let key = harness.agent();
    let mut first = harness.retain(&key, &with_id("turn-1")).expect(200).body;
    assert_eq!(first["idempotency_status"], "request_id_recorded");
    assert_eq!(first["client_retry_safe"], true);
    // The order of the fields and the blanks between them say nothing.
    let respelled = format!(
        "{{ \"request_id\": \"turn-1\",\n \"content\": {} }}",
        fact()["content"]
    );
    let again = Sent::post(RETAIN)
        .key(&key)
        .body("application/json", respelled.as_bytes());
    let again = harness.send(&again).expect(200).body;
    assert_eq!(again["idempotency_status"], "replayed");
    first["idempotency_status"] = json!("replayed");
    assert_eq!(again, first);

    let other = json!({ "content": "Harborlight is hosted in Bergen.", "request_id": "turn-1" });
    let reused = harness.retain(&key, &other).expect(200).body;
    assert_eq!(reused["idempotency_status"], "request_id_reused");
    assert_eq!(reused["client_retry_safe"], false);
    assert_eq!(reused["saved"], 1);
    let turn = json!({ "request_id": "turn-1" });
    let elsewhere = harness.writeback(&key, &turn).expect(200).body;
    assert_eq!(elsewhere["idempotency_status"], "request_id_recorded");
}

#[test]
fn an_idempotency_key_insists_on_the_same_body() {
    let harness = Harness::start();
    let key = harness.agent();
    let send = |body: &Value, name: &str| {
        let sent = Sent::post(RETAIN).key(&key).json(body);
        harness.send(&sent.header("Idempotency-Key", name))
    };
    send(&fact(), "k-1").expect(200);
    let again = send(&fact(), "k-1").expect(200);
    assert_eq!(again.body["idempotency_status"], "replayed");
    let other = json!({ "content": "Harborlight is hosted in Bergen." });
    let refused = send(&other, "k-1").expect(409);
    assert_eq!(refused.code(), "idempotency_key_reused");
    send(&other, &"k".repeat(257)).expect(422);
}

#[test]
fn many_at_once_make_one_row() {
    let harness = Harness::start();
    let key = harness.agent();
    let statuses: Vec<Value> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| harness.retain(&key, &with_id("turn-2")).expect(200).body))
            .collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let ids: Vec<&Value> = statuses
        .iter()
        .map(|body| &body["committed_memory_ids"])
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let first = |body: &&Value| body["idempotency_status"] == "request_id_recorded";
    assert_eq!(statuses.iter().filter(first).count(), 1);
}

#[test]
fn what_was_read_before_the_ledger_was_waited_for_is_met_as_it_is_then() {
    let harness = Harness::start();
    let (key, operator) = (harness.agent(), harness.operator());
    let known = harness.retain(&key, &fact()).expect(200).body;
    // Met as it was read: nobody changed it.
    let again = harness.retain(&key, &fact()).expect(200).body;
    let id = known["memories"][0]["id"].as_str().unwrap();
    assert_eq!(again["skipped"][0]["existing_id"], id);
    let taken_back = Sent::post(&format!("/api/v1/admin/memories/{id}/retract"))
        .key(&operator)
        .json(&json!({ "reason": "it is shut down" }))
        .bytes();
    let address = harness.address;
    *harness.meanwhile.lock().unwrap() = Some(Box::new(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(&taken_back).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }));
    let anew = harness.retain(&key, &fact()).expect(200).body;
    assert_eq!(anew["saved"], 1, "{anew}");
    assert_ne!(anew["memories"][0]["id"], known["memories"][0]["id"]);
}

#[test]
fn a_row_is_answered_as_it_will_be_read_again() {
    let harness = Harness::start();
    let key = harness.agent();
    let mut body = fact();
    body["observed_at"] = json!("2026-02-03T04:05:06.123456789Z");
    let told = harness.retain(&key, &body).expect(200).body["memories"][0].clone();
    let path = format!("/api/v1/admin/memories/{}", told["id"].as_str().unwrap());
    let kept = harness.get(&harness.operator(), &path).expect(200).body;
    assert_eq!(
        told["observed_at"], kept["memory"]["observed_at"],
        "{told} {kept}"
    );
}

#[test]
fn a_conflict_names_what_was_kept_and_the_remedy() {
    let harness = Harness::start();
    let key = harness.agent();
    let weaker = harness.key(|order| order.class = SourceClass::AgentObservation);
    let known = harness.retain(&key, &fact()).expect(200).body["memories"][0]["id"].clone();
    let otherwise = json!({
        "content": "The staging database of Harborlight runs on port 7001.",
        "request_id": "turn-3",
    });
    let refused = harness.retain(&weaker, &otherwise).expect(409);
    assert_eq!(refused.code(), "conflict");
    let kept = &refused.body["kept"]["conflicts"][0];
    assert_eq!(kept["existing_ids"], json!([known]));
    assert!(kept["memory_id"].as_str().unwrap().starts_with("mem_"));
    assert!(kept["case_id"].as_str().unwrap().starts_with("case_"));
    assert!(
        refused.body["kept"]["evidence_ids"][0]
            .as_str()
            .unwrap()
            .starts_with("evd_")
    );
    assert!(
        refused.body["remedy"]
            .as_str()
            .unwrap()
            .contains("supersedes")
    );
    assert_eq!(refused.body["answer"]["committed"], true);

    let again = harness.retain(&weaker, &otherwise).expect(409);
    assert_eq!(again.body["idempotency_status"], "replayed");
    assert_eq!(again.body["kept"], refused.body["kept"]);

    let batch = json!({ "contents": [
        "The staging database of Harborlight runs on port 8100.",
        "Harborlight is hosted in Bergen.",
    ]});
    let mixed = harness.retain(&weaker, &batch).expect(200).body;
    let error = &mixed["errors"][0];
    assert_eq!(
        (&error["index"], &error["status"]),
        (&json!(0), &json!(409))
    );
    let still = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(still["results"][0]["id"], known, "{still:#}");
}

#[test]
fn a_newer_value_takes_the_place_of_what_it_names() {
    let harness = Harness::start();
    let key = harness.agent();
    let known = harness.retain(&key, &fact()).expect(200).body["memories"][0]["id"].clone();
    let newer = json!({
        "content": "The staging database of Harborlight runs on port 7001.",
        "supersedes": known,
    });
    let answer = harness.retain(&key, &newer).expect(200).body;
    assert_eq!(answer["decisions"][0]["decision"], "supersedes");
    assert_eq!(answer["decisions"][0]["existing_id"], known);
    let now = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
    assert_eq!(
        now.contents("results"),
        [newer["content"].as_str().unwrap()]
    );
    let form = json!({ "content": "x y z", "supersedes": ["mem_1"] });
    assert_eq!(
        harness.retain(&key, &form).expect(422).pointers(),
        ["/supersedes/0"]
    );
}

#[test]
fn an_empty_writeback_is_one_that_brought_nothing() {
    let harness = Harness::start();
    let key = harness.agent();
    let answer = harness.writeback(&key, &json!({})).expect(200).body;
    assert_eq!(answer["retained_memories"], json!([]));
    assert_eq!(answer["committed"], false);
    assert_eq!(answer["enrichment_status"], "not_applicable");
    assert_eq!(answer["stored_visibility_scope"], Value::Null);
}

#[test]
fn what_the_user_said_counts_as_the_users() {
    let harness = Harness::start();
    let key = harness.agent();
    let turn = json!({
        "user_message": "I prefer dark mode, please.",
        "preferences": [{ "content": "User prefers dark mode" }, "The user prefers large print."],
        "user_id": "ana",
    });
    let answer = harness.writeback(&key, &turn).expect(200).body;
    let rows = answer["retained_memories"].as_array().unwrap();
    let states: Vec<_> = rows
        .iter()
        .map(|row| (&row["pointer"], &row["source_class"]))
        .collect();
    assert_eq!(
        states,
        [
            (&json!("/preferences/0"), &json!("user_statement")),
            (&json!("/preferences/1"), &json!("agent_observation")),
        ]
    );
}
