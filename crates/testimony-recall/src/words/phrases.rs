//! Tables of phrases: a name, and the phrases that stand for it. Looked up at a place in a row of words.

/// A table of phrases, longest first.
pub(crate) struct Phrases(Vec<(Vec<&'static str>, &'static str)>);

impl Phrases {
    /// Reads a table: one name a line, a colon, phrases parted by bars.
    pub(crate) fn read(text: &'static str) -> Self {
        let mut rows: Vec<(Vec<&str>, &str)> = super::data_lines(text)
            .filter_map(|line| line.split_once(':'))
            .flat_map(|(name, phrases)| {
                phrases
                    .split('|')
                    .map(move |phrase| (phrase.split_whitespace().collect(), name.trim()))
            })
            .collect();
        rows.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
        Self(rows)
    }

    /// The longest phrase with which `words` begin: how many words it has, and its name.
    pub(crate) fn at(&self, words: &[&str]) -> Option<(usize, &'static str)> {
        self.0
            .iter()
            .find(|(phrase, _)| begins(words, phrase))
            .map(|(phrase, name)| (phrase.len(), *name))
    }

    /// The same, looking only at phrases of `name`.
    pub(crate) fn named_at(&self, name: &str, words: &[&str]) -> Option<usize> {
        self.0
            .iter()
            .find(|(phrase, of)| *of == name && begins(words, phrase))
            .map(|(phrase, _)| phrase.len())
    }
}

fn begins(words: &[&str], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(a, b)| a == b)
}
