//! What was read, written down behind the answer: nobody who asks waits for the disk.
//!
//! Whoever needs what was handed out lately, the echo guard, has the journal written first.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::ports::health::Health;
use crate::ports::ledger::audit::{Act, Actor};
use crate::ports::ledger::reads::{HandedOut, ReadRow};
use crate::ports::ledger::{Fate, Ledger};
use crate::service::RULES_VERSION;

/// So many requests may wait to be written down; one more waits with them.
const WAITING: usize = 4_096;
/// So many are written down at a time.
const AT_ONCE: usize = 256;
/// So long more is waited for before what came is written down, and so often: a commit costs more than many a recall,
/// and its wait for the disk more than that.
const PAUSE: Duration = Duration::from_millis(20);
const PAUSES: usize = 25;
/// After so long what could not be written is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// One request that read, and what it handed out.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) row: ReadRow,
    pub(crate) handed: Vec<HandedOut>,
}

enum Task {
    Keep(Box<Note>),
    /// Say when everything before this is written.
    Say(SyncSender<()>),
}

/// How the writing stands.
#[derive(Debug, Default)]
struct Standing {
    /// Whether the ledger took nothing the last time.
    fails: AtomicBool,
    /// How many notes had to be given up.
    lost: AtomicU64,
}

/// The journal, with the thread that writes it.
pub(crate) struct Journal {
    tasks: Option<SyncSender<Task>>,
    standing: Arc<Standing>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Journal {
    /// Starts a journal into a ledger. Without a thread to spare nothing is noted, which its health says.
    pub(crate) fn into_ledger(ledger: Arc<dyn Ledger>) -> Self {
        let (tasks, inbox) = sync_channel(WAITING);
        let standing = Arc::new(Standing::default());
        let told = Arc::clone(&standing);
        let writer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || write(ledger.as_ref(), &inbox, &told));
        Self {
            tasks: writer.is_ok().then_some(tasks),
            standing,
            writer: Mutex::new(writer.ok()),
        }
    }

    pub(crate) fn note(&self, note: Note) {
        if let Some(tasks) = &self.tasks {
            // A writer that is gone took its ledger with it.
            let _ = tasks.send(Task::Keep(Box::new(note)));
        }
    }

    /// Whether what is read is written down.
    pub(crate) fn health(&self) -> Health {
        let lost = self.standing.lost.load(Ordering::Relaxed);
        if self.tasks.is_none() {
            return Health::unavailable(
                "there is no thread for it; what is read is not written down",
            );
        }
        if self.standing.fails.load(Ordering::Relaxed) {
            return Health::degraded("what was read could not be written down, and is tried again");
        }
        match lost {
            0 => Health::Healthy,
            lost => Health::degraded(format!(
                "{lost} requests that read were not written down since the start; see that the disk has room"
            )),
        }
    }

    /// Returns when everything that was noted before is in the ledger, or was tried.
    pub(crate) fn catch_up(&self) {
        let Some(tasks) = &self.tasks else { return };
        let (said, done) = sync_channel(1);
        if tasks.send(Task::Say(said)).is_ok() {
            // The other end is dropped when the writer ends; then there is nothing to wait for.
            let _ = done.recv();
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.tasks = None;
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = writer.take() {
            // A writer that panicked has been reported by the runtime.
            let _ = writer.join();
        }
    }
}

fn write(ledger: &dyn Ledger, inbox: &Receiver<Task>, standing: &Standing) {
    let mut unwritten: Vec<Note> = Vec::new();
    loop {
        let first = if unwritten.is_empty() {
            inbox.recv().map(Some)
        } else {
            match inbox.recv_timeout(AGAIN) {
                Err(RecvTimeoutError::Timeout) => Ok(None),
                received => received.map(Some).map_err(|_| std::sync::mpsc::RecvError),
            }
        };
        let Ok(first) = first else { break };
        let (notes, asked) = first.map_or((Vec::new(), None), |first| gathered(first, inbox));
        unwritten.extend(notes);
        unwritten = keep(ledger, unwritten, standing);
        if let Some(said) = asked {
            // Whoever asked may have stopped waiting.
            let _ = said.send(());
        }
    }
    keep(ledger, unwritten, standing);
}

/// What comes in one after the other is written at once, until somebody asks or nothing more comes.
fn gathered(first: Task, inbox: &Receiver<Task>) -> (Vec<Note>, Option<SyncSender<()>>) {
    let mut notes = Vec::new();
    let (mut next, mut pauses) = (first, 0);
    loop {
        match next {
            Task::Keep(note) => notes.push(*note),
            Task::Say(said) => return (notes, Some(said)),
        }
        if notes.len() >= AT_ONCE {
            return (notes, None);
        }
        next = match inbox.try_recv() {
            Ok(task) => task,
            Err(_) if pauses < PAUSES => {
                pauses += 1;
                match inbox.recv_timeout(PAUSE) {
                    Ok(task) => task,
                    // Nothing more came, or whoever sends is gone and the next look says so.
                    Err(_) => return (notes, None),
                }
            }
            Err(_) => return (notes, None),
        };
    }
}

/// Writes notes down as the service's own work, and returns what the ledger could not take, up to so much as may wait.
fn keep(ledger: &dyn Ledger, notes: Vec<Note>, standing: &Standing) -> Vec<Note> {
    let Some(last) = notes.last() else {
        return notes;
    };
    let act = Act {
        actor: Actor::Service,
        at: last.row.at,
        request: None,
        rules: RULES_VERSION,
    };
    let notes = Arc::new(notes);
    let written = Arc::clone(&notes);
    let kept = ledger.submit(
        act,
        Box::new(move |writer| {
            for note in written.iter() {
                writer.keep_read(&note.row)?;
                for handed in &note.handed {
                    writer.hand_out(handed)?;
                }
            }
            Ok(Fate::Keep)
        }),
    );
    standing.fails.store(kept.is_err(), Ordering::Relaxed);
    if kept.is_ok() {
        return Vec::new();
    }
    let mut left = Arc::try_unwrap(notes).unwrap_or_else(|shared| shared.as_ref().clone());
    let too_many = left.len().saturating_sub(WAITING);
    left.drain(..too_many);
    standing.lost.fetch_add(too_many as u64, Ordering::Relaxed);
    left
}
