//! The keeper: one thread that catches the index up with the ledger, builds it again when asked, and has it write down
//! what it holds as work is done.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use testimony_domain::{ContainerTag, Memory, MemoryId};
use testimony_service::ports::index::{Index, IndexError};
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{LedgerError, Page};

use super::{Parts, StoreError};
use crate::index::{HybridIndex, Replay};

/// How long the keeper waits before it tries again to read a ledger that could not be read.
const BETWEEN_TRIES: Duration = Duration::from_secs(2);
/// After so long an index that has changed at all is written down, however little that was.
const AT_REST: Duration = Duration::from_mins(10);

/// What has happened since the index was last written down, and what the keeper is asked.
pub(super) struct Progress {
    /// How many memories have changed.
    changes: AtomicU64,
    /// From how many changes on the index is to be written down.
    due: AtomicU64,
    /// How far the index was when it was last written down.
    written: AtomicU64,
    stopping: AtomicBool,
    wishes: Mutex<Wishes>,
    changed: Condvar,
}

#[derive(Default)]
struct Wishes {
    /// The index has to catch up with the ledger.
    behind: bool,
    /// It has to be thrown away before.
    anew: bool,
    write_down: bool,
}

impl Progress {
    pub(super) fn new(reached: Seq) -> Self {
        Self {
            changes: AtomicU64::new(0),
            due: AtomicU64::new(u64::MAX),
            written: AtomicU64::new(reached.0),
            stopping: AtomicBool::new(false),
            wishes: Mutex::new(Wishes {
                behind: true,
                ..Wishes::default()
            }),
            changed: Condvar::new(),
        }
    }

    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stops(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Counts changes, and wakes the keeper when they are many.
    pub(super) fn changed(&self, changes: u64) {
        let all = self.changes.fetch_add(changes, Ordering::Relaxed) + changes;
        if all >= self.due.load(Ordering::Relaxed) {
            self.due.store(u64::MAX, Ordering::Relaxed);
            self.wishes().write_down = true;
            self.changed.notify_all();
        }
    }

    fn wish(&self, wish: impl FnOnce(&mut Wishes)) {
        wish(&mut self.wishes());
        self.changed.notify_all();
    }

    /// Waits until there is something to do; `false` when it is to end.
    fn wait(&self) -> bool {
        let wishes = self.wishes();
        let idle = |wishes: &mut Wishes| !wishes.behind && !wishes.write_down && !self.stops();
        let waited = self.changed.wait_timeout_while(wishes, AT_REST, idle);
        let (mut wishes, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        wishes.write_down |= timeout.timed_out();
        !self.stops()
    }

    /// Writes the index down, when it has moved since.
    fn write_down(&self, index: &HybridIndex, least: u64) -> Result<Seq, IndexError> {
        self.changes.store(0, Ordering::Relaxed);
        let health = index.health();
        self.due
            .store(least.max(health.rows / 4).max(1), Ordering::Relaxed);
        if health.reached.0 == self.written.load(Ordering::Acquire) {
            return Ok(health.reached);
        }
        let reached = index.snapshot()?;
        self.written.store(reached.0, Ordering::Release);
        Ok(reached)
    }
}

/// The ledger as the index reads it; it ends early when the store is closed.
struct UntilClosed {
    replay: Arc<dyn Replay>,
    progress: Arc<Progress>,
}

impl Replay for UntilClosed {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        if self.progress.stops() {
            return Err(LedgerError::Stopped);
        }
        self.replay.changed_since(page)
    }

    fn embeddings(
        &self,
        container: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        self.replay.embeddings(container, memories)
    }

    fn fingerprint(&self, at: Seq) -> Result<Option<Digest>, LedgerError> {
        self.replay.fingerprint(at)
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        self.replay.head()
    }
}

/// The thread, and what it is asked through.
pub(super) struct Keeper {
    progress: Arc<Progress>,
    index: Weak<HybridIndex>,
    least: u64,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(super) fn start(
        parts: &Parts,
        progress: Arc<Progress>,
        replay: Arc<dyn Replay>,
        least: u64,
    ) -> Result<Self, StoreError> {
        let replay: Arc<dyn Replay> = Arc::new(UntilClosed {
            replay,
            progress: Arc::clone(&progress),
        });
        let index = Arc::clone(&parts.index);
        let of_thread = Arc::clone(&progress);
        let thread = thread::Builder::new().name("keeper".to_owned());
        let thread = thread.spawn(move || keep(&index, &of_thread, &replay, least));
        let thread = thread.map_err(|source| {
            StoreError::Index(IndexError::Store {
                doing: "followed",
                source: Box::new(source),
            })
        })?;
        Ok(Self {
            progress,
            index: Arc::downgrade(&parts.index),
            least,
            thread: Some(thread),
        })
    }

    pub(super) fn wait_until_followed(&self) -> Result<(), StoreError> {
        let progress = &self.progress;
        let wishes = progress.wishes();
        let unfollowed = |wishes: &mut Wishes| wishes.behind && !progress.stops();
        let waited = progress.changed.wait_while(wishes, unfollowed);
        let wishes = waited.unwrap_or_else(PoisonError::into_inner);
        if wishes.behind {
            return Err(StoreError::Closing);
        }
        Ok(())
    }

    pub(super) fn rebuild(&self) -> Result<(), StoreError> {
        if self.progress.stops() {
            return Err(StoreError::Closing);
        }
        self.progress.wish(|wishes| {
            wishes.anew = true;
            wishes.behind = true;
        });
        Ok(())
    }

    /// Writes the index down now.
    pub(super) fn snapshot(&self) -> Result<Seq, IndexError> {
        let Some(index) = self.index.upgrade() else {
            return Ok(Seq(0));
        };
        self.progress.write_down(&index, self.least)
    }

    /// Ends the thread, and writes the index down.
    pub(super) fn stop(&mut self) -> Result<(), IndexError> {
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        self.progress.stopping.store(true, Ordering::Release);
        self.progress.wish(|_| {});
        if thread.join().is_err() {
            tracing::error!("the keeper of the index panicked");
        }
        self.snapshot().map(drop)
    }
}

fn keep(index: &HybridIndex, progress: &Progress, replay: &Arc<dyn Replay>, least: u64) {
    while progress.wait() {
        let (behind, anew) = {
            let mut wishes = progress.wishes();
            wishes.write_down = false;
            (wishes.behind, std::mem::take(&mut wishes.anew))
        };
        if anew {
            index.start_anew("somebody asked for it");
        }
        if behind && !catch_up(index, progress, replay) {
            continue;
        }
        if let Err(error) = progress.write_down(index, least) {
            tracing::warn!(%error, "the index could not be written down, and goes on");
        }
    }
}

/// `false` when it has to be tried again.
fn catch_up(index: &HybridIndex, progress: &Progress, replay: &Arc<dyn Replay>) -> bool {
    let caught_up = index.catch_up(replay);
    if progress.stops() {
        return false;
    }
    match caught_up {
        Ok(_) => {
            // Whoever asked for a new one meanwhile has to wait for that.
            progress.wish(|wishes| wishes.behind = wishes.anew);
            true
        }
        Err(error) => {
            tracing::warn!(%error, "the index could not catch up with the ledger, and tries again");
            let wishes = progress.wishes();
            let stopped = progress
                .changed
                .wait_timeout_while(wishes, BETWEEN_TRIES, |_| !progress.stops());
            drop(stopped);
            false
        }
    }
}
