//! Credentials to be sent: of a folder of sets where one is given, else made up from the parts in `fixtures/secrets`.
//!
//! Only what the scanner catches is sent: what becomes of values that it does not know is told by `cargo xtask eval`.

use std::io::Read as _;
use std::path::Path;

use serde_json::Value;
use testimony_admission::secrets::scan;
use testimony_admission::submission::Policy;

use crate::trial::{Chance, Trial};

const MADE: &str = include_str!("../../../fixtures/secrets/positives.jsonl");
/// As many characters give a value away.
pub(super) const WINDOW: usize = 8;

/// A text with a credential in it that is caught.
pub(super) struct Sample {
    /// What it is called in reports: never its text.
    pub(super) label: String,
    pub(super) text: String,
    /// What the text looks like when it was taken out.
    pub(super) left: String,
    /// The values.
    pub(super) values: Vec<String>,
    /// Whether a value is caught without the text around it.
    pub(super) alone: bool,
}

const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[9; 32],
};

/// As many as there are rounds, in an order of chance; and values that are spread over two texts.
pub(super) fn samples(trial: &mut Trial) -> Vec<Sample> {
    let texts = match trial.data.as_deref() {
        Some(folder) => of_folder(folder),
        None => made_up(&mut trial.chance),
    };
    let mut caught: Vec<Sample> = texts.into_iter().filter_map(caught).collect();
    for at in (1..caught.len()).rev() {
        let other = usize::try_from(trial.chance.below(at as u64 + 1)).unwrap();
        caught.swap(at, other);
    }
    caught.truncate(trial.rounds);
    assert!(!caught.is_empty(), "there is no credential to send");
    caught
}

/// A text, its label, and the value where it is known.
type Text = (String, String, Option<String>);

/// Every set of a folder; files with rows of several texts are left to the scenario about those.
fn of_folder(folder: &Path) -> Vec<Text> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    let packed = files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|it| it == "gz"));
    let rows = packed.flat_map(|file| {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        rows(&file).into_iter().map(move |row| (name.clone(), row))
    });
    let text = |(name, row): (String, Value)| {
        let word = |field: &str| row[field].as_str().map(str::to_owned);
        let label = format!("{name} {}", word("rule").unwrap_or_default());
        Some((label, word("text")?, word("secret")))
    };
    rows.filter_map(text).collect()
}

/// The rows of a packed file.
pub(super) fn rows(file: &Path) -> Vec<Value> {
    let mut text = String::new();
    let packed = std::fs::read(file).unwrap();
    flate2::read::GzDecoder::new(packed.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn made_up(chance: &mut Chance) -> Vec<Text> {
    let lines = MADE
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = |line: Value| {
        let parts = line["text"].as_array().into_iter().flatten();
        let text: String = parts
            .filter_map(|part| Some(drawn(part.as_str()?, chance)))
            .collect();
        let alone = line["alone"] == true;
        let before = [
            "The deploy of the ferry office needs ",
            "Please keep this for Friday: ",
            "",
        ];
        let text = if alone {
            format!("{}{text}", chance.one_of(&before))
        } else {
            text
        };
        (
            line["rule"].as_str().unwrap_or_default().to_owned(),
            text,
            None,
        )
    };
    lines.map(text).collect()
}

/// A part of a made-up value: `{A-Z0-9:16}` is sixteen letters of that set.
fn drawn(part: &str, chance: &mut Chance) -> String {
    let inside = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let said = inside.and_then(|it| it.rsplit_once(':'));
    let Some((set, Ok(count))) = said.map(|(set, count)| (set, count.parse::<usize>())) else {
        return part.to_owned();
    };
    let letters = written_out(set);
    (0..count).map(|_| *chance.one_of(&letters)).collect()
}

/// `A-Z0-9_` as its letters.
fn written_out(set: &str) -> Vec<char> {
    let signs: Vec<char> = set.chars().collect();
    let (mut letters, mut at) = (Vec::new(), 0);
    while at < signs.len() {
        let is_range = signs.get(at + 1) == Some(&'-') && at + 2 < signs.len();
        let last = if is_range { signs[at + 2] } else { signs[at] };
        letters.extend(signs[at]..=last);
        at += if is_range { 3 } else { 1 };
    }
    letters
}

/// The sample of a text, where everything of the value is gone once it was looked through.
fn caught((label, text, secret): Text) -> Option<Sample> {
    let scanned = scan(&text, &OPEN);
    let left = scanned.redacted.to_string();
    let found = scanned
        .findings
        .iter()
        .filter_map(|it| text.get(it.span.clone()));
    let mut values: Vec<String> = found.map(str::to_owned).collect();
    if values.is_empty() || left == text {
        return None;
    }
    values.extend(secret);
    let around = values.iter().fold(left.clone(), |left, value| {
        left.replace(value.as_str(), " ")
    });
    let is_gone = |value: &String| windows(value).all(|it| !holds(&left, it) || holds(&around, it));
    if !values.iter().all(is_gone) {
        return None;
    }
    let alone = values.first().is_some_and(|value| {
        let left = scan(value, &OPEN).redacted.to_string();
        windows(value).next().is_some() && windows(value).all(|it| !holds(&left, it))
    });
    Some(Sample {
        label,
        text,
        left,
        values,
        alone,
    })
}

/// Every stretch of a value that gives it away.
///
/// Ids and times are full of digits in base sixteen, so that eight of them stand somewhere by chance; of those it takes
/// more. Signs in the order of the alphabet are in every table of signs.
pub(super) fn windows(value: &str) -> impl Iterator<Item = &[u8]> {
    let bytes = value.as_bytes();
    let starts = 0..bytes.len().saturating_sub(WINDOW - 1);
    let stretches = starts.filter_map(move |at| {
        let short = bytes.get(at..at + WINDOW)?;
        if short.iter().all(u8::is_ascii_hexdigit) {
            return bytes.get(at..at + WINDOW_OF_DIGITS);
        }
        Some(short)
    });
    stretches.filter(|stretch| !is_in_order(stretch))
}

/// So many digits give a value away.
const WINDOW_OF_DIGITS: usize = 12;

fn is_in_order(signs: &[u8]) -> bool {
    let by_one = |pair: &[u8]| pair[0].abs_diff(pair[1]) <= 1;
    let steps = signs.windows(2).filter(|pair| by_one(pair)).count();
    steps + 2 >= signs.len()
}

fn holds(text: &str, window: &[u8]) -> bool {
    text.as_bytes().windows(window.len()).any(|it| it == window)
}
