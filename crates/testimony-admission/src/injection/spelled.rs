//! Letters that stand apart, `i.g.n.o.r.e` or `i g n o r e`, put together as words.

use std::ops::Range;

use super::respelled::{Edit, is_listed};
use super::run_on::{self, LONG_WORD};

/// So many letters are a word that counts; initials and abbreviations have fewer.
const FEWEST: usize = 4;

/// All the letters of a text that stand apart.
pub(super) struct Spelled<'t> {
    text: &'t str,
    edits: Vec<Edit>,
    /// Whether they spell a word that a signal may be made of: short words beside it are read then as well.
    means: bool,
}

impl<'t> Spelled<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            edits: Vec::new(),
            means: false,
        }
    }

    /// Letters one behind the other: a word ends where the gap is wider, or else where a listed word does.
    pub(super) fn take(&mut self, letters: &[Range<usize>]) {
        let gaps = || letters.windows(2).filter_map(gap);
        let Some(narrow) = gaps().map(|gap| gap.len()).min() else {
            return;
        };
        let words = self.words(letters, narrow);
        let run_on = words.first().filter(|_| words.len() == 1);
        let breaks = run_on.filter(|word| word.len() >= LONG_WORD);
        let breaks = breaks.map(|word| run_on::breaks(word)).unwrap_or_default();
        let counts = |word: &String| word.len() >= FEWEST && is_listed(word);
        self.means = self.means || !breaks.is_empty() || words.iter().any(counts);
        for (at, gap) in gaps().enumerate() {
            let ends = gap.len() > narrow || breaks.binary_search(&(at + 1)).is_ok();
            let put = if ends { " " } else { "" };
            self.edits.push(Edit { range: gap, put });
        }
    }

    /// The words that the gaps alone tell apart.
    fn words(&self, letters: &[Range<usize>], narrow: usize) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut last = None;
        for letter in letters {
            if last.is_some_and(|end| letter.start - end > narrow) {
                words.push(String::new());
            }
            let letters = self.text.get(letter.clone()).unwrap_or_default();
            if let Some(word) = words.last_mut() {
                word.push_str(letters);
            }
            last = Some(letter.end);
        }
        words
    }

    /// What is to be written otherwise.
    pub(super) fn edits(self) -> Vec<Edit> {
        if self.means { self.edits } else { Vec::new() }
    }
}

fn gap(pair: &[Range<usize>]) -> Option<Range<usize>> {
    match pair {
        [left, right] => Some(left.end..right.start),
        _ => None,
    }
}
