//! Residue against labelled cases: `fixtures/residue/*.jsonl`, one case a line; `null` expects a fact.

mod cases;

use cases::{Half, Tally, read};
use serde::Deserialize;
use testimony_admission::residue::classify;

#[derive(Deserialize)]
struct Case {
    expect: Option<String>,
    text: String,
}

#[test]
fn labelled_cases() {
    let mut tally = Tally::new("residue");
    for case in read::<Case>("residue") {
        let found = classify(&case.text);
        let reason = found.as_ref().map(|found| found.reason.as_str());
        tally.count(
            Half::of(&case.text),
            reason == case.expect.as_deref(),
            || {
                let rule = found.as_ref().map(|found| found.rule);
                format!(
                    "wanted {:?} got {reason:?} by {rule:?}: {:?}",
                    case.expect, case.text
                )
            },
        );
    }
    tally.require(300, 0.95);
}
