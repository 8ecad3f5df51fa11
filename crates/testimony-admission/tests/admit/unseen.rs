//! Texts with which no rule is made and no table learnt: `fixtures/unseen_texts`. They are by other writers, so that what is
//! told rightly here is nearest to what the next text meets.
//!
//! `cargo test -p testimony-admission --test unseen_texts -- --nocapture` prints how each label fares.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at what it does not expect, and prints its figures"
)]

#[expect(
    dead_code,
    reason = "texts are read like labelled cases, and counted in another way"
)]
mod cases;

use cases::read;
use serde::Deserialize;
use testimony_admission::admit;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{EvidenceChannel, SourceClass, Timestamp};

#[derive(Deserialize)]
struct Case {
    label: String,
    class: Option<String>,
    text: String,
}

const POLICY: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &["<testimony-memory"],
    fingerprint_key: &[7; 32],
};

fn rule(case: &Case) -> Ruling {
    let class = case.class.as_deref();
    let submission = Submission {
        text: &case.text,
        channel: EvidenceChannel::Retain,
        class: class.map_or(SourceClass::UserStatement, |class| {
            SourceClass::parse("class", class).unwrap()
        }),
        kind: None,
        speaker: None,
        observed_at: Timestamp::constant(1_767_225_600, 0),
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: None,
        handed_out: &[],
    };
    admit(&submission, &POLICY)
}

/// How many of the texts whose label is one of `labels` `found` holds for, in a thousand.
fn share(labels: &[&str], found: impl Fn(&Ruling) -> bool) -> usize {
    let cases = read::<Case>("unseen_texts").into_iter();
    let cases: Vec<Case> = cases
        .filter(|case| labels.contains(&case.label.as_str()))
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
    assert!(share(&["attack"], is_held) >= 470);
    assert!(share(&["harmless"], is_held) <= 55);
}

#[test]
fn what_nobody_wants_to_remember_is_kept_out() {
    assert!(share(&["test_row"], is_forensic) >= 480);
    let machines = [
        "lifecycle_log",
        "system_generated",
        "residue_terminal_noise",
    ];
    assert!(share(&machines, is_forensic) >= 700);
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
    assert!(share(&prose, is_forensic) >= 270);
    assert!(share(&["fact"], is_forensic) <= 17);
}
