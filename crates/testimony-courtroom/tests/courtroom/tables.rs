//! The tables of the courtroom: in order, complete, explained, and as `docs/courtroom.md` shows them.

use testimony_courtroom::{
    GUARDRAILS, Ground, Guardrail, Hypothesis, MISSING, MissingEvidence, QUESTIONS, RISKS, RiskFlag,
};
use testimony_domain::{Reason, Verdict};

#[test]
fn rows_stand_in_the_order_of_their_words() {
    let guardrails: Vec<Guardrail> = GUARDRAILS.iter().map(|row| row.rule).collect();
    let missing: Vec<MissingEvidence> = MISSING.iter().map(|row| row.what).collect();
    let risks: Vec<RiskFlag> = RISKS.iter().map(|row| row.flag).collect();
    assert_eq!(guardrails, Guardrail::ALL);
    assert_eq!(missing, MissingEvidence::ALL);
    assert_eq!(risks, RiskFlag::ALL);
}

#[test]
fn every_word_has_a_sentence_of_its_own() {
    let mut sentences: Vec<&str> = RiskFlag::ALL.iter().map(|flag| flag.sentence()).collect();
    sentences.sort_unstable();
    let count = sentences.len();
    sentences.dedup();
    assert_eq!(sentences.len(), count);
    let gaps = MissingEvidence::ALL.iter().map(|gap| gap.sentence());
    let hypotheses = Hypothesis::ALL.iter().map(|one| one.sentence());
    let grounds = Guardrail::ALL
        .iter()
        .map(|rule| Ground::Guardrail(*rule).sentence());
    for sentence in gaps.chain(hypotheses).chain(grounds).chain(sentences) {
        assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence}");
    }
}

#[test]
fn grounds_speak_for_table_and_guardrails() {
    let table = Ground::Table(Reason::SingleSupport);
    assert_eq!(table.to_string(), "single_support");
    assert_eq!(table.sentence(), Reason::SingleSupport.sentence());
    let rule = Ground::Guardrail(Guardrail::NoEvidence);
    assert_eq!(rule.to_string(), "no_evidence");
    assert_eq!(rule.sentence(), "No evidence speaks for it any more.");
}

#[test]
fn no_guardrail_can_loosen() {
    for row in &GUARDRAILS {
        assert!(row.floor > Verdict::Trusted, "{}", row.rule);
    }
}

#[test]
fn the_page_shows_every_guardrail_with_its_floor() {
    let page = include_str!("../../../../docs/courtroom.md");
    for row in &GUARDRAILS {
        let line = format!("| `{}` | {} |", row.rule, row.floor);
        assert!(page.contains(&line), "the page lacks: {line}");
    }
}

#[test]
fn questions_have_names_of_their_own() {
    let mut names: Vec<&str> = QUESTIONS.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), QUESTIONS.len());
}
