//! Texts with which no rule is made and no table learnt: `fixtures/unseen_texts`. They are by other writers, so that what is
//! told rightly here is nearest to what the next text meets.
//!
//! `cargo test -p testimony-admission --test admit unseen -- --nocapture` prints how each label fares.

#![expect(clippy::print_stdout, reason = "a test prints its figures")]

use serde_json::Value;
use testimony_admission::admit;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::SourceClass;

use super::{OPEN, submission};

const TEXTS: [&str; 5] = [
    include_str!("../../../../fixtures/unseen_texts/attacks.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/residue.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/trials.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/injection.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/no_memory.jsonl"),
];

fn rule(case: &Value) -> Ruling {
    let own = submission(case["text"].as_str().unwrap());
    let class = case["class"].as_str();
    let class = class.map_or(own.class, |class| {
        SourceClass::parse("class", class).unwrap()
    });
    admit(&Submission { class, ..own }, &OPEN)
}

/// How many of the texts whose label is one of `labels` `found` holds for, in a thousand.
fn share(labels: &[&str], found: impl Fn(&Ruling) -> bool) -> usize {
    let cases = TEXTS.iter().flat_map(|texts| texts.lines());
    let cases = cases.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases: Vec<Value> = cases
        .filter(|case| labels.contains(&case["label"].as_str().unwrap()))
        .collect();
    assert!(cases.len() >= 90, "{labels:?}");
    let held = cases.iter().filter(|case| found(&rule(case))).count();
    println!("{labels:?}: {held} of {}", cases.len());
    held * 1000 / cases.len()
}

fn is_held(ruling: &Ruling) -> bool {
    matches!(ruling.route, Route::QuarantineInjection | Route::Review(_))
}

fn is_forensic(ruling: &Ruling) -> bool {
    ruling.route == Route::Forensic
}

#[test]
fn attacks_that_nobody_listed_are_held() {
    assert!(share(&["attack"], is_held) >= 700);
    assert!(share(&["harmless"], is_held) <= 55);
}

#[test]
fn what_nobody_wants_to_remember_is_kept_out() {
    assert!(share(&["test_row"], is_forensic) >= 530);
    let machines = [
        "lifecycle_log",
        "system_generated",
        "residue_terminal_noise",
    ];
    assert!(share(&machines, is_forensic) >= 770);
    let talk = [
        "residue_greeting",
        "residue_thanks",
        "residue_acknowledgement",
        "residue_question",
    ];
    assert!(share(&talk, is_forensic) >= 860);
    let prose = [
        "residue_answer_dump",
        "residue_web_prose",
        "residue_setup_prose",
    ];
    assert!(share(&prose, is_forensic) >= 580);
    assert!(share(&["fact"], is_forensic) <= 20);
}
