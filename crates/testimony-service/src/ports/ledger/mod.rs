//! The ledger: one truth, written by one writer, read in consistent states.
//!
//! A write is a piece of work that runs alone, with everything before it visible; it either stands as a whole, fsynced,
//! or leaves nothing.
//! Every change that it makes is also an [`AuditEvent`](audit::AuditEvent) of the same transaction, chained by hashes,
//! and its sequence is what indexes follow.
//! Time is kept to the microsecond: an instant comes back without what is finer.
//! No method decides about trust; a [`Change`](memories::Change) can only be made through the lifecycle table.

pub mod accounts;
pub mod audit;
pub mod connectors;
pub mod containers;
pub mod embeddings;
pub mod erasure;
pub mod evidence;
pub mod jobs;
pub mod memories;
pub mod reads;
pub mod receipts;
pub mod reviews;
pub mod transfer;

use std::sync::Arc;

use testimony_domain::{Memory, Timestamp};

use audit::{Act, ChainHead, Seq};

/// What a ledger can be asked in one consistent state.
pub trait Reader:
    accounts::Reads
    + audit::Reads
    + connectors::Reads
    + containers::Reads
    + embeddings::Reads
    + erasure::Reads
    + evidence::Reads
    + jobs::Reads
    + memories::Reads
    + reads::Reads
    + receipts::Reads
    + reviews::Reads
    + transfer::Reads
{
    /// How many bytes the ledger takes on disk, or in memory where it has no disk.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be told.
    fn bytes(&self) -> Result<u64, LedgerError>;
}

/// What a piece of work can change; it reads what it has changed itself.
pub trait Writer:
    Reader
    + accounts::Writes
    + connectors::Writes
    + containers::Writes
    + embeddings::Writes
    + erasure::Writes
    + evidence::Writes
    + jobs::Writes
    + memories::Writes
    + reads::Writes
    + receipts::Writes
    + reviews::Writes
    + transfer::Writes
{
    /// Who is at work, and when.
    fn act(&self) -> &Act;
}

/// Whether a piece of work stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is committed.
    Keep,
    /// It leaves nothing, and its answer is returned all the same.
    Discard,
}

/// A piece of work on the ledger. It runs alone, so it should do nothing that could have been done before it.
pub type Work = Box<dyn FnOnce(&mut dyn Writer) -> Result<Fate, LedgerError> + Send>;

/// The one truth.
pub trait Ledger: Send + Sync {
    /// A consistent state, as of now. Readers never wait for the writer.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger cannot be read.
    fn reader(&self) -> Result<Box<dyn Reader + '_>, LedgerError>;

    /// Carries work out as `act`, and returns when it is durable.
    ///
    /// # Errors
    /// [`LedgerError`] when the work failed or could not be committed; then nothing of it stands.
    fn submit(&self, act: Act, work: Work) -> Result<Commit, LedgerError>;

    /// Has `observer` told of every commit, in order and before its writer is answered.
    fn observe(&self, observer: Arc<dyn CommitObserver>);

    /// The end of the chain, for somebody who keeps it elsewhere.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger cannot be read.
    fn head(&self) -> Result<ChainHead, LedgerError>;
}

impl dyn Ledger + '_ {
    /// Carries work out that has an answer.
    ///
    /// # Errors
    /// [`LedgerError`] as of [`Ledger::submit`].
    pub fn write<T: Send + 'static>(
        &self,
        act: Act,
        work: impl FnOnce(&mut dyn Writer) -> Result<(Fate, T), LedgerError> + Send + 'static,
    ) -> Result<(T, Commit), LedgerError> {
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        let commit = self.submit(
            act,
            Box::new(move |writer| {
                let (fate, value) = work(writer)?;
                // The other end is held below until the work is done, so this cannot fail.
                let _ = answer.send(value);
                Ok(fate)
            }),
        )?;
        let value = answered.try_recv().map_err(|_| LedgerError::Stopped)?;
        Ok((value, commit))
    }
}

/// What a commit brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Commit {
    /// The last sequence of the ledger with it.
    pub reached: Seq,
    /// The memories that it made or changed, in the order of their sequence.
    pub changes: Vec<RowChange>,
    /// Whether it changed who may come in, or where: a key, a person, a session, a container.
    pub changes_access: bool,
}

/// A memory before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChange {
    /// The sequence of the change.
    pub seq: Seq,
    /// The row as it was; `None` when it is new.
    pub before: Option<Arc<Memory>>,
    /// The row as it is; `None` when its content is gone.
    pub after: Option<Arc<Memory>>,
    /// Its vector, where one came with it.
    pub embedding: Option<Arc<embeddings::Embedding>>,
}

/// Whoever follows the ledger: an index, a cache.
///
/// It is called by the writer between a commit and its answer, so that a search that starts after the answer sees what
/// was written; it must be quick and must not write.
pub trait CommitObserver: Send + Sync {
    /// Takes in what was committed.
    fn committed(&self, commit: &Commit);
}

/// Which part of a long list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<Id> {
    /// Go on behind this one; from the beginning where absent.
    pub after: Option<Id>,
    /// How many at most.
    pub limit: usize,
}

impl<Id> Page<Id> {
    /// The first `limit`.
    #[must_use]
    pub const fn first(limit: usize) -> Self {
        Self { after: None, limit }
    }
}

/// Why the ledger did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The disk is full.
    #[error("the disk of the ledger is full, so nothing was written; free space and send it again")]
    Full,
    /// More work waits than the writer takes.
    #[error("{waiting} writes are waiting, which is as many as are taken; try again in a moment")]
    Overloaded {
        /// How many wait.
        waiting: usize,
    },
    /// The ledger is being closed, or its writer is gone.
    #[error("the ledger is closed; open it again")]
    Stopped,
    /// A row that is spoken of is not there.
    #[error("{object} is not in the ledger")]
    Missing {
        /// The row.
        object: audit::ObjectRef,
    },
    /// A row is not as the change expects it.
    #[error("{object} changed meanwhile; read it and decide again")]
    Changed {
        /// The row.
        object: audit::ObjectRef,
    },
    /// A row that has to be new is there already.
    #[error("{object} is in the ledger already")]
    Exists {
        /// The row.
        object: audit::ObjectRef,
    },
    /// What is stored cannot be right.
    #[error(
        "the ledger is damaged at {place}: {what}; make a memory of the last backup in another folder with `testimony restore`"
    )]
    Damaged {
        /// Table and column, or file.
        place: String,
        /// What is wrong with it.
        what: String,
    },
    /// The store below failed.
    #[error("the ledger could not be {doing}: {source}")]
    Store {
        /// What was being done, as a participle.
        doing: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// When a row was made and by whom, for rows that keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: audit::Actor,
}
