//! Where rows come from when the index has to be built: the ledger, read page by page.

use std::sync::Arc;

use testimony_domain::{ContainerTag, Memory, MemoryId};
use testimony_service::ports::ledger::audit::{Digest, EventFilter, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Ledger, LedgerError, Page};

/// A source of rows.
pub trait Replay: Send + Sync {
    /// Rows that changed behind a sequence, each once and as it is now, with the last sequence looked at.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError>;

    /// The vectors of these rows by the embedder of their container.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn embeddings(
        &self,
        container: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError>;

    /// What no other history has at this sequence; `None` when there is no such sequence.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn fingerprint(&self, at: Seq) -> Result<Option<Digest>, LedgerError>;

    /// The last sequence.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn head(&self) -> Result<Seq, LedgerError>;
}

/// A ledger as a source of rows.
pub struct LedgerReplay(pub Arc<dyn Ledger>);

impl Replay for LedgerReplay {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        self.0.reader()?.changed_since(page)
    }

    fn embeddings(
        &self,
        container: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        let reader = self.0.reader()?;
        let embedder = reader
            .container(container)?
            .and_then(|container| container.embedder);
        embedder.map_or(Ok(Vec::new()), |embedder| {
            reader.embeddings(&embedder, memories)
        })
    }

    fn fingerprint(&self, at: Seq) -> Result<Option<Digest>, LedgerError> {
        let Some(before) = at.0.checked_sub(1) else {
            return Ok(Some(Digest::default()));
        };
        let page = Page {
            after: Some(Seq(before)),
            limit: 1,
        };
        let events = self.0.reader()?.events(&EventFilter::default(), page)?;
        Ok(events
            .first()
            .filter(|event| event.seq == at)
            .map(|event| event.own))
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        Ok(self.0.head()?.seq)
    }
}
