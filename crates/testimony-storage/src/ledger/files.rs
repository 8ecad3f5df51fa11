//! The files beside the database: the lock and the erasure list. Nothing else of the ledger touches files itself.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::erasure::list::{self, Contents, Line};
use super::rights::for_owner;

/// A folder that this process alone has open.
#[derive(Debug)]
pub(crate) struct Lock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")] File,
);

impl Lock {
    /// Takes the lock; `None` when another process has it.
    ///
    /// A process that is just ending, or a child that has not yet become another program, holds on for a moment.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        const TRIES: u32 = 25;
        const BETWEEN: Duration = Duration::from_millis(20);
        let mut options = for_owner();
        let file = options.create(true).truncate(false).open(path)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self(file))),
                Err(TryLockError::WouldBlock) => thread::sleep(BETWEEN),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// How long a file is; nothing where it is not there.
pub(crate) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Whether a file may take this name: nothing stands there, or an empty file. What is renamed onto a device, a pipe or a
/// link would put the file in its place.
pub(crate) fn is_free(path: &Path) -> bool {
    let Ok(there) = fs::symlink_metadata(path) else {
        return true;
    };
    there.is_file() && there.len() == 0
}

/// Gives a finished file its name, durably.
pub(crate) fn put_in_place(partial: &Path, path: &Path) -> io::Result<()> {
    File::open(partial)?.sync_all()?;
    fs::rename(partial, path)?;
    sync_folder_of(path)
}

/// Takes away what is left of a file that was never finished, with what SQLite puts beside one.
pub(crate) fn clear_away(partial: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        // What is not there need not go.
        let _ = fs::remove_file(beside(partial, suffix));
    }
}

/// The path with something behind it.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        // A folder cannot be opened as a file everywhere; where it can, its entries are made durable.
        Some(folder) => File::open(folder).map_or(Ok(()), |folder| folder.sync_all()),
        None => Ok(()),
    }
}

/// The erasure list, open for appending.
#[derive(Debug)]
pub(crate) struct ListFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl ListFile {
    /// Opens the list, cutting off half a line that a crash left at its end.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Contents)> {
        let mut options = for_owner();
        let options = options.create(true).truncate(false).read(true);
        let mut file = options.open(path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let contents = list::read(&String::from_utf8_lossy(&text));
        let mut list = Self {
            path: path.to_owned(),
            file,
            length: text.len() as u64,
        };
        if contents.damaged.is_none() && contents.whole < list.length {
            list.cut(contents.whole)?;
        }
        sync_folder_of(path)?;
        Ok((list, contents))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the list ends, to cut it there should what follows not stand.
    pub(crate) const fn end(&self) -> u64 {
        self.length
    }

    /// Appends lines, durably.
    pub(crate) fn append(&mut self, lines: &[Line]) -> io::Result<()> {
        use std::io::{Seek as _, SeekFrom};
        let text: String = lines.iter().map(Line::written).collect();
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Cuts the list, durably.
    pub(crate) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.sync_all()?;
        self.length = length;
        Ok(())
    }
}

/// Reads a list that somebody kept.
pub(crate) fn read_list(path: &Path) -> io::Result<Contents> {
    let mut text = Vec::new();
    File::open(path)?.read_to_end(&mut text)?;
    Ok(list::read(&String::from_utf8_lossy(&text)))
}

/// Makes an empty file that nobody but its owner may read.
pub(crate) fn make_for_owner(path: &Path) -> io::Result<()> {
    for_owner().create_new(true).open(path).map(drop)
}

/// Makes the file of a database for its owner alone, where it is not there; what SQLite puts beside it has the same
/// rights.
pub(crate) fn make_database(path: &Path) -> io::Result<()> {
    let mut options = for_owner();
    options.create(true).truncate(false).open(path).map(drop)
}

/// Whole copies of a database beside it, as they were made before its form was changed, with what was never finished of
/// one.
pub(crate) fn upgrade_copies(database: &Path) -> io::Result<Vec<PathBuf>> {
    let beginning = beside(database, BEFORE_VERSION);
    let Some((beginning, folder)) = beginning.file_name().zip(database.parent()) else {
        return Ok(Vec::new());
    };
    let beginning = beginning.to_string_lossy();
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(beginning.as_ref()) {
            copies.push(entry.path());
        }
    }
    copies.sort();
    Ok(copies)
}

/// What stands between the name of a database and the form that it was brought to.
pub(crate) const BEFORE_VERSION: &str = ".before-version-";

/// Takes those copies away, durably.
pub(crate) fn remove_upgrade_copies(database: &Path) -> io::Result<()> {
    let copies = upgrade_copies(database)?;
    for copy in &copies {
        fs::remove_file(copy)?;
    }
    if copies.is_empty() {
        return Ok(());
    }
    sync_folder_of(database)
}
