//! The ledger of a folder, from its opening to its closing.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use testimony_service::ports::ledger::audit::{Act, Action, Actor, ChainHead, ObjectRef};
use testimony_service::ports::ledger::{Commit, CommitObserver, Ledger, LedgerError, Reader, Work};

use super::erasure::apply_again;
use super::erasure::list::Line;
use super::files::{self, ListFile, Lock};
use super::group::{Group, Task};
use super::migrations::{self, STEPS};
use super::options::{OpenError, Options};
use super::pool::Pool;
use super::rows::seq;
use super::stats::Stats;
use super::trail::{self, verified_head};
use super::tx::{Desk, act_as_kept};
use super::writer::{LogBounds, Message, Shared, Writer};
use super::{FILE, LIST_FILE, LOCK_FILE, backup, connection, query, rights};

/// The ledger on SQLite.
pub struct SqliteLedger {
    pool: Pool,
    shared: Arc<Shared>,
    queue: usize,
    /// Both are taken out when the ledger is closed, and at no other time.
    inbox: Option<SyncSender<Message>>,
    writer: Option<JoinHandle<()>>,
    /// Held until everything else is closed.
    _lock: Lock,
    _folder: Option<tempfile::TempDir>,
}

/// Why a ledger is opened.
pub(crate) enum Begin {
    /// It is there, or begins.
    Again,
    /// It lasts as long as the folder that is given away.
    Temporary(tempfile::TempDir),
    /// It came out of a backup, which is said in the trail.
    Restored(Act),
}

impl SqliteLedger {
    /// Opens the ledger of a folder, and makes it where there is none.
    ///
    /// # Errors
    /// [`OpenError`] when it cannot be opened; nothing was changed then, but for what earlier steps of a migration did.
    pub fn open(folder: &Path, options: &Options) -> Result<Self, OpenError> {
        let lock = Self::lock(folder)?;
        Self::open_locked(folder, options, lock, Begin::Again)
    }

    /// A ledger that is gone when it is closed.
    ///
    /// It lies in a folder of its own, in memory where the system offers files in memory: readers and the writer are
    /// then as independent as on a disk, which SQLite's own databases in memory do not give.
    ///
    /// # Errors
    /// [`OpenError`] when there is no place for it.
    pub fn open_in_memory() -> Result<Self, OpenError> {
        let in_memory = Path::new("/dev/shm");
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("testimony-");
        let made = builder.tempdir_in(in_memory).or_else(|_| builder.tempdir());
        let folder = made.map_err(OpenError::file("made", in_memory))?;
        let options = Options {
            durable: false,
            ..Options::default()
        };
        let lock = Self::lock(folder.path())?;
        let path = folder.path().to_owned();
        Self::open_locked(&path, &options, lock, Begin::Temporary(folder))
    }

    pub(crate) fn lock(folder: &Path) -> Result<Lock, OpenError> {
        rights::make_folder(folder).map_err(OpenError::file("made", folder))?;
        let path = folder.join(LOCK_FILE);
        let lock = Lock::take(&path).map_err(OpenError::file("locked", &path))?;
        let folder = folder.to_owned();
        lock.ok_or(OpenError::Locked { folder })
    }

    pub(crate) fn open_locked(
        folder: &Path,
        options: &Options,
        lock: Lock,
        begin: Begin,
    ) -> Result<Self, OpenError> {
        assert_sqlite(rusqlite::version_number())?;
        let file = folder.join(FILE);
        let conn = newest_form(&file, options)?;
        let (list, lines) = open_list(folder)?;
        let (head, temporary) = begun(&conn, recover(&conn, &lines)?, begin)?;
        leave_nothing_behind(&conn, &file)?;
        let shared = Arc::new(Shared::default());
        shared.set_head(head);
        let (inbox, waiting) = sync_channel(options.queue.max(1));
        let writer = Writer {
            conn,
            file: file.clone(),
            list,
            inbox: waiting,
            shared: Arc::clone(&shared),
            group_at_most: options.group_at_most.max(1),
            log: LogBounds::of(options),
        };
        let thread = thread::Builder::new().name("ledger".to_owned());
        let writer = thread.spawn(move || writer.run());
        Ok(Self {
            pool: Pool::new(file),
            shared,
            queue: options.queue,
            inbox: Some(inbox),
            writer: Some(writer.map_err(OpenError::file("written to", folder))?),
            _lock: lock,
            _folder: temporary,
        })
    }

    /// What the writer has done since the ledger was opened.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.counters.read()
    }

    /// Lets the database grow to so many pages of four kibibytes at most, or without limit.
    ///
    /// # Errors
    /// [`LedgerError`] when the writer is gone.
    pub fn limit_pages(&self, pages: Option<u32>) -> Result<(), LedgerError> {
        let (answer, answered) = sync_channel(1);
        self.send(Message::LimitPages(pages, answer))?;
        receive(&answered)
    }

    pub(crate) const fn pool(&self) -> &Pool {
        &self.pool
    }

    fn send(&self, message: Message) -> Result<(), LedgerError> {
        let inbox = self.inbox.as_ref().ok_or(LedgerError::Stopped)?;
        // Counted before it is sent, so that it is never taken out before it was counted.
        self.shared.counters.came();
        inbox.try_send(message).map_err(|error| {
            self.shared.counters.went();
            match error {
                TrySendError::Full(_) => LedgerError::Overloaded {
                    waiting: self.queue,
                },
                TrySendError::Disconnected(_) => LedgerError::Stopped,
            }
        })
    }
}

impl Ledger for SqliteLedger {
    fn reader(&self) -> Result<Box<dyn Reader + '_>, LedgerError> {
        self.pool
            .reader()
            .map(|reader| Box::new(reader) as Box<dyn Reader + '_>)
    }

    fn submit(&self, act: Act, work: Work) -> Result<Commit, LedgerError> {
        let (answer, answered) = sync_channel(1);
        let act = act_as_kept(act);
        self.send(Message::Work(Task { act, work, answer }))?;
        receive(&answered)
    }

    fn observe(&self, observer: Arc<dyn CommitObserver>) {
        self.shared.observe(observer);
    }

    fn head(&self) -> Result<ChainHead, LedgerError> {
        Ok(self.shared.head())
    }
}

impl Drop for SqliteLedger {
    fn drop(&mut self) {
        self.inbox = None;
        self.pool.clear();
        let Some(writer) = self.writer.take() else {
            return;
        };
        // An observer may hold the ledger and let go of it last, on the writer's own thread.
        if writer.thread().id() != thread::current().id() && writer.join().is_err() {
            tracing::error!("the writer of the ledger panicked");
        }
    }
}

fn receive<T>(answered: &Receiver<Result<T, LedgerError>>) -> Result<T, LedgerError> {
    let answer: Result<_, mpsc::RecvError> = answered.recv();
    answer.unwrap_or(Err(LedgerError::Stopped))
}

fn assert_sqlite(version: i32) -> Result<(), OpenError> {
    /// 3.51.3, in SQLite's way of counting.
    const FIRST_SOUND: i32 = 3_051_003;
    if version >= FIRST_SOUND {
        return Ok(());
    }
    let found = rusqlite::version();
    Err(OpenError::OldSqlite { found })
}

fn open_list(folder: &Path) -> Result<(ListFile, Vec<Line>), OpenError> {
    let path = folder.join(LIST_FILE);
    let opened = ListFile::open(&path);
    let (list, contents) = opened.map_err(OpenError::file("opened", &path))?;
    if let Some(line) = contents.damaged {
        return Err(OpenError::List { path, line });
    }
    Ok((list, contents.lines))
}

/// Finds the end of the chain, and carries out what the erasure list says and the database does not know of: a crash
/// came before its commit, or the database is older than the list.
fn recover(conn: &Connection, lines: &[Line]) -> Result<ChainHead, LedgerError> {
    let mut head = verified_head(&Desk::of(
        conn,
        service(lines.first()),
        ChainHead::default(),
    ))?;
    for line in lines {
        let mut group = Group::begin(conn, head)?;
        let mut desk = Desk::of(conn, service(Some(line)), head);
        let applied = apply_again(&mut desk, line);
        group.head = desk.0.head;
        let keep = matches!(applied, Ok(true));
        group.end(keep)?;
        if applied? {
            head = group.head;
        }
    }
    Ok(head)
}

/// The database in its newest form.
fn newest_form(file: &Path, options: &Options) -> Result<Connection, OpenError> {
    // What a restoring that was cut short left would outlive every erasure.
    files::clear_away(&files::beside(file, ".partial"));
    let mut conn = connection::writer(file, options)?;
    migrations::migrate(&mut conn, file, STEPS)?;
    Ok(conn)
}

/// Takes away what the erasures of the list left outside the database.
fn leave_nothing_behind(conn: &Connection, file: &Path) -> Result<(), OpenError> {
    // What they took is in the log still, and nobody reads yet that would hold on to it.
    connection::cut_log(conn)?;
    remove_outlived_copies(conn, file)
}

/// Takes away copies that were made before the form was changed, once something was erased that they may hold.
fn remove_outlived_copies(conn: &Connection, file: &Path) -> Result<(), OpenError> {
    const ERASED: &str = "SELECT coalesce(max(seq), 0) FROM erasures";
    let copies = files::upgrade_copies(file).map_err(OpenError::file("looked for", file))?;
    if copies.is_empty() {
        return Ok(());
    }
    let erased = query::number(conn, ERASED, [])?;
    // A copy of which nobody can say how far it goes is as good as one from before everything.
    let reaches = |copy: &PathBuf| backup::reaches(copy).map_or(0, |head| seq(head.seq));
    if copies.iter().any(|copy| reaches(copy) < erased) {
        files::remove_upgrade_copies(file).map_err(OpenError::file("cleared of copies", file))?;
    }
    Ok(())
}

/// What else has to happen before the writer begins, by why the ledger is opened.
fn begun(
    conn: &Connection,
    head: ChainHead,
    begin: Begin,
) -> Result<(ChainHead, Option<tempfile::TempDir>), LedgerError> {
    match begin {
        Begin::Again => Ok((head, None)),
        Begin::Temporary(folder) => Ok((head, Some(folder))),
        Begin::Restored(act) => note_restored(conn, act, head).map(|head| (head, None)),
    }
}

/// Says in the trail that a backup was restored.
fn note_restored(conn: &Connection, act: Act, head: ChainHead) -> Result<ChainHead, LedgerError> {
    let group = Group::begin(conn, head)?;
    let mut desk = Desk::of(conn, act_as_kept(act), head);
    let noted = desk.record(trail::Line::of(Action::Restored, &ObjectRef::Ledger));
    group.end(noted.is_ok())?;
    noted.map(|_| desk.0.head)
}

/// The service itself, at the time of an erasure that it carries out again.
fn service(line: Option<&Line>) -> Act {
    Act {
        actor: Actor::Service,
        at: line.map_or(testimony_domain::Timestamp::UNIX_EPOCH, |line| line.at),
        request: None,
        rules: "erasure-list",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_sqlite_is_refused() {
        assert!(assert_sqlite(3_051_003).is_ok());
        let refused = assert_sqlite(3_051_002).unwrap_err();
        assert!(refused.to_string().contains("3.51.3"), "{refused}");
    }
}
