//! How alike two words are in meaning, by an embedder that reads single words. Each word is embedded once for a request,
//! and each pair compared once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::ports::embedder::{Embedder, Vector};

/// Compares words for one request.
pub(super) struct WordLikeness<'a> {
    embedder: &'a dyn Embedder,
    vectors: RefCell<HashMap<Box<str>, Option<Rc<Vector>>>>,
    /// By the word of the question, then by the word of a row.
    pairs: RefCell<HashMap<Box<str>, Cosines>>,
}

/// Cosines by the other word.
type Cosines = HashMap<Box<str>, f64>;

/// So many numbers are multiplied at once.
const LANES: usize = 8;

impl<'a> WordLikeness<'a> {
    pub(super) fn of(embedder: &'a dyn Embedder) -> Self {
        Self {
            embedder,
            vectors: RefCell::default(),
            pairs: RefCell::default(),
        }
    }

    /// The cosine of two words; 0 where one of them says nothing.
    pub(super) fn between(&self, asked: &str, other: &str) -> f64 {
        let known = self.pairs.borrow();
        if let Some(cosine) = known.get(asked).and_then(|of| of.get(other)) {
            return *cosine;
        }
        drop(known);
        let both = self.vector(asked).zip(self.vector(other));
        let cosine = both.map_or(0.0, |(one, other)| f64::from(product(&one, &other)));
        let mut pairs = self.pairs.borrow_mut();
        let of = pairs.entry(asked.into()).or_default();
        of.insert(other.into(), cosine);
        cosine
    }

    fn vector(&self, word: &str) -> Option<Rc<Vector>> {
        if let Some(known) = self.vectors.borrow().get(word) {
            return known.clone();
        }
        let embedded = self.embedder.embed(&[word]).ok();
        let vector = embedded.and_then(|vectors| vectors.into_iter().next().flatten());
        let vector = vector.map(Rc::new);
        let mut vectors = self.vectors.borrow_mut();
        vectors.insert(word.into(), vector.clone());
        vector
    }
}

/// The product of two vectors of length one, summed in lanes, which the compiler turns into few instructions.
fn product(one: &Vector, other: &Vector) -> f32 {
    let (one, other) = (one.as_slice().chunks(LANES), other.as_slice().chunks(LANES));
    let mut sums = [0.0_f32; LANES];
    for (one, other) in one.zip(other) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}
