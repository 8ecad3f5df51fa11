//! What words show by which they are: their beginnings, alone and beside each other.

use std::fmt::{Display, Formatter, Result};

use crate::folded::Word;

/// A word is told by so many letters: more would tell its forms apart, fewer other words from it.
const LETTERS: usize = 5;

/// Something that stands in a stretch of words, which are told by `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign<W> {
    /// The stretch begins with such a word.
    First(W),
    /// Such a word stands in it.
    Alone(W),
    /// The one stands right before the other.
    Beside(W, W),
    /// One word stands between them.
    Around(W, W),
}

impl<W: Copy> Sign<W> {
    /// Every sign of words that follow each other.
    fn each(words: impl Iterator<Item = W>, mut found: impl FnMut(Self)) {
        let mut before: [Option<W>; 2] = [None; 2];
        for word in words {
            let [earlier, last] = before;
            match last {
                None => found(Self::First(word)),
                Some(last) => found(Self::Beside(last, word)),
            }
            found(Self::Alone(word));
            if let Some(earlier) = earlier {
                found(Self::Around(earlier, word));
            }
            before = [last, Some(word)];
        }
    }
}

impl Sign<u64> {
    /// A number that tells it from every other sign that is likely to be met.
    const fn key(self) -> u64 {
        let (form, one, other) = match self {
            Self::First(one) => (1, one, 0),
            Self::Alone(one) => (2, one, 0),
            Self::Beside(one, other) => (3, one, other),
            Self::Around(one, other) => (4, one, other),
        };
        mixed(mixed(one ^ form << 61) ^ other)
    }
}

impl<'t> Sign<&'t str> {
    /// A sign as it is written.
    pub(super) fn read(written: &'t str) -> Self {
        if let Some(first) = written.strip_prefix('^') {
            return Self::First(first);
        }
        let mut parts = written.split(' ');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(one), Some("_"), Some(other)) => Self::Around(one, other),
            (Some(one), Some(other), None) => Self::Beside(one, other),
            _ => Self::Alone(written),
        }
    }

    /// The same number as for the words that it was read from.
    pub(super) fn key(self) -> u64 {
        let words = match self {
            Self::First(one) => Sign::First(number(one)),
            Self::Alone(one) => Sign::Alone(number(one)),
            Self::Beside(one, other) => Sign::Beside(number(one), number(other)),
            Self::Around(one, other) => Sign::Around(number(one), number(other)),
        };
        words.key()
    }
}

/// The number of a sign as it is written.
pub(super) fn key_of(written: &'static str) -> u64 {
    Sign::read(written).key()
}

impl Display for Sign<&str> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::First(one) => write!(f, "^{one}"),
            Self::Alone(one) => write!(f, "{one}"),
            Self::Beside(one, other) => write!(f, "{one} {other}"),
            Self::Around(one, other) => write!(f, "{one} _ {other}"),
        }
    }
}

/// Every sign of a stretch of words, as it is written; marks between them are none.
pub(super) fn written(text: &str, words: &[Word]) -> Vec<String> {
    let mut found = Vec::new();
    Sign::each(stems(text, words), |sign| {
        found.push(sign.to_string());
    });
    found
}

/// The numbers of the same.
pub(super) fn keys(text: &str, words: &[Word]) -> Vec<u64> {
    let mut found = Vec::with_capacity(3 * words.len() + 1);
    Sign::each(stems(text, words).map(number), |sign| {
        found.push(sign.key());
    });
    found
}

/// The letters by which words are told.
fn stems<'t>(text: &'t str, words: &'t [Word]) -> impl Iterator<Item = &'t str> {
    let words = words.iter().filter(|word| word.made_of.is_word());
    words.filter_map(|word| {
        let letters = text.get(word.start..word.end)?;
        if word.made_of.is_ascii() {
            return letters.get(..LETTERS.min(letters.len()));
        }
        let end = letters.char_indices().nth(LETTERS).map(|(at, _)| at);
        letters.get(..end.unwrap_or(letters.len()))
    })
}

/// A number of a stem: its bytes themselves where they are few, as most are.
pub(crate) fn number(stem: &str) -> u64 {
    let (groups, rest) = stem.as_bytes().as_chunks::<8>();
    let rest = rest.iter().rev();
    let rest = rest.fold(0, |number, byte| number << 8 | u64::from(*byte));
    let groups = groups.iter().map(|group| u64::from_le_bytes(*group));
    groups.fold(rest, |number, group| mixed(number) ^ group)
}

/// Every bit of a product depends on bits of both halves of what was multiplied.
const fn mixed(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}
