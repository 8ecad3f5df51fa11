//! Nothing in a report grows without end, whatever the stores hold.

use std::cell::Cell;

use crate::common;
use serde_json::{Value, json};
use testimony_courtroom::{Bounds, CaseReport};

fn report(case: Value) -> CaseReport {
    common::hear(&serde_json::from_value(case).unwrap()).unwrap()
}

fn case(evidence: &[Value], rivals: &[Value], revisions: &[Value]) -> Value {
    json!({
        "name": "bounds", "memory": {}, "evidence": evidence, "rivals": rivals, "revisions": revisions,
        "query": "harbour office closes", "expect": {},
    })
}

fn many(count: usize, row: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..count).map(row).collect()
}

#[test]
fn lists_end_at_their_bounds_and_totals_do_not() {
    let evidence = many(120, |n| json!({"said": -200 + i64::try_from(n).unwrap()}));
    let against = many(
        110,
        |_| json!({"says": "contradicts", "class": "external_document"}),
    );
    let rows = many(60, |n| json!({"revision": n + 2, "class": "tool_result"}));
    let all = [evidence, against].concat();
    let report = report(case(&all, &rows, &rows));
    assert_eq!(report.supporting_evidence.len(), Bounds::EXHIBITS);
    assert_eq!(report.contradicting_evidence.len(), Bounds::EXHIBITS);
    assert_eq!(report.evidence_totals.supporting, 120);
    assert_eq!(report.evidence_totals.contradicting, 110);
    assert_eq!(report.contradiction_hypotheses.len(), Bounds::RIVALS);
    assert_eq!(report.lineage.revisions.len(), Bounds::REVISIONS);
    assert_eq!(report.timeline.len(), Bounds::MOMENTS);
    assert_eq!(report.answer.unwrap().citations.len(), Bounds::QUOTES);
    let oldest = report.supporting_evidence.first().unwrap();
    assert_eq!(oldest.observed_at, common::day(-200));
}

#[test]
fn excerpts_are_cut_between_characters() {
    let long = "ä".repeat(5_000);
    let mut case = case(&[json!({"text": long})], &[json!({"text": long})], &[]);
    case["memory"] = json!({"text": long, "contested": true});
    let report = report(case);
    assert_eq!(report.statement.as_str(), "ä".repeat(Bounds::STATEMENT));
    let excerpt = &report.supporting_evidence[0].redacted_excerpt;
    assert_eq!(excerpt.as_str(), "ä".repeat(Bounds::EXCERPT));
    let rival = &report.contradiction_hypotheses[0].redacted_excerpt;
    assert_eq!(rival.as_str(), "ä".repeat(Bounds::EXCERPT));
}

#[test]
fn a_secret_on_the_cut_does_not_survive_in_part() {
    let before = "x ".repeat(Bounds::EXCERPT / 2 - 3);
    let text = format!("{before}{}0123456789", common::SECRET_MARK);
    let report = report(case(&[json!({"text": text})], &[], &[]));
    let excerpt = report.supporting_evidence[0].redacted_excerpt.as_str();
    assert!(!excerpt.contains("sek"), "{excerpt}");
}

/// A redactor that knows a secret only by its whole, as one with a checksum or a closing mark does.
fn knows_whole_secrets(text: &str) -> testimony_domain::Redacted {
    testimony_domain::Redacted::attest(text.replace(&whole_secret(), "[REDACTED:mark]"))
}

fn whole_secret() -> String {
    format!("{}-end", "q7".repeat(60))
}

#[test]
fn no_question_shows_part_of_a_secret() {
    let rival = json!({"slot": ["pump", "code", "", whole_secret()], "unit": "bar"});
    let mut case = case(&[json!({})], &[rival], &[]);
    case["memory"] = json!({"slot": ["pump", "code", whole_secret(), "3"], "unit": "bar"});
    let case = serde_json::from_value(case).unwrap();
    let report = common::hear_with(&case, &knows_whole_secrets).unwrap();
    let asked = format!("{:?}", report.cross_examination_questions);
    assert!(asked.contains("[REDACTED:mark]"), "{asked}");
    assert!(!asked.contains("q7q7"), "{asked}");
}

#[test]
fn only_listed_evidence_is_quoted() {
    let told = |n: usize| {
        let text = if n == Bounds::EXHIBITS {
            "The lamp is red."
        } else {
            "The harbour office closes at five."
        };
        json!({"text": text, "said": -200 + i64::try_from(n).unwrap()})
    };
    let denied =
        json!({"text": "The lamp is blue.", "says": "contradicts", "class": "tool_result"});
    let all = [many(Bounds::EXHIBITS + 1, told), vec![denied]].concat();
    let mut case = case(&all, &[], &[]);
    case["query"] = json!("Which lamp?");
    let answer = report(case).answer.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.citations.len()),
        ("The lamp is blue.", 1)
    );
}

#[test]
fn at_most_so_many_questions_are_asked() {
    let mut case = case(
        &[
            json!({"class": "agent_observation"}),
            json!({"says": "contradicts", "said": -1}),
        ],
        &[json!({"slot": ["pump", "pressure", "", "4"], "unit": "bar"})],
        &[],
    );
    case["memory"] = json!({
        "class": "agent_observation", "slot": ["pump", "pressure", "", "3"], "unit": "bar",
        "from": 1, "until": 9, "expires": -1,
    });
    let report = report(case);
    assert_eq!(report.cross_examination_questions.len(), Bounds::QUESTIONS);
}

#[test]
fn a_question_is_read_to_its_bound_only() {
    let mut case = case(&[json!({})], &[], &[]);
    case["query"] = json!(format!(
        "{}harbour office closes",
        "x".repeat(Bounds::QUERY)
    ));
    let status = report(case).answer.unwrap().status;
    assert_eq!(status.as_str(), "evidence_does_not_say");
}

#[test]
fn an_exhibit_that_is_listed_twice_counts_once() {
    let mut case = case(&[json!({}), json!({"said": -3})], &[], &[]);
    case["memory"] = json!({"drawn_from": [0, 0, 1, 7]});
    let report = report(case);
    assert_eq!(report.evidence_totals.supporting, 2);
    assert_eq!(report.lineage.drawn_from.len(), 2);
    assert_eq!(
        report.lineage.drawn_from[0],
        report.supporting_evidence[0].evidence_id
    );
}

/// Counts the characters that the redactor is given while a case of `pieces` pieces of evidence is heard.
fn work(pieces: usize) -> usize {
    let evidence = many(
        pieces,
        |_| json!({"text": "The harbour office closes at five. ".repeat(20)}),
    );
    let rows = many(
        pieces,
        |n| json!({"revision": n + 2, "text": "It closes at six. ".repeat(20)}),
    );
    let read = Cell::new(0);
    let counting = |text: &str| {
        read.set(read.get() + text.chars().count());
        common::redactor(text)
    };
    let case = serde_json::from_value(case(&evidence, &rows, &rows)).unwrap();
    common::hear_with(&case, &counting).unwrap();
    read.get()
}

/// Twice as much to read is at most twice the work, and what is not listed is not read.
fn grows_with_the_case_and_stops(work: impl Fn(usize) -> usize) -> bool {
    work(8) <= 2 * work(4) && work(400) == work(200)
}

#[test]
fn the_work_grows_with_the_case_and_stops_at_its_bounds() {
    assert!(grows_with_the_case_and_stops(work));
}

#[test]
fn canary_a_courtroom_that_begins_anew_with_every_piece_is_caught() {
    assert!(!grows_with_the_case_and_stops(
        |pieces| work(pieces) * pieces
    ));
}
