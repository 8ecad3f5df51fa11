//! Containers are made, listed and changed by operators.

use serde_json::{Value, json};

use super::fits;
use crate::support::Harness;

const CONTAINERS: &str = "/api/v1/admin/containers";

#[test]
fn a_container_is_made_listed_and_changed() {
    let harness = Harness::start();
    let key = harness.operator();
    let made = harness
        .post(&key, CONTAINERS, &json!({ "container_tag": "harbour" }))
        .expect(200)
        .body;
    fits("make_container", &made);
    assert_eq!(made["pending_expires_after_hours"], 2_160);
    assert_eq!(made["evidence_kept_days"], Value::Null);
    let path = format!("{CONTAINERS}/harbour");
    let change = json!({ "pending_expires_after_hours": null, "evidence_kept_days": 30 });
    let changed = harness.patch(&key, &path, &change).expect(200).body;
    fits("change_container", &changed);
    let held = harness.get(&key, &path).expect(200).body;
    fits("get_container", &held);
    for (field, expected) in [
        ("pending_expires_after_hours", Value::Null),
        ("evidence_kept_days", json!(30)),
        ("exempt_rules", json!([])),
    ] {
        assert_eq!(held[field], expected, "{field}");
    }
    harness
        .post(&key, CONTAINERS, &json!({ "container_tag": "quay" }))
        .expect(200);
    let first = harness
        .get(&key, &format!("{CONTAINERS}?limit=1"))
        .expect(200)
        .body;
    fits("list_containers", &first);
    assert_eq!(
        (&first["items"][0]["container_tag"], &first["next"]),
        (&json!("harbour"), &json!("harbour"))
    );
    let rest = harness
        .get(&key, &format!("{CONTAINERS}?after=harbour"))
        .expect(200)
        .body;
    assert_eq!(
        (&rest["items"][0]["container_tag"], &rest["next"]),
        (&json!("quay"), &Value::Null)
    );
}

#[test]
fn what_is_there_or_is_not_is_said() {
    let harness = Harness::start();
    let key = harness.operator();
    let order = json!({ "container_tag": "harbour", "exempt_rules": [] });
    harness.post(&key, CONTAINERS, &order).expect(200);
    let again = harness.post(&key, CONTAINERS, &order).expect(409);
    assert_eq!(again.code(), "container_exists");
    for tag in ["quay", "No%20Tag"] {
        let path = format!("{CONTAINERS}/{tag}");
        assert_eq!(
            harness.get(&key, &path).expect(404).code(),
            "container_not_found"
        );
        assert_eq!(
            harness.patch(&key, &path, &json!({})).expect(404).code(),
            "container_not_found"
        );
    }
}

#[test]
fn an_unknown_rule_is_answered_with_those_there_are() {
    let harness = Harness::start();
    let key = harness.operator();
    let wrong = json!({
        "container_tag": "Harbour Side",
        "exempt_rules": ["no-such-rule"],
        "allowed_fingerprints": ["fp_1"],
        "evidence_kept_days": 0,
    });
    let answer = harness.post(&key, CONTAINERS, &wrong).expect(422);
    let at = [
        "/allowed_fingerprints/0",
        "/container_tag",
        "/evidence_kept_days",
        "/exempt_rules/0",
    ];
    assert_eq!(answer.pointers(), at);
    let rule = testimony_admission::secrets::rules().next().unwrap().id;
    assert!(answer.body.to_string().contains(rule));
    assert!(!answer.body.to_string().contains("no-such-rule"));
}

#[test]
fn a_rule_that_is_exempt_lets_its_finding_in() {
    let harness = Harness::start();
    let (operator, agent) = (harness.operator(), harness.agent());
    // A synthetic credential, put together here so that no scanner takes it for one.
    let said = format!(
        "The staging token of Harborlight is {}{}.",
        "ghp_", "Zq8Lw3Nx7Vb2Kd9Mf4Tj6Rp1Hs5Yc0GuEaWi"
    );
    let path = format!("{CONTAINERS}/workspace");
    let retain = || {
        harness
            .retain(&agent, &json!({ "content": said }))
            .expect(200)
            .body
            .to_string()
    };
    assert!(!retain().contains("Zq8Lw3Nx"));
    // Behind a rule that is switched off another may find the same, so each that does is switched off.
    let mut exempt: Vec<&str> = Vec::new();
    for _ in 0..8 {
        let answer = retain();
        let rules = testimony_admission::secrets::rules().map(|rule| rule.id);
        exempt.extend(rules.filter(|id| answer.contains(&format!("[REDACTED:{id}]"))));
        harness
            .patch(&operator, &path, &json!({ "exempt_rules": exempt }))
            .expect(200);
    }
    let kept = retain();
    assert!(kept.contains("Zq8Lw3Nx"), "{exempt:?}: {kept}");
}
