//! What half of a secret is, and when two halves show one. The values are made up and name no account.

use super::*;

const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[7; 32],
};

fn texts_of(row: &str) -> Vec<&str> {
    halves_of(0, row).map(|half| half.text).collect()
}

#[test]
fn a_half_is_a_token_of_fitting_length_that_is_no_word() {
    let (longest, too_long) = ("a1".repeat(256), "a1".repeat(257));
    let cases: &[(&str, &[&str])] = &[
        ("take abc123 along", &["abc123"]),
        ("take abc12 along", &[]),
        (&longest, &[&longest]),
        (&too_long, &[]),
        // A word is one only where the row is nothing else.
        ("take winter along", &[]),
        (" winter ", &["winter"]),
        ("take wxqtrz along", &["wxqtrz"]),
        ("take some_word along", &["some_word"]),
        ("take some-word along", &["some-word"]),
        ("take some/word along", &["some/word"]),
        (
            "it is (\"abc123\"), [def456]; ghi789.",
            &["abc123", "def456", "ghi789"],
        ),
        (
            "'abc123:' `def456!` {ghi789?}",
            &["abc123", "def456", "ghi789"],
        ),
        ("<abc123>…def456", &["abc123", "def456"]),
        // A long row keeps its first four, and its last.
        (
            "one111 two222 three3 four444",
            &["one111", "two222", "three3", "four444"],
        ),
        (
            "one111 two222 three3 four444 five55 six666 seven7",
            &["one111", "two222", "three3", "four444", "seven7"],
        ),
        ("", &[]),
    ];
    for (row, halves) in cases {
        assert_eq!(texts_of(row), *halves, "{row:?}");
    }
}

#[test]
fn a_half_knows_where_it_stands() {
    let row = "take «abc123», and def456.";
    let halves: Vec<Half<'_>> = halves_of(3, row).collect();
    assert_eq!(halves.len(), 2);
    for half in halves {
        assert_eq!(row.get(half.range.clone()), Some(half.text));
        assert_eq!(half.row, 3);
    }
}

#[test]
fn only_the_keyword_of_a_shape_makes_a_head() {
    for text in ["hf_", "sk-proj-abc", "-----BEGIN PRIVATE KEY-----"] {
        assert!(holds_keyword(text), "{text:?}");
    }
    for text in ["", "winter", "shodan"] {
        assert!(!holds_keyword(text), "{text:?}");
    }
}

/// A key of a made-up account, in two parts so that nobody takes it for one.
const HEAD: &str = concat!("hf", "_QwErTyUiOpAsDf");
const TAIL: &str = "GhJkLzXcVbNmQwErTyUi";

#[test]
fn two_halves_show_a_secret_where_it_runs_over_the_seam() {
    let rows = [
        format!("first part {HEAD}"),
        format!("then {TAIL} and so on"),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let found = split_across(&rows, &OPEN);
    let [secret] = found.as_slice() else {
        panic!("one secret, not {found:?}")
    };
    assert_eq!((secret.first.0, secret.second.0), (0, 1));
    assert_eq!(rows[0].get(secret.first.1.clone()), Some(HEAD));
    assert_eq!(rows[1].get(secret.second.1.clone()), Some(TAIL));

    let exempt = Policy {
        exempt_rules: &[secret.rule],
        ..OPEN
    };
    assert_eq!(split_across(&rows, &exempt), []);
}

fn half(row: usize, text: &str) -> Half<'_> {
    Half {
        row,
        range: 10..10 + text.len(),
        text,
    }
}

#[test]
fn what_one_half_shows_alone_is_no_secret_of_both() {
    let whole = format!("{HEAD}{TAIL}");
    let joined = together(&half(0, HEAD), &half(1, TAIL), &OPEN).unwrap();
    assert_eq!(joined.value, whole);
    assert_eq!(joined.first, (0, 10..10 + HEAD.len()));
    assert_eq!(joined.second, (1, 10..10 + TAIL.len()));
    assert!(!joined.permitted);

    let known = joined.fingerprint.unwrap();
    let allowed = Policy {
        allowed_fingerprints: &[&known],
        ..OPEN
    };
    let allowed = together(&half(0, HEAD), &half(1, TAIL), &allowed).unwrap();
    assert!(allowed.permitted);

    let (before, behind) = (half(0, &whole), half(1, "/path-22"));
    assert!(
        together(&before, &behind, &OPEN).is_none(),
        "all of it before the seam"
    );
    let (before, behind) = (half(0, "path-22/"), half(1, &whole));
    assert!(
        together(&before, &behind, &OPEN).is_none(),
        "all of it behind the seam"
    );
    assert!(together(&half(0, TAIL), &half(1, TAIL), &OPEN).is_none());
}
