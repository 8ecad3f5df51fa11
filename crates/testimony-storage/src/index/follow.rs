//! Following the ledger: commits as they come, everything before them by replay, and the worker that does the slow part.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use testimony_domain::{ContainerTag, Memory, MemoryId};
use testimony_service::ports::index::{IndexError, IndexState};
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{LedgerError, Page, RowChange};

use super::hybrid::{Inner, held};
use super::replay::Replay;
use super::room::{Prepared, Unwritten};
use super::vectors::Quantised;

/// How often the worker looks whether something waits.
const PERIOD: Duration = Duration::from_secs(2);
/// How many rows are read at a time.
const PAGE: usize = 1_000;
/// After so many rows a replay writes them into tantivy.
const ROWS_A_FLUSH: usize = 20_000;

/// Something for the worker to do.
pub(super) enum Task {
    /// Write what waits.
    Flush,
    /// Catch up with a ledger.
    Follow(Arc<dyn Replay>),
}

/// How far the ledger has been followed.
#[derive(Default)]
pub(super) struct Following {
    /// Everything up to here has been taken in.
    pub(super) reached: Seq,
    /// The last commit that was observed.
    observed: Seq,
    /// What no other history has where the snapshot was made.
    pub(super) fingerprint: Option<Digest>,
    /// Where later snapshots get theirs.
    pub(super) replay: Option<Arc<dyn Replay>>,
    /// While catching up: the rows that commits brought meanwhile, of which a replay may bring older states.
    fresher: Option<HashSet<MemoryId>>,
}

impl Following {
    /// Everything up to here has been taken in, and what came after has to be read.
    pub(super) fn from(reached: Seq, fingerprint: Option<Digest>) -> Self {
        Self {
            reached,
            fingerprint,
            fresher: Some(HashSet::new()),
            ..Self::default()
        }
    }

    /// Takes note of a row that a commit brought.
    pub(super) fn saw(&mut self, change: &RowChange) {
        let row = change.after.as_ref().or(change.before.as_ref());
        if let (Some(fresher), Some(row)) = (&mut self.fresher, row) {
            fresher.insert(row.id);
        }
    }

    /// Takes note of how far a commit came.
    pub(super) fn has_seen(&mut self, seq: Seq) {
        self.observed = self.observed.max(seq);
        if self.fresher.is_none() {
            self.reached = self.observed;
        }
    }

    fn has_caught_up(&mut self) {
        self.fresher = None;
        self.reached = self.reached.max(self.observed);
    }
}

/// Starts the worker; it ends when the sender is dropped. Without one, flushing is left to whoever calls it.
pub(super) fn start(inner: &Arc<Inner>) -> (Sender<Task>, Option<JoinHandle<()>>) {
    let (sender, tasks) = channel();
    let index = Arc::downgrade(inner);
    let worker = std::thread::Builder::new()
        .name("index".into())
        .spawn(move || work(&index, &tasks));
    (sender, worker.ok())
}

fn work(index: &Weak<Inner>, tasks: &Receiver<Task>) {
    let mut behind: Option<Arc<dyn Replay>> = None;
    loop {
        match tasks.recv_timeout(PERIOD) {
            Ok(Task::Follow(replay)) => behind = Some(replay),
            Ok(Task::Flush) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let Some(index) = index.upgrade() else { return };
        if let Some(replay) = behind.take()
            && let Err(error) = index.catch_up(&replay)
        {
            tracing::warn!(%error, "the index could not catch up with the ledger, and tries again");
            behind = Some(replay);
        }
        if let Err(error) = index.flush(&mut held(&index.store)) {
            tracing::warn!(%error, "the index answers from memory, and tries again");
        }
    }
}

/// Starts the maker of graphs, which ends when the sender is dropped and the index is closing.
pub(super) fn start_graphs(inner: &Arc<Inner>) -> (Sender<()>, Option<JoinHandle<()>>) {
    let (sender, ends) = channel::<()>();
    let index = Arc::downgrade(inner);
    let maker = std::thread::Builder::new()
        .name("graphs".into())
        .spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(PERIOD) {
                let Some(index) = index.upgrade() else { return };
                index.make_graphs(false);
            }
        });
    (sender, maker.ok())
}

fn unread(source: LedgerError) -> IndexError {
    IndexError::Store {
        doing: "caught up with the ledger",
        source: Box::new(source),
    }
}

impl Inner {
    /// Reads what the ledger has beyond what was taken in.
    pub(super) fn catch_up(&self, replay: &Arc<dyn Replay>) -> Result<Seq, IndexError> {
        held(&self.following).replay = Some(Arc::clone(replay));
        let replay = replay.as_ref();
        self.check_history(replay).map_err(unread)?;
        let mut since_flush = 0;
        let mut at = held(&self.following).reached;
        loop {
            let (rows, reached) = replay
                .changed_since(Page {
                    after: Some(at),
                    limit: PAGE,
                })
                .map_err(unread)?;
            since_flush += rows.len();
            self.take_in_page(replay, &rows, reached).map_err(unread)?;
            if since_flush >= ROWS_A_FLUSH {
                self.flush(&mut held(&self.store))?;
                since_flush = 0;
            }
            if reached <= at {
                break;
            }
            at = reached;
        }
        self.find_vectors(replay).map_err(unread)?;
        let mut following = held(&self.following);
        following.has_caught_up();
        self.reached.store(following.reached.0, Ordering::Release);
        *held(&self.state) = IndexState::Ready;
        Ok(following.reached)
    }

    /// Throws away what was built from another history: of another ledger, or of one that was set back.
    fn check_history(&self, replay: &dyn Replay) -> Result<(), LedgerError> {
        let (reached, known) = {
            let following = held(&self.following);
            (following.reached, following.fingerprint)
        };
        self.ledger.fetch_max(replay.head()?.0, Ordering::AcqRel);
        if reached == Seq(0) || known == replay.fingerprint(reached)? && known.is_some() {
            return Ok(());
        }
        self.start_anew("the ledger has another history than the snapshot");
        Ok(())
    }

    fn take_in_page(
        &self,
        replay: &dyn Replay,
        rows: &[Memory],
        reached: Seq,
    ) -> Result<(), LedgerError> {
        let mut vectors = vectors_of(replay, rows)?;
        let mut following = held(&self.following);
        for memory in rows {
            if following
                .fresher
                .as_ref()
                .is_some_and(|fresher| fresher.contains(&memory.id))
            {
                continue;
            }
            let meaning = vectors.remove(&memory.id);
            let meaning = meaning.map(|it| (it.embedder, Quantised::of(&it.vector)));
            self.rooms.put(
                memory,
                Prepared {
                    words: None,
                    meaning,
                },
            );
        }
        following.reached = following.reached.max(reached);
        self.reached.store(following.reached.0, Ordering::Release);
        Ok(())
    }

    /// Vectors are derived, so a change of one alone is no event that a replay would bring.
    fn find_vectors(&self, replay: &dyn Replay) -> Result<(), LedgerError> {
        for room in self.rooms.all() {
            let bare = room.read().without_vector();
            for ids in bare.chunks(PAGE) {
                for found in replay.embeddings(&room.tag, ids)? {
                    room.write().give_vector(
                        found.memory,
                        found.embedder,
                        &Quantised::of(&found.vector),
                    );
                }
            }
        }
        Ok(())
    }

    /// Makes the graphs that containers are large enough for: at once, or where the last one was not lost just now.
    pub(super) fn make_graphs(&self, at_once: bool) {
        let Some(from) = self.graphs_from else { return };
        let _one_at_a_time = held(&self.making);
        for room in self.rooms.all() {
            room.make_graphs(from, at_once, &self.closing);
        }
    }

    /// Throws everything away and says why.
    pub(super) fn start_anew(&self, because: &str) {
        let mut store = held(&self.store);
        let mut following = held(&self.following);
        *held(&self.state) = IndexState::Rebuilding {
            because: because.to_owned(),
        };
        self.rooms.clear(Arc::default());
        if let Err(error) = self.empty(&mut store) {
            tracing::warn!(%error, "the index could not be emptied on disk");
        }
        let replay = following.replay.take();
        *following = Following {
            replay,
            ..Following::from(Seq(0), None)
        };
        self.reached.store(0, Ordering::Release);
    }

    /// Removes every trace of rows from memory and disk.
    pub(super) fn purge(&self, memories: &[MemoryId]) -> Result<(), IndexError> {
        let mut store = held(&self.store);
        // First what a crash would bring back.
        let had_snapshot = self.drop_snapshots()?;
        {
            let _no_commits_meanwhile = held(&self.following);
            self.rooms.remove_everywhere(memories);
        }
        for room in self.rooms.all() {
            room.free_lost_graphs();
        }
        self.flush(&mut store)?;
        let scrubbed = store
            .scrub()
            .and_then(|()| self.settle(&mut store, &Unwritten::default()));
        scrubbed
            .and_then(|()| store.collect_garbage())
            .map_err(super::hybrid::failed("purged"))?;
        for room in self.rooms.all() {
            room.write().forget_the_gone();
        }
        if had_snapshot {
            self.snapshot_of(&mut store).map(|_| ())
        } else {
            Ok(())
        }
    }
}

/// The vectors of rows, container by container.
fn vectors_of(
    replay: &dyn Replay,
    rows: &[Memory],
) -> Result<HashMap<MemoryId, Embedding>, LedgerError> {
    let mut by_container: HashMap<&ContainerTag, Vec<MemoryId>> = HashMap::new();
    for memory in rows {
        by_container
            .entry(memory.partition.container())
            .or_default()
            .push(memory.id);
    }
    let mut vectors = HashMap::new();
    for (container, ids) in by_container {
        let found = replay.embeddings(container, &ids)?;
        vectors.extend(
            found
                .into_iter()
                .map(|embedding| (embedding.memory, embedding)),
        );
    }
    Ok(vectors)
}
