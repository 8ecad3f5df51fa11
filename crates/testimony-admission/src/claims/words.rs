//! Short lists of words that many tokens are asked for; nearly every token is told apart by one bit of its sketch.

use super::token::Token;

/// A list of words, and the sketches of all of them.
#[derive(Debug)]
pub(crate) struct Words {
    words: &'static [&'static str],
    sketches: u64,
}

/// Which of 64 bits stands for a word, by its first letter and its length, whatever the case of ASCII letters.
pub(crate) const fn sketch(word: &str) -> u8 {
    let bytes = word.as_bytes();
    match bytes.first() {
        Some(first) => {
            ((*first & 31) as usize).wrapping_add(bytes.len().wrapping_mul(19)) as u8 & 63
        }
        None => 0,
    }
}

/// The bits of the first words of `runs`, so that a token with another bit begins none of them.
pub(crate) const fn sketches_of_first(runs: &[&[&str]]) -> u64 {
    let mut sketches = 0;
    let mut rest = runs;
    while let [run, tail @ ..] = rest {
        if let [first, ..] = run {
            sketches |= 1 << sketch(first);
        }
        rest = tail;
    }
    sketches
}

impl Words {
    pub(crate) const fn of(words: &'static [&'static str]) -> Self {
        let mut sketches = 0;
        let mut rest = words;
        while let [word, tail @ ..] = rest {
            sketches |= 1 << sketch(word);
            rest = tail;
        }
        Self { words, sketches }
    }

    /// Whether `token` of `text` is one of the words, whatever the case of its ASCII letters.
    #[inline]
    pub(crate) fn hold(&self, token: &Token, text: &str) -> bool {
        self.may_hold(token) && self.hold_word(token.of(text))
    }

    /// The same in this case of letters only.
    pub(crate) fn hold_exactly(&self, token: &Token, text: &str) -> bool {
        self.may_hold(token) && self.words.contains(&token.of(text))
    }

    pub(crate) fn hold_word(&self, word: &str) -> bool {
        self.words
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    }

    /// Whether `token` may be one of the words; what its sketch denies needs no look at the text.
    pub(crate) const fn may_hold(&self, token: &Token) -> bool {
        self.sketches >> token.sketch & 1 != 0
    }

    /// Whether any of the tokens with these sketches may be one of the words.
    pub(crate) const fn may_be_among(&self, sketches: u64) -> bool {
        self.sketches & sketches != 0
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().copied()
    }
}

/// A list of words where it is asked for, sketched by the compiler.
macro_rules! any_of {
    ($($word:literal),+ $(,)?) => {
        const { &$crate::claims::words::Words::of(&[$($word),+]) }
    };
}
pub(crate) use any_of;
