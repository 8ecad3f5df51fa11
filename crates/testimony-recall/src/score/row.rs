//! What a row says, read once per request: its words, what it speaks of, and what kinds of answers stand in it.

use std::collections::HashSet;

use testimony_domain::{Memory, Speaker};

use crate::text::{self, Shape, Word};
use crate::words::{self as lists, Cell};

/// A row's text, read.
#[derive(Debug)]
pub(crate) struct RowText {
    pub(crate) words: Vec<Word>,
    raws: HashSet<String>,
    stems: HashSet<String>,
    prefixes: HashSet<String>,
    kin: HashSet<u16>,
    pairs: HashSet<(String, String)>,
    /// Words of its entities, its subject and its speaker.
    about: HashSet<String>,
    pub(crate) cells: HashSet<Cell>,
    pub(crate) first_person: bool,
}

/// So many letters in common make two longer words akin.
const PREFIX_LETTERS: usize = 5;

/// Only so much of a row is read; admission keeps claims far shorter, and a verbatim row has said its topic by then.
const READ_BYTES: usize = 16_384;

impl RowText {
    /// Reads a row.
    pub(crate) fn of(memory: &Memory) -> Self {
        let words = text::read(beginning(memory.content.as_str()));
        let has = |list: &str| words.iter().any(|word| lists::is(list, &word.raw));
        Self {
            raws: words.iter().map(|word| word.raw.clone()).collect(),
            stems: words.iter().map(|word| word.stem.clone()).collect(),
            prefixes: words.iter().filter_map(|word| prefix(&word.raw)).collect(),
            kin: words
                .iter()
                .flat_map(|word| kin(&word.raw, &word.stem))
                .collect(),
            pairs: pairs(&words),
            about: about(memory),
            cells: words
                .iter()
                .flat_map(|word| lists::cells_of(&word.raw).iter().copied())
                .collect(),
            first_person: words.iter().any(Word::is_first_person) || has("user_noun"),
            words,
        }
    }

    /// What of a long text is not read.
    pub(crate) fn unread(text: &str) -> &str {
        text.get(beginning(text).len()..).unwrap_or_default()
    }

    /// How far the row holds a word of the question: 1 for the word itself, less for a relative of it.
    pub(crate) fn holds(&self, raw: &str, stem: &str) -> f64 {
        if self.raws.contains(raw) || self.stems.contains(stem) {
            1.0
        } else if self.about.contains(stem) || self.about.contains(raw) {
            0.9
        } else if kin(raw, stem).any(|group| self.kin.contains(&group)) {
            0.8
        } else if prefix(raw).is_some_and(|prefix| self.prefixes.contains(&prefix)) {
            0.5
        } else {
            0.0
        }
    }

    /// Whether the row is about something of this name: it stands in the text or among its entities.
    pub(crate) fn names(&self, raw: &str, stem: &str) -> bool {
        self.raws.contains(raw)
            || self.stems.contains(stem)
            || self.about.contains(raw)
            || self.about.contains(stem)
    }

    /// Whether the name stands among its entities, its subject or its speaker.
    pub(crate) fn is_labelled(&self, raw: &str, stem: &str) -> bool {
        self.about.contains(raw) || self.about.contains(stem)
    }

    /// Whether two words stand side by side in it.
    pub(crate) fn has_pair(&self, pair: &(String, String)) -> bool {
        self.pairs.contains(pair)
    }

    /// Whether a word of the list stands in it.
    pub(crate) fn has(&self, list: &str) -> bool {
        self.words.iter().any(|word| lists::is(list, &word.raw))
    }

    /// Whether a number stands in it, in digits or in words.
    pub(crate) fn has_number(&self) -> bool {
        let digits = self
            .words
            .iter()
            .any(|word| word.shape != Shape::Plain && word.raw.chars().any(char::is_numeric));
        digits || self.has("number")
    }

    /// The name with which it begins: "Ana prefers tea", "Ana's dog".
    pub(crate) fn leading_name(&self) -> Option<&Word> {
        let mut words = self.words.iter();
        let (first, second) = (words.next()?, words.next()?);
        let own = first.is_first_person() || lists::is("user_noun", &first.raw);
        let followed_by_verb = lists::is("past", &second.raw)
            || second.stop
            || second.raw.ends_with('s')
            || second.raw.ends_with("ed");
        let like_name = first.capital && !first.stop && first.shape == Shape::Plain && !own;
        (like_name && (first.possessive || followed_by_verb && !first.raw.ends_with('s')))
            .then_some(first)
    }
}

fn beginning(text: &str) -> &str {
    let end = (0..=READ_BYTES.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

fn prefix(raw: &str) -> Option<String> {
    let letters = raw.chars().all(char::is_alphabetic);
    let long_enough = raw.chars().nth(PREFIX_LETTERS).is_some();
    (letters && long_enough).then(|| raw.chars().take(PREFIX_LETTERS).collect())
}

/// Groups of meaning, by the stem of the text's language and by the English one, since terms of the trade are mixed in.
fn kin(raw: &str, stem: &str) -> impl Iterator<Item = u16> {
    let by_raw = lists::kin_of(raw);
    let by_stem = if raw == stem {
        &[]
    } else {
        lists::kin_of(stem)
    };
    by_raw.iter().chain(by_stem).copied()
}

fn pairs(words: &[Word]) -> HashSet<(String, String)> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    spoken
        .iter()
        .zip(spoken.iter().skip(1))
        .filter(|(a, b)| !a.stop && !b.stop)
        .map(|(a, b)| (a.stem.clone(), b.stem.clone()))
        .collect()
}

fn about(memory: &Memory) -> HashSet<String> {
    let entities = memory.entities.iter().map(String::as_str);
    let subject = memory.slot.iter().map(|slot| slot.key.subject.as_str());
    let speaker = memory.speaker.iter().map(Speaker::as_str);
    entities
        .chain(subject)
        .chain(speaker)
        .flat_map(text::read)
        .filter(|word| !word.stop)
        .flat_map(|word| [word.raw, word.stem])
        .collect()
}
