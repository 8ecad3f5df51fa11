//! Characters unified: what looks the same, or cannot be seen, reads the same.

use std::iter::Peekable;
use std::str::CharIndices;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::Layer;
use super::fold_tables::{self, Fate};
use super::view::{Builder, View};
use crate::work::steps;

/// How many marks are composed with their base character; more of them are written as they are.
const MAX_MARKS: usize = 8;
/// A text may grow to this many times its size; what comes after is copied unfolded.
const MAX_EXPANSION: usize = 4;

/// The folded view, where it differs.
pub(super) fn fold<'a>(parent: &View<'a>) -> Option<View<'a>> {
    if parent.text().is_ascii() {
        return None;
    }
    let unified = unify(parent);
    let base = unified.as_ref().unwrap_or(parent);
    let latin = latinise(base, parent.depth());
    latin.or(unified)
}

/// NFKC by character cluster, with invisible characters dropped and tag characters, spaces and quotes as ASCII.
fn unify<'a>(parent: &View<'a>) -> Option<View<'a>> {
    let text = parent.text();
    let mut builder = Builder::new(parent);
    let mut changed = false;
    let mut kept_from = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((start, base)) = characters.next() {
        steps(1);
        let cluster = cluster_of(base, &mut characters);
        if base.is_ascii() && cluster.is_empty() {
            continue;
        }
        if builder.len() > text.len().saturating_mul(MAX_EXPANSION) {
            builder.give_up();
            break;
        }
        if cluster.is_empty() && reads_as_itself(base) {
            continue;
        }
        let end = characters.peek().map_or(text.len(), |(at, _)| *at);
        let original = text.get(start..end).unwrap_or_default();
        let folded = folded_cluster(base, &cluster);
        if folded != original {
            builder.keep(kept_from..start);
            builder.put(&folded, start..end);
            kept_from = end;
            changed = true;
        }
    }
    builder.keep(kept_from..text.len());
    changed.then(|| builder.finish(Layer::Folded, parent.depth()))
}

/// A character with the marks that stand on it; empty where none does.
fn cluster_of(base: char, characters: &mut Peekable<CharIndices<'_>>) -> String {
    let mut cluster = String::new();
    while let Some((_, mark)) = characters.next_if(|(_, next)| joins_base(*next)) {
        if cluster.is_empty() {
            cluster.push(base);
        }
        steps(1);
        cluster.push(mark);
        if cluster.chars().count() > MAX_MARKS {
            break;
        }
    }
    cluster
}

/// Whether a character belongs to the one before it: a combining mark, or the later part of a Hangul syllable.
fn joins_base(character: char) -> bool {
    !character.is_ascii()
        && (canonical_combining_class(character) != 0
            || matches!(character, '\u{1160}'..='\u{11ff}' | '\u{3099}' | '\u{309a}'))
}

/// Whether a character that stands alone is what it reads as. Most letters of every script are, and need no string.
fn reads_as_itself(character: char) -> bool {
    matches!(fold_tables::fate(character), Fate::Normalised)
        && is_nfkc_quick(std::iter::once(character)) == IsNormalized::Yes
}

fn folded_cluster(base: char, cluster: &str) -> String {
    if !cluster.is_empty() {
        return cluster.nfkc().collect();
    }
    match fold_tables::fate(base) {
        Fate::Dropped => String::new(),
        Fate::Becomes(other) => other.to_string(),
        Fate::Normalised => std::iter::once(base).nfkc().collect(),
    }
}

/// Look-alike letters as Latin, but only inside words that mix them with ASCII: a Russian word stays Russian.
fn latinise<'a>(base: &View<'a>, depth: u8) -> Option<View<'a>> {
    let text = base.text();
    if !text.chars().any(|c| fold_tables::latin_twin(c).is_some()) {
        return None;
    }
    let mut builder = Builder::new(base);
    let mut changed = false;
    let mut word = Word::default();
    let ends = text
        .char_indices()
        .map(|(at, c)| (at, Some(c)))
        .chain(std::iter::once((text.len(), None)));
    for (at, character) in ends {
        steps(1);
        match character {
            Some(c) if is_word_character(c) => word.take(at, c),
            Some(_) | None => {
                changed |= word.write(&mut builder, text, at);
                word = Word::default();
                if let Some(c) = character {
                    builder.keep(at..at + c.len_utf8());
                }
            }
        }
    }
    changed.then(|| builder.finish(Layer::Folded, depth))
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '_' | '-')
        || fold_tables::latin_twin(character).is_some()
}

/// A word, and whether it mixes ASCII with look-alikes or holds letters of which no word is made.
#[derive(Default)]
struct Word {
    start: Option<usize>,
    has_ascii: bool,
    has_twin: bool,
    small_capitals: usize,
}

impl Word {
    fn take(&mut self, at: usize, character: char) {
        self.start.get_or_insert(at);
        self.has_ascii |= character.is_ascii_alphanumeric();
        self.has_twin |= fold_tables::latin_twin(character).is_some();
        self.small_capitals += usize::from(fold_tables::is_small_capital(character));
    }

    fn write(&self, builder: &mut Builder<'_, '_>, text: &str, end: usize) -> bool {
        let Some(start) = self.start else {
            return false;
        };
        // One of them is a sign of phonetics.
        let is_drawn = self.small_capitals > 1;
        if !(self.has_ascii && self.has_twin || is_drawn) {
            builder.keep(start..end);
            return false;
        }
        let word = text.get(start..end).unwrap_or_default();
        for (at, character) in word.char_indices() {
            let range = start + at..start + at + character.len_utf8();
            match fold_tables::latin_twin(character) {
                Some(twin) => builder.put(twin.encode_utf8(&mut [0; 4]), range),
                None => builder.keep(range),
            }
        }
        true
    }
}
