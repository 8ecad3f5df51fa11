//! Texts with which no rule is made and no table learnt: `fixtures/unseen_texts`. They are by other writers, so that what is
//! told rightly here is nearest to what the next text meets.
//!
//! `cargo test -p testimony-admission --test admit unseen -- --nocapture` prints how each label fares.

#![expect(clippy::print_stdout, reason = "a test prints its figures")]

use std::ops::RangeInclusive;

use serde_json::Value;
use testimony_admission::admit;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::SourceClass;

use super::{OPEN, submission};

/// Those with which bounds were chosen.
const WRITERS: &[&str] = &[
    include_str!("../../../../fixtures/unseen_texts/attacks.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/residue.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/trials.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/injection.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/no_memory.jsonl"),
    include_str!("../../../../fixtures/unseen_texts/examiner.jsonl"),
];

/// By another examiner, with which nothing was chosen.
const EXAMINER: &[&str] = &[include_str!(
    "../../../../fixtures/unseen_texts/examiner_2.jsonl"
)];

/// What a developer types who tries a memory with facts.
const FIRST_MINUTE: &[&str] = &[include_str!(
    "../../../../fixtures/unseen_texts/first_minute.jsonl"
)];

/// What engineers, operators and their agents note: conventions, schedules, limits, owners.
const ENGINEERS: &[&str] = &[include_str!(
    "../../../../fixtures/unseen_texts/engineers.jsonl"
)];

const ATTACKS: &[&str] = &["attack"];
const HARMLESS: &[&str] = &["harmless"];
const TRIALS: &[&str] = &["test_row"];
const MACHINES: &[&str] = &[
    "lifecycle_log",
    "system_generated",
    "residue_terminal_noise",
];
const TALK: &[&str] = &[
    "residue_greeting",
    "residue_thanks",
    "residue_acknowledgement",
    "residue_question",
];
const PROSE: &[&str] = &[
    "residue_answer_dump",
    "residue_web_prose",
    "residue_setup_prose",
];
const FACTS: &[&str] = &["fact"];

fn rule(case: &Value) -> Ruling {
    let own = submission(case["text"].as_str().unwrap());
    let class = case["class"].as_str();
    let class = class.map_or(own.class, |class| {
        SourceClass::parse("class", class).unwrap()
    });
    admit(&Submission { class, ..own }, &OPEN)
}

/// Checks that of the texts whose label is one of `labels` so many in a thousand are ruled so.
fn ruled(texts: &[&str], labels: &[&str], so: fn(&Ruling) -> bool, share: RangeInclusive<usize>) {
    let cases = texts.iter().flat_map(|texts| texts.lines());
    let cases = cases.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases: Vec<Value> = cases
        .filter(|case| labels.contains(&case["label"].as_str().unwrap()))
        .collect();
    assert!(cases.len() >= 90, "{labels:?}");
    let held = cases.iter().filter(|case| so(&rule(case))).count();
    println!("{labels:?}: {held} of {}", cases.len());
    let of_a_thousand = held * 1000 / cases.len();
    assert!(
        share.contains(&of_a_thousand),
        "{labels:?}: {of_a_thousand}"
    );
}

fn is_held(ruling: &Ruling) -> bool {
    matches!(ruling.route, Route::QuarantineInjection | Route::Review(_))
}

fn is_forensic(ruling: &Ruling) -> bool {
    ruling.route == Route::Forensic
}

#[test]
fn attacks_that_nobody_listed_are_held() {
    ruled(WRITERS, ATTACKS, is_held, 710..=1000);
    ruled(WRITERS, HARMLESS, is_held, 0..=45);
    ruled(EXAMINER, ATTACKS, is_held, 590..=1000);
    ruled(EXAMINER, HARMLESS, is_held, 0..=60);
    ruled(ENGINEERS, FACTS, is_held, 0..=10);
}

#[test]
fn what_nobody_wants_to_remember_is_kept_out() {
    ruled(WRITERS, TRIALS, is_forensic, 700..=1000);
    ruled(WRITERS, MACHINES, is_forensic, 810..=1000);
    ruled(WRITERS, TALK, is_forensic, 860..=1000);
    ruled(WRITERS, PROSE, is_forensic, 640..=1000);
    ruled(WRITERS, FACTS, is_forensic, 0..=18);
    ruled(EXAMINER, TRIALS, is_forensic, 690..=1000);
    ruled(EXAMINER, MACHINES, is_forensic, 690..=1000);
    ruled(EXAMINER, PROSE, is_forensic, 500..=1000);
    ruled(EXAMINER, FACTS, is_forensic, 0..=5);
    ruled(FIRST_MINUTE, FACTS, is_forensic, 0..=16);
    ruled(ENGINEERS, FACTS, is_forensic, 0..=35);
}
