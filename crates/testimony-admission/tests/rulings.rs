//! Every decision on every labelled text, as it stands: `fixtures/rulings`. What changes shows itself there, whether or not
//! a label says anything of it.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads its fixtures, and stops at what it does not expect"
)]

#[path = "secrets/expand.rs"]
mod expand;
#[path = "cases/known.rs"]
mod known;
#[path = "cases/pair.rs"]
mod pair;
#[path = "../../testimony-testkit/src/transform.rs"]
pub mod transform;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testimony_admission::admit;
use testimony_admission::claims::dates;
use testimony_admission::ruling::{Claim, Finding, Ruling};
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{EvidenceChannel, Slot, Timestamp, Validity};
use transform::{Transform, apply};

const POLICY: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &["<<memory"],
    fingerprint_key: &[9; 32],
};

fn observed_at() -> Timestamp {
    pair::EARLIER.parse().unwrap()
}

/// The files of a folder of fixtures, in their order.
fn files_of(topic: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(topic);
    let files = folder.read_dir().unwrap();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The cases of a folder of fixtures: the name of the file and the line, and what stands there.
fn cases(topic: &str) -> Vec<(String, Value)> {
    let mut cases = Vec::new();
    for file in files_of(topic) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = text.lines().enumerate();
        cases.extend(
            lines
                .filter(|(_, line)| !line.is_empty())
                .map(|(at, line)| {
                    (
                        format!("{name}:{}", at + 1),
                        serde_json::from_str(line).unwrap(),
                    )
                }),
        );
    }
    cases
}

/// A text of a case; where it stands in parts, they are put together.
fn text_of(case: &Value, field: &str) -> Option<String> {
    let parts = |value: &Value| -> Option<Vec<String>> {
        let parts = value.as_array()?.iter();
        parts.map(|part| part.as_str().map(str::to_owned)).collect()
    };
    let whole = case[field].as_str().map(str::to_owned);
    whole.or_else(|| Some(expand::expand(&parts(&case[field])?, 7)))
}

fn rule(text: &str, case: &Value) -> Ruling {
    let handed_out: Vec<&str> = case["handed_out"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| it.as_str().unwrap())
        .collect();
    let submission = Submission {
        text,
        channel: EvidenceChannel::Retain,
        class: pair::class(case, "class"),
        kind: None,
        speaker: case["speaker"].as_str().or(case["author"].as_str()),
        observed_at: observed_at(),
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: case["user_message"].as_str(),
        handed_out: &handed_out,
    };
    admit(&submission, &POLICY)
}

fn shown_findings(findings: &[Finding]) -> String {
    let shown = findings.iter().map(|it| {
        let (rule, span) = (it.rule, &it.span);
        format!(" {}/{rule}@{}-{}", it.reason, span.start, span.end)
    });
    shown.collect()
}

fn shown_slot(slot: &Slot) -> String {
    let key = &slot.key;
    let not = if slot.negated { "not " } else { "" };
    let unit = slot.unit.as_deref().unwrap_or_default();
    format!(
        "{} | {} | {} = {not}{} {unit}",
        key.subject, key.attribute, key.scope, slot.value
    )
}

fn shown_claim(claim: &Claim, text: &str) -> String {
    let span = &claim.span;
    let mut shown = format!(
        " ; {} {} {}-{}{}",
        claim.route.as_str(),
        claim.kind,
        span.start,
        span.end,
        shown_findings(&claim.findings)
    );
    if text.get(span.clone()) != Some(claim.text.as_str()) {
        write!(shown, " {:?}", claim.text.as_str()).unwrap();
    }
    if let Some(slot) = &claim.slot {
        write!(shown, " ({})", shown_slot(slot)).unwrap();
    }
    if !claim.entities.is_empty() {
        write!(shown, " of {}", claim.entities.join(", ")).unwrap();
    }
    if let Some(speaker) = &claim.speaker {
        write!(shown, " by {}", speaker.as_str()).unwrap();
    }
    let Validity { from, until } = &claim.validity;
    for (word, instant) in [("from", from), ("until", until)] {
        if let Some(instant) = instant {
            write!(shown, " {word} {instant}").unwrap();
        }
    }
    shown
}

fn shown(ruling: &Ruling, text: &str) -> String {
    let claims = ruling.claims.iter().map(|claim| shown_claim(claim, text));
    let claims: String = claims.collect();
    let findings = shown_findings(&ruling.findings);
    format!("{}{findings}{claims}", ruling.route.as_str())
}

/// The worlds of two folders of fixtures, each with its name.
fn worlds() -> Vec<(String, Value)> {
    let mut worlds = Vec::new();
    for folder in ["worlds", "small_worlds"] {
        for file in files_of(folder) {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            worlds.push((name, serde_json::from_str(&text).unwrap()));
        }
    }
    worlds
}

fn keep(topic: &str, decide: impl Fn(&Value) -> String) {
    let lines: Vec<String> = cases(topic)
        .iter()
        .map(|(name, case)| format!("{name} {}", decide(case)))
        .collect();
    assert!(lines.len() > 20, "{topic} has too few cases");
    known::same(&format!("rulings/{topic}.txt"), &lines);
}

macro_rules! topics {
    ($($topic:ident)+) => {
        $(
            #[test]
            fn $topic() {
                keep(stringify!($topic), |case| {
                    let text = text_of(case, "text").unwrap();
                    shown(&rule(&text, case), &text)
                });
            }
        )+
    };
}

topics!(claims echo injection residue test_rows told);

/// What people keep and ask of an evening, which nobody labelled for admission.
#[test]
fn notes_and_questions() {
    for (topic, list, field) in [
        ("notes", "memories", "text"),
        ("questions", "questions", "q"),
    ] {
        let mut lines = Vec::new();
        for (name, world) in worlds() {
            for (at, case) in world[list].as_array().unwrap().iter().enumerate() {
                let text = case[field].as_str().unwrap();
                let ruling = shown(&rule(text, case), text);
                lines.push(format!("{name}:{} {ruling}", at + 1));
            }
        }
        known::same(&format!("rulings/{topic}.txt"), &lines);
    }
}

/// Nothing of a text is shown here, so that no file holds anything that looks like a credential.
fn without_texts(ruling: &Ruling) -> String {
    let claims = ruling.claims.iter().map(|it| shown_findings(&it.findings));
    let claims: String = claims.map(|findings| format!(" ;{findings}")).collect();
    let findings = shown_findings(&ruling.findings);
    format!("{}{findings}{claims}", ruling.route.as_str())
}

fn keep_secrets(topic: &str) {
    keep(topic, |case| {
        let text = text_of(case, "text").unwrap_or_else(|| {
            let parts = ["before", "value", "after"].iter();
            parts.filter_map(|part| text_of(case, part)).collect()
        });
        without_texts(&rule(&text, case))
    });
}

#[test]
fn secrets() {
    keep_secrets("secrets");
}

#[test]
fn odd_secrets() {
    keep_secrets("odd_secrets");
}

/// Each secret in one of the disguises, in turn.
#[test]
fn secrets_in_disguise() {
    let disguises = Transform::ALL.into_iter().cycle();
    let cases = cases("secrets").into_iter().zip(disguises);
    let lines: Vec<String> = cases
        .filter_map(|((name, case), disguise)| {
            let text = text_of(&case, "text").filter(|_| case["rule"].is_string())?;
            let text = format!("Noted: {} today", apply(disguise, &text));
            let ruling = without_texts(&rule(&text, &case));
            Some(format!("{name} {disguise:?} {ruling}"))
        })
        .collect();
    known::same("rulings/disguised.txt", &lines);
}

/// A text as others would type it.
fn varied(at: usize, text: &str, next: &str) -> String {
    match at % 4 {
        0 => text.to_lowercase(),
        1 => text.to_uppercase(),
        2 => text.replace(['.', ',', '!', '?', ':', ';', '"', '\''], ""),
        _ => format!("{}, and {next}", text.trim_end_matches(['.', '!', '?'])),
    }
}

/// What becomes of labelled texts that are typed in haste, or run on: by a number of each ruling, since nobody reads them.
#[test]
fn texts_typed_otherwise() {
    for topic in ["claims", "injection", "residue", "test_rows"] {
        let cases = cases(topic);
        let next = cases.iter().skip(1).chain(&cases);
        let pairs = cases.iter().zip(next).enumerate();
        let lines: Vec<String> = pairs
            .filter_map(|(at, ((name, case), (_, next)))| {
                let text = varied(at, case["text"].as_str()?, next["text"].as_str()?);
                let ruling = shown(&rule(&text, case), &text);
                Some(format!("{name} {:016x}", known::digest(&ruling)))
            })
            .collect();
        known::same(&format!("rulings/{topic}-typed_otherwise.txt"), &lines);
    }
}

fn shown_dates(text: &str) -> String {
    let dates = dates(text, observed_at());
    let shown = dates.iter().map(|it| {
        format!(
            " {}-{} {} {}..{}",
            it.span.start, it.span.end, it.role, it.from, it.until
        )
    });
    shown.collect()
}

#[test]
fn dates_are_as_they_were() {
    keep("dates", |case| shown_dates(&text_of(case, "text").unwrap()));
}

/// Texts that only differ in what some rule looks at, a file for each part of the rules.
#[test]
fn odd_texts() {
    let cases = cases("odd_texts");
    for cases in cases.chunk_by(|(one, _), (next, _)| part_of(one) == part_of(next)) {
        let lines: Vec<String> = cases
            .iter()
            .map(|(name, case)| {
                let text = text_of(case, "text").unwrap();
                let ruling = shown(&rule(&text, case), &text);
                let dates = shown_dates(&text);
                let at = if dates.is_empty() { "" } else { " at" };
                format!("{name} {ruling}{at}{dates}")
            })
            .collect();
        known::same(&format!("rulings/odd_{}.txt", part_of(&cases[0].0)), &lines);
    }
}

/// The file in which a case stands.
fn part_of(name: &str) -> &str {
    name.split(':').next().unwrap()
}

/// Both ways round: what comes second is the new one.
fn keep_pairs(topic: &str) {
    keep(topic, |case| {
        let (known, new) = (
            text_of(case, "known").unwrap(),
            text_of(case, "new").unwrap(),
        );
        let there = reconciled(case, &known, &new);
        let back = reconciled(case, &new, &known);
        format!("{there} <> {back}")
    });
}

#[test]
fn reconciliations_are_as_they_were() {
    keep_pairs("reconcile");
}

#[test]
fn odd_pairs() {
    keep_pairs("odd_pairs");
}

/// How a new text stands to a known one.
fn reconciled(case: &Value, known: &str, new: &str) -> String {
    let found = pair::judge(case, known, new);
    let slot = found.slot.map_or(String::new(), |key| {
        format!(" ({} | {} | {})", key.subject, key.attribute, key.scope)
    });
    format!("{} {} {}{slot}", found.relation, found.cue, found.reason)
}
