//! A handful of whole reports as people would read them. `UPDATE_EXPECT=1 cargo test` writes them anew.

use crate::common;
use std::fmt::Write;

use expect_test::{ExpectFile, expect_file};
use testimony_courtroom::{CaseReport, EvidenceItem};

fn list<T: ToString>(page: &mut String, title: &str, lines: impl IntoIterator<Item = T>) {
    let lines: Vec<String> = lines.into_iter().map(|line| line.to_string()).collect();
    if !lines.is_empty() {
        writeln!(page, "{title}:").unwrap();
    }
    for line in lines {
        writeln!(page, "  {line}").unwrap();
    }
}

fn exhibit(item: &EvidenceItem) -> String {
    let group = item
        .independence_group
        .map_or_else(|| "echo".to_owned(), |group| format!("origin {group}"));
    format!(
        "{} {} {} ({group}): {}",
        item.observed_at, item.class, item.polarity, item.redacted_excerpt
    )
}

fn render(report: &CaseReport) -> String {
    let mut page = String::new();
    let (verdict, ai) = (&report.deterministic_verdict, &report.ai_judgment);
    writeln!(page, "statement: {}", report.statement).unwrap();
    writeln!(
        page,
        "tables: {} ({})",
        verdict.verdict, verdict.temporal_state
    )
    .unwrap();
    list(
        &mut page,
        "because",
        verdict
            .reasons
            .iter()
            .map(|ground| format!("{ground}: {}", ground.sentence())),
    );
    let said = ai
        .ai_verdict
        .map_or("nothing readable", |verdict| verdict.as_str());
    writeln!(
        page,
        "judge: {} ({}), {said}: {}",
        ai.status, ai.cache, ai.rationale
    )
    .unwrap();
    list(
        &mut page,
        "corrected",
        report.guardrail_overrides.iter().map(|one| one.rule),
    );
    writeln!(
        page,
        "final: {} ({}), {}",
        report.final_verdict, report.trust_bucket, report.final_recommended_action
    )
    .unwrap();
    writeln!(
        page,
        "evidence: {}, courtroom: {}",
        report.evidence_status, report.courtroom_status
    )
    .unwrap();
    list(
        &mut page,
        "for",
        report.supporting_evidence.iter().map(exhibit),
    );
    list(
        &mut page,
        "against",
        report.contradicting_evidence.iter().map(exhibit),
    );
    list(
        &mut page,
        "rivals",
        report.contradiction_hypotheses.iter().map(|one| {
            let sentence = one.hypothesis.sentence();
            format!(
                "{} ({}): {} {sentence}",
                one.strength, one.trust_bucket, one.redacted_excerpt
            )
        }),
    );
    list(
        &mut page,
        "missing",
        report.missing_evidence.iter().map(|one| one.sentence()),
    );
    list(&mut page, "ask", &report.cross_examination_questions);
    list(
        &mut page,
        "risks",
        report.risk_flags.iter().map(|flag| flag.sentence()),
    );
    if let Some(answer) = &report.answer {
        writeln!(page, "answer ({}): {}", answer.status, answer.text).unwrap();
        list(
            &mut page,
            "quoted",
            answer.citations.iter().map(|one| &one.quote),
        );
    }
    list(
        &mut page,
        "timeline",
        report.timeline.iter().map(|one| {
            let event = one.event.map_or("", |event| event.as_str());
            let actor = one.actor.map_or("", |actor| actor.as_str());
            format!("{} {} {event} {actor}", one.at, one.moment)
                .trim_end()
                .to_owned()
        }),
    );
    page
}

fn check(name: &str, expected: &ExpectFile) {
    let cases = common::cases();
    let case = cases.iter().find(|case| case.name == name).unwrap();
    expected.assert_eq(&render(&common::hear(case).unwrap()));
}

macro_rules! goldens {
    ($($test:ident: $name:literal;)+) => {
        $(
            #[test]
            fn $test() {
                check($name, &expect_file![concat!("../../../../fixtures/courtroom/", stringify!($test), ".txt")]);
            }
        )+
    };
}

goldens! {
    a_chain_of_two_agents: "a whole case with two agents, a conflict and a judge";
    an_injection_kept_from_an_agent: "quarantined injection is kept from an agent";
    an_approval_that_was_taken_back: "approval that was taken back";
    a_secret_still_in_the_text: "a secret is still in the text";
    evidence_that_cannot_be_read: "evidence cannot be read";
}
