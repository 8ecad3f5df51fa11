//! What comes of an answer of a bank: shown in the case report, kept, and named as work that is still to be done.

use serde_json::{Value, json};
use testimony_service::ports::ledger::jobs::JobEnd;

use super::{Compared, answer, id_of};
use crate::support::Harness;

const CASES: &str = include_str!("../../../../../fixtures/banks/answers.jsonl");
const ROW: &str = "The staging database of Harborlight runs on port 6543.";
const OTHER: (&str, &str) = (
    "The staging database of Harborlight runs on port 7000.",
    "2026-01-05T10:00:00Z",
);

/// The statements that a line of the fixtures has a bank say.
fn statements(case: &Value) -> Vec<(&str, &str)> {
    let listed = case["bank"].as_array().unwrap().iter();
    let said = case["said"].as_str().unwrap_or("2026-01-05T10:00:00Z");
    listed.map(|text| (text.as_str().unwrap(), said)).collect()
}

#[test]
fn every_answer_stands_to_its_row_as_its_line_says() {
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let compared = Compared::with(vec![answer(&statements(&case))]);
        let key = compared.harness.agent();
        let retained = compared.retain(&key, case["row"].as_str().unwrap());
        assert_eq!(compared.work(), [JobEnd::Done], "{name}");
        let report = compared.report(&key, &id_of(&retained));
        let told = &report["bank_comparisons"][0];
        assert_eq!(told["outcome"], case["outcome"], "{name}: {told:#}");
        assert_eq!(told["left_out"], case["left_out"], "{name}: {told:#}");
        let texts: Vec<&Value> = told["statements"]
            .as_array()
            .unwrap()
            .iter()
            .map(|said| &said["redacted_excerpt"])
            .collect();
        assert_eq!(json!(texts), case["shown"], "{name}: {told:#}");
        let flagged = report["risk_flags"]
            .to_string()
            .contains("contradicted_by_bank");
        assert_eq!(flagged, case["outcome"] == "contradicts", "{name}");
    }
}

#[test]
fn a_comparison_is_work_behind_the_answer_and_is_named() {
    let compared = Compared::with(vec![answer(&[OTHER])]);
    let (key, operator) = (compared.harness.agent(), compared.harness.operator());
    let retained = compared.retain(&key, ROW);
    assert_eq!(retained["pending_jobs"], json!(["compare"]), "{retained:#}");
    assert_eq!(
        retained["runtime_fanout"],
        json!({ "queued": true, "routes": ["compare"] })
    );
    assert_eq!(retained["enrichment_status"], "queued");
    assert_eq!(compared.bank.bodies().len(), 0, "nobody waits for it");
    let before = compared.report(&key, &id_of(&retained));
    assert_eq!(before["bank_comparisons"], json!([]));
    assert_eq!(compared.work(), [JobEnd::Done]);
    let asked: Value = serde_json::from_str(&compared.bank.bodies()[0]).unwrap();
    assert_eq!(asked["query"], ROW);
    let head = &compared.bank.heads()[0];
    assert!(
        head.starts_with("POST /v1/default/banks/team/memories/recall HTTP/1.1"),
        "{head}"
    );
    let report = compared.report(&key, &id_of(&retained));
    let told = &report["bank_comparisons"][0];
    assert_eq!(told["bank"], "elsewhere");
    assert_eq!(
        told["statements"],
        json!([{
            "bank_memory_id": "h-0",
            "redacted_excerpt": OTHER.0,
            "outcome": "contradicts",
            "observed_at": OTHER.1,
        }])
    );
    let path = "/api/v1/admin/audit/events?action=judgment.kept";
    let events = compared.harness.get(&operator, path).expect(200).body;
    assert_eq!(events["items"].as_array().unwrap().len(), 1, "{events:#}");
    assert!(!events.to_string().contains("Harborlight"), "{events:#}");
    compared.retain(&key, ROW);
    assert_eq!(compared.work(), [], "what is known is not compared again");
}

#[test]
fn a_writeback_is_compared_too() {
    let compared = Compared::with(vec![answer(&[OTHER])]);
    let key = compared.harness.agent();
    let body = json!({ "observed_facts": [ROW] });
    let written = compared.harness.writeback(&key, &body).expect(200).body;
    assert_eq!(written["pending_jobs"], json!(["compare"]), "{written:#}");
    assert_eq!(compared.work(), [JobEnd::Done]);
}

#[test]
fn without_a_bank_nothing_is_compared() {
    let harness = Harness::start();
    let key = harness.agent();
    let retained = harness.retain(&key, &json!({ "content": ROW })).expect(200);
    assert_eq!(retained.body["pending_jobs"], json!([]));
    assert_eq!(retained.body["runtime_fanout"], Value::Null);
    assert_eq!(super::worker(&harness).health().as_str(), "healthy");
    assert!(harness.service.bank_health().is_none());
}

#[test]
fn a_correction_is_compared_like_anything_that_is_said() {
    let compared = Compared::with(vec![answer(&[OTHER])]);
    let (key, operator) = (compared.harness.agent(), compared.harness.operator());
    let retained = compared.retain(&key, ROW);
    compared.work();
    let path = format!("/api/v1/admin/memories/{}/correct", id_of(&retained));
    let body = json!({ "content": OTHER.0, "reason": "It was moved." });
    compared
        .harness
        .ask(&operator, "correct_memory", &path, &body)
        .expect(200);
    assert_eq!(compared.work(), [JobEnd::Done]);
    assert_eq!(compared.bank.bodies().len(), 2);
}
