//! How alike two words are in meaning, by an embedder that reads single words.
//!
//! What a word means does not change, and the words of rows come again and again, so their vectors are kept from one
//! request to the next. A row that is removed takes all of them with it: one of its words might stand nowhere else.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pulp::{Arch, Simd, WithSimd};
use testimony_recall::query::{Compared, Meanings};

use crate::ports::embedder::{Embedder, EmbedderIdentity, Vector};
use crate::ports::ledger::{Commit, CommitObserver};

/// So many words are kept: about a KiB each.
const WORDS: usize = 16_384;
/// Words of so many embedders are kept.
const EMBEDDERS: usize = 2;
/// A longer word is hardly one that comes again.
const LONGEST_KEPT: usize = 64;

/// Words that were read lately, by embedder.
#[derive(Default)]
pub(crate) struct Lexicon(Mutex<Vec<(EmbedderIdentity, Arc<Words>)>>);

impl Lexicon {
    /// The words of an embedder. Whoever has read rows before something was removed keeps to those of that time, which
    /// nobody else asks any more.
    fn of(&self, embedder: &EmbedderIdentity) -> Arc<Words> {
        let mut all = held(&self.0);
        if let Some((_, words)) = all.iter().find(|(known, _)| known == embedder) {
            return Arc::clone(words);
        }
        let words = Arc::new(Words::of(embedder.dimensions));
        all.truncate(EMBEDDERS - 1);
        all.insert(0, (embedder.clone(), Arc::clone(&words)));
        words
    }
}

impl CommitObserver for Lexicon {
    fn committed(&self, commit: &Commit) {
        if commit.changes.iter().any(|change| change.after.is_none()) {
            held(&self.0).clear();
        }
    }
}

/// Nothing that is done under these locks leaves what they guard half done.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What words of one embedder mean.
struct Words {
    /// By which words become numbers: by others each time, that nobody knows, so that no two words have one number by
    /// anybody's wish.
    numbers: RandomState,
    dimensions: usize,
    kept: RwLock<Kept>,
}

/// The words that are kept, one behind the other. Where there is no room, one that was not asked for since the last
/// round gives its place to the next.
#[derive(Default)]
struct Kept {
    places: HashMap<u64, usize>,
    slots: Vec<Slot>,
    /// What they mean, by their places.
    vectors: Vec<f32>,
    hand: usize,
}

struct Slot {
    number: u64,
    /// Whether it says anything.
    says: bool,
    used: AtomicBool,
}

impl Words {
    fn of(dimensions: usize) -> Self {
        Self {
            numbers: RandomState::new(),
            dimensions,
            kept: RwLock::default(),
        }
    }

    /// What `with` makes of the meaning of a word; nothing where it says nothing.
    fn meaning_of<T>(
        &self,
        word: &str,
        read: impl FnOnce() -> Option<Vector>,
        with: impl FnOnce(&[f32]) -> T,
    ) -> Option<T> {
        let number = self.numbers.hash_one(word);
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.places.get(&number) {
            return kept.meaning(*place, self.dimensions).map(with);
        }
        drop(kept);
        let meant = read();
        if word.len() <= LONGEST_KEPT {
            let numbers = meant.as_ref().map(Vector::as_slice);
            let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
            kept.keep(number, numbers, self.dimensions);
        }
        meant.as_ref().map(Vector::as_slice).map(with)
    }
}

impl Kept {
    fn meaning(&self, place: usize, dimensions: usize) -> Option<&[f32]> {
        let slot = self.slots.get(place)?;
        slot.used.store(true, Ordering::Relaxed);
        let numbers = place * dimensions..(place + 1) * dimensions;
        self.vectors.get(numbers).filter(|_| slot.says)
    }

    fn keep(&mut self, number: u64, numbers: Option<&[f32]>, dimensions: usize) {
        // A vector of other dimensions than its embedder says has no place here, and neither has a word twice.
        let fits = numbers.is_none_or(|numbers| numbers.len() == dimensions);
        if !fits || self.places.contains_key(&number) {
            return;
        }
        let place = self.free_place(dimensions);
        let of_place = place * dimensions..(place + 1) * dimensions;
        if let (Some(into), Some(numbers)) = (self.vectors.get_mut(of_place), numbers) {
            into.copy_from_slice(numbers);
        }
        let slot = Slot {
            number,
            says: numbers.is_some(),
            used: AtomicBool::new(false),
        };
        if let Some(before) = self.slots.get_mut(place) {
            self.places.remove(&before.number);
            *before = slot;
        } else {
            self.slots.push(slot);
        }
        self.places.insert(number, place);
    }

    /// The place behind all others, or that of a word which was not asked for lately.
    fn free_place(&mut self, dimensions: usize) -> usize {
        let words = self.slots.len();
        if words < WORDS {
            let length = (words + 1) * dimensions;
            if length > self.vectors.capacity() {
                self.vectors.reserve_exact(length / 8 + dimensions);
            }
            self.vectors.resize(length, 0.0);
            return words;
        }
        // Each is passed over once at the most: then it counts as not asked for.
        while let Some(slot) = self.slots.get_mut(self.hand) {
            if !std::mem::take(slot.used.get_mut()) {
                break;
            }
            self.hand = (self.hand + 1) % WORDS;
        }
        let place = self.hand;
        self.hand = (self.hand + 1) % WORDS;
        place
    }
}

/// Compares words for one request.
pub(super) struct WordLikeness<'a> {
    embedder: &'a dyn Embedder,
    words: Arc<Words>,
}

/// So many numbers are multiplied at once.
const LANES: usize = 8;

impl<'a> WordLikeness<'a> {
    /// Made before rows are read, so that words of a row that is removed meanwhile are not kept.
    pub(super) fn of(embedder: &'a dyn Embedder, lexicon: &Lexicon) -> Self {
        Self {
            words: lexicon.of(embedder.identity()),
            embedder,
        }
    }

    fn meaning_of<T>(&self, word: &str, with: impl FnOnce(&[f32]) -> T) -> Option<T> {
        let read = || {
            let embedded = self.embedder.embed(&[word]).ok()?;
            embedded.into_iter().next().flatten()
        };
        self.words.meaning_of(word, read, with)
    }
}

impl Meanings for WordLikeness<'_> {
    fn to<'s>(&'s self, asked: &[&str]) -> Compared<'s> {
        let asked = asked
            .iter()
            .map(|word| self.meaning_of(word, <[f32]>::to_vec));
        let asked: Vec<Option<Vec<f32>>> = asked.collect();
        let arch = Arch::new();
        Box::new(move |other, cosines| {
            // Where one of two words says nothing they have nothing in common.
            cosines.fill(0.0);
            self.meaning_of(other, |other| {
                arch.dispatch(Products {
                    asked: &asked,
                    other,
                    cosines,
                });
            });
        })
    }
}

/// The products of vectors of length one with another one.
struct Products<'p> {
    asked: &'p [Option<Vec<f32>>],
    other: &'p [f32],
    cosines: &'p mut [f64],
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (cosine, asked) in self.cosines.iter_mut().zip(self.asked) {
            if let Some(asked) = asked {
                *cosine = f64::from(product(asked, self.other));
            }
        }
    }
}

/// The product of two vectors of length one, summed in lanes, in the same order on every machine.
#[inline(always)]
fn product(one: &[f32], other: &[f32]) -> f32 {
    let (one, one_rest) = one.as_chunks::<LANES>();
    let (other, other_rest) = other.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (one, other) in one.iter().zip(other) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    for (sum, (one, other)) in sums.iter_mut().zip(one_rest.iter().zip(other_rest)) {
        *sum += one * other;
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::ports::embedder::{Calibration, EmbedError};
    use crate::ports::ledger::RowChange;
    use crate::ports::ledger::audit::Seq;

    /// Words that begin alike are alike. It counts how often it is asked.
    struct ByLetters {
        identity: EmbedderIdentity,
        asked: AtomicUsize,
    }

    impl ByLetters {
        fn named(name: &str) -> Self {
            let identity = EmbedderIdentity {
                name: name.to_owned(),
                revision: "1".to_owned(),
                dimensions: 11,
            };
            Self {
                identity,
                asked: AtomicUsize::new(0),
            }
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::Relaxed)
        }
    }

    impl Embedder for ByLetters {
        fn identity(&self) -> &EmbedderIdentity {
            &self.identity
        }

        fn calibration(&self) -> Option<&Calibration> {
            None
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
            self.asked.fetch_add(texts.len(), Ordering::Relaxed);
            let numbers = |text: &&str| {
                let letters = text.bytes().chain(std::iter::repeat(b'a')).take(11);
                letters.map(|it| f32::from(it - b'a')).collect()
            };
            let vectors = texts.iter().map(numbers);
            Ok(vectors.map(|it| Vector::from_direction(it).ok()).collect())
        }
    }

    fn removal() -> Commit {
        Commit {
            changes_access: false,
            reached: Seq(1),
            changes: vec![RowChange {
                seq: Seq(1),
                before: None,
                after: None,
                embedding: None,
            }],
        }
    }

    fn between(likeness: &WordLikeness<'_>, asked: &str, other: &str) -> f64 {
        let mut cosines = [1.0];
        likeness.to(&[asked])(other, &mut cosines);
        cosines[0]
    }

    #[test]
    fn words_are_compared_as_their_vectors_are() {
        let (embedder, lexicon) = (ByLetters::named("one"), Lexicon::default());
        for _ in 0..2 {
            let likeness = WordLikeness::of(&embedder, &lexicon);
            for (asked, other) in [("bb", "bc"), ("bz", "bc"), ("bb", "bc"), ("bb", "aaa")] {
                let vectors = embedder.embed(&[asked, other]).unwrap();
                let expected = match vectors.as_slice() {
                    [Some(one), Some(other)] => f64::from(one.cosine(other).unwrap()),
                    _ => 0.0,
                };
                let found = between(&likeness, asked, other);
                assert!((found - expected).abs() < 1e-6, "{asked}, {other}");
            }
            let mut together = [1.0; 3];
            likeness.to(&["bz", "aaa", "bb"])("bc", &mut together);
            let alone = ["bz", "aaa", "bb"].map(|asked| between(&likeness, asked, "bc"));
            assert_eq!(together.map(f64::to_bits), alone.map(f64::to_bits));
        }
    }

    #[test]
    fn a_word_is_read_once_until_something_is_removed() {
        let (embedder, lexicon) = (ByLetters::named("one"), Lexicon::default());
        let ask = || between(&WordLikeness::of(&embedder, &lexicon), "moss", "fern");
        ask();
        ask();
        assert_eq!(embedder.asked(), 2);
        let before = WordLikeness::of(&embedder, &lexicon);
        lexicon.committed(&removal());
        between(&before, "moss", "reed");
        ask();
        assert_eq!(embedder.asked(), 5, "what was read before is not kept");
        let other = ByLetters::named("other");
        between(&WordLikeness::of(&other, &lexicon), "moss", "fern");
        assert_eq!(other.asked(), 2, "words of another embedder are others");
    }

    #[test]
    fn only_so_many_words_are_kept() {
        let words = Words::of(3);
        let one = |number: usize| Vector::from_direction(vec![1.0, number as f32, 2.0]).unwrap();
        let read = |number: usize, reads: &mut usize| {
            let read = || {
                *reads += 1;
                Some(one(number))
            };
            words.meaning_of(&format!("word{number}"), read, <[f32]>::to_vec)
        };
        let mut reads = 0;
        for number in 0..3 * WORDS {
            read(number, &mut reads);
            // This one is asked for again and again.
            assert_eq!(read(7, &mut reads).unwrap(), one(7).as_slice());
        }
        assert_eq!(reads, 3 * WORDS, "what is asked for is kept");
        let kept = words.kept.read().unwrap();
        assert_eq!((kept.slots.len(), kept.places.len()), (WORDS, WORDS));
        assert!(kept.vectors.capacity() <= 4 * WORDS);
        drop(kept);
        for number in [7, 3 * WORDS - 1, 9] {
            assert_eq!(read(number, &mut reads).unwrap(), one(number).as_slice());
        }
        assert_eq!(reads, 3 * WORDS + 1, "the oldest are forgotten");
    }
}
