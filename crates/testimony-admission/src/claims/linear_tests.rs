//! Drawing claims looks at no more than a text is long, times a constant: counted, not timed.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_domain::{EvidenceChannel, SourceClass};

use super::{Context, extract};
use crate::tries::{canary, many};
use crate::work::growth;

/// What is looked at again, if a step looks back or ahead for every one of them.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "word ", "and ", ", ", ",", ". ", ".", "\"", "“", "” ", "'", "(", "[{(", "))) ", "- ", "- x\n", "1. ", "> ", "# h\n", "```\n", "| a |\n",
    "a = b;\n", "  x(\n", "if x:\n", "SELECT a\n", "key: value\n", "Ana: ", "\n", "\n\n", "8 May 2023 ", "last week ", "until Friday, ", "in 2024 ",
    "Ana Ruiz ", "Ab c ", "of the ", "of ", "'s ", "is ", "not ", "maybe ", "if ", "who ", "a maybe ", "It is red. ", "and is red ", "use ", "because ",
    "Dr. ", "e.g. ", "…", "。", "東京", "🎉 ", "[REDACTED:x ", "I live in Oslo and work for Equinor. ", "the port is 8080; ", ", but x y ", "Thanks. Ana. ", "        ",
];

/// What stands once, in front of what is repeated, so that everything behind may look back at it.
const FRONTS: &[&str] = &["", "(", "\"", "- ", "Ana ", "```\n", "Maybe, ", "I "];

/// How often as long the second and the third text are.
const GROWTH: [usize; 3] = [1, 4, 16];

/// How much may be looked at for each byte, and once for every text.
const MOST_PER_BYTE: usize = 32;
const MOST_ALWAYS: usize = 4_096;

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

/// A text, and how much was looked at to draw its claims.
fn effort_of(text: &str) -> usize {
    growth::of(|| drop(extract(text, &context())))
}

/// The broken twin: before each line or sentence it draws anew from everything up to there.
fn effort_of_a_twin_that_begins_anew(text: &str) -> usize {
    let ends = text.match_indices([' ', '\n']).map(|(at, _)| at);
    ends.filter_map(|end| text.get(..end)).map(effort_of).sum()
}

/// A front, and twice two units in turn, so that runs of one and of the other come up, and mixtures.
fn hostile() -> impl Strategy<Value = (&'static str, String, usize)> {
    let unit = || prop::sample::select(UNITS);
    let repeated = (unit(), 1_usize..20, unit(), 0_usize..3)
        .prop_map(|(one, often, other, seldom)| one.repeat(often) + &other.repeat(seldom));
    (prop::sample::select(FRONTS), repeated, 1_usize..4)
}

fn stays_linear(
    (front, repeated, times): &(&str, String, usize),
    effort: impl Fn(&str) -> usize,
) -> Result<(), TestCaseError> {
    for growth in GROWTH {
        let text = front.to_string() + &repeated.repeat(times * growth);
        let (spent, allowed) = (effort(&text), text.len() * MOST_PER_BYTE + MOST_ALWAYS);
        prop_assert!(
            spent <= allowed,
            "{spent} for {} bytes of {:?} and {:?}",
            text.len(),
            front,
            repeated
        );
    }
    Ok(())
}

#[test]
fn the_effort_grows_with_the_text_and_no_faster() {
    TestRunner::new(many())
        .run(&hostile(), |text| stays_linear(&text, effort_of))
        .unwrap();
}

/// Of such a run a step that looks back from every word behind it would look at each again.
const RUNS: &[&str] = &["(", "of the ", "maybe ", "8 May 2023 ", "Ab c ", "  x(\n"];

/// How many bytes a run and what follows it take; long enough that one look at the other for each word is too many.
const RUN_BYTES: usize = 3_000;

#[test]
fn a_long_run_of_one_kind_is_not_looked_at_again_from_a_run_of_another() {
    for run in RUNS {
        for unit in UNITS {
            let text = run.repeat(RUN_BYTES / run.len()) + &unit.repeat(RUN_BYTES / unit.len());
            let (spent, allowed) = (effort_of(&text), text.len() * MOST_PER_BYTE + MOST_ALWAYS);
            assert!(
                spent <= allowed,
                "{spent} for {} bytes of {run:?} and {unit:?}",
                text.len()
            );
        }
    }
}

#[test]
fn canary_a_twin_that_begins_anew_for_every_word_is_caught() {
    let caught = TestRunner::new(canary()).run(&hostile(), |text| {
        stays_linear(&text, effort_of_a_twin_that_begins_anew)
    });
    assert!(caught.is_err(), "the property must catch what is quadratic");
}
