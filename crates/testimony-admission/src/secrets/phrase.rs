//! Whether several words are a passphrase rather than a remark about one.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::stated_words::{DESCRIBES, FUNCTION_WORDS, NOUNS};
use crate::normalise::Reading;

/// Passphrases that have to go wherever they stand.
pub(super) struct Phrases(Option<AhoCorasick>);

impl Phrases {
    pub(super) fn of<'p>(phrases: impl Iterator<Item = &'p str>) -> Self {
        let phrases: Vec<&str> = phrases.collect();
        let searcher = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(&phrases)
                .ok()
        };
        Self(if phrases.is_empty() { None } else { searcher() })
    }

    /// Where one of them stands in any view of a text, in the text as it was sent.
    pub(super) fn found_in(&self, reading: &Reading<'_>) -> Vec<Range<usize>> {
        let Some(searcher) = &self.0 else {
            return Vec::new();
        };
        let views = reading.views();
        let found = views.flat_map(|view| {
            searcher
                .find_iter(view.text())
                .map(move |at| view.original(at.range()))
        });
        found.collect()
    }
}

/// How a phrase is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// It is all that a field or a pair of quotes holds.
    Quoted,
    /// It is the rest of a line that assigns it.
    Assigned,
    /// It is the end of a sentence.
    Told,
}

impl Voice {
    const fn fewest_words(self) -> usize {
        match self {
            Self::Quoted | Self::Assigned => 3,
            Self::Told => 4,
        }
    }
}

/// More words are a paragraph.
const MOST_WORDS: usize = 12;

/// Whether `phrase` could open something.
///
/// Nobody can tell four words from a short remark by their shape, so what the words mean decides: a remark speaks of
/// rules, places, people and times, and it needs small words to hold it together.
pub(super) fn is_passphrase(phrase: &str, voice: Voice) -> bool {
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let numbered = words
        .iter()
        .any(|word| word.bytes().any(|b| b.is_ascii_digit()));
    let fewest = if numbered && voice == Voice::Quoted {
        2
    } else {
        voice.fewest_words()
    };
    let counted = (fewest..=MOST_WORDS).contains(&words.len());
    counted
        && !phrase.ends_with(['?', '…', ':'])
        && !phrase.ends_with("..")
        && !phrase.contains("${")
        && !phrase.contains("{{")
        && words.iter().all(|word| is_of_a_phrase(word, voice))
        && held_together(&words) * 2
            <= if voice == Voice::Quoted {
                words.len()
            } else {
                0
            }
}

/// How many words only hold others together.
fn held_together(words: &[&str]) -> usize {
    let small = |word: &&&str| FUNCTION_WORDS.contains(&word.to_lowercase().as_str());
    words.iter().filter(small).count()
}

fn is_of_a_phrase(word: &str, voice: Voice) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let lettered = match voice {
        Voice::Quoted => {
            word.chars().any(char::is_alphanumeric)
                && !word.contains(['{', '}', '<', '>', '=', '/', '(', ')'])
        }
        Voice::Assigned | Voice::Told => {
            word.chars().all(|c| c.is_lowercase() || c.is_ascii_digit())
                && (2..=14).contains(&word.len())
        }
    };
    let names_one = || {
        NOUNS.iter().any(|(_, nouns)| {
            nouns
                .iter()
                .any(|noun| noun.len() > 4 && bare.starts_with(noun))
        })
    };
    let said_of = |ending: &str| voice != Voice::Quoted && bare.len() > 4 && bare.ends_with(ending);
    let reported = (said_of("ed") && !bare.ends_with("eed")) || said_of("ly") || said_of("ing");
    lettered && !DESCRIBES.contains(&bare) && !names_one() && !reported
}
