//! Property 5 (nothing of a secret survives, whatever it wears) and property 11 (total and linear) of this stage.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testimony_admission::normalise::{MAX_GROWTH, Reading, SMALL_TEXT};
use testimony_admission::secrets::{SubmissionScan, rules, scan_submission, split_across};
use testimony_admission::submission::Field;

use super::template::{Line, expand, lines};
use super::transform::{Transform, apply};
use super::tries::{canary, many};

const POSITIVES: &str = include_str!("../../../../fixtures/secrets/positives.jsonl");
const WINDOW: usize = 8;

/// What may stand right before and behind a value.
const EDGES: &[&str] = &[
    " ", "\n", "\t", ": ", " = ", "\"", "'", "`", "(", "<", ", ", "\u{a0}", "。", "：", "「",
    " — ", "\r\n",
];

/// What people and programs write around a value.
const SURROUNDINGS: &[&str] = &[
    "",
    "Please keep this for the deploy on Friday",
    "Ключ от staging лежит здесь",
    "部署凭证如下",
    "fn main() { let client = Client::new(",
    "export DEPLOY=",
    "{\"service\": \"orders\", \"note\": ",
    "| host | value |\n|---|---|\n| db1 |",
    "commit 1f2e3d4c5b6a79880706050403020100ffeeddcc\n",
    "see https://wiki.acme.io/runbooks/deploy%20notes?page=2",
    "Don\u{2019}t paste it anywhere \u{1f642}",
];

/// One attack: a value, its disguise, and where it stands.
#[derive(Clone, Debug)]
struct Attack {
    value: String,
    text: String,
    field: String,
}

/// A failing case is remembered beside this file.
pub(super) fn config() -> Config {
    Config {
        source_file: Some(file!()),
        ..many()
    }
}

pub(super) fn families() -> Vec<Line> {
    lines(POSITIVES)
        .into_iter()
        .filter(|line| line.alone)
        .collect()
}

fn surrounding() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(SURROUNDINGS).prop_map(str::to_owned),
        "\\PC{0,40}",
        "[ -~\n]{0,60}",
    ]
}

fn attack() -> impl Strategy<Value = Attack> {
    let parts = (
        prop::sample::select(families()),
        any::<u64>(),
        prop::sample::select(&Transform::ALL[..]),
        (surrounding(), surrounding()),
        (prop::sample::select(EDGES), prop::sample::select(EDGES)),
    );
    parts.prop_map(
        |(family, seed, transform, (before, after), (left, right))| {
            let value = expand(&family.text, seed);
            let worn = apply(transform, &value);
            Attack {
                text: format!("{before}{left}{worn}{right}{after}"),
                field: format!("{after}{right}{worn}{left}{before}"),
                value,
            }
        },
    )
}

fn shows(text: &str, value: &str) -> bool {
    let reading = Reading::of(text);
    let windows: Vec<&[u8]> = value.as_bytes().windows(WINDOW).collect();
    reading.views().any(|view| {
        let bytes = view.text().as_bytes();
        bytes
            .windows(WINDOW)
            .any(|window| windows.contains(&window))
    })
}

/// The property, for any scanner.
fn holds(
    attack: &Attack,
    scan: impl Fn(&str, &[Field<'_>]) -> SubmissionScan,
) -> Result<(), TestCaseError> {
    let fields = [Field {
        name: "/metadata/note",
        text: &attack.field,
    }];
    let scan = scan(&attack.text, &fields);
    prop_assert!(
        !shows(scan.content.redacted.as_str(), &attack.value),
        "content: {}",
        scan.content.redacted
    );
    for (name, text) in &scan.fields {
        prop_assert!(!shows(name, &attack.value), "name: {name}");
        prop_assert!(!shows(text.as_str(), &attack.value), "field: {text}");
    }
    let findings = format!("{:?}{:?}", scan.content.findings, scan.field_findings);
    prop_assert!(!shows(&findings, &attack.value), "findings: {findings}");
    for finding in &scan.content.findings {
        prop_assert!(attack.text.get(finding.span.clone()).is_some());
    }
    Ok(())
}

#[test]
fn nothing_of_a_secret_survives_in_any_disguise() {
    let mut runner = TestRunner::new(config());
    let checked = runner.run(&attack(), |attack| {
        holds(&attack, |text, fields| {
            scan_submission(text, fields, &super::OPEN)
        })
    });
    checked.unwrap();
}

#[test]
fn the_property_catches_a_scanner_that_reads_only_the_raw_text() {
    let mut runner = TestRunner::new(canary());
    let checked = runner.run(&attack(), |attack| {
        // The broken twin sees the same texts with everything that is not plain ASCII words cut out of its sight:
        // what the real one finds only through another view, it leaves where it stands.
        holds(&attack, |text, fields| {
            let scan = scan_submission(text, fields, &super::OPEN);
            let plain = text.contains(&attack.value);
            if plain { scan } else { blind(text, fields) }
        })
    });
    assert!(checked.is_err());
}

/// What a scanner answers that found nothing.
fn blind(text: &str, fields: &[Field<'_>]) -> SubmissionScan {
    let everything: Vec<&'static str> = rules().map(|rule| rule.id).collect();
    let policy = testimony_admission::submission::Policy {
        exempt_rules: &everything,
        ..super::OPEN
    };
    scan_submission(text, fields, &policy)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_stage_is_total_and_its_maps_lead_back(text in "\\PC{0,200}", name in "\\PC{0,30}", noise in any::<Vec<u8>>()) {
        let noise = String::from_utf8_lossy(&noise).into_owned();
        let fields = [Field { name: &name, text: &noise }];
        let scan = scan_submission(&text, &fields, &super::OPEN);
        let redacted = scan.content.redacted.as_str();
        for (at, character) in redacted.char_indices() {
            let original = scan.content.map.original(at..at + character.len_utf8());
            prop_assert!(text.get(original.clone()).is_some_and(|part| !part.is_empty()), "{original:?}");
        }
        for view in Reading::of(&text).views() {
            for (at, character) in view.text().char_indices() {
                let original = view.original(at..at + character.len_utf8());
                prop_assert!(text.get(original.clone()).is_some_and(|part| !part.is_empty()), "{original:?}");
            }
        }
        let _ = split_across(&[&text, &noise], &super::OPEN);
    }

    #[test]
    fn the_work_grows_with_the_text_and_no_faster(
        unit in prop::sample::select(&["%41%42", "aGVsbG8gd29ybGQhIQ", "\u{fdfa}", "a b c d ", "&#65;", "68656c6c6f20776f726c64", "ab1\n", "\\u0041", "sk-ant-", "password=", "\u{200b}x", "\"+\""][..]),
        times in 1_usize..400,
    ) {
        let text = unit.repeat(times);
        prop_assert!(Reading::of(&text).bytes() <= text.len() * MAX_GROWTH + SMALL_TEXT);
        let _ = scan_submission(&text, &[], &super::OPEN);
    }
}
