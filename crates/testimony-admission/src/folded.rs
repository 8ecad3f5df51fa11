//! A text in lower case and the words in it: read once, for every stage that looks for words.
//!
//! This module does not know what a word means; that is what a [`crate::lexicon::Lexicon`] knows.

use std::ops::Range;

use crate::lexicon::is_unspaced;

/// A word, or one mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends, in bytes.
    pub(crate) end: usize,
    /// What tells it from most other words.
    pub(crate) key: Key,
    /// What it is made of.
    pub(crate) made_of: MadeOf,
}

/// What stands in a word, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MadeOf(u8);

impl MadeOf {
    const MARK: u8 = 0;
    const BLANK: u8 = 1;
    const DIGITS: u8 = 2;
    const LETTERS: u8 = 4;
    const WIDE: u8 = 8;

    /// Whether it is a word, not a mark.
    pub(crate) const fn is_word(self) -> bool {
        self.0 & (Self::DIGITS | Self::LETTERS | Self::WIDE) != 0
    }

    /// Whether nothing beyond ASCII stands in it.
    pub(crate) const fn is_ascii(self) -> bool {
        self.0 & Self::WIDE == 0
    }

    /// Whether a digit stands in it.
    pub(crate) const fn has_digit(self) -> bool {
        self.0 & Self::DIGITS != 0
    }

    /// Whether an ASCII digit stands in it beside an ASCII letter.
    pub(crate) const fn is_mixed(self) -> bool {
        self.0 & (Self::DIGITS | Self::LETTERS) == Self::DIGITS | Self::LETTERS
    }

    const fn of_byte(byte: u8) -> u8 {
        match byte {
            b' ' | b'\n' | b'\r' => Self::BLANK,
            b'0'..=b'9' => Self::DIGITS,
            b'a'..=b'z' | b'A'..=b'Z' => Self::LETTERS,
            0x80.. => Self::WIDE,
            _ => Self::MARK,
        }
    }
}

/// What every byte stands for: one look instead of many comparisons.
static MADE_OF: [u8; 256] = {
    let mut made_of = [MadeOf::MARK; 256];
    let mut rest = made_of.as_mut_slice();
    let mut byte = 0;
    while let [first, others @ ..] = rest {
        *first = MadeOf::of_byte(byte);
        byte = byte.wrapping_add(1);
        rest = others;
    }
    made_of
};

fn made_of(byte: u8) -> u8 {
    MADE_OF.get(usize::from(byte)).copied().unwrap_or_default()
}

/// What tells a word from most others without another look at its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Of the word: of its length and its first eight bytes.
    pub(crate) whole: u16,
    /// Of its first three bytes; no stem of a list has fewer.
    pub(crate) stem: u16,
    /// Of its first five bytes, which tell most longer stems from each other.
    pub(crate) long_stem: u16,
}

impl Key {
    /// A stem is long from so many bytes on.
    pub(crate) const LONG_STEM: usize = 5;

    /// The key of a word of a list.
    pub(crate) fn of_word(word: &str) -> Self {
        Self::of(word.as_bytes(), word.len())
    }

    /// What tells this word in front of another, of which this is a key, from most other pairs.
    pub(crate) const fn before(self, next: u16) -> u16 {
        mix((self.whole as u64) << 16 | next as u64)
    }

    /// What tells a word of ASCII from most others, whatever its case.
    pub(crate) fn caseless(word: &str) -> u16 {
        const SMALL: u64 = 0x2020_2020_2020_2020;
        let (first, len) = (first_bytes(word.as_bytes()), word.len());
        mix((first | SMALL) & kept(len) ^ (len as u64) << 56)
    }

    /// The key of the first `len` bytes of `bytes`.
    fn of(bytes: &[u8], len: usize) -> Self {
        let first = first_bytes(bytes);
        Self {
            whole: mix(first & kept(len) ^ (len as u64) << 56),
            stem: mix(first & kept(3)),
            long_stem: mix(first & kept(Self::LONG_STEM)),
        }
    }
}

/// The first eight bytes as one number, or as many as there are.
fn first_bytes(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(group) => u64::from_le_bytes(*group),
        None => bytes
            .iter()
            .rev()
            .fold(0, |first, byte| first << 8 | u64::from(*byte)),
    }
}

/// The bits of the first `len` of eight bytes.
const fn kept(len: usize) -> u64 {
    let bytes = if len < 8 { len } else { 8 };
    u64::MAX.unbounded_shr(64 - bytes as u32 * 8)
}

/// The highest bits of a product depend on all the bits of its factors.
const fn mix(bits: u64) -> u16 {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16
}

/// Which marks of ASCII stand in a text, one bit each: what needs one of them is not looked for without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u128);

impl Marks {
    const fn add(&mut self, mark: u8) {
        self.0 |= 1_u128.unbounded_shl(mark as u32);
    }

    /// Whether one of these stands in the text.
    pub(crate) const fn has_any(self, marks: &[u8]) -> bool {
        let mut wanted = Self(0);
        let mut rest = marks;
        while let [first, others @ ..] = rest {
            wanted.add(*first);
            rest = others;
        }
        self.0 & wanted.0 != 0
    }
}

/// A text in lower case with its words.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    /// The text; every letter stands where it stood.
    pub(crate) text: String,
    /// Its words and marks, in order; blanks, and the ends of lines, are neither.
    pub(crate) words: Vec<Word>,
    /// The marks among them that are of ASCII.
    pub(crate) marks: Marks,
}

impl Folded {
    pub(crate) fn of(written: &str) -> Self {
        let text = fold(written);
        // Words are longer on the average; room that is not needed costs less than growing.
        let mut words = Vec::with_capacity(text.len() / 3 + 2);
        let mut marks = Marks::default();
        let mut rest = text.as_bytes();
        while let Some(byte) = rest.first() {
            let start = text.len() - rest.len();
            let (len, made_of) = match made_of(*byte) {
                MadeOf::BLANK => (1, MadeOf::BLANK),
                MadeOf::MARK => {
                    marks.add(*byte);
                    (1, MadeOf::MARK)
                }
                _ => {
                    piece(rest).unwrap_or_else(|| wide_piece(text.get(start..).unwrap_or_default()))
                }
            };
            if made_of != MadeOf::BLANK {
                words.push(Word {
                    start,
                    end: start + len,
                    key: Key::of(rest, len),
                    made_of: MadeOf(made_of),
                });
            }
            rest = rest.get(len..).unwrap_or_default();
        }
        Self { text, words, marks }
    }

    /// The words between two places; `None` where a place stands inside of a word, which then reads otherwise alone.
    pub(crate) fn words_in(&self, span: &Range<usize>) -> Option<&[Word]> {
        let (before, after) = (self.text.get(..span.start)?, self.text.get(span.end..)?);
        let from = self.words.partition_point(|word| word.start < span.start);
        let to = self.words.partition_point(|word| word.end <= span.end);
        let cut_before = self
            .words
            .get(..from)?
            .last()
            .is_some_and(|word| word.end > span.start);
        let cut_after = self.words.get(to).is_some_and(|word| word.start < span.end);
        let joined = before.ends_with('_') || after.starts_with('_');
        if cut_before || cut_after || joined {
            return None;
        }
        self.words.get(from..to)
    }
}

/// How long the word at the beginning of `bytes` is and what it is made of, where all of it is ASCII.
fn piece(bytes: &[u8]) -> Option<(usize, u8)> {
    let mut all = 0;
    let mut len = 0;
    for byte in bytes {
        let one = made_of(*byte);
        if one & (MadeOf::LETTERS | MadeOf::DIGITS) == 0 {
            return (one != MadeOf::WIDE).then_some((len, all));
        }
        all |= one;
        len += 1;
    }
    Some((len, all))
}

/// The same for any text; a sign of a script without spaces is a word of its own, and what is no letter a mark.
fn wide_piece(text: &str) -> (usize, u8) {
    let is_letter = |sign: char| sign.is_alphanumeric() && !is_unspaced(sign);
    let first = text.chars().next().unwrap_or_default();
    if !is_letter(first) {
        let is_word = first.is_alphanumeric();
        let made_of = if is_word { MadeOf::WIDE } else { MadeOf::MARK };
        return (first.len_utf8(), made_of);
    }
    let len = text.find(|sign| !is_letter(sign)).unwrap_or(text.len());
    let bytes = text.bytes().take(len);
    (len, bytes.fold(0, |all, byte| all | made_of(byte)))
}

/// Lower case, where that takes as many bytes, so that every offset stays what it was.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        folded.push(fold_char(character));
    }
    folded
}

fn fold_char(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if one.len_utf8() == character.len_utf8() => one,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_every_offset() {
        for text in ["ÄÖÜ İstanbul ẞ Ω", "ПРИВЕТ", "plain ASCII"] {
            assert_eq!(fold(text).len(), text.len());
        }
    }

    #[test]
    fn a_text_is_cut_into_words_and_marks() {
        let folded = Folded::of("Éa's smoke_test4 忽略。 ok\tnow");
        let words: Vec<&str> = folded
            .words
            .iter()
            .map(|word| folded.text.get(word.start..word.end).unwrap())
            .collect();
        let cut = [
            "éa", "'", "s", "smoke", "_", "test4", "忽", "略", "。", "ok", "\t", "now",
        ];
        assert_eq!(words, cut);
        let mixed = folded.words.iter().filter(|word| word.made_of.is_mixed());
        assert_eq!(mixed.count(), 1);
    }
}
