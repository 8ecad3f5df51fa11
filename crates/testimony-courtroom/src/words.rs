//! Sentences and words of a text, for excerpts and answers. Everything here is linear in its input.

use std::collections::BTreeSet;

use frostem::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// Words that say nothing about what a sentence is about.
const COMMON: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "being", "but", "by", "can", "could", "did", "do", "does", "for", "from", "had",
    "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "my", "no", "not", "of", "on", "or", "our", "out", "say", "says", "she", "should", "so",
    "some", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "up", "us", "was", "we", "were", "what", "when", "where", "which", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// The longest word that is reduced to its stem.
const LONGEST_STEMMED: usize = 40;

/// The sentences of a text, without the space around them.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r'])
        .flat_map(UnicodeSegmentation::split_sentence_bounds)
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

/// The stems of the words that say what a text is about.
pub(crate) fn topics(text: &str) -> BTreeSet<String> {
    all_words(text)
        .filter(|word| COMMON.binary_search(&word.as_str()).is_err())
        .map(|word| stem(&word))
        .collect()
}

/// Every word of a text in lower case.
pub(crate) fn all_words(text: &str) -> impl Iterator<Item = String> {
    text.unicode_words().map(str::to_lowercase)
}

/// Only plain English words have stems here; a stem of anything else would be a guess.
fn stem(word: &str) -> String {
    let is_plain = word.len() <= LONGEST_STEMMED && word.bytes().all(|b| b.is_ascii_lowercase());
    if is_plain {
        Stemmer::new(Algorithm::English).stem(word).into_owned()
    } else {
        word.to_owned()
    }
}

/// How many of the wanted stems a text has.
pub(crate) fn overlap(wanted: &BTreeSet<String>, text: &str) -> usize {
    let found = topics(text);
    wanted.intersection(&found).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_words_are_sorted() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn topics_are_stems_without_common_words() {
        let expected: BTreeSet<String> = ["deploy", "friday"].map(str::to_owned).into();
        assert_eq!(topics("We deployed on Fridays."), expected);
        assert_eq!(overlap(&expected, "Deploying is for Monday"), 1);
    }

    #[test]
    fn words_of_other_scripts_and_long_words_stay_as_they_are() {
        let long = "stations".repeat(8);
        assert_eq!(topics("cafés"), BTreeSet::from(["cafés".to_owned()]));
        assert_eq!(topics(&long), BTreeSet::from([long.clone()]));
    }

    /// What a stemmer cuts are endings, so every ending is tried behind beginnings of every length.
    #[test]
    fn every_plain_word_has_a_stem() {
        for length in 0..44 {
            let before: String = "ab".chars().cycle().take(length).collect();
            for first in 'a'..='z' {
                for last in 'a'..='z' {
                    let _ = stem(&format!("{before}{first}{last}"));
                }
            }
        }
    }

    #[test]
    fn lines_and_full_stops_end_sentences() {
        let found: Vec<&str> = sentences("One. Two!\n\n Three\r\nfour").collect();
        assert_eq!(found, ["One.", "Two!", "Three", "four"]);
    }
}
