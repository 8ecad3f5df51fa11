//! The ledger of a store as others see it, and the observer through which the index follows it.

use std::sync::{Arc, Weak};

use testimony_service::ports::ledger::audit::{Act, ChainHead};
use testimony_service::ports::ledger::{Commit, CommitObserver, Ledger, LedgerError, Reader, Work};

use super::Parts;
use super::erased::{Erased, not_purged, takes_something};
use super::keeper::Progress;
use crate::index::HybridIndex;

/// The ledger, whose erasures answer after the index has been purged.
pub(super) struct Governed(pub(super) Arc<Parts>);

impl Ledger for Governed {
    fn reader(&self) -> Result<Box<dyn Reader + '_>, LedgerError> {
        self.0.ledger.reader()
    }

    fn submit(&self, act: Act, work: Work) -> Result<Commit, LedgerError> {
        let commit = self.0.ledger.submit(act, work)?;
        if takes_something(&commit) {
            // On the thread of whoever asked: other writers do not wait for files to be written anew.
            self.0.erased.purge(&*self.0.index).map_err(not_purged)?;
        }
        Ok(commit)
    }

    fn observe(&self, observer: Arc<dyn CommitObserver>) {
        self.0.ledger.observe(observer);
    }

    fn head(&self) -> Result<ChainHead, LedgerError> {
        self.0.ledger.head()
    }
}

/// Brings commits to the index. It holds the index weakly: the index reads the ledger, and a ring would keep both.
pub(super) struct Follower {
    index: Weak<HybridIndex>,
    erased: Weak<Erased>,
    progress: Weak<Progress>,
}

impl Follower {
    pub(super) fn new(
        index: &Arc<HybridIndex>,
        erased: &Arc<Erased>,
        progress: &Arc<Progress>,
    ) -> Self {
        Self {
            index: Arc::downgrade(index),
            erased: Arc::downgrade(erased),
            progress: Arc::downgrade(progress),
        }
    }
}

impl CommitObserver for Follower {
    fn committed(&self, commit: &Commit) {
        if let Some(index) = self.index.upgrade() {
            index.committed(commit);
        }
        if let Some(erased) = self.erased.upgrade() {
            erased.note(commit);
        }
        if let Some(progress) = self.progress.upgrade() {
            progress.changed(commit.changes.len() as u64);
        }
    }
}
