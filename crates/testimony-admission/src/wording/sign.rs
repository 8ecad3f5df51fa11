//! What words show by which they are: their beginnings, alone and beside each other.

use std::fmt::{Display, Formatter, Result};

use crate::folded::Word;

/// A word is told by so many letters: more would tell its forms apart, fewer other words from it.
const LETTERS: usize = 5;

/// Something that stands in a stretch of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign<'t> {
    /// The stretch begins with such a word.
    First(&'t str),
    /// Such a word stands in it.
    Alone(&'t str),
    /// The one stands right before the other.
    Beside(&'t str, &'t str),
    /// One word stands between them.
    Around(&'t str, &'t str),
}

impl Sign<'_> {
    /// A number that tells it from every other sign that is likely to be met.
    pub(super) fn key(&self) -> u64 {
        let (form, one, other) = match *self {
            Self::First(one) => (1, one, ""),
            Self::Alone(one) => (2, one, ""),
            Self::Beside(one, other) => (3, one, other),
            Self::Around(one, other) => (4, one, other),
        };
        let bytes = one.bytes().chain([0, form]).chain(other.bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |key, byte| {
            (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// A sign as it is written.
    pub(super) fn read(written: &str) -> Sign<'_> {
        if let Some(first) = written.strip_prefix('^') {
            return Sign::First(first);
        }
        let mut parts = written.split(' ');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(one), Some("_"), Some(other)) => Sign::Around(one, other),
            (Some(one), Some(other), None) => Sign::Beside(one, other),
            _ => Sign::Alone(written),
        }
    }
}

impl Display for Sign<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::First(one) => write!(f, "^{one}"),
            Self::Alone(one) => write!(f, "{one}"),
            Self::Beside(one, other) => write!(f, "{one} {other}"),
            Self::Around(one, other) => write!(f, "{one} _ {other}"),
        }
    }
}

/// Every sign of a stretch of words; marks between them are none.
pub(super) fn signs<'t>(text: &'t str, words: &'t [Word]) -> impl Iterator<Item = Sign<'t>> {
    let mut before: [Option<&str>; 2] = [None; 2];
    let words = words.iter().filter(|word| word.made_of.is_word());
    let stems = words.map(|word| stem(text.get(word.start..word.end).unwrap_or_default()));
    stems.flat_map(move |stem| {
        let [earlier, last] = before;
        before = [last, Some(stem)];
        [
            last.is_none().then_some(Sign::First(stem)),
            Some(Sign::Alone(stem)),
            last.map(|last| Sign::Beside(last, stem)),
            earlier.map(|earlier| Sign::Around(earlier, stem)),
        ]
        .into_iter()
        .flatten()
    })
}

/// The letters by which a word is told.
fn stem(word: &str) -> &str {
    let end = word.char_indices().nth(LETTERS).map(|(at, _)| at);
    end.and_then(|end| word.get(..end)).unwrap_or(word)
}
