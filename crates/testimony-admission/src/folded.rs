//! A text in lower case and the words in it: read once, for every stage that looks for words.
//!
//! This module does not know what a word means; that is what a [`crate::lexicon::Lexicon`] knows.

use std::hash::Hasher;

use crate::lexicon::{WordHasher, is_unspaced};

/// A word, or one mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends, in bytes.
    pub(crate) end: usize,
    /// What tells it from most other words.
    pub(crate) key: Key,
    /// Whether it is made of letters and digits, not a mark.
    pub(crate) is_word: bool,
}

/// What tells a word from most others without another look at its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// A hash of the whole word.
    pub(crate) whole: u16,
    /// A hash of its first [`STEM`] bytes.
    pub(crate) stem: u16,
}

/// No stem of a list is shorter, in bytes.
pub(crate) const STEM: usize = 3;

impl Key {
    pub(crate) fn of(word: &[u8]) -> Self {
        Self {
            whole: hash(word),
            stem: hash(word.get(..STEM).unwrap_or(word)),
        }
    }
}

fn hash(bytes: &[u8]) -> u16 {
    let mut hasher = WordHasher::default();
    hasher.write(bytes);
    let [_, _, _, _, _, _, high, highest] = hasher.finish().to_le_bytes();
    u16::from_le_bytes([high, highest])
}

/// A text in lower case with its words.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    /// The text; every letter stands where it stood.
    pub(crate) text: String,
    /// Its words and marks, in order; blanks, and the ends of lines, are neither.
    pub(crate) words: Vec<Word>,
    /// Whether a digit stands beside a letter in any word.
    pub(crate) has_mixed_words: bool,
}

impl Folded {
    pub(crate) fn of(written: &str) -> Self {
        let text = fold(written);
        // Five bytes a word and its blank are usual; more room than needed costs less than growing.
        let mut words = Vec::with_capacity(text.len() / 4 + 1);
        let mut has_mixed_words = false;
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            let start = at;
            let piece = match byte {
                b' ' | b'\n' | b'\r' => {
                    at += 1;
                    continue;
                }
                0..0x80 => ascii_piece(text.as_bytes().get(at..).unwrap_or_default()),
                _ => None,
            };
            let piece = piece.unwrap_or_else(|| wide_piece(text.get(at..).unwrap_or_default()));
            at += piece.len.max(1);
            has_mixed_words |= piece.is_mixed;
            words.push(Word {
                start,
                end: at,
                key: Key::of(text.as_bytes().get(start..at).unwrap_or_default()),
                is_word: piece.is_word,
            });
        }
        Self {
            text,
            words,
            has_mixed_words,
        }
    }
}

/// What a text begins with: a word, or one mark.
struct Piece {
    len: usize,
    is_word: bool,
    is_mixed: bool,
}

/// The piece at the beginning of `bytes`, where no sign beyond ASCII is part of it.
fn ascii_piece(bytes: &[u8]) -> Option<Piece> {
    let (mut letters, mut digits) = (false, false);
    let mut len = 0;
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => letters = true,
            b'0'..=b'9' => digits = true,
            0x80.. => return None,
            _ => break,
        }
        len += 1;
    }
    Some(Piece {
        len: len.max(1),
        is_word: len > 0,
        is_mixed: letters && digits,
    })
}

/// The same for any sign; one of a script without spaces is a piece of its own.
fn wide_piece(text: &str) -> Piece {
    let mut signs = text.char_indices();
    let first = signs.next().map_or('\0', |(_, first)| first);
    let alone = !first.is_alphanumeric() || is_unspaced(first);
    let len = if alone {
        first.len_utf8()
    } else {
        signs
            .find(|(_, sign)| !sign.is_alphanumeric() || is_unspaced(*sign))
            .map_or(text.len(), |(at, _)| at)
    };
    let bytes = text.as_bytes().get(..len).unwrap_or_default();
    Piece {
        len,
        is_word: first.is_alphanumeric(),
        is_mixed: bytes.iter().any(u8::is_ascii_digit)
            && bytes.iter().any(u8::is_ascii_alphabetic),
    }
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
            .map(|word| &folded.text[word.start..word.end])
            .collect();
        let cut = [
            "éa", "'", "s", "smoke", "_", "test4", "忽", "略", "。", "ok", "\t", "now",
        ];
        assert_eq!(words, cut);
        assert!(folded.has_mixed_words);
        assert!(!Folded::of("part 4 of a").has_mixed_words);
    }
}
