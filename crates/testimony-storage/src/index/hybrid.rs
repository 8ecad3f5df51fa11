//! The index itself: it takes in what the ledger commits, answers, and writes to tantivy behind both.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use testimony_domain::{ContainerTag, MemoryId};
use testimony_service::ports::index::{
    Found, Index, IndexError, IndexHealth, IndexQuery, IndexState,
};
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::{Commit, CommitObserver, RowChange};

use super::follow::{Following, Task};
use super::replay::Replay;
use super::room::{Prepared, Unwritten};
use super::rooms::Rooms;
use super::search::{Findings, search};
use super::store::{StoreError, WordStore};
use super::vectors::Quantised;

/// So many rows in the tail wake the writer before its time.
const WAITING_ROWS: usize = 2_000;

/// Where an index lives, and whose it is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Its folder; in memory where absent.
    pub folder: Option<PathBuf>,
    /// Which ledger it follows, in a stable spelling: a snapshot of another is thrown away.
    pub ledger: String,
}

/// So many rows of one place are worth a graph: with fewer a scan is quicker, exact, and takes no memory of its own.
const GRAPHS_FROM: usize = 4_000_000;

/// What the graphs of near neighbours hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphsBuilt {
    /// How many graphs there are.
    pub graphs: usize,
    /// How many rows they hold; all others are scanned.
    pub rows: usize,
}

/// Words and meanings, searched together.
pub struct HybridIndex {
    pub(super) inner: Arc<Inner>,
    tasks: Option<Sender<Task>>,
    worker: Option<JoinHandle<()>>,
    makes: Option<Sender<()>>,
    maker: Option<JoinHandle<()>>,
}

/// What the index and its worker share.
pub(super) struct Inner {
    pub(super) options: Options,
    pub(super) rooms: Rooms,
    pub(super) store: Mutex<WordStore>,
    pub(super) following: Mutex<Following>,
    pub(super) state: Mutex<IndexState>,
    pub(super) reached: AtomicU64,
    pub(super) ledger: AtomicU64,
    pub(super) waiting: AtomicUsize,
    /// So many rows of a place are worth a graph, if any are.
    pub(super) graphs_from: Option<usize>,
    /// Held by whoever makes graphs.
    pub(super) making: Mutex<()>,
    /// Whether the index is being closed, and nothing long is to be begun or gone on with.
    pub(super) closing: AtomicBool,
}

/// A lock that was held when a thread panicked guards caches that are whole between two statements.
pub(super) fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn failed(doing: &'static str) -> impl Fn(StoreError) -> IndexError {
    move |source| IndexError::Store {
        doing,
        source: Box::new(source),
    }
}

impl HybridIndex {
    /// Opens the index. What cannot be used of its folder is thrown away and is built again by [`HybridIndex::follow`].
    ///
    /// # Errors
    /// [`IndexError`] when the folder cannot be used at all.
    pub fn open(options: Options) -> Result<Self, IndexError> {
        Self::open_with_graphs(options, Some(GRAPHS_FROM))
    }

    /// Opens the index, with graphs of near neighbours from so many rows of one place on, or with none.
    ///
    /// # Errors
    /// [`IndexError`] when the folder cannot be used at all.
    pub fn open_with_graphs(options: Options, from: Option<usize>) -> Result<Self, IndexError> {
        let inner = Arc::new(Inner::open(options, from)?);
        let (tasks, worker) = super::follow::start(&inner);
        let (makes, maker) = super::follow::start_graphs(&inner);
        Ok(Self {
            inner,
            tasks: Some(tasks),
            worker,
            makes: Some(makes),
            maker,
        })
    }

    /// Makes the graphs that are worth it now, and returns when they are searched.
    pub fn make_graphs(&self) {
        self.inner.make_graphs(true);
    }

    /// What the graphs hold at present.
    pub fn graphs(&self) -> GraphsBuilt {
        let mut all = GraphsBuilt::default();
        for room in self.inner.rooms.all() {
            let (graphs, rows) = room.read().graphs.count();
            all.graphs += graphs;
            all.rows += rows;
        }
        all
    }

    /// Catches up with a ledger in the background; what is there already is searched meanwhile.
    ///
    /// The index has to observe the ledger before, so that no commit falls between the two.
    pub fn follow(&self, replay: Arc<dyn Replay>) {
        self.wake(Task::Follow(replay));
    }

    /// Catches up with a ledger, and returns when that is done.
    ///
    /// # Errors
    /// [`IndexError`] when the ledger could not be read.
    pub fn catch_up(&self, replay: &Arc<dyn Replay>) -> Result<Seq, IndexError> {
        self.inner.catch_up(replay)
    }

    /// Writes what waits into tantivy now.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be written; it is searched all the same.
    pub fn flush(&self) -> Result<(), IndexError> {
        self.inner.flush(&mut held(&self.inner.store))
    }

    fn wake(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // A worker that is gone has nothing to do any more.
            let _ = tasks.send(task);
        }
    }
}

impl Drop for HybridIndex {
    fn drop(&mut self) {
        self.inner.closing.store(true, Ordering::Release);
        (self.tasks, self.makes) = (None, None);
        for thread in [self.worker.take(), self.maker.take()]
            .into_iter()
            .flatten()
        {
            if thread.thread().id() != std::thread::current().id() {
                // A thread that panicked has been reported by the runtime.
                let _ = thread.join();
            }
        }
    }
}

impl CommitObserver for HybridIndex {
    fn committed(&self, commit: &Commit) {
        self.inner.take_in(commit);
        if self.inner.waiting.load(Ordering::Relaxed) >= WAITING_ROWS {
            self.inner.waiting.store(0, Ordering::Relaxed);
            self.wake(Task::Flush);
        }
    }
}

impl Index for HybridIndex {
    fn search(&self, query: &IndexQuery<'_>) -> Result<Found, IndexError> {
        let reached = Seq(self.inner.reached.load(Ordering::Acquire));
        let container = query.identity.container();
        let found = match self.inner.rooms.find(container) {
            Some(room) => search(&room.read(), room.number, query)?,
            None => Findings::none(),
        };
        Ok(Found {
            hits: found.hits,
            sources: found.sources,
            rarity: found.rarity,
            reached,
        })
    }

    fn health(&self) -> IndexHealth {
        IndexHealth {
            reached: Seq(self.inner.reached.load(Ordering::Acquire)),
            ledger: Seq(self.inner.ledger.load(Ordering::Acquire)),
            rows: self.inner.rooms.rows(),
            state: held(&self.inner.state).clone(),
        }
    }

    fn rows_in(&self, container: &ContainerTag) -> Option<usize> {
        let room = self.inner.rooms.find(container);
        Some(room.map_or(0, |room| room.read().rows.len()))
    }

    fn purge(&self, memories: &[MemoryId]) -> Result<(), IndexError> {
        self.inner.purge(memories)
    }

    fn snapshot(&self) -> Result<Seq, IndexError> {
        self.inner.snapshot()
    }
}

impl Inner {
    /// Takes in a commit: what it brought is found from now on.
    fn take_in(&self, commit: &Commit) {
        let mut following = held(&self.following);
        for change in &commit.changes {
            let waiting = self.take_in_row(change);
            self.waiting.fetch_add(waiting, Ordering::Relaxed);
            following.saw(change);
        }
        following.has_seen(commit.reached);
        self.reached.store(following.reached.0, Ordering::Release);
        self.ledger.fetch_max(commit.reached.0, Ordering::AcqRel);
    }

    fn take_in_row(&self, change: &RowChange) -> usize {
        // A row never leaves its container, so where it was is where it is.
        match (&change.before, &change.after) {
            (_, Some(after)) => {
                let meaning = change.embedding.as_ref().filter(|it| it.memory == after.id);
                let meaning = meaning.map(|it| (it.embedder.clone(), Quantised::of(&it.vector)));
                self.rooms.put(
                    after,
                    Prepared {
                        words: None,
                        meaning,
                    },
                )
            }
            (Some(before), None) => self.rooms.remove(before.partition.container(), before.id),
            (None, None) => 0,
        }
    }

    /// Writes what waits into tantivy. What cannot be written stays in memory and is tried again.
    pub(super) fn flush(&self, store: &mut WordStore) -> Result<(), IndexError> {
        let mut unwritten = Unwritten::default();
        for room in self.rooms.all() {
            room.freeze(&mut unwritten);
        }
        self.waiting.store(0, Ordering::Relaxed);
        if unwritten.added.is_empty() && unwritten.removed.is_empty() {
            return Ok(());
        }
        let written = store.commit(&unwritten.added, &unwritten.removed);
        let settled = written.and_then(|()| self.settle(store, &unwritten));
        let mut state = held(&self.state);
        match (&settled, &*state) {
            (Ok(()), IndexState::Degraded { .. }) => *state = IndexState::Ready,
            (Err(error), IndexState::Ready | IndexState::Degraded { .. }) => {
                *state = IndexState::Degraded {
                    because: error.to_string(),
                };
            }
            (Ok(()), IndexState::Ready | IndexState::Rebuilding { .. })
            | (Err(_), IndexState::Rebuilding { .. }) => {}
        }
        settled.map_err(failed("written"))
    }

    /// Has every container search what the store holds now.
    pub(super) fn settle(
        &self,
        store: &mut WordStore,
        written: &Unwritten,
    ) -> Result<(), StoreError> {
        let segments = Arc::new(store.segments()?);
        for room in self.rooms.move_on(&segments) {
            room.write()
                .settle(Arc::clone(&segments), &written.removed, room.number);
        }
        Ok(())
    }
}
