//! Words as numbers: compared at once, kept in little room. Two words with one number are as good as impossible.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The number of a word.
pub(crate) fn mark(word: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    word.hash(&mut hash);
    hash.finish()
}

/// The number of two words side by side, by theirs.
pub(crate) const fn mark_of_pair(one: u64, other: u64) -> u64 {
    (one.rotate_left(23) ^ other).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A set of words by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(Box<[u64]>);

impl Marks {
    /// Whether a word is among them.
    pub(crate) fn hold(&self, mark: u64) -> bool {
        self.0.binary_search(&mark).is_ok()
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

impl FromIterator<u64> for Marks {
    fn from_iter<I: IntoIterator<Item = u64>>(marks: I) -> Self {
        let mut marks: Vec<u64> = marks.into_iter().collect();
        marks.sort_unstable();
        marks.dedup();
        Self(marks.into_boxed_slice())
    }
}
