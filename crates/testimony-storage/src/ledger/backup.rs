//! Copies of the ledger while it runs, and the way back from one.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Act, ChainHead, Reads as _};

use super::connection::{APPLICATION_ID, integrity, pragma};
use super::erasure::list::{Contents, Line as Erased};
use super::files::{self, ListFile, beside, clear_away, put_in_place};
use super::open::{Begin, SqliteLedger};
use super::options::{OpenError, Options};
use super::query::failed;
use super::trail::follow_all;
use super::tx::{Source, Tx};
use super::{FILE, LIST_FILE};

/// A backup that was made and verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupReport {
    /// The end of the chain in it.
    pub head: ChainHead,
    /// How large it is.
    pub bytes: u64,
}

/// A connection as a transaction that only reads.
pub(super) struct Looking<'c>(pub(super) &'c Connection);

impl Source for Looking<'_> {
    fn connection(&self) -> &Connection {
        self.0
    }
}

impl SqliteLedger {
    /// Copies the ledger as it is now into one file, and verifies the copy. Nothing waits for it, and it is no event.
    ///
    /// The erasure list is left out: what was erased after the backup must be known to whoever restores it.
    ///
    /// # Errors
    /// [`OpenError`] when the file is there already, cannot be written, or is not sound; then it is not there.
    pub fn backup_to(&self, path: &Path) -> Result<BackupReport, OpenError> {
        let pooled = self.pool().connection()?;
        copy(pooled.connection(), path)
    }

    /// Makes a ledger in a folder that has none from a backup, with every erasure of the lists carried out again.
    ///
    /// A list that lies in the folder counts as well.
    ///
    /// # Errors
    /// [`OpenError`] when the folder has a ledger, or the backup is not sound.
    pub fn restore(
        backup: &Path,
        folder: &Path,
        lists: &[&Path],
        act: Act,
        options: &Options,
    ) -> Result<Self, OpenError> {
        // Before anything is made where there was nothing.
        let from = open_backup(backup)?;
        let lock = Self::lock(folder)?;
        let file = folder.join(FILE);
        if !files::is_free(&file) {
            return Err(OpenError::Taken { path: file });
        }
        join_lists(&folder.join(LIST_FILE), lists)?;
        copy(&from, &file).map_err(blames(backup))?;
        drop(from);
        Self::open_locked(folder, options, lock, Begin::Restored(act))
    }
}

/// What is wrong with pages that came out of a backup is wrong with the backup, and not with the ledger.
fn blames(backup: &Path) -> impl FnOnce(OpenError) -> OpenError {
    let path = backup.to_owned();
    move |error| {
        if let OpenError::Ledger(LedgerError::Damaged { what, .. })
        | OpenError::Unsound { what, .. } = error
        {
            return OpenError::Unsound { path, what };
        }
        error
    }
}

fn open_backup(backup: &Path) -> Result<Connection, OpenError> {
    sound_backup(backup).map_err(blames(backup))
}

fn sound_backup(backup: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let from = Connection::open_with_flags(backup, flags).map_err(failed("opened"))?;
    if pragma(&from, "application_id")? != i64::from(APPLICATION_ID) {
        let what = "it is no ledger".to_owned();
        let path = backup.to_owned();
        return Err(OpenError::Unsound { path, what });
    }
    Ok(from)
}

/// Joins lists of erasures with the one of a folder.
fn join_lists(own: &Path, lists: &[&Path]) -> Result<(), OpenError> {
    let opened = ListFile::open(own).map_err(OpenError::file("opened", own));
    let (mut file, contents) = opened?;
    let mut known = whole(own, contents)?;
    for path in lists {
        let read = files::read_list(path).map_err(OpenError::file("read", path))?;
        for line in whole(path, read)? {
            if known.iter().all(|known| known.mark != line.mark) {
                let appended = file.append(std::slice::from_ref(&line));
                appended.map_err(OpenError::file("written", file.path()))?;
                known.push(line);
            }
        }
    }
    Ok(())
}

fn whole(path: &Path, contents: Contents) -> Result<Vec<Erased>, OpenError> {
    match contents.damaged {
        None => Ok(contents.lines),
        Some(line) => Err(OpenError::List {
            path: path.to_owned(),
            line,
        }),
    }
}

/// Copies a database into a new file, and verifies the copy before it gets its name.
pub(super) fn copy(from: &Connection, path: &Path) -> Result<BackupReport, OpenError> {
    if !files::is_free(path) {
        let path = path.to_owned();
        return Err(OpenError::Taken { path });
    }
    copy_in_place_of(from, path)
}

/// The same, whatever has the name so far.
pub(super) fn copy_in_place_of(from: &Connection, path: &Path) -> Result<BackupReport, OpenError> {
    let partial = beside(path, ".partial");
    clear_away(&partial);
    let copied = copy_and_verify(from, &partial);
    let placed = copied.and_then(|head| {
        put_in_place(&partial, path).map_err(OpenError::file("put in place", path))?;
        Ok(head)
    });
    clear_away(&partial);
    placed.map(|head| BackupReport {
        head,
        bytes: files::length(path),
    })
}

/// Whether a file is a sound copy of a ledger as it is now, in its form and with all its events.
pub(super) fn is_copy_of(conn: &Connection, path: &Path) -> Result<bool, LedgerError> {
    let form = pragma(conn, "user_version")?;
    let Ok(head) = follow_all(&Tx(Looking(conn)))? else {
        return Ok(false);
    };
    let found = open_backup(path).and_then(|copy| {
        let form = pragma(&copy, "user_version")?;
        Ok((form, verify(&copy, path)?))
    });
    Ok(found.is_ok_and(|found| found == (form, head)))
}

/// How far the events of a copy go.
pub(super) fn reaches(path: &Path) -> Result<ChainHead, OpenError> {
    let copy = open_backup(path)?;
    Ok(Tx(Looking(&copy)).chain_head()?)
}

fn copy_and_verify(from: &Connection, partial: &Path) -> Result<ChainHead, OpenError> {
    // It holds everything, so it is its owner's from the first byte on.
    files::make_for_owner(partial).map_err(OpenError::file("made", partial))?;
    let mut to = Connection::open(partial).map_err(failed("copied"))?;
    copy_pages(from, &mut to)?;
    // One file that needs no other beside it.
    to.pragma_update(None, "journal_mode", "DELETE")
        .map_err(failed("copied"))?;
    let head = verify(&to, partial)?;
    to.close().map_err(|(_, error)| failed("copied")(error))?;
    Ok(head)
}

fn copy_pages(from: &Connection, to: &mut Connection) -> Result<(), LedgerError> {
    let backup = Backup::new(from, to).map_err(failed("copied"))?;
    loop {
        // All pages in one step: a step that ends early would begin again with every commit in between.
        if backup.step(-1).map_err(failed("copied"))? == StepResult::Done {
            return Ok(());
        }
        std::thread::yield_now();
    }
}

/// Checks a copy: its pages, its references, and its chain.
fn verify(conn: &Connection, path: &Path) -> Result<ChainHead, OpenError> {
    let unsound = |what: String| {
        let path = path.to_owned();
        OpenError::Unsound { path, what }
    };
    if let Some(what) = integrity(conn)?.into_iter().next() {
        return Err(unsound(what));
    }
    if pragma(conn, "user_version")? == 0 {
        return Err(unsound("it has no version".to_owned()));
    }
    follow_all(&Tx(Looking(conn)))?.map_err(|broken| unsound(broken.to_string()))
}
