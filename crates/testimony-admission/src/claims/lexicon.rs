//! The lexicon: every word that any table knows, found once a token, in the language of its sentence.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use super::class::{Class, MONTH};
use super::pattern::pattern_words;
use super::token::Token;
use super::vocabulary::{MARKERS, WORDS};
use crate::folded::Key;
use crate::lexicon::{Keys, WordMap};

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
    words: WordMap<Folded, Lexeme>,
    /// The keys of those that are ASCII: many words of a text are told by them to be none.
    keys: Keys,
}

/// No word of the tables is longer, in bytes.
const LONGEST_WORD: usize = 28;

impl Lexicon {
    /// The word `core`, whatever its case.
    pub(crate) fn find(&self, core: &str) -> Option<&Lexeme> {
        let is_unknown = core.is_ascii() && !self.keys.may_hold(Key::caseless(core));
        if core.len() > LONGEST_WORD || is_unknown {
            return None;
        }
        self.words.get(&Folded::of(core)?)
    }

    fn add(&mut self, word: &str) -> Option<&mut Lexeme> {
        let next = u16::try_from(self.words.len() + 1).unwrap_or(u16::MAX);
        let entry = self.words.entry(Folded::of(word)?);
        Some(entry.or_insert_with(|| Lexeme {
            id: next,
            ..Lexeme::default()
        }))
    }

    fn build() -> Self {
        let mut built = Self {
            words: WordMap::default(),
            keys: Keys::none(),
        };
        for (languages, class, value, words) in WORDS {
            for word in words.split_whitespace() {
                let Some(lexeme) = built.add(word) else {
                    continue;
                };
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
                if let Some(lexeme) = built.add(word) {
                    lexeme.votes |= vote_for(*language);
                }
            }
        }
        for word in pattern_words() {
            built.add(word);
        }
        built.keys = Keys::of(built.words.keys().map(Folded::key));
        built
    }
}

/// A word in lower case with straight apostrophes, as tables are asked for it: of one size, so that it is neither
/// allocated nor compared byte for byte, and with its length, so that no other word is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Folded([u8; FOLDED_BYTES]);

const FOLDED_BYTES: usize = 32;

impl Hash for Folded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

impl Folded {
    /// What tells it from most other words.
    fn key(&self) -> u16 {
        let (length, text) = self.0.split_last().unwrap_or((&0, &[]));
        let word = text.get(..usize::from(*length)).unwrap_or_default();
        Key::caseless(std::str::from_utf8(word).unwrap_or_default())
    }

    /// Folds a word; `None` of one that is longer than any of the tables.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let mut folded = [0; FOLDED_BYTES];
        let (length, text) = folded.split_last_mut()?;
        if word.len() > LONGEST_WORD {
            return None;
        }
        if word.is_ascii() {
            text.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
            text.make_ascii_lowercase();
            *length = u8::try_from(word.len()).ok()?;
        } else {
            *length = u8::try_from(fold_into(text, word)?).ok()?;
        }
        Some(Self(folded))
    }
}

/// Writes `word` in lower case into `buffer`, and says how many bytes that took.
fn fold_into(buffer: &mut [u8], word: &str) -> Option<usize> {
    let mut used = 0;
    for c in word.chars() {
        let c = if c == '’' { '\'' } else { c };
        for low in c.to_lowercase() {
            let place = buffer.get_mut(used..used + low.len_utf8())?;
            used += low.encode_utf8(place).len();
        }
    }
    Some(used)
}

/// The one lexicon.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::build);
    &LEXICON
}
