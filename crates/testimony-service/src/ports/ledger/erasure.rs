//! Erasure: content goes, from every table that holds it, and a receipt without content says what went from where.

use testimony_domain::{AgentId, ContainerTag, FactId, MemoryId, SourceLabel, Timestamp, UserId};

use super::LedgerError;
use super::audit::{Actor, Seq};
use super::memories::MemoryFilter;

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One memory, the evidence that no other rests on, and its words in any other evidence.
    Memory(MemoryId),
    /// A fact with its revisions.
    Fact(FactId),
    /// Everything about or for a person in a container.
    User(ContainerTag, UserId),
    /// Everything of an agent in a container.
    Agent(ContainerTag, AgentId),
    /// Everything from a source in a container.
    Source(ContainerTag, SourceLabel),
    /// Everything in a container.
    Container(ContainerTag),
    /// Every memory that a filter lets through.
    Filter(Box<MemoryFilter>),
}

/// What an erasure took, or would take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// The memories.
    pub memories: Vec<MemoryId>,
    /// How many rows of which table.
    pub rows: Vec<(&'static str, u64)>,
}

/// An erasure that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// Its event.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: Actor,
    /// The memories.
    pub memories: Vec<MemoryId>,
    /// How many rows of which table.
    pub rows: Vec<(String, u64)>,
    /// On which ground, in a stable word.
    pub ground: String,
}

/// What can be asked of erasures.
pub trait Reads {
    /// What an erasure would take: the dry run.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be counted.
    fn toll(&self, target: &Target) -> Result<Toll, LedgerError>;

    /// Erasures in their order.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn erasures(&self) -> Result<Vec<Erasure>, LedgerError>;
}

/// What can be done to erase.
pub trait Writes {
    /// Removes content from every table that holds it: memories keep their id and the state `erased`, evidence its id.
    ///
    /// Labels, agents, sources and names count as content.
    /// Evidence goes when it carries what the target names, or when no memory that stays rests on it and it was drawn on or
    /// only says the same again; of evidence on which others rest their words are left. Things go when nothing speaks of
    /// them any more; open cases about what went are closed, and jobs about it given up.
    /// Copies that the ledger keeps of itself go with the first erasure that takes something.
    /// The pages it stood on are overwritten; the log is cut when the work is committed.
    /// Where there is nothing to remove, nothing happens and no event says so.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when the memory or fact is not there; otherwise [`LedgerError`] when it cannot be removed,
    /// and then nothing was.
    fn erase(&mut self, target: &Target) -> Result<Toll, LedgerError> {
        self.erase_for(target, NO_GROUND)
    }

    /// The same, with the ground in a stable word, which its event says; it outlives what is erased, so it says nothing of
    /// it.
    ///
    /// # Errors
    /// As of [`Writes::erase`].
    fn erase_for(&mut self, target: &Target, ground: &str) -> Result<Toll, LedgerError>;
}

/// What an erasure says of its ground where none was given.
pub const NO_GROUND: &str = "carried_out";
