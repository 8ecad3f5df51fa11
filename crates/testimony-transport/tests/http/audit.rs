//! The trail over HTTP: events by filter, the chain held against a head that was kept elsewhere, and what was read.

use serde_json::{Value, json};
use testimony_domain::ContainerGrant;
use testimony_service::access::KeyOrder;

use crate::support::{Harness, QUESTION, fact};

const AUDIT: &str = "/api/v1/admin/audit";

fn ask(harness: &Harness, key: &str, route: &str, path: &str) -> Value {
    let answer = harness.ask(key, route, path, &Value::Null);
    answer.expect(200).body
}

#[test]
fn events_are_found_by_what_they_say_and_hold_no_content() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    let id = harness.retain(&person, &fact()).expect(200).body["memories"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let events = |query: &str| {
        let path = format!("{AUDIT}/events{query}");
        ask(&harness, &operator, "audit_events", &path)["items"]
            .as_array()
            .unwrap()
            .clone()
    };
    let all = events("");
    assert!(!json!(all).to_string().contains("Harborlight"));
    let made = events(&format!("?object={id}&action=memory.made"));
    assert_eq!(made.len(), 1);
    let actor = made[0]["actor"].as_str().unwrap();
    assert_eq!(made[0]["container_tag"], "workspace");
    for (query, expected) in [
        ("?container_tag=elsewhere".to_owned(), 0),
        (format!("?actor={actor}&action=memory.made"), 1),
        ("?actor=host".to_owned(), 0),
        ("?until=2000-01-01".to_owned(), 0),
        ("?since=2100-01-01".to_owned(), 0),
        ("?since=2000-01-01&limit=1".to_owned(), 1),
    ] {
        assert_eq!(events(&query).len(), expected, "{query}");
    }
    for (query, pointer) in [
        ("?actor=me", "/actor"),
        ("?action=praised", "/action"),
        ("?after=x", "/after"),
    ] {
        let path = format!("{AUDIT}/events{query}");
        let wrong = harness
            .ask(&operator, "audit_events", &path, &Value::Null)
            .expect(422);
        assert_eq!(wrong.pointers(), [pointer]);
    }
    let narrow = harness.key(|order| {
        *order = KeyOrder::operator("workspace alone");
        order.containers = ContainerGrant::parse("containers", &["workspace"]).unwrap();
    });
    for (route, path) in [
        ("audit_events", format!("{AUDIT}/events")),
        (
            "audit_events",
            format!("{AUDIT}/events?container_tag=elsewhere"),
        ),
        ("audit_export", format!("{AUDIT}/export")),
        ("audit_head", format!("{AUDIT}/head")),
    ] {
        harness.ask(&narrow, route, &path, &Value::Null).expect(403);
    }
}

#[test]
fn the_trail_is_exported_part_by_part_and_its_chain_holds() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    harness.retain(&person, &fact()).expect(200);
    let head = ask(&harness, &operator, "audit_head", &format!("{AUDIT}/head"));
    let (mut lines, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("{AUDIT}/export?limit=3{after}");
        let part = ask(&harness, &operator, "audit_export", &path);
        lines.extend(part["items"].as_array().unwrap().clone());
        match part["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(lines.last().unwrap()["hash"], head["hash"]);
    assert_eq!(json!(lines.len()), head["seq"]);
    for pair in lines.windows(2) {
        assert_eq!(pair[1]["previous"], pair[0]["hash"]);
    }
    let verify = |body: Value| {
        let answer = harness.ask(&operator, "verify_audit", &format!("{AUDIT}/verify"), &body);
        answer.expect(200).body
    };
    let whole = verify(json!({ "against": head["head"] }));
    assert_eq!(
        (&whole["holds"], &whole["complete"], &whole["against"]),
        (&json!(true), &json!(true), &json!("same"))
    );
    assert_eq!(
        verify(json!({ "from": whole["reached"]["head"] }))["holds"],
        true
    );
    let seq = head["seq"].as_u64().unwrap();
    let other = "ab".repeat(32);
    let differs = verify(json!({ "against": format!("{seq}:{other}") }));
    assert_eq!(
        (&differs["holds"], &differs["against"]),
        (&json!(false), &json!("differs"))
    );
    let cut = verify(json!({ "against": format!("{}:{other}", seq + 500) }));
    assert_eq!(cut["against"], "cut_off");
    let broken = verify(json!({ "from": format!("2:{other}") }));
    assert_eq!(
        (&broken["holds"], &broken["broken"]["seq"]),
        (&json!(false), &json!(3))
    );
    let wrong = harness.ask(
        &operator,
        "verify_audit",
        &format!("{AUDIT}/verify"),
        &json!({ "from": "7:zz" }),
    );
    assert_eq!(wrong.expect(422).pointers(), ["/from"]);
}

#[test]
fn what_was_read_is_listed_by_ids_and_counted_by_the_hour() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    let id = harness.retain(&person, &fact()).expect(200).body["memories"][0]["id"].clone();
    for query in [QUESTION, "Who won the chess game in Lisbon?", QUESTION] {
        harness
            .recall(&person, &json!({ "query": query }))
            .expect(200);
    }
    let reads = "/api/v1/admin/containers/workspace/reads";
    let (mut rows, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("{reads}?limit=2{after}");
        let part = ask(&harness, &operator, "audit_reads", &path);
        rows.extend(part["items"].as_array().unwrap().clone());
        match part["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    let of_recall: Vec<&Value> = rows.iter().filter(|row| row["route"] == "recall").collect();
    assert_eq!(of_recall.len(), 3);
    assert_eq!(of_recall[0]["returned"], json!([id]));
    assert_eq!(of_recall[1]["abstained"], true);
    let hours = ask(
        &harness,
        &operator,
        "audit_rollups",
        &format!("{AUDIT}/rollups?container_tag=workspace"),
    );
    let of_recall = |row: &&Value| row["route"] == "recall";
    let hour = hours["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(of_recall)
        .unwrap();
    assert_eq!(
        (&hour["requests"], &hour["abstained"]),
        (&json!(3), &json!(1))
    );
    let elsewhere = ask(
        &harness,
        &operator,
        "audit_rollups",
        &format!("{AUDIT}/rollups?container_tag=other"),
    );
    assert_eq!(elsewhere["items"], json!([]));
}
