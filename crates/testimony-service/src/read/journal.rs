//! What was read, written down behind the answer: nobody who asks waits for the disk.
//!
//! Whoever needs what was handed out lately, the echo guard, has the journal written first.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use testimony_domain::MemoryId;

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

/// What waits to be written down. Whoever notes something wakes the writer only where that changes what it does, so most
/// requests do not.
#[derive(Default)]
struct Inbox {
    notes: Vec<Note>,
    /// Who wants to know when everything before is written.
    asked: Vec<SyncSender<()>>,
    /// Whether nothing more comes.
    closed: bool,
}

impl Inbox {
    /// Whether somebody waits for it, or it is as much as is written at a time.
    fn is_due(&self) -> bool {
        self.closed || !self.asked.is_empty() || self.notes.len() >= AT_ONCE
    }

    fn is_empty(&self) -> bool {
        !self.closed && self.asked.is_empty() && self.notes.is_empty()
    }
}

/// The inbox, with both ends of it.
#[derive(Default)]
struct Desk {
    inbox: Mutex<Inbox>,
    /// The writer waits here.
    more: Condvar,
    /// Whoever finds no room waits here.
    room: Condvar,
}

impl Desk {
    /// Nothing that is done under the lock leaves the inbox half done.
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lays a note in, once there is room for it.
    fn lay(&self, note: Note) {
        let full = |inbox: &mut Inbox| inbox.notes.len() >= WAITING && !inbox.closed;
        let inbox = self.room.wait_while(self.inbox(), full);
        self.put(inbox.unwrap_or_else(PoisonError::into_inner), note);
    }

    fn put(&self, mut inbox: MutexGuard<'_, Inbox>, note: Note) {
        if inbox.closed {
            // A writer that is gone took its ledger with it.
            return;
        }
        inbox.notes.push(note);
        let turns = matches!(inbox.notes.len(), 1 | AT_ONCE);
        drop(inbox);
        if turns {
            self.more.notify_one();
        }
    }

    /// Asks for a word when everything before this is written; where nobody writes, what would say it goes.
    fn ask(&self, say: SyncSender<()>) {
        let mut inbox = self.inbox();
        if !inbox.closed {
            inbox.asked.push(say);
            self.more.notify_one();
        }
    }

    fn close(&self) {
        self.inbox().closed = true;
        self.more.notify_one();
        self.room.notify_all();
    }

    /// Waits until there is something to do, no longer than `longest` where there is an end to it.
    fn wait(&self, longest: Option<Duration>) -> MutexGuard<'_, Inbox> {
        let nothing = |inbox: &mut Inbox| inbox.is_empty();
        match longest {
            None => {
                let inbox = self.more.wait_while(self.inbox(), nothing);
                inbox.unwrap_or_else(PoisonError::into_inner)
            }
            Some(longest) => {
                let waited = self.more.wait_timeout_while(self.inbox(), longest, nothing);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// What comes one after the other is written at once, until somebody asks or nothing more comes.
    fn gathered(&self, longest: Option<Duration>) -> Inbox {
        let mut inbox = self.wait(longest);
        for _ in 0..PAUSES {
            let before = inbox.notes.len();
            if before == 0 || inbox.is_due() {
                break;
            }
            let waited = self
                .more
                .wait_timeout_while(inbox, PAUSE, |inbox| !inbox.is_due());
            inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
            if inbox.notes.len() == before {
                break;
            }
        }
        let closed = inbox.closed;
        let taken = std::mem::take(&mut *inbox);
        inbox.closed = closed;
        drop(inbox);
        self.room.notify_all();
        taken
    }
}

/// Where the note of a read waits until whoever passes its rows on says which of them went out. What nobody says went
/// out did not, so one that is let go of notes that somebody asked, and nothing as handed out.
#[derive(Clone, Debug, Default)]
pub struct Slip(Arc<Mutex<Option<Held>>>);

impl Slip {
    pub(super) fn hold(&self, journal: &Journal, note: Note) {
        let held = journal.writer.is_some().then(|| Held {
            desk: Arc::clone(&journal.desk),
            note: Some(note),
        });
        drop(std::mem::replace(&mut *self.held(), held));
    }

    /// Has it noted that of the rows these went out, and no others.
    pub fn handed_out(&self, went: impl Fn(MemoryId) -> bool) {
        let held = self.held().take();
        if let Some(mut held) = held {
            held.let_go(went);
        }
    }

    /// Nothing that is done under the lock leaves it half done.
    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A note that waits in a slip.
struct Held {
    desk: Arc<Desk>,
    note: Option<Note>,
}

impl Held {
    /// Lays the note in. Whoever does that may be where nobody may wait, and there are never more of these than answers
    /// under way, so they are let in beside those that wait.
    fn let_go(&mut self, went: impl Fn(MemoryId) -> bool) {
        if let Some(mut note) = self.note.take() {
            note.row.returned.retain(|id| went(*id));
            note.handed.retain(|handed| went(handed.memory));
            self.desk.put(self.desk.inbox(), note);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.let_go(|_| false);
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Held(…)")
    }
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
    desk: Arc<Desk>,
    standing: Arc<Standing>,
    writer: Option<JoinHandle<()>>,
}

impl Journal {
    /// Starts a journal into a ledger. Without a thread to spare nothing is noted, which its health says.
    pub(crate) fn into_ledger(ledger: Arc<dyn Ledger>) -> Self {
        let (desk, standing) = (Arc::<Desk>::default(), Arc::<Standing>::default());
        let (inbox, told) = (Arc::clone(&desk), Arc::clone(&standing));
        let writer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || {
                // Also after a panic: nobody waits for a writer that is gone.
                let _closing = Closing(&inbox);
                write(ledger.as_ref(), &inbox, &told);
            });
        Self {
            desk,
            standing,
            writer: writer.ok(),
        }
    }

    /// Notes what was read and handed out; waits where too much waits already.
    pub(crate) fn note(&self, note: Note) {
        if self.writer.is_some() {
            self.desk.lay(note);
        }
    }

    /// Whether what is read is written down.
    pub(crate) fn health(&self) -> Health {
        let lost = self.standing.lost.load(Ordering::Relaxed);
        if self.writer.is_none() {
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
        if self.writer.is_some() {
            let (said, done) = sync_channel(1);
            self.desk.ask(said);
            // The other end is dropped when the writer ends; then there is nothing to wait for.
            let _ = done.recv();
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.desk.close();
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has been reported by the runtime.
            let _ = writer.join();
        }
    }
}

/// Closes a desk when it goes, and lets go of whoever asked there.
struct Closing<'d>(&'d Desk);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.0.inbox().asked.clear();
    }
}

fn write(ledger: &dyn Ledger, desk: &Desk, standing: &Standing) {
    let mut unwritten: Vec<Note> = Vec::new();
    loop {
        let again = (!unwritten.is_empty()).then_some(AGAIN);
        let Inbox {
            notes,
            asked,
            closed,
        } = desk.gathered(again);
        unwritten.extend(notes);
        unwritten = keep(ledger, unwritten, standing);
        for said in asked {
            // Whoever asked may have stopped waiting.
            let _ = said.send(());
        }
        if closed {
            break;
        }
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
            let rows: Vec<&ReadRow> = written.iter().map(|note| &note.row).collect();
            writer.keep_reads(&rows)?;
            for handed in written.iter().flat_map(|note| &note.handed) {
                writer.hand_out(handed)?;
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
