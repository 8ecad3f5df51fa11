//! The labelled texts that tables are learnt from, and how their labels are read.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testimony_admission::wording::{sentences_of, signs_of};

use crate::eval::{is_untuned, may_be_told, signs_beside};
use crate::{Trouble, shell};

/// What a table is learnt from.
pub(super) struct Read {
    /// The kinds that are told from ordinary text.
    pub(super) kinds: Vec<&'static str>,
    pub(super) texts: Vec<Labelled>,
}

/// A labelled text, in pieces.
pub(super) struct Labelled {
    /// Its kind, counted from 1; 0 is ordinary text.
    pub(super) kind: usize,
    /// The signs of each piece.
    pub(super) pieces: Vec<Vec<String>>,
    /// The kind of each piece; `None` where only some piece of the text is of its kind and nobody said which.
    pub(super) kinds: Vec<Option<usize>>,
}

/// What nobody says: what is told from ordinary text as a whole.
const RECORDS: [&str; 7] = [
    "test_row",
    "lifecycle_log",
    "system_generated",
    "residue_terminal_noise",
    "residue_answer_dump",
    "residue_web_prose",
    "residue_setup_prose",
];
/// Notes of worlds whose names begin with this or later are kept for measuring.
const MEASURED_FROM: &str = "l";

/// Texts that instruct their reader, sentence by sentence, and ordinary ones.
pub(super) fn attacks(root: &Path) -> Result<Read, Trouble> {
    let mut texts = Vec::new();
    for case in tuned(root, "injection")?
        .iter()
        .filter(|case| word(case, "class") != Some("operator"))
    {
        match word(case, "expect") {
            Some("none") => texts.extend(by_sentence(case, 0)),
            Some("none_or_weak") | None => {}
            Some(_) => texts.extend(by_sentence(case, 1)),
        }
    }
    for case in cases(root, "wording")? {
        match word(&case, "label") {
            Some("attack") => texts.extend(by_sentence(&case, 1)),
            Some(_) => texts.extend(by_sentence(&case, 0)),
            None => {}
        }
    }
    for note in notes(root)? {
        texts.extend(by_sentence(&note, 0));
    }
    Ok(Read {
        kinds: vec!["attack"],
        texts,
    })
}

/// Rows of trials, logs, programs and terminals, each as a whole, and everything else.
pub(super) fn records(root: &Path) -> Result<Read, Trouble> {
    let mut texts = Vec::new();
    let labelled = ["test_rows", "residue", "claims"].map(|topic| tuned(root, topic));
    for case in labelled
        .into_iter()
        .chain([cases(root, "wording"), notes(root)])
    {
        texts.extend(case?.iter().filter_map(|case| whole(case, record_of(case))));
    }
    Ok(Read {
        kinds: RECORDS.to_vec(),
        texts,
    })
}

/// Pairs of statements, each as a whole; both can hold where neither is told by the other.
pub(super) fn pairs(root: &Path) -> Result<Read, Trouble> {
    let labelled = cases(root, "pairs")?;
    let own = cases(root, "reconcile")?;
    // Who says it decides some of them, which no word shows.
    let by_words = |case: &&Value| {
        !["class", "known_class", "approved", "established"]
            .iter()
            .any(|field| case.get(field).is_some())
    };
    let plain = own.iter().filter(|case| !is_untuned(case)).filter(by_words);
    let mut texts: Vec<Labelled> = labelled.iter().chain(plain).filter_map(pair).collect();
    let is_labelled: BTreeSet<[&str; 2]> = labelled.iter().filter_map(both).collect();
    for room in rooms(root)? {
        let unlabelled = beside_each_other(&room);
        let unlabelled = unlabelled
            .iter()
            .filter(|case| both(case).is_some_and(|both| !is_labelled.contains(&both)));
        texts.extend(unlabelled.filter_map(pair));
    }
    Ok(Read {
        kinds: vec!["same", "newer", "otherwise"],
        texts,
    })
}

fn both(case: &Value) -> Option<[&str; 2]> {
    Some([word(case, "known")?, word(case, "new")?])
}

/// Every note of a room beside those that were written before it. Hardly any of them says what another does, and those
/// that might are labelled; they teach how little two notes of one room may have to do with each other.
fn beside_each_other(notes: &[Value]) -> Vec<Value> {
    let mut pairs = Vec::new();
    for (at, new) in notes.iter().enumerate() {
        for known in notes.iter().take(at) {
            let texts = word(known, "text").zip(word(new, "text"));
            let pair = texts.map(|(said, says)| {
                json!({
                    "known": said, "known_speaker": known.get("by"),
                    "new": says, "speaker": new.get("by"),
                    "relation": "independent", "when": "later",
                })
            });
            pairs.extend(pair.filter(may_be_told));
        }
    }
    pairs
}

fn pair(case: &Value) -> Option<Labelled> {
    let kind = match word(case, "relation")? {
        "duplicate" | "supporting" => 1,
        "supersedes" => 2,
        "contradicts" => 3,
        "independent" => 0,
        _ => return None,
    };
    Some(Labelled {
        kind,
        pieces: vec![signs_beside(case)],
        kinds: vec![Some(kind)],
    })
}

/// Which record a case is, counted from 1; 0 for everything else.
fn record_of(case: &Value) -> usize {
    let label = word(case, "label").or_else(|| word(case, "expect"));
    let at = RECORDS.iter().position(|kind| Some(*kind) == label);
    at.map_or(0, |at| at + 1)
}

/// All of a text in one piece.
fn whole(case: &Value, kind: usize) -> Option<Labelled> {
    let text = word(case, "text")?;
    Some(Labelled {
        kind,
        pieces: vec![signs_of(text)],
        kinds: vec![Some(kind)],
    })
}

/// A text sentence by sentence: those of a kind are named by the case, are all there is, or are not known.
fn by_sentence(case: &Value, kind: usize) -> Option<Labelled> {
    let text = word(case, "text")?;
    let sentences = sentences_of(text);
    let marked = word(case, "attack").and_then(|part| Some((text.find(part)?, part.len())));
    let marked = marked.map(|(start, len)| start..start + len);
    let is_all =
        kind == 0 || sentences.len() == 1 || case.get("all").and_then(Value::as_bool) == Some(true);
    let kind_of = |sentence: &Range<usize>| match &marked {
        Some(marked) => {
            let shared = sentence
                .end
                .min(marked.end)
                .saturating_sub(sentence.start.max(marked.start));
            Some(if shared * 2 > sentence.len() { kind } else { 0 })
        }
        None => is_all.then_some(kind),
    };
    let kinds = sentences.iter().map(kind_of).collect();
    let pieces = sentences
        .iter()
        .map(|sentence| signs_of(text.get(sentence.clone()).unwrap_or_default()));
    Some(Labelled {
        kind,
        pieces: pieces.collect(),
        kinds,
    })
}

fn word<'v>(case: &'v Value, name: &str) -> Option<&'v str> {
    case.get(name).and_then(Value::as_str)
}

/// The cases of a topic by which rules are tuned: the other half tells how far they carry, and tables have to too.
fn tuned(root: &Path, topic: &str) -> Result<Vec<Value>, Trouble> {
    let mut cases = cases(root, topic)?;
    cases.retain(|case| word(case, "text").is_some_and(is_tuned));
    Ok(cases)
}

/// The half of a text, as the tests of admission tell it.
fn is_tuned(text: &str) -> bool {
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (digest >> 17) & 1 == 0
}

/// Every case of a topic.
fn cases(root: &Path, topic: &str) -> Result<Vec<Value>, Trouble> {
    let mut cases = Vec::new();
    for file in files(&root.join("fixtures").join(topic))? {
        cases.extend(lines(&file)?);
    }
    Ok(cases)
}

/// What each line of a file holds.
fn lines(file: &Path) -> Result<Vec<Value>, Trouble> {
    let text = shell::read(file)?;
    let lines = (1..).zip(text.split(|byte| *byte == b'\n'));
    let held = lines.filter(|(_, json)| !json.is_empty());
    held.map(|(line, json)| parse(json, &format!("{}:{line}", file.display())))
        .collect()
}

/// The notes of worlds that are not measured with.
fn notes(root: &Path) -> Result<Vec<Value>, Trouble> {
    Ok(rooms(root)?.concat())
}

/// The same, room by room, in the order in which they were written.
fn rooms(root: &Path) -> Result<Vec<Vec<Value>>, Trouble> {
    let mut rooms = Vec::new();
    for file in files(&root.join("fixtures/worlds"))? {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if name.as_str() >= MEASURED_FROM {
            continue;
        }
        let world = parse(&shell::read(&file)?, &file.display().to_string())?;
        let memories = world.get("memories").and_then(Value::as_array);
        let mut notes: Vec<Value> = memories.into_iter().flatten().cloned().collect();
        notes.sort_by(|a, b| word(a, "date").cmp(&word(b, "date")));
        rooms.push(notes);
    }
    for file in files(&root.join("fixtures/series"))? {
        let notes = lines(&file)?;
        let alike = |one: &Value, other: &Value| one.get("series") == other.get("series");
        rooms.extend(notes.chunk_by(alike).map(<[Value]>::to_vec));
    }
    Ok(rooms)
}

/// The files of a folder, in their order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let entries = shell::entries(folder)?.into_iter();
    Ok(entries
        .filter(|(_, is_folder)| !is_folder)
        .map(|(path, _)| path)
        .collect())
}

fn parse(json: &[u8], place: &str) -> Result<Value, Trouble> {
    serde_json::from_slice(json).map_err(|error| Trouble::Malformed {
        place: place.to_owned(),
        what: error.to_string(),
    })
}
