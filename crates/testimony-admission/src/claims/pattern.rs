//! Forms and phrases, compiled once into runs of word numbers, and matched in one pass over the tokens.

use std::sync::LazyLock;

use super::attributes::FORMS;
use super::class::{ADVERB, NEGATION};
use super::lexicon::lexicon;
use super::phrases::{PHRASES, Sense};
use super::token::Token;

/// One place of a run: the words that may stand there, and whether it may be left out.
#[derive(Clone, Debug)]
struct Place {
    words: Vec<u16>,
    optional: bool,
}

/// What stands in a form besides words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hole {
    /// The subject.
    Subject,
    /// The value.
    Value,
    /// A value that begins with a number.
    Number,
    /// A value with a date or a time.
    Date,
    /// A value with neither.
    Plain,
    /// The attribute.
    Attribute,
    /// Something that does not matter.
    Anything,
}

impl Hole {
    fn of(word: &str) -> Option<Self> {
        match word {
            "S" => Some(Self::Subject),
            "V" => Some(Self::Value),
            "N" => Some(Self::Number),
            "D" => Some(Self::Date),
            "P" => Some(Self::Plain),
            "A" => Some(Self::Attribute),
            "X" => Some(Self::Anything),
            _ => None,
        }
    }
}

/// A compiled form: what stands before the first run of words, then runs and holes in turn.
#[derive(Debug)]
pub(crate) struct Form {
    /// Which attribute; empty for the one that the subject names.
    pub(crate) attribute: &'static str,
    before: Option<Hole>,
    parts: Vec<Part>,
}

/// Where a hole of a matched form lies, in tokens.
pub(crate) type Filled = (Hole, usize, usize);

/// How far ahead the next run of a form may stand, in tokens: it keeps the match linear.
const REACH: usize = 12;

/// Every word of every form and phrase.
pub(crate) fn pattern_words() -> impl Iterator<Item = &'static str> {
    let forms = FORMS.iter().map(|(_, form)| *form);
    let phrases = PHRASES.iter().map(|(_, phrase)| *phrase);
    forms
        .chain(phrases)
        .flat_map(str::split_whitespace)
        .filter(|place| Hole::of(place).is_none())
        .flat_map(|place| place.trim_end_matches('?').split('|'))
}

/// A run of words and the hole behind it.
type Part = (Vec<Place>, Option<Hole>);

fn compile(text: &'static str) -> (Option<Hole>, Vec<Part>) {
    let mut before = None;
    let mut parts: Vec<Part> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(hole) = Hole::of(word) {
            match parts.last_mut() {
                Some(part) if part.1.is_none() => part.1 = Some(hole),
                Some(_) => parts.push((Vec::new(), Some(hole))),
                None => before = Some(hole),
            }
            continue;
        }
        let place = Place {
            optional: word.ends_with('?'),
            words: word
                .trim_end_matches('?')
                .split('|')
                .filter_map(|w| lexicon().find(w))
                .map(|w| w.id)
                .collect(),
        };
        match parts.last_mut() {
            Some(part) if part.1.is_none() => part.0.push(place),
            _ => parts.push((vec![place], None)),
        }
    }
    (before, parts)
}

/// Forms or phrases by the first word of their first run.
struct Index<T> {
    rows: Vec<T>,
    by_word: Vec<Vec<Entry>>,
}

/// A row that a word may begin, and a bit for each word that may stand behind it; nearly every row is told apart by it.
#[derive(Clone, Copy)]
struct Entry {
    row: u16,
    next: u64,
}

const fn bit_of(word: u16) -> u64 {
    1 << (word & 63)
}

/// The bits of the words behind the first, where both places have to be filled.
fn bits_of_next(run: &[Place]) -> u64 {
    match run {
        [first, second, ..] if !first.optional && !second.optional => second
            .words
            .iter()
            .fold(0, |bits, word| bits | bit_of(*word)),
        _ => u64::MAX,
    }
}

impl<T> Index<T> {
    fn new(rows: Vec<T>, parts: impl Fn(&T) -> &[Part]) -> Self {
        let mut by_word: Vec<Vec<Entry>> = Vec::new();
        for (values, row) in rows.iter().zip(0_u16..) {
            let Some((run, _)) = parts(values).first() else {
                continue;
            };
            let next = bits_of_next(run);
            for word in first_words(run) {
                let word = usize::from(word);
                if by_word.len() <= word {
                    by_word.resize(word + 1, Vec::new());
                }
                if let Some(entries) = by_word.get_mut(word) {
                    entries.push(Entry { row, next });
                }
            }
        }
        Self { rows, by_word }
    }

    /// Every row whose first run may begin with the token at `at`, in the order of the table.
    fn at<'i>(&'i self, tokens: &[Token], at: usize) -> impl Iterator<Item = &'i T> + use<'i, T> {
        let word = tokens.get(at).map_or(0, Token::id);
        let entries = if word == 0 {
            None
        } else {
            self.by_word.get(usize::from(word))
        };
        let next = tokens.get(at + 1);
        // What may stand between the words of a run says nothing about the next of them.
        let bits = if next.is_some_and(|token| token.is(ADVERB | NEGATION)) {
            u64::MAX
        } else {
            next.map(Token::id).filter(|id| *id != 0).map_or(0, bit_of)
        };
        entries
            .into_iter()
            .flatten()
            .filter(move |entry| entry.next == u64::MAX || entry.next & bits != 0)
            .filter_map(|entry| self.rows.get(usize::from(entry.row)))
    }
}

/// The words with which a run can begin: those of its first place, and of the next where that one is optional.
fn first_words(run: &[Place]) -> Vec<u16> {
    let mut words = Vec::new();
    for place in run {
        words.extend_from_slice(&place.words);
        if !place.optional {
            break;
        }
    }
    words
}

/// Where `run` ends if it begins at `at`; adverbs and negations between its words do not count.
fn run_end(tokens: &[Token], at: usize, run: &[Place]) -> Option<usize> {
    let mut here = at;
    for (number, place) in run.iter().enumerate() {
        let mut ahead = here;
        loop {
            let token = tokens.get(ahead);
            if token.is_some_and(|token| token.id() != 0 && place.words.contains(&token.id())) {
                here = ahead + 1;
                break;
            }
            let passes = number > 0
                && ahead < here + 3
                && token.is_some_and(|token| token.is(ADVERB | NEGATION));
            if passes {
                ahead += 1;
            } else if place.optional {
                break;
            } else {
                return None;
            }
        }
    }
    Some(here)
}

impl Form {
    /// The holes of the form, if its first run begins at `at`.
    pub(crate) fn fill(&self, tokens: &[Token], at: usize) -> Option<Vec<Filled>> {
        // Most forms fail at their first run, so it is tried before anything is laid out for the rest.
        let (first_run, _) = self.parts.first()?;
        run_end(tokens, at, first_run)?;
        let mut filled = Vec::with_capacity(3);
        if let Some(hole) = self.before {
            filled.push((hole, 0, at));
        }
        let mut here = at;
        let mut open: Option<(Hole, usize)> = None;
        for (run, hole) in &self.parts {
            let latest = if open.is_some() { here + REACH } else { here };
            let (start, end) = (here..=latest.min(tokens.len())).find_map(|start| {
                let start_after_hole = open.is_none() || start > here;
                run_end(tokens, start, run)
                    .filter(|_| start_after_hole)
                    .map(|end| (start, end))
            })?;
            if let Some((hole, from)) = open.take() {
                filled.push((hole, from, start));
            }
            here = end;
            open = hole.map(|hole| (hole, end));
        }
        if let Some((hole, from)) = open {
            filled.push((hole, from, tokens.len()));
        }
        // A subject may be left out in front of its verb.
        filled
            .iter()
            .all(|(hole, from, to)| from < to || (*hole == Hole::Subject && *to == at))
            .then_some(filled)
    }
}

/// Every form whose first run can begin with the token at `at`, in the order of the table.
pub(crate) fn forms_at(tokens: &[Token], at: usize) -> impl Iterator<Item = &'static Form> + use<> {
    static FORM_INDEX: LazyLock<Index<Form>> = LazyLock::new(|| {
        let rows = FORMS.iter().map(|(attribute, text)| {
            let (before, parts) = compile(text);
            Form {
                attribute,
                before,
                parts,
            }
        });
        Index::new(rows.collect(), |form| &form.parts)
    });
    FORM_INDEX.at(tokens, at)
}

struct Phrase {
    sense: Sense,
    parts: Vec<Part>,
}

/// A phrase that was found: its sense, and where it lies in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// What it does.
    pub(crate) sense: Sense,
    /// Its first token.
    pub(crate) from: usize,
    /// The token behind its last.
    pub(crate) to: usize,
}

/// Every phrase in `tokens`.
pub(crate) fn phrases_in(tokens: &[Token]) -> Vec<Sighting> {
    static PHRASE_INDEX: LazyLock<Index<Phrase>> = LazyLock::new(|| {
        let rows = PHRASES.iter().map(|(sense, text)| Phrase {
            sense: *sense,
            parts: compile(text).1,
        });
        Index::new(rows.collect(), |phrase| &phrase.parts)
    });
    let mut found = Vec::new();
    let index = &*PHRASE_INDEX;
    for at in 0..tokens.len() {
        for phrase in index.at(tokens, at) {
            if let Some(to) = phrase.end(tokens, at) {
                found.push(Sighting {
                    sense: phrase.sense,
                    from: at,
                    to,
                });
            }
        }
    }
    found
}

impl Phrase {
    fn end(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let mut here = at;
        let mut gap = false;
        for (run, hole) in &self.parts {
            let latest = if gap { here + REACH } else { here };
            here =
                (here..=latest.min(tokens.len())).find_map(|start| run_end(tokens, start, run))?;
            gap = hole.is_some();
        }
        Some(here)
    }
}
