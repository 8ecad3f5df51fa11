//! What was read, written down behind the answer: nobody who asks waits for the disk.
//!
//! Whoever needs what was handed out lately, the echo guard, has the journal written first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

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

/// The journal, with the thread that writes it.
pub(crate) struct Journal {
    tasks: Option<SyncSender<Task>>,
    /// How many wait to be written down.
    waiting: Arc<AtomicUsize>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Journal {
    /// Starts a journal into a ledger. Without a thread to spare, nothing is noted and nothing else suffers.
    pub(crate) fn into_ledger(ledger: Arc<dyn Ledger>) -> Self {
        let (tasks, inbox) = sync_channel(WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let writer = std::thread::Builder::new().name("journal".into()).spawn({
            let waiting = Arc::clone(&waiting);
            move || write(ledger.as_ref(), &inbox, &waiting)
        });
        Self {
            waiting,
            tasks: writer.is_ok().then_some(tasks),
            writer: Mutex::new(writer.ok()),
        }
    }

    pub(crate) fn note(&self, note: Note) {
        if let Some(tasks) = &self.tasks {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            // A writer that is gone took its ledger with it.
            let _ = tasks.send(Task::Keep(Box::new(note)));
        }
    }

    /// Whether whoever notes something now will not have to wait.
    pub(crate) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < WAITING / 2
    }

    /// Returns when everything that was noted before is in the ledger.
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

fn write(ledger: &dyn Ledger, inbox: &Receiver<Task>, waiting: &AtomicUsize) {
    while let Ok(first) = inbox.recv() {
        let (notes, asked) = gathered(first, inbox);
        waiting.fetch_sub(notes.len(), Ordering::Relaxed);
        keep(ledger, notes);
        if let Some(said) = asked {
            // Whoever asked may have stopped waiting.
            let _ = said.send(());
        }
    }
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

/// Writes notes down as the service's own work. A ledger that cannot take them loses the notes and nothing else: what
/// was read was read.
fn keep(ledger: &dyn Ledger, notes: Vec<Note>) {
    let Some(last) = notes.last() else { return };
    let act = Act {
        actor: Actor::Service,
        at: last.row.at,
        request: None,
        rules: RULES_VERSION,
    };
    let kept = ledger.submit(
        act,
        Box::new(move |writer| {
            for note in &notes {
                writer.keep_read(&note.row)?;
                for handed in &note.handed {
                    writer.hand_out(handed)?;
                }
            }
            Ok(Fate::Keep)
        }),
    );
    // There is nobody to tell: the health of the ledger shows it to whoever looks.
    drop(kept);
}
