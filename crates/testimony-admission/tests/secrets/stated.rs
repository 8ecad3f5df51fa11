//! Credentials that a sentence, a key or a field's name states: only the value goes, and sentences about them stay.

use serde::Deserialize;
use testimony_admission::secrets::scan_submission;
use testimony_admission::submission::Field;

use super::{OPEN, none};

const STATED: &str = include_str!("../../../../fixtures/secrets/stated.jsonl");
const SPOKEN_OF: &str = include_str!("../../../../fixtures/secrets/spoken_of.jsonl");

/// A text that states a value; in parts, so that no file shows it whole.
#[derive(Deserialize)]
struct Stated {
    #[serde(default)]
    field: Option<String>,
    #[serde(default)]
    before: String,
    value: Vec<String>,
    #[serde(default)]
    after: String,
}

/// A text that speaks of a credential.
#[derive(Deserialize)]
struct SpokenOf {
    #[serde(default)]
    field: Option<String>,
    text: String,
}

/// What is left of a text, as content or as the text of a field.
fn left_of(field: Option<&str>, text: &str) -> String {
    let Some(name) = field else {
        return scan_submission(text, &[], &OPEN)
            .content
            .redacted
            .to_string();
    };
    let fields = [Field { name, text }];
    let scanned = scan_submission("Ines looks after it.", &fields, &OPEN);
    scanned.fields[0].1.to_string()
}

#[test]
fn what_a_text_states_goes_and_what_stands_around_it_stays() {
    let mut wrong = Vec::new();
    let lines: Vec<Stated> = STATED
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() >= 60);
    for line in lines {
        let value = line.value.concat();
        let text = format!("{}{value}{}", line.before, line.after);
        let left = left_of(line.field.as_deref(), &text);
        let framed = left.starts_with(&line.before) && left.ends_with(&line.after);
        if left.contains(&value) || !left.contains("[REDACTED:") || !framed {
            wrong.push(format!("{text}\n    {left}"));
        }
    }
    none("wrong", &wrong);
}

#[test]
fn what_a_text_says_about_a_credential_stays() {
    let mut touched = Vec::new();
    let lines: Vec<SpokenOf> = SPOKEN_OF
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() >= 80);
    for line in lines {
        let left = left_of(line.field.as_deref(), &line.text);
        if left != line.text {
            touched.push(format!("{}\n    {left}", line.text));
        }
    }
    none("touched", &touched);
}
