//! Sentences: the cases of `fixtures/claims/sentences.jsonl`.

#![expect(
    clippy::string_slice,
    reason = "a test stops at what it does not expect"
)]

#[path = "claims_support/mod.rs"]
mod support;

use support::{cases, require, text};
use testimony_admission::claims::sentences;

#[test]
fn sentences_end_where_people_end_them() {
    let cases = cases("claims/sentences.jsonl");
    assert!(cases.len() >= 100);
    require("claims/sentences.jsonl", &cases, 0.95, |case| {
        let text = text(case, "text");
        let found = sentences(text);
        let got: Vec<&str> = found
            .iter()
            .map(|sentence| &text[sentence.span.clone()])
            .collect();
        let expected: Vec<&str> = case["sentences"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s.as_str().unwrap())
            .collect();
        let speakers: Vec<&str> = found
            .iter()
            .filter_map(|s| s.speaker.clone())
            .map(|span| &text[span])
            .collect();
        let expected_speakers: Vec<&str> = case["speakers"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|s| s.as_str().unwrap())
            .collect();
        (got == expected && speakers == expected_speakers)
            .then_some(())
            .ok_or_else(|| format!("{text:?}\n   got {got:?} {speakers:?}"))
    });
}
