//! What holds of claims for any text: every claim stands in the text, nothing is lost, and long repetitions are read to their end.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

#[path = "cases/many.rs"]
mod tries;

use std::ops::Range;

use proptest::prelude::*;
use testimony_admission::claims::{Context, Extraction, extract, sentences};
use testimony_domain::{EvidenceChannel, SourceClass};
use tries::{canary, many};

fn context() -> Context<'static> {
    Context {
        speaker: Some("Mara"),
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        kind: None,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        residue: None,
    }
}

/// Pieces of which texts are made that meet many rules at once.
const PIECES: &[&str] = &[
    "I live in Oslo",
    " and work for Equinor",
    ". ",
    "! ",
    "? ",
    ", but ",
    "maybe ",
    "the port is 8080",
    "\n- ",
    "\n",
    "\n\n",
    "```\n",
    "| a | b |\n",
    "Mara: ",
    "\"",
    "“",
    "”",
    "(",
    ")",
    "Dr. ",
    "e.g. ",
    "3.14",
    " until Friday",
    " of the ",
    "'s ",
    "…",
    "。",
    "東京",
    "🎉",
    ": ",
    "# ",
    "Thanks, ",
    "if ",
    "what ",
    "; ",
    "— ",
    "not ",
    "is ",
    "of of of ",
    "1. ",
    "https://a.b/c ",
    "last week",
];

fn some_text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::collection::vec(0..PIECES.len(), 0..24).prop_map(|picks| picks.into_iter().map(|at| PIECES[at]).collect::<String>()),
        1 => "\\PC{0,120}",
        1 => any::<String>(),
    ]
}

/// Words that join two claims and belong to neither.
const JOINING: &[&str] = &[
    "and", "but", "while", "whereas", "yet", "plus", "und", "aber", "sondern", "während", "et",
    "mais", "y", "e", "pero", "mientras",
];

/// Every word of every sentence stands in a claim or in what is left out.
fn nothing_is_lost(text: &str, found: &Extraction<'_>) -> Result<(), String> {
    let mut covered = vec![false; text.len()];
    let spans = found
        .claims
        .iter()
        .map(|c| c.span.clone())
        .chain(found.left_out.iter().map(|l| l.span.clone()));
    for span in spans {
        covered[span].fill(true);
    }
    for sentence in sentences(text) {
        for (at, word) in words(text, sentence.span) {
            if !covered[at] && !JOINING.contains(&word.to_lowercase().as_str()) {
                return Err(format!("{word:?} at {at} of {text:?} is lost"));
            }
        }
    }
    Ok(())
}

fn words(text: &str, span: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let start = span.start;
    text[span]
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
        .filter(move |(at, _)| *at >= start)
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn claims_stand_in_the_text_and_nothing_is_lost(text in some_text()) {
        let found = extract(&text, &context());
        let mut last = 0;
        for claim in &found.claims {
            prop_assert_eq!(text.get(claim.span.clone()), Some(claim.text));
            prop_assert!(claim.span.start >= last, "claims overlap in {:?}", text);
            last = claim.span.end;
        }
        for left in &found.left_out {
            prop_assert!(text.get(left.span.clone()).is_some());
        }
        if let Err(lost) = nothing_is_lost(&text, &found) {
            prop_assert!(false, "{}", lost);
        }
        let worded = sentences(&text).iter().any(|s| text[s.span.clone()].chars().any(char::is_alphanumeric));
        prop_assert!(!worded || !found.claims.is_empty() || !found.left_out.is_empty());
    }

    #[test]
    fn a_text_said_twice_draws_no_more_than_twice_as_much(text in some_text()) {
        // Drawing from a text twice as long, parted by a blank line, draws the same twice: no state grows with the text.
        let doubled = format!("{text}\n\n{text}");
        let (one, two) = (extract(&text, &context()), extract(&doubled, &context()));
        let fenced = text.contains("```") || text.contains("~~~") || text.contains(':') || text.contains('#');
        prop_assert!(fenced || two.claims.len() <= 2 * one.claims.len() + 2);
    }
}

#[test]
fn canary_an_extraction_that_drops_what_it_leaves_out_is_caught() {
    let mut runner = proptest::test_runner::TestRunner::new(canary());
    let caught = runner.run(&some_text(), |text| {
        let broken = Extraction {
            left_out: Vec::new(),
            ..extract(&text, &context())
        };
        nothing_is_lost(&text, &broken).map_err(TestCaseError::fail)
    });
    assert!(
        caught.is_err(),
        "the property must catch what is dropped in silence"
    );
}

/// Texts that would be slow if any step looked at the rest of the text again for every word.
#[rustfmt::skip]
const REPEATED: &[&str] = &["of the ", "\"", "“a ", "and I live in Oslo ", "is ", "a, ", "(", "not ", "1. ", "last week ", "until ", "Mara's ", "x: ", "- ", "# a\n", "```\n", "| a |\n", ". ", "if ", "who ", "Dr. ", "8 May ", "'", "the "];

#[test]
fn long_repetitions_are_read_to_their_end() {
    for piece in REPEATED {
        let text = piece.repeat(40_000 / piece.len());
        let found = extract(&text, &context());
        nothing_is_lost(&text, &found).unwrap();
    }
}
