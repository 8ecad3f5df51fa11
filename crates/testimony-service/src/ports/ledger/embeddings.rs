//! Vectors, kept beside the memories that they stand for, so that an index can be built again without an embedder.

use testimony_domain::{ContainerTag, MemoryId};

use super::{LedgerError, Page};
use crate::ports::embedder::{EmbedderIdentity, Vector};

/// The vector of a memory, as one embedder gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The memory.
    pub memory: MemoryId,
    /// Which embedder.
    pub embedder: EmbedderIdentity,
    /// What it gave.
    pub vector: Vector,
}

/// What can be asked of embeddings.
pub trait Reads {
    /// The vectors that an embedder gave to these memories, in their order; one that it never saw is left out.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn embeddings(
        &self,
        embedder: &EmbedderIdentity,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError>;

    /// Memories of a container that can be found and that an embedder never saw, in the order in which they were made.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn not_embedded(
        &self,
        container: &ContainerTag,
        embedder: &EmbedderIdentity,
        page: Page<MemoryId>,
    ) -> Result<Vec<MemoryId>, LedgerError>;
}

/// What can be done with embeddings.
///
/// They are derived, and no events of their own; but a vector that comes later than its memory is one, so that whoever
/// follows the ledger by sequence meets it.
pub trait Writes {
    /// Keeps the vector of a memory, in place of an earlier one by the same embedder.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when the memory is not there, [`LedgerError::Changed`] when it was erased.
    fn keep_embedding(&mut self, embedding: &Embedding) -> Result<(), LedgerError>;

    /// Drops the vectors of these memories that are not by this embedder; returns how many.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be dropped.
    fn drop_other_embeddings(
        &mut self,
        memories: &[MemoryId],
        keep: &EmbedderIdentity,
    ) -> Result<u64, LedgerError>;
}
