//! Words as the models know them: cleaned, without accents, in small letters, cut at blanks and punctuation.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::LONGEST_WORD_CHARACTERS;

/// Whether a model tells capital letters from small ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Casing {
    /// Capital letters become small ones.
    pub lowercase: bool,
    /// Accents are taken off.
    pub strip_accents: bool,
}

impl Casing {
    /// As `uncased` models read.
    pub const UNCASED: Self = Self {
        lowercase: true,
        strip_accents: true,
    };
    /// As `cased` models read.
    pub const CASED: Self = Self {
        lowercase: false,
        strip_accents: false,
    };
}

/// Scripts without blanks, of which every character is a word of its own.
#[rustfmt::skip]
const IDEOGRAPHS: &[RangeInclusive<char>] = &[
    '\u{4E00}'..='\u{9FFF}',
    '\u{3400}'..='\u{4DBF}',
    '\u{20000}'..='\u{2A6DF}',
    '\u{2A700}'..='\u{2B73F}',
    '\u{2B740}'..='\u{2B81F}',
    '\u{2B920}'..='\u{2CEAF}',
    '\u{F900}'..='\u{FAFF}',
    '\u{2F800}'..='\u{2FA1F}',
];

/// Calls `take` with every word until it answers `false`.
/// A word that is too long for any vocabulary comes cut, but still longer than any vocabulary allows.
pub(super) fn each_word(text: &str, casing: Casing, take: &mut dyn FnMut(&str) -> bool) {
    let mut words = Words {
        word: String::with_capacity(32),
        characters: 0,
        take,
    };
    if text.is_ascii() {
        let _ = words.feed(text.chars().filter_map(|c| ascii(c, casing)));
        return;
    }
    let spaced = text
        .chars()
        .filter_map(cleaned)
        .flat_map(|c| around(c, is_ideograph(c).then_some(' ')));
    let _ = match (casing.strip_accents, casing.lowercase) {
        (true, true) => words.feed(
            spaced
                .nfd()
                .filter(is_no_accent)
                .flat_map(char::to_lowercase),
        ),
        (true, false) => words.feed(spaced.nfd().filter(is_no_accent)),
        (false, true) => words.feed(spaced.flat_map(char::to_lowercase)),
        (false, false) => words.feed(spaced),
    };
}

/// The whole preparation of an ASCII character.
fn ascii(c: char, casing: Casing) -> Option<char> {
    match c {
        _ if is_plain_blank(c) => Some(' '),
        _ if c.is_control() => None,
        _ if casing.lowercase => Some(c.to_ascii_lowercase()),
        _ => Some(c),
    }
}

fn cleaned(c: char) -> Option<char> {
    match c {
        _ if is_plain_blank(c) => Some(' '),
        '\u{FFFD}' => None,
        _ if is_other(c) => None,
        _ if c.is_whitespace() => Some(' '),
        _ => Some(c),
    }
}

/// The blanks that are no control characters to these models; a form feed, say, is one and goes without a trace.
const fn is_plain_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn around(c: char, blank: Option<char>) -> impl Iterator<Item = char> {
    blank.into_iter().chain([c]).chain(blank)
}

/// Control and format characters, private ones and surrogates; what is not assigned yet stays.
fn is_other(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Other
        && c.general_category() != GeneralCategory::Unassigned
}

fn is_ideograph(c: char) -> bool {
    c >= '\u{3400}' && IDEOGRAPHS.iter().any(|range| range.contains(&c))
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature of a filter"
)]
fn is_no_accent(c: &char) -> bool {
    c.is_ascii() || c.general_category() != GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// Collects characters into words.
struct Words<'a> {
    word: String,
    characters: usize,
    take: &'a mut dyn FnMut(&str) -> bool,
}

impl Words<'_> {
    /// `None` when no more words are wanted.
    fn feed(&mut self, characters: impl Iterator<Item = char>) -> Option<()> {
        for c in characters {
            if c.is_whitespace() {
                self.end()?;
            } else if is_punctuation(c) {
                self.end()?;
                self.push(c);
                self.end()?;
            } else {
                self.push(c);
            }
        }
        self.end()
    }

    fn push(&mut self, c: char) {
        // One character more than allowed is enough to be too long, however long the text goes on.
        if self.characters <= LONGEST_WORD_CHARACTERS {
            self.word.push(c);
            self.characters += 1;
        }
    }

    fn end(&mut self) -> Option<()> {
        if self.word.is_empty() {
            return Some(());
        }
        let goes_on = (self.take)(&self.word);
        self.word.clear();
        self.characters = 0;
        goes_on.then_some(())
    }
}
