//! Words as numbers: compared at once, kept in little room. Two words with one number are as good as impossible.

use std::collections::HashMap;
use std::hash::{BuildHasher, DefaultHasher, Hash as _, Hasher, RandomState};

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

/// Something by the numbers of words.
pub(crate) type ByMark<T> = HashMap<u64, T, Scatter>;

/// Scatters numbers over a table. Which words there are is for others to say, so where they come to lie depends on a
/// number that nobody knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scatter(u64);

impl Default for Scatter {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0_u64) | 1)
    }
}

impl BuildHasher for Scatter {
    type Hasher = Scattered;

    fn build_hasher(&self) -> Scattered {
        Scattered {
            by: self.0,
            place: 0,
        }
    }
}

/// The place of one number.
pub(crate) struct Scattered {
    by: u64,
    place: u64,
}

impl Hasher for Scattered {
    fn finish(&self) -> u64 {
        self.place
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // Both halves of the product, so that each bit of the place depends on each bit of the number.
        let product = u128::from(self.place ^ number) * u128::from(self.by);
        self.place = (product >> 64) as u64 ^ product as u64;
    }
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
