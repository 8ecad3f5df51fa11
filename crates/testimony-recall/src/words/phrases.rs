//! Tables of phrases: a name, and the phrases that stand for it. Looked up at a place in a row of words.

use std::collections::HashMap;

/// A table of phrases by the word with which they begin, of which the longest come first.
pub(crate) struct Phrases(HashMap<&'static str, Vec<Phrase>>);

struct Phrase {
    words: Vec<&'static str>,
    name: &'static str,
}

impl Phrases {
    /// Reads a table: one name a line, a colon, phrases parted by bars.
    pub(crate) fn read(text: &'static str) -> Self {
        let named = super::data_lines(text).filter_map(|line| line.split_once(':'));
        let phrases = named.flat_map(|(name, phrases)| {
            phrases.split('|').map(move |phrase| Phrase {
                words: phrase.split_whitespace().collect(),
                name: name.trim(),
            })
        });
        let mut table: HashMap<&str, Vec<Phrase>> = HashMap::new();
        for phrase in phrases {
            let first = phrase.words.first().copied().unwrap_or_default();
            table.entry(first).or_default().push(phrase);
        }
        for phrases in table.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
        Self(table)
    }

    /// The longest phrase with which `words` begin: how many words it has, and its name.
    pub(crate) fn at(&self, words: &[&str]) -> Option<(usize, &'static str)> {
        let found = self.beginning(words).next()?;
        Some((found.words.len(), found.name))
    }

    /// The same, looking only at phrases of `name`.
    pub(crate) fn named_at(&self, name: &str, words: &[&str]) -> Option<usize> {
        let mut found = self.beginning(words);
        found
            .find(|phrase| phrase.name == name)
            .map(|phrase| phrase.words.len())
    }

    /// The phrases with which `words` begin.
    fn beginning<'p>(&'p self, words: &'p [&str]) -> impl Iterator<Item = &'p Phrase> {
        let of_word = words.first().and_then(|first| self.0.get(first));
        let phrases = of_word.into_iter().flatten();
        phrases.filter(|phrase| words.starts_with(&phrase.words))
    }
}
