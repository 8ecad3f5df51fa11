//! Erasure over HTTP: what would go, what went, and that no kept answer names it any more.

use serde_json::{Value, json};

use crate::support::{Answer, Harness, QUESTION, fact};

const ERASURES: &str = "/api/v1/admin/erasures";

fn erase(harness: &Harness, key: &str, body: &Value) -> Answer {
    harness.ask(key, "erase", ERASURES, body)
}

#[test]
fn what_would_go_is_told_first_and_what_went_leaves_every_place() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    let mut first = fact();
    first["request_id"] = json!("turn-1");
    let known = harness.retain(&person, &first).expect(200).body["memories"][0]["id"].clone();
    let mut again = fact();
    again["request_id"] = json!("turn-2");
    let skipped = harness.retain(&person, &again).expect(200).body;
    assert_eq!(skipped["skipped"][0]["existing_id"], known);
    harness
        .recall(&person, &json!({ "query": QUESTION }))
        .expect(200);

    let target = json!({ "target": { "memory": known } });
    let told = erase(&harness, &operator, &target).expect(200).body;
    assert_eq!(
        (&told["dry_run"], &told["erasure_seq"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(told["memory_ids"], json!([known]));
    harness
        .recall(&person, &json!({ "query": QUESTION }))
        .expect(200);
    let carried = json!({ "target": { "memory": known }, "dry_run": false, "reason": "data_subject_request" });
    let took = erase(&harness, &operator, &carried).expect(200).body;
    let places: Vec<&str> = took["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["place"].as_str().unwrap())
        .collect();
    for place in [
        "ledger.memories",
        "ledger.evidence",
        "ledger.receipts",
        "ledger.read_rows",
        "ledger.handed_out",
        "index",
        "free_pages",
    ] {
        assert!(places.contains(&place), "{place}: {places:?}");
    }
    let found = harness
        .recall(&person, &json!({ "query": QUESTION }))
        .expect(200);
    assert!(!found.body.to_string().contains("port 6543"));
    let id = known.as_str().unwrap();
    for write in [&first, &again] {
        let replayed = harness.retain(&person, write).expect(200).body;
        assert_eq!(replayed["idempotency_status"], "replayed");
        assert!(!replayed.to_string().contains(id), "{replayed:#}");
        assert!(!replayed.to_string().contains("port 6543"));
    }
    let path = format!("/api/v1/admin/memories/{id}");
    let gone = harness
        .ask(&operator, "memory", &path, &Value::Null)
        .expect(200)
        .body;
    assert_eq!(
        (&gone["memory"]["state"], &gone["memory"]["content"]),
        (&json!("erased"), &json!(""))
    );
    let listed = harness
        .ask(&operator, "erasures", ERASURES, &Value::Null)
        .expect(200)
        .body;
    let done = &listed["items"][0];
    assert_eq!(
        (&done["seq"], &done["reason"]),
        (&took["erasure_seq"], &json!("data_subject_request"))
    );
    assert!(done["by"].as_str().unwrap().starts_with("key_"));
    let nothing = erase(&harness, &operator, &carried).expect(200).body;
    assert_eq!(
        (&nothing["erasure_seq"], &nothing["places"]),
        (&Value::Null, &json!([]))
    );
}

#[test]
fn everything_of_a_person_an_agent_a_source_or_a_fact_goes_and_nothing_else() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    let keep = |body: Value| harness.retain(&person, &body).expect(200).body["memories"][0].clone();
    keep(json!({ "content": "Ana prefers green tea.", "user_id": "ana" }));
    keep(json!({ "content": "Bo prefers black coffee.", "user_id": "bo" }));
    keep(json!({ "content": "The crane of pier 2 is blue.", "source": "log" }));
    let port = keep(fact());
    let left = |expected: usize| {
        let path = "/api/v1/admin/containers/workspace/memories?state=active";
        let rows = harness
            .ask(&operator, "memories", path, &Value::Null)
            .expect(200)
            .body;
        assert_eq!(
            rows["items"].as_array().unwrap().len(),
            expected,
            "{rows:#}"
        );
    };
    let mut expected = 4;
    for target in [
        json!({ "container": "workspace", "user": "ana" }),
        json!({ "container": "workspace", "source": "log" }),
        json!({ "fact": port["fact_id"] }),
        json!({ "container": "workspace", "agent": "helper" }),
    ] {
        left(expected);
        let took = erase(
            &harness,
            &operator,
            &json!({ "target": target, "dry_run": false }),
        );
        assert_eq!(
            took.expect(200).body["memory_ids"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        expected -= 1;
    }
    left(0);
    let all = json!({ "target": { "container": "workspace" }, "dry_run": false });
    erase(&harness, &operator, &all).expect(200);
}

#[test]
fn of_several_things_it_is_never_guessed_which_and_nothing_missing_is_erased() {
    let harness = Harness::start();
    harness.agent();
    let operator = harness.operator();
    let memory = "mem_00000000000070008000000000000000";
    for (body, pointer) in [
        (json!({}), "/target"),
        (json!({ "target": {} }), "/target"),
        (json!({ "target": { "user": "ana" } }), "/target"),
        (
            json!({ "target": { "memory": memory, "container": "workspace" } }),
            "/target",
        ),
        (json!({ "target": { "memory": "x" } }), "/target/memory"),
        (
            json!({ "target": { "memory": memory }, "reason": "because I say so" }),
            "/reason",
        ),
    ] {
        let wrong = erase(&harness, &operator, &body).expect(422);
        assert_eq!(wrong.pointers(), [pointer], "{body}");
    }
    for (target, code) in [
        (json!({ "memory": memory }), "memory_not_found"),
        (
            json!({ "fact": "fact_00000000000070008000000000000000" }),
            "fact_not_found",
        ),
        (json!({ "container": "nowhere" }), "container_not_found"),
    ] {
        for dry_run in [true, false] {
            let body = json!({ "target": target, "dry_run": dry_run });
            assert_eq!(erase(&harness, &operator, &body).expect(404).code(), code);
        }
    }
}
