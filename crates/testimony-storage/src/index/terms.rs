//! What a row is indexed under: stems for the keyword channel, exact words for the lexical one, names for the one of
//! things spoken of.
//!
//! Each term says its kind with its first character, so that a stem never meets a name.

use std::collections::{BTreeMap, HashSet};

use testimony_domain::Memory;

use super::tail::Terms;
use super::tokens::{self, is_stop_word, tokens};

/// A question has more words than this only when it is a text; the words that begin it say what it is about.
const WORDS_OF_A_QUESTION: usize = 128;
const NAMES_OF_A_QUESTION: usize = 32;

fn stem_term(stem: &str) -> Box<str> {
    format!("s{stem}").into()
}

fn word_term(word: &str) -> Box<str> {
    format!("w{word}").into()
}

fn name_term(name: &str) -> Box<str> {
    format!("n{name}").into()
}

/// The terms of a row, and how long it is for BM25.
pub(super) fn of_row(memory: &Memory) -> (Terms, u32) {
    let read = tokens(memory.content.as_str());
    let length = u32::try_from(read.stems.len()).unwrap_or(u32::MAX);
    let mut terms: BTreeMap<Box<str>, u32> = BTreeMap::new();
    for stem in &read.stems {
        *terms.entry(stem_term(stem)).or_default() += 1;
    }
    for word in &read.words {
        terms.insert(word_term(word), 1);
    }
    for name in memory
        .entities
        .iter()
        .map(|name| tokens::name(name))
        .filter(|name| !name.is_empty())
    {
        terms.insert(name_term(&name), 1);
    }
    (terms.into_iter().collect(), length)
}

/// The terms of a question, each once, in the order of the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The words that carry a topic, each with the term of its stem.
    pub(super) topics: Vec<(Box<str>, Box<str>)>,
    pub(super) stems: Vec<Box<str>>,
    pub(super) words: Vec<Box<str>>,
    pub(super) names: Vec<Box<str>>,
}

impl Asked {
    pub(super) fn of(question: &str, names: &[String]) -> Self {
        let read = tokens(question);
        let names = names
            .iter()
            .map(|name| tokens::name(name))
            .filter(|name| !name.is_empty());
        let mut names: Vec<Box<str>> = names.map(|name| name_term(&name)).collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(NAMES_OF_A_QUESTION);
        let topics = read.words.iter().filter(|word| !is_stop_word(word));
        let topics =
            topics.map(|word| (word.as_str().into(), stem_term(tokens::stem(word).as_ref())));
        Self {
            topics: topics.take(WORDS_OF_A_QUESTION).collect(),
            stems: once_each(
                with_topic(read.stems, &read.words)
                    .iter()
                    .map(|stem| stem_term(stem)),
            ),
            words: once_each(
                read.words
                    .iter()
                    .filter(|word| !is_stop_word(word))
                    .map(|word| word_term(word)),
            ),
            names,
        }
    }
}

/// The stems of words that carry a topic; all of them when none does, since then they are what is asked for.
fn with_topic(mut stems: Vec<String>, words: &[String]) -> Vec<String> {
    let idle = words.iter().filter(|word| is_stop_word(word));
    let idle: HashSet<String> = idle.map(|word| tokens::stem(word).into_owned()).collect();
    if stems.iter().any(|stem| !idle.contains(stem)) {
        stems.retain(|stem| !idle.contains(stem));
    }
    stems
}

fn once_each(terms: impl Iterator<Item = Box<str>>) -> Vec<Box<str>> {
    let mut seen = HashSet::new();
    terms
        .filter(|term| seen.insert(term.clone()))
        .take(WORDS_OF_A_QUESTION)
        .collect()
}
