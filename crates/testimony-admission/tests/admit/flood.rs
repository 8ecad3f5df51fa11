//! A text that is disguised in more ways than the budget allows is held for a person.

use testimony_admission::admit;
use testimony_admission::normalise::Reading;
use testimony_admission::ruling::Route;
use testimony_admission::submission::{Field, Submission};
use testimony_domain::Reason;

use super::{OPEN, submission};

/// One sign that folds to eighteen characters, many times over, with a statement behind it.
fn flood() -> String {
    format!("{} Ana moved to Oslo in March.", "\u{fdfa}".repeat(2_000))
}

#[test]
fn a_flood_stops_the_reading_and_the_reading_says_so() {
    assert!(!Reading::of(&flood()).is_complete());
    assert!(Reading::of("Ana moved to Oslo in March.").is_complete());
    assert!(Reading::of("caf\u{e9} \u{fdfa} \u{ff21}na %41na").is_complete());
}

#[test]
fn nothing_of_a_flooded_text_is_admitted() {
    let text = flood();
    let ruling = admit(&submission(&text), &OPEN);
    assert!(!ruling.claims.is_empty());
    assert!(
        ruling.claims.iter().all(|claim| claim.route > Route::Admit),
        "{:?}",
        ruling.claims
    );
    let held = |claim: &testimony_admission::ruling::Claim| {
        let reasons = claim.findings.iter().map(|finding| finding.reason);
        reasons
            .into_iter()
            .any(|reason| reason == Reason::ReadingIncomplete)
    };
    assert!(ruling.claims.iter().all(held));
}

#[test]
fn a_flooded_field_holds_the_content_too() {
    let text = flood();
    let fields = [Field {
        name: "/metadata/note",
        text: &text,
    }];
    let submission = Submission {
        fields: &fields,
        ..submission("Ana moved to Oslo in March.")
    };
    let ruling = admit(&submission, &OPEN);
    assert!(
        matches!(ruling.route, Route::Review(_)),
        "{:?}",
        ruling.route
    );
    let reasons: Vec<Reason> = ruling
        .findings
        .iter()
        .map(|finding| finding.reason)
        .collect();
    assert!(reasons.contains(&Reason::ReadingIncomplete), "{reasons:?}");
}
