//! Secrets that run over lines: all of them goes, and nothing of the line behind them.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_admission::secrets::scan;

use super::OPEN;
use super::property::config;
use super::template::expand;
use super::tries::canary;

/// Values with a shape of their own, of bounded and of unbounded length.
const SHAPED: &[&[&str]] = &[
    &["gh", "p_", "{A-Za-z0-9:36}"],
    &["glp", "at-", "{A-Za-z0-9:20}"],
    &["sk", "_live_", "{A-Za-z0-9:32}"],
    &["AI", "za", "{A-Za-z0-9:35}"],
    &["np", "m_", "{A-Za-z0-9:36}"],
];

/// Values that only the words before them give away, with those words.
///
/// They hold no vowels but those of hexadecimal digits: where part of a half reads as a word, the half is judged by that,
/// and what stands in the next line may stay.
const SPOKEN: &[(&str, &[&str])] = &[
    (
        "the api key is ",
        &["{B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz0-9:40}"],
    ),
    ("The token for staging is ", &["{a-f0-9:40}"]),
    (
        "access key is ",
        &["{B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz0-9+/:40}"],
    ),
    (
        "The database password is ",
        &["{B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz0-9:32}"],
    ),
];

/// How a line goes on in the next one.
const WRAPS: &[&str] = &[
    "\n", "\r\n", "  \n  ", "\n\t", "\\\n    ", " \\\n", "\n> ", "\n>> ", "\n> > ", "\n// ",
    "\n# ", "\n  # ", "\n * ", "\n-- ", "\n; ", "\n| ",
];

/// What stands in the line behind a secret and is none of it.
const NEXT_LINES: &[&str] = &[
    "The office is closed on Fridays.",
    "Regards,\nAna",
    "OK",
    "KEY=1",
    "user: ana",
    "next: value",
    "# settings",
    "and it must not be shared.",
    "2031-05-01 meeting notes",
    "internationalisation is hard",
    "GitHub has a page about it",
    "42 people came",
    "https://wiki.acme.example/page",
    "} else {",
    "----------------------------------------------------------------",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

/// A value in pieces, and the line behind it.
#[derive(Clone, Debug)]
struct Wrapped {
    lead: &'static str,
    pieces: Vec<String>,
    wrap: &'static str,
    next: &'static str,
}

impl Wrapped {
    fn text(&self) -> String {
        format!(
            "{}{}\n{}",
            self.lead,
            self.pieces.join(self.wrap),
            self.next
        )
    }
}

fn parts(parts: &[&str], seed: u64) -> String {
    let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
    expand(&parts, seed)
}

fn wrapped() -> impl Strategy<Value = Wrapped> {
    let shaped = (prop::sample::select(SHAPED), any::<u64>())
        .prop_map(|(shape, seed)| ("", parts(shape, seed)));
    let spoken = (prop::sample::select(SPOKEN), any::<u64>())
        .prop_map(|((lead, shape), seed)| (lead, parts(shape, seed)));
    let drawn = (
        prop_oneof![shaped, spoken],
        prop::sample::select(vec![2_usize, 3]),
        prop::sample::select(WRAPS),
        prop::sample::select(NEXT_LINES),
    );
    let cut = drawn.prop_map(|((lead, value), count, wrap, next)| {
        let width = value.len().div_ceil(count);
        let pieces = value.as_bytes().chunks(width);
        let pieces = pieces.map(|piece| String::from_utf8_lossy(piece).into_owned());
        Wrapped {
            lead,
            pieces: pieces.collect(),
            wrap,
            next,
        }
    });
    // Letters alone may be a word, and letters with a number behind them a name; nobody can tell then.
    cut.prop_filter(
        "found where it is whole, and digits among the letters of every piece",
        |wrapped| {
            let numbered = |piece: &String| {
                let mixed = piece.trim_end_matches(|c: char| c.is_ascii_digit());
                let digits = |part: &str| part.bytes().filter(u8::is_ascii_digit).count();
                digits(piece) >= 2 && (mixed.is_empty() || digits(mixed) >= 1)
            };
            let whole = wrapped.pieces.concat();
            let found = !redacted(&format!("{}{whole}", wrapped.lead)).contains(&whole);
            found && wrapped.pieces.iter().all(numbered)
        },
    )
}

/// Every piece is gone, and the next line is all there.
fn holds(wrapped: &Wrapped, scan: impl Fn(&str) -> String) -> Result<(), TestCaseError> {
    let left = scan(&wrapped.text());
    for piece in &wrapped.pieces {
        let mut windows = piece.as_bytes().windows(8);
        let shown = windows.any(|window| left.as_bytes().windows(8).any(|other| other == window));
        prop_assert!(!shown, "{piece} in {left:?}");
    }
    prop_assert!(left.ends_with(&format!("\n{}", wrapped.next)), "{left:?}");
    Ok(())
}

fn redacted(text: &str) -> String {
    scan(text, &OPEN).redacted.to_string()
}

#[test]
fn a_wrapped_secret_goes_and_the_next_line_stays() {
    let checked = TestRunner::new(config()).run(&wrapped(), |wrapped| holds(&wrapped, redacted));
    checked.unwrap();
}

/// The broken twin reads every line alone.
#[test]
fn the_property_catches_a_scanner_that_reads_every_line_alone() {
    let alone = |text: &str| {
        let lines: Vec<String> = text.split('\n').map(redacted).collect();
        lines.join("\n")
    };
    let checked = TestRunner::new(canary()).run(&wrapped(), |wrapped| holds(&wrapped, alone));
    assert!(checked.is_err());
}

/// The broken twin takes the first word of the next line with the secret.
#[test]
fn the_property_catches_a_scanner_that_takes_the_next_word_too() {
    let greedy = |text: &str| redacted(text).replace("]\nThe ", "] ");
    let checked = TestRunner::new(canary()).run(&wrapped(), |wrapped| holds(&wrapped, greedy));
    assert!(checked.is_err());
}

fn token(seed: u64) -> String {
    parts(&["gh", "p_", "{A-Za-z0-9:36}"], seed)
}

#[test]
fn two_wrapped_secrets_one_after_another_go_as_two() {
    let [first, second] = [token(1), token(2)].map(|token| {
        let (head, tail) = token.split_at(21);
        format!("{head}\n{tail}")
    });
    assert_eq!(
        redacted(&format!("{first}\n{second}\nThat is all.")),
        "[REDACTED:github_classic]\n[REDACTED:github_classic]\nThat is all."
    );
}

#[test]
fn a_hyphen_at_the_end_of_a_line_hides_nothing() {
    let token = token(3);
    let (head, tail) = token.split_at(20);
    let left = redacted(&format!("It is {head}-\n{tail}\nThat is all."));
    assert_eq!(left, "It is [REDACTED:github_classic]\nThat is all.");
}

#[test]
fn what_follows_a_literal_is_another_thing_unless_a_sign_ties_them() {
    let token = token(4);
    let (head, tail) = token.split_at(22);
    let tied = format!("t = \"{head}\" +\n    \"{tail}\" +\n    \"9aK2mZ7t\"");
    assert_eq!(redacted(&tied), "t = \"[REDACTED:github_classic]\"");
    let apart = format!("curl -H \"{token}\" \"https://acme.example/cdn\"");
    assert_eq!(
        redacted(&apart),
        "curl -H \"[REDACTED:github_classic]\" \"https://acme.example/cdn\""
    );
}

#[test]
fn short_words_of_a_sentence_are_no_groups_of_a_secret() {
    let value = parts(&["{A-Za-z0-9:16}", "\n", "{A-Za-z0-9:16}"], 5);
    let left = redacted(&format!("the api key is {value}\nThe end."));
    assert_eq!(left, "the api key is [REDACTED:beside_key]\nThe end.");
}

/// A last line of digits alone belongs to the value, whatever the line behind it begins with.
#[test]
fn a_last_piece_of_digits_goes_with_the_rest() {
    let value = parts(&["{a-f0-9:16}", "\n", "{a-f0-9:16}", "\n", "{0-9:12}"], 6);
    let left = redacted(&format!(
        "The token for staging is {value}\nThe office is closed."
    ));
    assert_eq!(
        left,
        "The token for staging is [REDACTED:beside_token]\nThe office is closed."
    );
}

/// A stretch over two lines can happen to decode to text. The value is made up, and stands here in parts.
#[test]
fn what_a_stretch_decodes_to_takes_nothing_of_the_next_line() {
    let wrapped = Wrapped {
        lead: "The database password is ",
        pieces: vec![
            ["MP6VqHZ2", "H4V7RVWD"].concat(),
            ["pRM0FvN2", "dpxsMHp6"].concat(),
        ],
        wrap: "\n",
        next: "GitHub has a page about it",
    };
    holds(&wrapped, redacted).unwrap();
}

/// A part of a value can happen to decode to something shorter, so that four signs are missing to its fixed length.
#[test]
fn what_a_part_of_a_value_decodes_to_takes_nothing_of_the_next_line() {
    let wrapped = Wrapped {
        lead: "",
        pieces: vec![
            ["np", "m_6IXOHkGm17MntDxU"].concat(),
            "0v2PuYYVcydEozS3B2ct".to_owned(),
        ],
        wrap: "\n",
        next: "user: ana",
    };
    holds(&wrapped, redacted).unwrap();
}

#[test]
fn what_begins_inside_a_value_by_chance_leaves_the_next_line_alone() {
    // The random part of the first value begins as values of another maker do.
    let value = ["np", "m_", "YC", &"k7Rw2Xb9Tq".repeat(4)[..34]].concat();
    let text = format!("{value}\nKeep the kettle on.");
    let kept = redacted(&text);
    assert!(!kept.contains(&value[6..14]), "{kept}");
    assert!(kept.contains("Keep the kettle on."), "{kept}");
}
