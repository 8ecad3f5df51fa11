//! What moving a ledger's rows to another ledger needs beside the families of rows themselves: lists in the order in which
//! rows came, and rows that are taken in with what happened to them elsewhere.

use testimony_domain::{
    ContainerTag, CustomId, Entity, EvidenceId, Fact, Memory, MemoryId, UserId,
};

use super::evidence::Kept;
use super::memories::HistoryLine;
use super::reviews::ReviewCase;
use super::{LedgerError, Page};

/// What can be asked for an export.
pub trait Reads {
    /// Evidence of a container that was not erased, of one person where one is named, in the order in which it came.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn evidence_of(
        &self,
        container: &ContainerTag,
        user: Option<&UserId>,
        page: Page<EvidenceId>,
    ) -> Result<Vec<Kept>, LedgerError>;

    /// Which of these pieces of evidence are there and were not erased, in their order.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn living_evidence(&self, ids: &[EvidenceId]) -> Result<Vec<EvidenceId>, LedgerError>;

    /// The things that a memory speaks of, in the order of their ids.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn spoken_of(&self, memory: MemoryId) -> Result<Vec<Entity>, LedgerError>;

    /// The memories of a container with a caller's own id, whoever wrote them, newest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn known_as(&self, container: &ContainerTag, id: &CustomId)
    -> Result<Vec<Memory>, LedgerError>;
}

/// What can be taken in from another ledger. Each is an event of the trail as well.
pub trait Writes {
    /// Keeps a memory that lived elsewhere, with what happened to it there, oldest first. Each line becomes an event that
    /// says when it happened and by whom; the last has to be the condition that the memory is in.
    ///
    /// # Errors
    /// As of keeping a new memory.
    fn take_in_memory(
        &mut self,
        memory: &Memory,
        history: &[HistoryLine],
    ) -> Result<(), LedgerError>;

    /// Has a fact stand for the revision, and answer the question, that it does elsewhere.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when the fact is not there, or the revision not one of its own.
    fn take_in_fact(&mut self, fact: &Fact) -> Result<(), LedgerError>;

    /// Keeps a case as it stands elsewhere, open or closed.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when its row is not there, [`LedgerError::Changed`] when that was erased,
    /// [`LedgerError::Exists`] when the case is there, or another is open for the same row and kind.
    fn take_in_case(&mut self, case: &ReviewCase) -> Result<(), LedgerError>;
}
