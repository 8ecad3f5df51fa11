//! How alike two words are in meaning, by an embedder that reads single words. Each word is embedded once for a request.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::ports::embedder::{Embedder, Vector};

/// Compares words for one request.
pub(super) struct WordLikeness<'a> {
    embedder: &'a dyn Embedder,
    vectors: RefCell<HashMap<Box<str>, Option<Rc<Vector>>>>,
}

impl<'a> WordLikeness<'a> {
    pub(super) fn of(embedder: &'a dyn Embedder) -> Self {
        Self {
            embedder,
            vectors: RefCell::default(),
        }
    }

    /// The cosine of two words; 0 where one of them says nothing.
    pub(super) fn between(&self, one: &str, other: &str) -> f64 {
        let both = self.vector(one).zip(self.vector(other));
        let cosine = both.and_then(|(one, other)| one.cosine(&other).ok());
        cosine.map_or(0.0, f64::from)
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
