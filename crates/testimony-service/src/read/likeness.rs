//! How alike two words are in meaning, by an embedder that reads single words.
//!
//! What a word means does not change, and the words of rows come again and again, so their vectors are kept from one
//! request to the next. A row that is removed takes all of them with it: one of its words might stand nowhere else.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ports::embedder::{Embedder, EmbedderIdentity, Vector};
use crate::ports::ledger::{Commit, CommitObserver};

/// So many words are kept, of each of two generations: about a KiB each.
const WORDS: usize = 8_192;
/// Words of so many embedders are kept.
const EMBEDDERS: usize = 2;
/// A longer word is hardly one that comes again.
const LONGEST_KEPT: usize = 64;

/// What a word means; nothing where it says nothing.
type Meant = Option<Arc<Vector>>;

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
        let words = Arc::<Words>::default();
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

/// Words in two generations: when the younger is full, it is the elder, and what of that was not asked for meanwhile is
/// forgotten.
#[derive(Default)]
struct Words(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    younger: HashMap<Box<str>, Meant>,
    elder: HashMap<Box<str>, Meant>,
}

impl Words {
    fn meaning_of(&self, word: &str, read: impl FnOnce() -> Meant) -> Meant {
        if word.len() > LONGEST_KEPT {
            return read();
        }
        if let Some(known) = held(&self.0).find(word) {
            return known;
        }
        let meant = read();
        held(&self.0).keep(word.into(), meant.clone());
        meant
    }
}

impl Generations {
    fn find(&mut self, word: &str) -> Option<Meant> {
        if let Some(known) = self.younger.get(word) {
            return Some(known.clone());
        }
        let (word, meant) = self.elder.remove_entry(word)?;
        self.keep(word, meant.clone());
        Some(meant)
    }

    fn keep(&mut self, word: Box<str>, meant: Meant) {
        if self.younger.len() >= WORDS {
            self.elder = std::mem::take(&mut self.younger);
        }
        self.younger.insert(word, meant);
    }
}

/// Compares words for one request, of which one word of a row after the other meets all words of the question.
pub(super) struct WordLikeness<'a> {
    embedder: &'a dyn Embedder,
    words: Arc<Words>,
    /// The words of the question, in the order in which they came.
    asked: RefCell<Vec<(Box<str>, Meant)>>,
    /// The word of a row that was asked for last.
    other: RefCell<(Box<str>, Meant)>,
}

/// So many numbers are multiplied at once.
const LANES: usize = 8;

impl<'a> WordLikeness<'a> {
    /// Made before rows are read, so that words of a row that is removed meanwhile are not kept.
    pub(super) fn of(embedder: &'a dyn Embedder, lexicon: &Lexicon) -> Self {
        Self {
            words: lexicon.of(embedder.identity()),
            embedder,
            asked: RefCell::default(),
            other: RefCell::default(),
        }
    }

    /// The cosine of two words; 0 where one of them says nothing.
    pub(super) fn between(&self, asked: &str, other: &str) -> f64 {
        let mut last = self.other.borrow_mut();
        if *last.0 != *other {
            *last = (other.into(), self.meaning_of(other));
        }
        let mut known = self.asked.borrow_mut();
        let place = known.iter().position(|(word, _)| **word == *asked);
        let place = place.unwrap_or_else(|| {
            known.push((asked.into(), self.meaning_of(asked)));
            known.len() - 1
        });
        let asked = known.get(place).and_then(|(_, meant)| meant.as_deref());
        let both = asked.zip(last.1.as_deref());
        both.map_or(0.0, |(one, other)| f64::from(product(one, other)))
    }

    fn meaning_of(&self, word: &str) -> Meant {
        self.words.meaning_of(word, || {
            let embedded = self.embedder.embed(&[word]).ok();
            let vector = embedded.and_then(|vectors| vectors.into_iter().next().flatten());
            vector.map(Arc::new)
        })
    }
}

/// The product of two vectors of length one, summed in lanes, which the compiler turns into few instructions.
fn product(one: &Vector, other: &Vector) -> f32 {
    let (one, one_rest) = one.as_slice().as_chunks::<LANES>();
    let (other, other_rest) = other.as_slice().as_chunks::<LANES>();
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
                let found = likeness.between(asked, other);
                assert!((found - expected).abs() < 1e-6, "{asked}, {other}");
            }
        }
    }

    #[test]
    fn a_word_is_read_once_until_something_is_removed() {
        let (embedder, lexicon) = (ByLetters::named("one"), Lexicon::default());
        let ask = || WordLikeness::of(&embedder, &lexicon).between("moss", "fern");
        ask();
        ask();
        assert_eq!(embedder.asked(), 2);
        let before = WordLikeness::of(&embedder, &lexicon);
        lexicon.committed(&removal());
        before.between("moss", "reed");
        ask();
        assert_eq!(embedder.asked(), 5, "what was read before is not kept");
        let other = ByLetters::named("other");
        WordLikeness::of(&other, &lexicon).between("moss", "fern");
        assert_eq!(other.asked(), 2, "words of another embedder are others");
    }

    #[test]
    fn only_so_many_words_are_kept() {
        let words = Words::default();
        for number in 0..3 * WORDS {
            words.meaning_of(&format!("word{number}"), || None);
        }
        let kept = held(&words.0);
        assert!(kept.younger.len() + kept.elder.len() <= 2 * WORDS);
        drop(kept);
        let mut again = false;
        words.meaning_of("word0", || {
            again = true;
            None
        });
        assert!(again, "the oldest are forgotten");
    }
}
