//! What the writer has done since the ledger was opened.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the writer has done since the ledger was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Transactions that were committed, and so waits for the disk.
    pub commits: u64,
    /// Pieces of work that were acknowledged as durable.
    pub acknowledged: u64,
    /// Pieces of work that wait for the writer now.
    pub waiting: u64,
    /// The most pieces of work that shared a transaction.
    pub largest_group: u64,
    /// How often the write-ahead log was emptied into the database.
    pub checkpoints: u64,
    /// How often a reader was in the way of that.
    pub checkpoints_put_off: u64,
}

#[derive(Default)]
pub(crate) struct Counters {
    commits: AtomicU64,
    acknowledged: AtomicU64,
    waiting: AtomicU64,
    largest_group: AtomicU64,
    checkpoints: AtomicU64,
    checkpoints_put_off: AtomicU64,
}

impl Counters {
    pub(crate) fn came(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn went(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn committed(&self, group: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.acknowledged.fetch_add(group, Ordering::Relaxed);
        self.largest_group.fetch_max(group, Ordering::Relaxed);
    }

    pub(crate) fn checkpointed(&self, put_off: bool) {
        let counter = if put_off {
            &self.checkpoints_put_off
        } else {
            &self.checkpoints
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Stats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            commits: read(&self.commits),
            acknowledged: read(&self.acknowledged),
            waiting: read(&self.waiting),
            largest_group: read(&self.largest_group),
            checkpoints: read(&self.checkpoints),
            checkpoints_put_off: read(&self.checkpoints_put_off),
        }
    }
}
