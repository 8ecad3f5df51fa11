//! The echo guard: text that repeats what this service handed out proves nothing.
//!
//! [`find_all`] compares a text with the memories that were handed to the same key and run lately. It is an echo when it
//! carries our delimiters, or holds nine tenths of a memory without a changed value, number or negation; what the user
//! said in the same turn is never one.
//! A sentence is compared with a memory by shingles (pairs of words), so the work is linear in both.
//!
//! This module does not remember what was handed out: the caller keeps that journal and passes it in.
//! Every echo of a memory comes with its place, so that what stands beside it can go on; one of our delimiters settles
//! the whole text, because nobody can tell where the repeated block ends.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::lexicon::sentences;

/// What the echo guard knows about the moment in which a text came in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// Memories that were handed to the same key and run lately.
    pub handed_out: &'a [&'a str],
    /// What the user said in the same turn.
    pub user_message: Option<&'a str>,
    /// The marks that frame our prompt blocks.
    pub delimiters: &'a [&'a str],
}

/// What a text repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// One of our delimiters, by its place in [`Context::delimiters`].
    Delimiter(usize),
    /// A memory, by its place in [`Context::handed_out`].
    Memory(usize),
}

/// An echo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Echo {
    /// What it repeats.
    pub source: Source,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
}

/// How much of a memory makes an echo, in hundredths of its shingles.
const ENOUGH_PERCENT: usize = 90;
/// How far around an echo a correction may stand, in bytes.
const AROUND: usize = 200;
/// A memory of fewer words than this is echoed only by a text that says nothing else.
const FEW_WORDS: usize = 3;
/// How many words make a shingle.
const SHINGLE: usize = 2;

/// Words that turn a statement round, or say that it held once and no longer.
#[rustfmt::skip]
const TURNS: &[&str] = &[
    "not", "no", "never", "none", "neither", "nor", "without", "cannot", "isn't", "aren't", "wasn't", "weren't", "don't", "doesn't",
    "didn't", "won't", "can't", "hasn't", "haven't", "longer", "wrong", "false", "incorrect", "untrue", "formerly", "previously",
    "instead", "anymore", "correction", "outdated", "old", "except", "stopped", "until", "now", "actually", "but", "however", "changed",
    "nicht", "kein", "keine", "keinen", "nie", "niemals", "falsch", "mehr", "früher", "sondern", "statt", "korrektur", "aber", "jetzt",
    "ne", "n'est", "pas", "plus", "jamais", "faux", "ancien", "désormais", "mais", "non", "mai", "più", "falso", "ma", "ora",
    "ya", "nunca", "jamás", "sino", "pero", "ahora", "não", "nem", "mas", "agora", "niet", "geen", "nooit", "meer", "maar", "nu",
    "nie", "już", "nigdy", "ale", "teraz", "не", "нет", "никогда", "больше", "но", "теперь", "уже", "不", "没", "别", "未", "否", "ない", "なく", "ません",
];

/// Words that carry no value of their own; one more or one less of them changes nothing.
#[rustfmt::skip]
const LIGHT: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "and", "or", "as", "is", "are", "was", "were", "be", "been", "that", "this", "it",
    "by", "for", "with", "from", "so", "also", "has", "have", "had", "very", "really", "just", "der", "die", "das", "und", "ein", "eine",
    "le", "la", "les", "un", "une", "et", "el", "los", "las", "y", "il", "lo", "gli", "e", "o", "de", "het", "een", "en", "i", "w", "z", "и", "в", "на",
];

/// The first echo in `text`.
#[must_use]
pub fn find(text: &str, context: &Context<'_>) -> Option<Echo> {
    find_all(text, context).into_iter().next()
}

/// Every echo in `text`: one of our delimiters, or else every memory that it repeats.
#[must_use]
pub fn find_all(text: &str, context: &Context<'_>) -> Vec<Echo> {
    let delimiter = delimiter(text, context.delimiters);
    if delimiter.is_none() && context.handed_out.is_empty() {
        return Vec::new();
    }
    let told = context.user_message.unwrap_or_default();
    let words = Words::of(text);
    let told_words = Words::of(told);
    if is_told_by_user(&words, &told_words) {
        return Vec::new();
    }
    if let Some(echo) = delimiter {
        return vec![echo];
    }
    if words.is_empty() {
        return Vec::new();
    }
    let places = words.places();
    let told_shingles = told_words.places();
    let sentences: Vec<Range<usize>> = sentences(text)
        .map(|(at, sentence)| at..at + sentence.len())
        .collect();
    context
        .handed_out
        .iter()
        .enumerate()
        .filter_map(|(at, memory)| {
            let memory = Words::of(memory);
            // What the user says as well is the user's own word, whoever repeats it.
            if memory.share_in(&told_shingles) >= ENOUGH_PERCENT {
                return None;
            }
            let span = repeats(&sentences, &words, &places, &memory)?;
            Some(Echo {
                source: Source::Memory(at),
                span,
            })
        })
        .collect()
}

/// Whether the whole text stands in what the user said.
fn is_told_by_user(words: &Words<'_>, told: &Words<'_>) -> bool {
    !words.is_empty() && !told.is_empty() && words.share_in(&told.places()) >= 100
}

fn delimiter(text: &str, delimiters: &[&str]) -> Option<Echo> {
    delimiters.iter().enumerate().find_map(|(at, mark)| {
        let start = (!mark.is_empty()).then(|| text.find(mark)).flatten()?;
        Some(Echo {
            source: Source::Delimiter(at),
            span: start..start + mark.len(),
        })
    })
}

/// The words of a text with their places. A sign of a script without spaces is a word.
struct Words<'t> {
    words: Vec<(String, usize, &'t str)>,
    size: usize,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let words: Vec<(String, usize, &str)> = text
            .unicode_word_indices()
            .map(|(at, word)| (word.to_lowercase().replace('’', "'"), at, word))
            .collect();
        let size = words.len().clamp(1, SHINGLE);
        Self { words, size }
    }

    const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn shingles(&self, size: usize) -> impl Iterator<Item = u64> {
        self.words.windows(size.max(1)).map(|window| {
            let mut hasher = DefaultHasher::new();
            for (word, ..) in window {
                word.hash(&mut hasher);
            }
            hasher.finish()
        })
    }

    /// Where each shingle stands first, for every size that a short memory may ask for.
    fn places(&self) -> [HashMap<u64, usize>; SHINGLE] {
        std::array::from_fn(|at| {
            let mut places = HashMap::new();
            for (place, shingle) in self.shingles(at + 1).enumerate() {
                places.entry(shingle).or_insert(place);
            }
            places
        })
    }

    /// How many hundredths of its own shingles stand in another text.
    fn share_in(&self, places: &[HashMap<u64, usize>; SHINGLE]) -> usize {
        let Some(places) = places.get(self.size - 1).filter(|_| !self.is_empty()) else {
            return 0;
        };
        let (mut all, mut there) = (0_usize, 0_usize);
        for shingle in self.shingles(self.size) {
            all += 1;
            there += usize::from(places.contains_key(&shingle));
        }
        there.saturating_mul(100).checked_div(all).unwrap_or(0)
    }

    /// Where the words from `first` to `last` stand in the text.
    fn span(&self, first: usize, last: usize) -> Option<Range<usize>> {
        let (_, start, _) = self.words.get(first)?;
        let (_, at, word) = self.words.get(last)?;
        Some(*start..*at + word.len())
    }
}

/// Where `text` repeats `memory`, unless what it says differs in a value, a number or a negation.
fn repeats(
    sentences: &[Range<usize>],
    words: &Words<'_>,
    places: &[HashMap<u64, usize>; SHINGLE],
    memory: &Words<'_>,
) -> Option<Range<usize>> {
    let few = memory.words.len() < FEW_WORDS && words.words.len() > memory.words.len();
    if few || !says_something(memory) || memory.share_in(places) < ENOUGH_PERCENT {
        return None;
    }
    let size = memory.size;
    let places = places.get(size - 1)?;
    let found: Vec<(usize, Option<usize>)> = memory
        .shingles(size)
        .enumerate()
        .map(|(at, shingle)| (at, places.get(&shingle).copied()))
        .collect();
    let first = found.iter().filter_map(|(_, place)| *place).min()?;
    let last = found.iter().filter_map(|(_, place)| *place).max()? + size - 1;
    let span = words.span(first, last)?;
    let here = surroundings(sentences, &span);
    (!differs(&here, words, memory)).then_some(span)
}

/// A word or two that anybody writes is no memory that can be echoed, unless it is all that the text says.
fn says_something(memory: &Words<'_>) -> bool {
    memory
        .words
        .iter()
        .any(|(word, ..)| !LIGHT.contains(&word.as_str()))
}

/// The sentences in which the span stands, and the one after them, in which a correction would stand; never more than
/// a few lines, so that many memories in one text cost no more than the text.
fn surroundings(sentences: &[Range<usize>], span: &Range<usize>) -> Range<usize> {
    let first = sentences.partition_point(|sentence| sentence.end <= span.start);
    let after = sentences.partition_point(|sentence| sentence.start < span.end);
    let start = sentences
        .get(first)
        .map_or(span.start, |s| s.start.min(span.start));
    let own_end = after.checked_sub(1).and_then(|at| sentences.get(at));
    let end = sentences
        .get(after)
        .or(own_end)
        .map_or(span.end, |s| s.end.max(span.end));
    start.max(span.start.saturating_sub(AROUND))..end.min(span.end + AROUND)
}

/// Whether the words around the echo turn it round, or a word that counts was put in place of another.
fn differs(here: &Range<usize>, words: &Words<'_>, memory: &Words<'_>) -> bool {
    let own: HashSet<&str> = memory
        .words
        .iter()
        .map(|(word, ..)| word.as_str())
        .collect();
    let from = words
        .words
        .partition_point(|(_, start, _)| *start < here.start);
    let to = words
        .words
        .partition_point(|(_, start, _)| *start < here.end);
    let around = words.words.get(from..to).unwrap_or_default();
    let added = || {
        around
            .iter()
            .map(|(word, ..)| word.as_str())
            .filter(|word| !own.contains(word))
    };
    let once = around
        .windows(2)
        .any(|pair| matches!(pair, [(a, ..), (b, ..)] if a == "used" && b == "to"));
    if added().any(is_turn) || (once && !own.contains("used")) {
        return true;
    }
    let said: HashSet<&str> = around.iter().map(|(word, ..)| word.as_str()).collect();
    let lost = memory
        .words
        .iter()
        .map(|(word, ..)| word.as_str())
        .filter(|word| !said.contains(word));
    let counts = |word: &str| !LIGHT.contains(&word);
    // Another word in its place is a changed value; a word that is merely left out is not, unless it turned the memory.
    let mut lost = lost.filter(|word| counts(word)).peekable();
    lost.peek().is_some()
        && (added().any(counts)
            || lost.any(|word| is_turn(word) || word.chars().any(char::is_numeric)))
}

fn is_turn(word: &str) -> bool {
    TURNS.contains(&word)
        || word.ends_with("n't")
        || word.strip_prefix("n'").is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echoes(memory: &str, text: &str) -> bool {
        find(
            text,
            &Context {
                handed_out: &[memory],
                ..Context::default()
            },
        )
        .is_some()
    }

    #[test]
    fn a_changed_value_is_a_correction() {
        let memory = "Ana moved to Oslo in March 2023.";
        assert!(echoes(
            memory,
            "As I know, Ana moved to Oslo in March 2023."
        ));
        assert!(!echoes(memory, "Ana moved to Bergen in March 2023."));
        assert!(!echoes(memory, "Ana never moved to Oslo in March 2023."));
    }

    #[test]
    fn what_the_user_says_is_no_echo() {
        let context = Context {
            handed_out: &["Ana moved to Oslo."],
            user_message: Some("ana moved to oslo!"),
            delimiters: &[],
        };
        assert_eq!(find("Ana moved to Oslo.", &context), None);
    }
}
