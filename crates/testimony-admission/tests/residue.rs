//! Residue, and rows of tests, logs and programs, against labelled cases: `fixtures/residue/*.jsonl` and
//! `fixtures/test_rows/*.jsonl`, one case a line; `null` expects a fact.

mod cases;

use cases::{Tally, read};
use serde::Deserialize;
use testimony_admission::residue::classify;

#[derive(Deserialize)]
struct Case {
    expect: Option<String>,
    text: String,
}

#[test]
fn labelled_residue() {
    labelled("residue");
}

#[test]
fn labelled_test_rows() {
    labelled("test_rows");
}

fn labelled(topic: &'static str) {
    let mut tally = Tally::new(topic);
    for case in read::<Case>(topic) {
        let found = classify(&case.text);
        let reason = found.as_ref().map(|found| found.reason.as_str());
        tally.count(&case.text, reason == case.expect.as_deref(), || {
            let rule = found.as_ref().map(|found| found.rule);
            format!(
                "wanted {:?} got {reason:?} by {rule:?}: {:?}",
                case.expect, case.text
            )
        });
    }
    tally.require(300, 0.95);
}
