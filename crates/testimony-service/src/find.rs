//! Rows by the index: where it cannot answer in full, what it can say is said, and the rest is told as down.

use testimony_recall::{SourceState, Sources};

use crate::ports::index::{Found, IndexError, IndexQuery};
use crate::service::Service;

impl Service {
    /// What the index finds; nothing where it cannot be asked at all.
    ///
    /// A container may be by an embedder that is no longer at hand, until it is embedded again: its rows are found by
    /// their words meanwhile, and meaning is said to be down.
    pub(crate) fn find(&self, query: &IndexQuery<'_>) -> Option<Found> {
        match self.index.search(query) {
            Ok(found) => Some(found),
            Err(IndexError::OtherEmbedder { .. }) => {
                let by_words = IndexQuery {
                    meaning: None,
                    ..query.clone()
                };
                let found = self.index.search(&by_words).ok()?;
                let sources = Sources {
                    semantic: SourceState::Down,
                    ..found.sources
                };
                Some(Found { sources, ..found })
            }
            Err(IndexError::Store { .. }) => None,
        }
    }
}
