//! Rows that are committed in the ledger and not yet in tantivy: their words, ready to be scored and to be written.

use std::collections::HashMap;
use std::sync::Arc;

/// What a row is found by, as terms with how often each stands in it.
pub(super) type Terms = Arc<[(Box<str>, u32)]>;

/// Words of rows in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    rows: Vec<(u32, Terms)>,
    postings: HashMap<Box<str>, Vec<(u32, u32)>>,
}

impl Tail {
    pub(super) fn push(&mut self, slot: u32, terms: Terms) {
        for (term, count) in terms.iter() {
            if let Some(postings) = self.postings.get_mut(term) {
                postings.push((slot, *count));
            } else {
                self.postings.insert(term.clone(), vec![(slot, *count)]);
            }
        }
        self.rows.push((slot, terms));
    }

    /// Where a term stands, and how often; slots of rows that are gone among them.
    pub(super) fn postings(&self, term: &str) -> &[(u32, u32)] {
        self.postings.get(term).map_or(&[], Vec::as_slice)
    }

    pub(super) fn rows(&self) -> &[(u32, Terms)] {
        &self.rows
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}
