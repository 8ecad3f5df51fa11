//! Every line of `fixtures/courtroom/*.jsonl` is heard, and its report compared with what the line expects.
//! Fields that a line does not name are not compared.

use crate::common;
use serde_json::{Value, json};
use testimony_courtroom::{CaseReport, NoCase, TimelineEntry};

fn words<T: ToString>(list: &[T]) -> Value {
    list.iter().map(ToString::to_string).collect()
}

/// A moment with everything that it carries.
fn moment(one: &TimelineEntry) -> String {
    let carried = [
        one.event.map(|event| event.to_string()),
        one.actor.map(|actor| format!("by {actor}")),
        one.reason.map(|reason| format!("because {reason}")),
        one.evidence.map(|_| "in evidence".to_owned()),
        one.memory.map(|_| "by another memory".to_owned()),
    ];
    let carried = carried.into_iter().flatten();
    let words: Vec<String> = std::iter::once(one.moment.to_string())
        .chain(carried)
        .collect();
    words.join(" ")
}

/// The decided parts of a report, under the names that the lines use.
fn decided(report: &CaseReport) -> Value {
    let verdict = &report.deterministic_verdict;
    let overrides = report.guardrail_overrides.iter();
    let hypotheses = report.contradiction_hypotheses.iter();
    let totals = report.evidence_totals;
    json!({
        "verdict": verdict.verdict.as_str(),
        "reasons": words(&verdict.reasons),
        "temporal": verdict.temporal_state.as_str(),
        "final": report.final_verdict.as_str(),
        "bucket": report.trust_bucket.as_str(),
        "action": report.final_recommended_action.as_str(),
        "overrides": overrides
            .map(|one| (one.rule.to_string(), one.ai_verdict_downgraded))
            .map(|(rule, downgraded)| if downgraded { rule + "!" } else { rule })
            .collect::<Value>(),
        "ai": report.ai_judgment.status.as_str(),
        "cache": report.ai_judgment.cache.as_str(),
        "evidence": report.evidence_status.as_str(),
        "courtroom": report.courtroom_status.as_str(),
        "counts": [totals.supporting, totals.contradicting, totals.independent_origins, totals.echoes],
        "groups": report.supporting_evidence.iter().map(|one| one.independence_group).collect::<Vec<_>>(),
        "missing": words(&report.missing_evidence),
        "risks": words(&report.risk_flags),
        "hypotheses": hypotheses
            .map(|one| format!("{} {}", one.strength, one.hypothesis))
            .collect::<Value>(),
        "banks": report.bank_comparisons.iter().map(|one| one.outcome.to_string()).collect::<Value>(),
        "bank_says": report.bank_comparisons.iter().flat_map(|one| &one.statements)
            .map(|said| said.redacted_excerpt.to_string()).collect::<Value>(),
        "revisions": report.lineage.revisions.iter().map(|one| one.revision).collect::<Value>(),
        "lineage": report.lineage.weakest_evidence_class.map(|class| class.to_string()),
        "answer": report.answer.as_ref().map(|answer| answer.status.to_string()),
        "says": report.answer.as_ref().map(|answer| answer.text.to_string()),
        "cites": report.answer.as_ref().map(|answer| answer.citations.len()),
        "statement": report.statement.as_str(),
        "excerpts": words(&report.supporting_evidence.iter().map(|one| &one.redacted_excerpt).collect::<Vec<_>>()),
        "rationale": report.ai_judgment.rationale.as_str(),
        "questions": words(&report.cross_examination_questions),
        "moments": report.timeline.iter().map(moment).collect::<Value>(),
    })
}

fn heard(case: &common::Case) -> Value {
    match common::hear(case) {
        Ok(report) => decided(&report),
        Err(NoCase::Capability) => json!({ "refused": "capability" }),
        Err(NoCase::NotVisible) => json!({ "refused": "not_visible" }),
    }
}

fn differences(case: &common::Case) -> Vec<String> {
    let actual = heard(case);
    let expected = case.expect.as_object().unwrap();
    assert!(!expected.is_empty(), "{}: expects nothing", case.name);
    expected
        .iter()
        .filter(|(field, value)| actual.get(field.as_str()) != Some(value))
        .map(|(field, value)| {
            let actual = &actual[field.as_str()];
            format!(
                "{}: {field} is {actual} where {value} is expected",
                case.name
            )
        })
        .collect()
}

#[test]
fn every_case_is_decided_as_its_line_says() {
    let cases = common::cases();
    let wrong: Vec<String> = cases.iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.len() >= 60, "only {} cases", cases.len());
}

#[test]
fn names_are_unique() {
    let mut names: Vec<String> = common::cases().into_iter().map(|case| case.name).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_guardrail_risk_and_gap_occurs_in_a_case() {
    use testimony_courtroom::{Guardrail, MissingEvidence, RiskFlag};
    let seen: String = common::cases()
        .iter()
        .map(|case| heard(case).to_string())
        .collect();
    let rules = Guardrail::WORDS.iter();
    for word in rules.chain(MissingEvidence::WORDS).chain(RiskFlag::WORDS) {
        assert!(
            seen.contains(&format!("\"{word}\"")),
            "no case shows {word}"
        );
    }
}
