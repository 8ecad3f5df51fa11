//! Only the claim that holds a secret is held; its clean neighbours go on.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_admission::admit;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::Submission;

use super::secrecy::values;
use super::template::expand;
use super::tries::canary;
use super::{OPEN, config, submission};

/// Statements that are claims by themselves.
const CLEAN: &[&str] = &[
    "Ana moved to Oslo in March.",
    "The billing service runs on PostgreSQL.",
    "Rui owns the search team.",
    "Our office in Lyon has forty desks.",
    "Mira plays the cello on Sundays.",
    "The warehouse ships to Denmark.",
    "Jonas drives a blue van.",
];

/// Sentences with and without a secret in them: the clean ones, where the secret stands, and what it is.
fn story() -> impl Strategy<Value = (Vec<&'static str>, usize, String)> {
    let clean = prop::sample::subsequence(CLEAN, 2..=5);
    let value = (prop::sample::select(values()), any::<u64>());
    (clean, any::<prop::sample::Index>(), value).prop_map(|(clean, at, (line, seed))| {
        let at = at.index(clean.len() + 1);
        (clean, at, expand(&line.text, seed))
    })
}

fn holds(
    (clean, at, value): &(Vec<&'static str>, usize, String),
    rule: impl Fn(&Submission<'_>) -> Ruling,
) -> Result<(), TestCaseError> {
    let held = format!("The deploy job logs in with {value} every night.");
    let mut sentences: Vec<&str> = clean.clone();
    sentences.insert(*at, &held);
    let text = sentences.join("\n");
    let ruling = rule(&submission(&text));
    prop_assert_eq!(ruling.route, Route::QuarantineSecret);
    for claim in &ruling.claims {
        let stated = claim.text.as_str();
        let secret = stated.contains("[REDACTED:");
        let expected = if secret {
            Route::QuarantineSecret
        } else {
            Route::Admit
        };
        prop_assert_eq!(claim.route, expected, "{}", stated);
    }
    for sentence in clean {
        let admitted = ruling.claims.iter().any(|claim| {
            claim.route == Route::Admit
                && sentence.starts_with(claim.text.as_str().trim_end_matches('.'))
        });
        prop_assert!(admitted, "{sentence} in {:?}", ruling.claims);
    }
    Ok(())
}

#[test]
fn only_the_claim_that_holds_a_secret_is_held() {
    let checked = TestRunner::new(config()).run(&story(), |story| {
        holds(&story, |submission| admit(submission, &OPEN))
    });
    checked.unwrap();
}

/// The broken twin: one secret holds the whole text.
fn holds_everything(submission: &Submission<'_>) -> Ruling {
    let mut ruling = admit(submission, &OPEN);
    for claim in &mut ruling.claims {
        claim.route = ruling.route;
    }
    ruling
}

#[test]
fn the_property_catches_an_entrance_that_holds_the_neighbours_too() {
    let checked = TestRunner::new(canary()).run(&story(), |story| holds(&story, holds_everything));
    assert!(checked.is_err());
}
