//! The lexicon: every word that any table knows, found once a token, in the language of its sentence.

use std::sync::LazyLock;

use super::class::{Class, MONTH};
use super::pattern::pattern_words;
use super::token::Token;
use super::vocabulary::{MARKERS, WORDS};
use crate::lexicon::WordMap;

/// A language that the tables know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// English, also where nothing speaks for another.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

/// For which languages a row of a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum In {
    /// Every language.
    All,
    /// One.
    Only(Language),
}

const LANGUAGES: [Language; 4] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Spanish,
];

/// A word and what the tables say of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexeme {
    /// Its number, from 1.
    pub(crate) id: u16,
    /// The value of it: which number, which day of the week.
    pub(crate) value: i32,
    /// Which month it names; 0 for none.
    pub(crate) month: i8,
    classes: [Class; 4],
    /// One vote in lane n where it speaks for language n.
    votes: u64,
}

impl Lexeme {
    /// What it is in `language`.
    pub(crate) fn classes_in(&self, language: Language) -> Class {
        self.classes.get(language as usize).copied().unwrap_or(0)
    }

    /// What it is in any language.
    pub(crate) fn classes_in_any(&self) -> Class {
        self.classes.iter().fold(0, |all, classes| all | classes)
    }
}

impl Language {
    /// The language that most of the tokens speak for; English unless another has more votes.
    pub(crate) fn spoken_by(tokens: &[Token]) -> Self {
        let voting = tokens.iter().take(MOST_VOTERS);
        let votes: u64 = voting
            .filter_map(|token| token.lexeme)
            .map(|lexeme| lexeme.votes)
            .sum();
        let best = LANGUAGES
            .into_iter()
            .map(|language| (language, votes >> (LANE * language as u32) & LANE_MASK))
            .rev()
            .max_by_key(|(_, votes)| *votes);
        best.map_or(Self::English, |(language, _)| language)
    }
}

/// So many tokens at most vote for a language.
const MOST_VOTERS: usize = 80;
/// The votes for all languages are counted in one number, each in a lane of so many bits; no lane can run over.
const LANE: u32 = 16;
const LANE_MASK: u64 = (1 << LANE) - 1;

const fn vote_for(language: Language) -> u64 {
    1 << (LANE * language as u32)
}

/// Every known word.
pub(crate) struct Lexicon {
    words: WordMap<Box<[u8]>, Lexeme>,
}

/// No word of the tables is longer, in bytes.
const LONGEST_WORD: usize = 28;

impl Lexicon {
    /// The word `core`, whatever its case.
    pub(crate) fn find(&self, core: &str) -> Option<&Lexeme> {
        in_lower_case(core, |word| self.words.get(word))
    }

    fn add(&mut self, word: &str) -> &mut Lexeme {
        let next = u16::try_from(self.words.len() + 1).unwrap_or(u16::MAX);
        self.words
            .entry(word.as_bytes().into())
            .or_insert_with(|| Lexeme {
                id: next,
                ..Lexeme::default()
            })
    }

    fn build() -> Self {
        let mut built = Self {
            words: WordMap::default(),
        };
        for (languages, class, value, words) in WORDS {
            for word in words.split_whitespace() {
                let lexeme = built.add(word);
                if *class == MONTH {
                    lexeme.month = i8::try_from(*value).unwrap_or(0);
                } else if *value != 0 {
                    lexeme.value = *value;
                }
                if let In::Only(language) = languages {
                    lexeme.votes |= vote_for(*language);
                }
                for (language, slot) in LANGUAGES.into_iter().zip(&mut lexeme.classes) {
                    if *languages == In::All || *languages == In::Only(language) {
                        *slot |= class;
                    }
                }
            }
        }
        for (language, words) in MARKERS {
            for word in words.split_whitespace() {
                built.add(word).votes |= vote_for(*language);
            }
        }
        for word in pattern_words() {
            built.add(word);
        }
        built
    }
}

/// What `find` makes of a word in lower case with straight apostrophes, without an allocation; nothing of a word that is
/// longer than any of the tables.
pub(crate) fn in_lower_case<T>(word: &str, find: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let mut buffer = [0_u8; LONGEST_WORD * 2];
    lowered(word, &mut buffer).and_then(|lower| find(lower))
}

/// `core` in lower case with straight apostrophes, written into `buffer`.
fn lowered<'b>(core: &str, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    if core.is_ascii() {
        let word = buffer.get_mut(..core.len())?;
        word.copy_from_slice(core.as_bytes());
        word.make_ascii_lowercase();
        return Some(word);
    }
    let mut used = 0;
    for c in core.chars() {
        let c = if c == '’' { '\'' } else { c };
        if c.is_ascii() {
            *buffer.get_mut(used)? = c.to_ascii_lowercase() as u8;
            used += 1;
        } else {
            for low in c.to_lowercase() {
                used += low
                    .encode_utf8(buffer.get_mut(used..used + low.len_utf8())?)
                    .len();
            }
        }
    }
    buffer.get(..used)
}

/// The one lexicon.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::build);
    &LEXICON
}
