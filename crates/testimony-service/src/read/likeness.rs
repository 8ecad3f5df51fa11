//! How alike two words are in meaning, by an embedder that reads single words.
//!
//! What a word means does not change, and the words of rows come again and again, so their vectors are kept from one
//! request to the next, in eight bits a number: a recall meets some thousand words and waits for memory more than it
//! multiplies. A row that is removed takes all of them with it: one of its words might stand nowhere else.
//!
//! Products are summed in whole numbers, which add up to the same on every machine.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pulp::{Arch, Simd, WithSimd};
use testimony_recall::query::{Compared, Meanings};

use crate::ports::embedder::{Embedder, EmbedderIdentity, Vector};
use crate::ports::ledger::{Commit, CommitObserver};

/// Words stand in sets, by their numbers: of so many sets each has room for so many, which take about 280 bytes each.
const SETS: usize = 8_192;
const IN_A_SET: usize = 6;
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
    /// Each under a lock of its own, so that requests side by side do not meet at one.
    sets: Box<[Place]>,
}

/// A set with its lock: two lines of memory, which come together.
#[derive(Default)]
#[repr(align(128))]
struct Place(RwLock<Set>);

/// Words whose numbers lead to one place, so that one look tells whether a word is kept.
#[derive(Default)]
struct Set {
    words: [Kept; IN_A_SET],
    /// What they mean, one behind the other, in steps; nothing while no word stands here.
    vectors: Box<[i8]>,
}

/// A word that is kept.
#[derive(Default)]
struct Kept {
    /// Never 0, but where no word stands.
    number: u64,
    /// What a step of its vector stands for; 0 where it says nothing.
    step: f32,
    /// Whether it was asked for since it last had to make room.
    used: AtomicBool,
}

/// What a word of a row means, in steps.
#[derive(Clone, Copy)]
struct Meaning<'m> {
    numbers: &'m [i8],
    step: f32,
}

/// A vector in whole numbers, with what a step of them stands for.
#[derive(Clone, Debug, PartialEq)]
struct Steps<N> {
    numbers: Vec<N>,
    step: f32,
}

/// The largest number of a word of a row, and of one of the question. The product of 512 dimensions' worth of both stays
/// within 32 bits; of more, it is summed in pieces.
const WORD_STEPS: f32 = 127.0;
const ASKED_STEPS: f32 = 32_767.0;
const AT_ONCE: usize = 512;

impl<N: FromSteps> Steps<N> {
    /// A vector, its largest number so many steps.
    fn of(numbers: &[f32], largest: f32) -> Self {
        let most = numbers.iter().fold(0.0_f32, |most, it| it.abs().max(most));
        let step = most / largest;
        let whole = numbers.iter().map(|it| N::from_steps((it / step).round()));
        Self {
            numbers: whole.collect(),
            step,
        }
    }
}

impl Steps<i8> {
    fn meaning(&self) -> Meaning<'_> {
        Meaning {
            numbers: &self.numbers,
            step: self.step,
        }
    }
}

/// Whole numbers of as many bits as a vector is kept in.
trait FromSteps {
    fn from_steps(steps: f32) -> Self;
}

impl FromSteps for i8 {
    fn from_steps(steps: f32) -> Self {
        steps as Self
    }
}

impl FromSteps for i16 {
    fn from_steps(steps: f32) -> Self {
        steps as Self
    }
}

impl Words {
    fn of(dimensions: usize) -> Self {
        Self {
            numbers: RandomState::new(),
            dimensions,
            sets: (0..SETS).map(|_| Place::default()).collect(),
        }
    }

    /// What `with` makes of the meaning of a word; nothing where it says nothing.
    fn meaning_of<T>(
        &self,
        word: &str,
        read: impl FnOnce() -> Option<Vector>,
        with: impl FnOnce(Meaning<'_>) -> T,
    ) -> Option<T> {
        let number = self.numbers.hash_one(word) | 1;
        let Place(set) = self.sets.get((number >> 32) as usize % SETS)?;
        let kept = set.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.place_of(number) {
            return kept.meaning(place, self.dimensions).map(with);
        }
        drop(kept);
        let meant = read().map(|meant| Steps::of(meant.as_slice(), WORD_STEPS));
        if word.len() <= LONGEST_KEPT {
            let mut kept = set.write().unwrap_or_else(PoisonError::into_inner);
            kept.keep(number, meant.as_ref(), self.dimensions);
        }
        meant.as_ref().map(|meant| with(meant.meaning()))
    }
}

impl Set {
    fn place_of(&self, number: u64) -> Option<usize> {
        self.words.iter().position(|word| word.number == number)
    }

    fn meaning(&self, place: usize, dimensions: usize) -> Option<Meaning<'_>> {
        let word = self.words.get(place)?;
        // Written only where it changes: others read the same line at the same time.
        if !word.used.load(Ordering::Relaxed) {
            word.used.store(true, Ordering::Relaxed);
        }
        let numbers = self.vectors.get(of_place(place, dimensions))?;
        (word.step > 0.0).then_some(Meaning {
            numbers,
            step: word.step,
        })
    }

    fn keep(&mut self, number: u64, meant: Option<&Steps<i8>>, dimensions: usize) {
        // A vector of other dimensions than its embedder says has no place here, and neither has a word twice.
        let fits = meant.is_none_or(|meant| meant.numbers.len() == dimensions);
        if !fits || self.place_of(number).is_some() {
            return;
        }
        if self.vectors.is_empty() {
            self.vectors = vec![0; IN_A_SET * dimensions].into_boxed_slice();
        }
        let place = self.free_place(number);
        let into = self.vectors.get_mut(of_place(place, dimensions));
        if let (Some(into), Some(meant)) = (into, meant) {
            into.copy_from_slice(&meant.numbers);
        }
        if let Some(word) = self.words.get_mut(place) {
            *word = Kept {
                number,
                step: meant.map_or(0.0, |meant| meant.step),
                used: AtomicBool::new(false),
            };
        }
    }

    /// Where nothing stands, or a word that was not asked for lately: any of those, as the new number has it.
    fn free_place(&mut self, number: u64) -> usize {
        if let Some(empty) = self.place_of(0) {
            return empty;
        }
        let first = number as usize % IN_A_SET;
        let is_unused = |word: &Kept| !word.used.load(Ordering::Relaxed);
        let mut places = (first..IN_A_SET).chain(0..first);
        let unused = places.find(|at| self.words.get(*at).is_some_and(is_unused));
        unused.unwrap_or_else(|| {
            // All were asked for; from here on that counts anew.
            for word in &mut self.words {
                *word.used.get_mut() = false;
            }
            first
        })
    }
}

/// Where in a set the vector of a word lies.
const fn of_place(place: usize, dimensions: usize) -> std::ops::Range<usize> {
    place * dimensions..(place + 1) * dimensions
}

/// Compares words for one request.
pub(super) struct WordLikeness<'a> {
    embedder: &'a dyn Embedder,
    words: Arc<Words>,
}

impl<'a> WordLikeness<'a> {
    /// Made before rows are read, so that words of a row that is removed meanwhile are not kept.
    pub(super) fn of(embedder: &'a dyn Embedder, lexicon: &Lexicon) -> Self {
        Self {
            words: lexicon.of(embedder.identity()),
            embedder,
        }
    }

    fn read(&self, word: &str) -> Option<Vector> {
        let embedded = self.embedder.embed(&[word]).ok()?;
        embedded.into_iter().next().flatten()
    }
}

impl Meanings for WordLikeness<'_> {
    fn to<'s>(&'s self, asked: &[&str]) -> Compared<'s> {
        let asked = asked.iter().map(|word| self.read(word));
        let steps = |meant: Vector| Steps::of(meant.as_slice(), ASKED_STEPS);
        let asked: Vec<Option<Steps<i16>>> = asked.map(|meant| meant.map(steps)).collect();
        let arch = Arch::new();
        Box::new(move |other, cosines| {
            // Where one of two words says nothing they have nothing in common.
            cosines.fill(0.0);
            let read = || self.read(other);
            self.words.meaning_of(other, read, |other| {
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
    asked: &'p [Option<Steps<i16>>],
    other: Meaning<'p>,
    cosines: &'p mut [f64],
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (cosine, asked) in self.cosines.iter_mut().zip(self.asked) {
            if let Some(asked) = asked {
                let step = f64::from(asked.step) * f64::from(self.other.step);
                *cosine = product(&asked.numbers, self.other.numbers) as f64 * step;
            }
        }
    }
}

/// The product of two vectors, in steps of both.
#[inline(always)]
fn product(one: &[i16], other: &[i8]) -> i64 {
    let pieces = one.chunks(AT_ONCE).zip(other.chunks(AT_ONCE));
    let of_piece = |(one, other): (&[i16], &[i8])| -> i32 {
        let pairs = one.iter().zip(other);
        pairs
            .map(|(one, other)| i32::from(*one) * i32::from(*other))
            .sum()
    };
    pieces.map(of_piece).map(i64::from).sum()
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
                assert!((found - expected).abs() < 5e-3, "{asked}, {other}");
            }
            let mut together = [1.0; 3];
            likeness.to(&["bz", "aaa", "bb"])("bc", &mut together);
            let alone = ["bz", "aaa", "bb"].map(|asked| between(&likeness, asked, "bc"));
            assert_eq!(together.map(f64::to_bits), alone.map(f64::to_bits));
        }
    }

    #[test]
    fn a_word_of_a_row_is_read_once_until_something_is_removed() {
        let (embedder, lexicon) = (ByLetters::named("one"), Lexicon::default());
        let ask = || between(&WordLikeness::of(&embedder, &lexicon), "moss", "fern");
        ask();
        ask();
        assert_eq!(embedder.asked(), 3, "that of the question each time");
        let before = WordLikeness::of(&embedder, &lexicon);
        lexicon.committed(&removal());
        between(&before, "moss", "reed");
        ask();
        assert_eq!(embedder.asked(), 7, "what was read before is not kept");
        let other = ByLetters::named("other");
        between(&WordLikeness::of(&other, &lexicon), "moss", "fern");
        assert_eq!(other.asked(), 2, "words of another embedder are others");
    }

    #[test]
    fn only_so_many_words_are_kept() {
        const WORDS: usize = SETS * IN_A_SET;
        let words = Words::of(3);
        let one = |number: usize| Vector::from_direction(vec![1.0, number as f32, 2.0]).unwrap();
        let read = |number: usize, reads: &mut usize| {
            let read = || {
                *reads += 1;
                Some(one(number))
            };
            let meant = words.meaning_of(&format!("word{number}"), read, |meant| {
                meant.numbers.to_vec()
            });
            meant.unwrap()
        };
        let kept_as = |number: usize| Steps::<i8>::of(one(number).as_slice(), WORD_STEPS).numbers;
        let mut reads = 0;
        for number in 0..3 * WORDS {
            read(number, &mut reads);
            // This one is asked for again and again.
            assert_eq!(read(7, &mut reads), kept_as(7));
        }
        assert_eq!(reads, 3 * WORDS, "what is asked for is kept");
        for number in (0..3 * WORDS).rev().step_by(97) {
            assert_eq!(read(number, &mut reads), kept_as(number));
        }
        let asked = 3 * WORDS / 97;
        let met = asked - (reads - 3 * WORDS);
        assert!((asked / 5..asked / 2).contains(&met), "{met} of {asked}");
        let bytes = |place: &Place| size_of::<Place>() + place.0.read().unwrap().vectors.len();
        let bytes: usize = words.sets.iter().map(bytes).sum();
        assert!(bytes <= WORDS * (3 + 22), "{bytes}");
    }
}
