//! A secret that stands in two texts of one submission: neither is left beside the other.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_admission::secrets::{SubmissionScan, rules, scan_submission, split_across};
use testimony_admission::submission::{Field, Policy};
use testimony_domain::Reason;

use super::OPEN;
use super::property::{config, families};
use super::template::expand;
use super::tries::canary;

/// Where the halves of a value stand.
#[derive(Clone, Copy, Debug)]
enum Place {
    ContentThenField,
    FieldThenContent,
    Tags,
    Metadata,
    NameThenText,
}

const PLACES: [Place; 5] = [
    Place::ContentThenField,
    Place::FieldThenContent,
    Place::Tags,
    Place::Metadata,
    Place::NameThenText,
];

#[derive(Clone, Debug)]
struct Attack {
    head: String,
    tail: String,
    place: Place,
}

type Texts = (String, Vec<(String, String)>);

impl Attack {
    /// The content and the fields.
    fn texts(&self) -> Texts {
        let plain = "Ana moved to Oslo in March.".to_owned();
        let (head, tail) = (self.head.clone(), self.tail.clone());
        let named = |name: &str, text: String| (name.to_owned(), text);
        match self.place {
            Place::ContentThenField => (
                format!("The nightly job uses {head}"),
                vec![named("/tags/0", "moving".into()), named("/custom_id", tail)],
            ),
            Place::FieldThenContent => (
                format!("{tail} is the rest of it."),
                vec![named("/custom_id", head)],
            ),
            Place::Tags => (plain, vec![named("/tags/0", head), named("/tags/1", tail)]),
            Place::Metadata => (
                plain,
                vec![
                    named("/metadata/b", format!("second: {tail}")),
                    named("/metadata/a", format!("first: {head}")),
                ],
            ),
            Place::NameThenText => (plain, vec![(format!("/metadata/{head}"), tail)]),
        }
    }

    fn scan(&self, policy: &Policy<'_>) -> SubmissionScan {
        let (content, fields) = self.texts();
        let fields: Vec<Field<'_>> = fields
            .iter()
            .map(|(name, text)| Field { name, text })
            .collect();
        scan_submission(&content, &fields, policy)
    }
}

/// Values that show what they are by their shape alone, as both halves together do.
fn whole_by_shape(value: &str) -> bool {
    let found = split_across(&[value, "nothing"], &OPEN).is_empty() && scanned_as_shape(value);
    found
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

fn scanned_as_shape(value: &str) -> bool {
    let named: Vec<&str> = rules()
        .map(|rule| rule.id)
        .filter(|id| id.starts_with("near_") || id.starts_with("beside_"))
        .collect();
    let policy = Policy {
        exempt_rules: &named,
        ..OPEN
    };
    let scan = scan_submission(value, &[], &policy);
    let whole = |span: &std::ops::Range<usize>| *span == (0..value.len());
    scan.content
        .findings
        .iter()
        .any(|finding| finding.reason == Reason::SecretFound && whole(&finding.span))
}

fn attack() -> impl Strategy<Value = Attack> {
    let parts = (
        prop::sample::select(families()),
        any::<u64>(),
        any::<prop::sample::Index>(),
        prop::sample::select(&PLACES[..]),
    );
    let drawn =
        parts.prop_map(|(family, seed, cut, place)| (expand(&family.text, seed), cut, place));
    let split = drawn.prop_filter(
        "a shape of its own, long enough for two halves",
        |(value, ..)| value.len() >= 20 && whole_by_shape(value),
    );
    let halved = split.prop_map(|(value, cut, place)| {
        let at = 8 + cut.index(value.len() - 15);
        Attack {
            head: value[..at].to_owned(),
            tail: value[at..].to_owned(),
            place,
        }
    });
    halved.prop_filter("no half is a word of a sentence", |attack| {
        let numbered = |half: &str| half.bytes().any(|b| b.is_ascii_digit());
        numbered(&attack.head) && numbered(&attack.tail)
    })
}

/// Not both halves are left.
fn holds(attack: &Attack, left: &SubmissionScan) -> Result<(), TestCaseError> {
    let mut texts = vec![left.content.redacted.to_string()];
    for (name, text) in &left.fields {
        texts.extend([name.clone(), text.to_string()]);
    }
    let shown = |half: &str| texts.iter().any(|text| text.contains(half));
    prop_assert!(!(shown(&attack.head) && shown(&attack.tail)), "{texts:?}");
    Ok(())
}

#[test]
fn neighbours_never_show_a_secret_together() {
    let checked =
        TestRunner::new(config()).run(&attack(), |attack| holds(&attack, &attack.scan(&OPEN)));
    checked.unwrap();
}

/// The broken twin reads every text alone.
fn alone(attack: &Attack) -> SubmissionScan {
    let (content, fields) = attack.texts();
    let mut scan = scan_submission(&content, &[], &OPEN);
    for (name, text) in &fields {
        let name = scan_submission(name, &[], &OPEN)
            .content
            .redacted
            .to_string();
        scan.fields
            .push((name, scan_submission(text, &[], &OPEN).content.redacted));
    }
    scan
}

#[test]
fn the_property_catches_a_scanner_that_reads_every_text_alone() {
    let checked =
        TestRunner::new(canary()).run(&attack(), |attack| holds(&attack, &alone(&attack)));
    assert!(checked.is_err());
}

/// A synthetic token of a well-known shape, in the halves that two tags show.
fn halved() -> Attack {
    Attack {
        head: ["gh", "p_", "q7Rk2mZt9Xw4", "Bv6N"].concat(),
        tail: ["y1Lc8Hd3", "Js5Pf0Ga2Te7"].concat(),
        place: Place::Tags,
    }
}

#[test]
fn both_halves_go_and_both_are_reported_with_one_fingerprint() {
    let scan = halved().scan(&OPEN);
    let texts: Vec<&str> = scan.fields.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["[REDACTED:github_classic]"; 2]);
    let [first, second] = scan.field_findings.as_slice() else {
        panic!("{:?}", scan.field_findings)
    };
    assert_eq!(first.fingerprint, second.fingerprint);
    assert_eq!((&first.span, &second.span), (&(0..20), &(0..20)));
    let whole = format!("{}{}", halved().head, halved().tail);
    let alone = scan_submission(&whole, &[], &OPEN);
    assert_eq!(alone.content.findings[0].fingerprint, first.fingerprint);
}

#[test]
fn what_an_operator_permits_stays_in_both_halves() {
    let print = halved().scan(&OPEN).field_findings[0]
        .fingerprint
        .clone()
        .unwrap();
    let allowed = [print.as_str()];
    let by_value = Policy {
        allowed_fingerprints: &allowed,
        ..OPEN
    };
    let by_rule = Policy {
        exempt_rules: &["github_classic"],
        ..OPEN
    };
    let halves = halved();
    for policy in [by_value, by_rule] {
        let scan = halves.scan(&policy);
        let texts: Vec<&str> = scan.fields.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, [&halves.head, &halves.tail]);
        assert!(
            scan.field_findings
                .iter()
                .all(|finding| finding.reason == Reason::SecretExempted)
        );
        assert_eq!(scan.field_findings.len(), 2);
        assert!(split_across(&[&halves.head, &halves.tail], &policy).is_empty());
    }
    assert!(!split_across(&[&halves.head, &halves.tail], &OPEN).is_empty());
}

#[test]
fn neighbours_that_are_ordinary_stay() {
    let fields = [
        ("/tags/0", "release-2024"),
        ("/tags/1", "key-rotation"),
        ("/custom_id", "7f3a9c51-22d0-4b7e-9a41-0c5d8e6f1b23"),
        ("/metadata/token_budget", "4096"),
        ("/metadata/build", "ghp-9f3a7c51e0b2"),
    ]
    .map(|(name, text)| Field { name, text });
    let scan = scan_submission(
        "The rollout of build-4417 went well, see pat_notes",
        &fields,
        &OPEN,
    );
    assert!(
        scan.content.findings.is_empty() && scan.field_findings.is_empty(),
        "{:?}",
        scan.field_findings
    );
}
