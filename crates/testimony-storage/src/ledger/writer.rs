//! The writer: one thread that takes what waits, commits it together, tells who follows, and answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use testimony_service::ports::ledger::audit::ChainHead;
use testimony_service::ports::ledger::{Commit, CommitObserver, LedgerError};

use super::connection::limit_pages;
use super::files::{ListFile, beside, length, remove_upgrade_copies};
use super::group::{Group, Task, same};
use super::options::Options;
use super::stats::Counters;

/// How long the writer waits for one more piece of work, once there was more than one.
const GATHERING: Duration = Duration::from_micros(300);
/// A group that changes so many rows takes no more work. Waiting for the disk is a small part of it by then, and who came
/// first should go on rather than wait for everybody: they would all come back together, and the writer, which had
/// nothing to do meanwhile, would have everybody wait for everybody again.
const ENOUGH_CHANGES: usize = 64;
/// How long it waits before it tries again to empty a log that a reader holds on to.
const BETWEEN_CUTS: Duration = Duration::from_millis(20);
/// How long a checkpoint waits for readers when the log has outgrown its bound, or holds what was erased.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the writer is asked.
pub(crate) enum Message {
    Work(Task),
    LimitPages(Option<u32>, SyncSender<Result<(), LedgerError>>),
}

/// What the writer shares with those who ask it.
#[derive(Default)]
pub(crate) struct Shared {
    head: Mutex<ChainHead>,
    observers: Mutex<Vec<Arc<dyn CommitObserver>>>,
    pub(crate) counters: Counters,
}

impl Shared {
    pub(crate) fn head(&self) -> ChainHead {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_head(&self, head: ChainHead) {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = head;
    }

    pub(crate) fn observe(&self, observer: Arc<dyn CommitObserver>) {
        let mut observers = self
            .observers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        observers.push(observer);
    }

    fn tell(&self, commit: &Commit) {
        let observers = {
            let observers = self
                .observers
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            observers.clone()
        };
        for observer in observers {
            // What follows the ledger can come back by replay; the ledger goes on without it.
            if catch_unwind(AssertUnwindSafe(|| observer.committed(commit))).is_err() {
                tracing::error!("an observer of the ledger panicked");
            }
        }
    }
}

pub(crate) struct Writer {
    pub(crate) conn: Connection,
    pub(crate) file: PathBuf,
    pub(crate) list: ListFile,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) group_at_most: usize,
    pub(crate) log: LogBounds,
}

/// How large the write-ahead log gets.
#[derive(Clone, Copy)]
pub(crate) struct LogBounds {
    /// From here on it is emptied when no reader is in the way.
    pub(crate) soft: u64,
    /// From here on the writer waits for readers.
    pub(crate) hard: u64,
}

impl LogBounds {
    pub(crate) const fn of(options: &Options) -> Self {
        Self {
            soft: options.log_soft_bytes,
            hard: options.log_hard_bytes,
        }
    }
}

/// What the writer remembers between groups.
#[derive(Default)]
struct Memory {
    /// How many came together last.
    last_group: usize,
    /// What came while a group was under way that belongs into none.
    put_off: Option<Message>,
    /// The log holds what was erased, and a reader was in the way of cutting it.
    cut_pending: bool,
    /// From which length on the log is looked at again.
    next_checkpoint: u64,
}

impl Writer {
    /// Works until nobody can ask any more.
    pub(crate) fn run(mut self) {
        let mut memory = Memory::default();
        while let Some(message) = self.next(&mut memory) {
            match message {
                Message::Work(task) => {
                    self.commit(task, &mut memory);
                    self.bound_log(&mut memory);
                }
                Message::LimitPages(pages, answer) => {
                    // Whoever asked may be gone.
                    let _ = answer.send(limit_pages(&self.conn, pages));
                }
            }
        }
        self.checkpoint(PATIENCE);
    }

    fn next(&self, memory: &mut Memory) -> Option<Message> {
        if let Some(message) = memory.put_off.take() {
            return Some(message);
        }
        while memory.cut_pending {
            match self.inbox.recv_timeout(BETWEEN_CUTS) {
                Ok(message) => return Some(self.taken(message)),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    memory.cut_pending = !self.checkpoint(Duration::ZERO);
                }
            }
        }
        self.inbox.recv().ok().map(|message| self.taken(message))
    }

    fn taken(&self, message: Message) -> Message {
        self.shared.counters.went();
        message
    }

    /// Commits a piece of work together with what waits behind it.
    fn commit(&mut self, first: Task, memory: &mut Memory) {
        let mut group = match Group::begin(&self.conn, self.shared.head()) {
            Ok(group) => group,
            Err(error) => {
                let _ = first.answer.send(Err(error));
                return;
            }
        };
        self.work(first, &mut group, memory);
        match make_durable(&mut self.list, &self.file, &group) {
            Ok(()) => self.acknowledge(group, memory),
            Err(error) => {
                let left = group.left.into_iter().map(|(answer, _)| answer);
                let kept = group.kept.into_iter().map(|(answer, _)| answer);
                for answer in kept.chain(left) {
                    let _ = answer.send(Err(same(&error)));
                }
            }
        }
    }

    /// Carries out a piece of work, and what waits behind it for as long as the group takes more.
    fn work(&self, first: Task, group: &mut Group<'_>, memory: &mut Memory) {
        let mut count = 0;
        let mut next = Some(first);
        while let Some(task) = next {
            group.carry_out(task);
            count += 1;
            let is_full = count >= self.group_at_most || group.changes() >= ENOUGH_CHANGES;
            next = if is_full {
                None
            } else {
                self.one_more(count, memory)
            };
        }
        memory.last_group = count;
    }

    /// What waits; where more came together last time, they are given a moment to do so again.
    fn one_more(&self, count: usize, memory: &mut Memory) -> Option<Task> {
        let message = match self.inbox.try_recv() {
            Ok(message) => message,
            Err(_) if count >= memory.last_group => return None,
            Err(_) => self.inbox.recv_timeout(GATHERING).ok()?,
        };
        match self.taken(message) {
            Message::Work(task) => Some(task),
            message @ Message::LimitPages(..) => {
                memory.put_off = Some(message);
                None
            }
        }
    }

    fn acknowledge(&self, group: Group<'_>, memory: &mut Memory) {
        if !group.kept.is_empty() {
            self.shared.set_head(group.head);
            self.shared.counters.committed(group.kept.len() as u64);
        }
        for (_, commit) in &group.kept {
            self.shared.tell(commit);
        }
        if !group.erased.is_empty() {
            memory.cut_pending = !self.cut();
        }
        // Whoever asked may be gone, which changes nothing about what was committed.
        for (answer, outcome) in group.left {
            let _ = answer.send(outcome);
        }
        for (answer, commit) in group.kept {
            let _ = answer.send(Ok(commit));
        }
    }

    /// Gives freed pages back and empties the log, so that nothing of what was erased is left in either.
    fn cut(&self) -> bool {
        if let Err(error) = self.give_pages_back() {
            tracing::warn!(%error, "freed pages could not be given back; they are overwritten all the same");
        }
        self.checkpoint(PATIENCE)
    }

    fn give_pages_back(&self) -> rusqlite::Result<()> {
        // Every step gives one page back and answers with a row.
        let mut statement = self.conn.prepare_cached("PRAGMA incremental_vacuum")?;
        let mut pages = statement.query([])?;
        while pages.next()?.is_some() {}
        Ok(())
    }

    fn bound_log(&self, memory: &mut Memory) {
        let log = length(&beside(&self.file, "-wal"));
        if log < memory.next_checkpoint.max(self.log.soft) {
            return;
        }
        let patience = if log < self.log.hard {
            Duration::ZERO
        } else {
            PATIENCE
        };
        let emptied = self.checkpoint(patience);
        memory.cut_pending &= !emptied;
        memory.next_checkpoint = if emptied { 0 } else { log + self.log.soft };
    }

    /// Brings the log into the database and cuts it; `false` when a reader was in the way.
    fn checkpoint(&self, patience: Duration) -> bool {
        let emptied = self.conn.busy_timeout(patience).and_then(|()| {
            self.conn
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
                    row.get::<_, i64>(0)
                })
        });
        let waits = self.conn.busy_timeout(PATIENCE);
        match emptied.and_then(|busy| waits.map(|()| busy == 0)) {
            Ok(emptied) => {
                self.shared.counters.checkpointed(!emptied);
                emptied
            }
            Err(error) => {
                tracing::warn!(%error, "the log could not be emptied");
                false
            }
        }
    }
}

/// Takes away what would outlive an erasure and writes the erasure list, then commits; when the commit fails, the list is as before.
fn make_durable(list: &mut ListFile, file: &Path, group: &Group<'_>) -> Result<(), LedgerError> {
    if group.kept.is_empty() {
        return group.end(false);
    }
    if !group.erased.is_empty()
        && let Err(error) = remove_upgrade_copies(file)
    {
        group.end(false)?;
        return Err(LedgerError::Store {
            doing: "cleared of the copy from before its form was changed, so nothing was erased",
            source: error.into(),
        });
    }
    let end = list.end();
    if !group.erased.is_empty()
        && let Err(error) = list.append(&group.erased)
    {
        let cut = list.cut(end);
        group.end(false)?;
        cut.map_err(|error| list_failed(&error))?;
        return Err(list_failed(&error));
    }
    let committed = group.end(true);
    if committed.is_err() && !group.erased.is_empty() {
        list.cut(end).map_err(|error| list_failed(&error))?;
    }
    committed
}

fn list_failed(error: &std::io::Error) -> LedgerError {
    if error.kind() == std::io::ErrorKind::StorageFull {
        return LedgerError::Full;
    }
    LedgerError::Store {
        doing: "written (its erasure list)",
        source: error.to_string().into(),
    }
}
