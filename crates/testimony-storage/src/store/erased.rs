//! Erasures on their way into the index: what the ledger has erased and the index still has to be purged of.
//!
//! The ledger remembers every erasure in the transaction of the erasure, so nothing more has to be written before it
//! commits. A file beside it says up to which event the index has been purged; erasures behind that are the ones that a
//! crash cut short.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use testimony_domain::MemoryId;
use testimony_service::ports::index::{Index, IndexError};
use testimony_service::ports::ledger::audit::{ChainHead, Seq};
use testimony_service::ports::ledger::{Commit, Ledger, LedgerError};

use super::StoreError;
use super::files::MarkFile;
use crate::index::Replay;

/// What the index has to be purged of.
pub(crate) struct Erased {
    mark: Option<MarkFile>,
    replay: Arc<dyn Replay>,
    waiting: Mutex<Vec<(Seq, Vec<MemoryId>)>>,
    /// Held while the index is purged, so that whoever comes next finds it done.
    purging: Mutex<()>,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Erased {
    pub(super) fn remembered(
        folder: Option<&Path>,
        replay: Arc<dyn Replay>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            mark: folder.map(MarkFile::of),
            replay,
            waiting: Mutex::default(),
            purging: Mutex::default(),
        })
    }

    /// Whether the ledger has erased something that the index on disk may hold.
    pub(super) fn left_something(&self, ledger: &dyn Ledger) -> Result<bool, StoreError> {
        let Some(mark) = &self.mark else {
            return Ok(false);
        };
        let marked = mark.read()?;
        // A mark of another history says nothing about this one.
        let known = self.replay.fingerprint(marked.seq)? == Some(marked.hash);
        let purged = if known { marked.seq } else { Seq(0) };
        let erasures = ledger.reader()?.erasures()?;
        let mut behind = erasures.iter().filter(|erasure| erasure.seq > purged);
        Ok(behind.any(|erasure| !erasure.memories.is_empty()))
    }

    /// Remembers that the index holds nothing of what was erased so far.
    pub(super) fn note_all_gone(&self, ledger: &dyn Ledger) -> Result<(), StoreError> {
        match &self.mark {
            Some(mark) if !ledger.reader()?.erasures()?.is_empty() => mark.write(ledger.head()?),
            Some(_) | None => Ok(()),
        }
    }

    /// Takes note of what a commit erased.
    pub(super) fn note(&self, commit: &Commit) {
        if takes_something(commit) {
            let gone = commit
                .changes
                .iter()
                .filter(|change| change.after.is_none());
            let ids = gone.filter_map(|change| change.before.as_ref().map(|row| row.id));
            held(&self.waiting).push((commit.reached, ids.collect()));
        }
    }

    /// Purges the index of everything that waits; erasures that come together are purged together.
    pub(super) fn purge(&self, index: &dyn Index) -> Result<(), IndexError> {
        let _alone = held(&self.purging);
        let taken = std::mem::take(&mut *held(&self.waiting));
        let Some((reached, _)) = taken.last() else {
            return Ok(());
        };
        let reached = *reached;
        let ids: Vec<MemoryId> = taken.iter().flat_map(|(_, ids)| ids).copied().collect();
        if let Err(error) = index.purge(&ids) {
            held(&self.waiting).splice(0..0, taken);
            return Err(error);
        }
        if let Err(error) = self.mark(reached) {
            tracing::warn!(%error, "the index is purged, and will be built anew at the next start all the same");
        }
        Ok(())
    }

    fn mark(&self, reached: Seq) -> Result<(), StoreError> {
        let (Some(mark), Some(hash)) = (&self.mark, self.replay.fingerprint(reached)?) else {
            return Ok(());
        };
        mark.write(ChainHead { seq: reached, hash })
    }
}

/// Whether a commit erased a memory.
pub(super) fn takes_something(commit: &Commit) -> bool {
    commit.changes.iter().any(|change| change.after.is_none())
}

/// What an erasure is answered when the index could not be purged.
pub(super) fn not_purged(source: IndexError) -> LedgerError {
    LedgerError::Store {
        doing: "cleared from the index, though the ledger has erased what was named; the next start finishes it",
        source: Box::new(source),
    }
}
