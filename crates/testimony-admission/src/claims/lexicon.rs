//! The lexicon: every word that any table knows, found once a token, in the language of its sentence.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::class::{Class, MONTH};
use super::pattern::pattern_words;
use super::token::Token;
use super::vocabulary::{MARKERS, WORDS};

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
    /// Bit n: it speaks for language n.
    markers: u8,
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
        let mut votes = [0_usize; 4];
        for lexeme in tokens.iter().take(80).filter_map(|token| token.lexeme) {
            for (bit, vote) in votes.iter_mut().enumerate() {
                *vote += usize::from(lexeme.markers >> bit & 1);
            }
        }
        let best = LANGUAGES
            .into_iter()
            .zip(votes)
            .rev()
            .max_by_key(|(_, votes)| *votes);
        best.map_or(Self::English, |(language, _)| language)
    }
}

/// A fast hash for short words; the table is fixed, so nobody can choose its keys.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}

/// Every known word.
pub(crate) struct Lexicon {
    words: HashMap<String, Lexeme, BuildHasherDefault<WordHasher>>,
}

/// No word of the tables is longer, in bytes.
const LONGEST_WORD: usize = 28;

impl Lexicon {
    /// The word `core`, whatever its case.
    pub(crate) fn find(&self, core: &str) -> Option<&Lexeme> {
        if core.len() > LONGEST_WORD {
            return None;
        }
        let mut buffer = [0_u8; LONGEST_WORD * 2];
        lowered(core, &mut buffer).and_then(|word| self.words.get(word))
    }

    fn add(&mut self, word: &str) -> &mut Lexeme {
        let next = u16::try_from(self.words.len() + 1).unwrap_or(u16::MAX);
        self.words.entry(word.to_owned()).or_insert_with(|| Lexeme {
            id: next,
            ..Lexeme::default()
        })
    }

    fn build() -> Self {
        let mut built = Self {
            words: HashMap::default(),
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
                    lexeme.markers |= 1 << (*language as u8);
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
                built.add(word).markers |= 1 << (*language as u8);
            }
        }
        for word in pattern_words() {
            built.add(word);
        }
        built
    }
}

/// `core` in lower case with straight apostrophes, written into `buffer`.
fn lowered<'b>(core: &str, buffer: &'b mut [u8]) -> Option<&'b str> {
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
    std::str::from_utf8(buffer.get(..used)?).ok()
}

/// The one lexicon.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::build);
    &LEXICON
}
