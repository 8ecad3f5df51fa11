//! How a ledger is kept, and why one is not opened.

use std::path::{Path, PathBuf};

use testimony_service::ports::ledger::LedgerError;

/// How a ledger is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many pieces of work may wait; what comes beyond is refused as overload.
    pub queue: usize,
    /// How many pieces of work share a transaction at most.
    pub group_at_most: usize,
    /// From how many bytes on the write-ahead log is emptied when no reader is in the way.
    pub log_soft_bytes: u64,
    /// From how many bytes on the writer waits for readers, so that the log is emptied after all.
    pub log_hard_bytes: u64,
    /// To how many pages of four kibibytes the database may grow; without limit where absent.
    pub max_pages: Option<u32>,
    /// Whether a commit waits for the disk. Only a ledger that nobody will open again can do without.
    pub durable: bool,
}

impl Default for Options {
    fn default() -> Self {
        const MEBIBYTE: u64 = 1 << 20;
        Self {
            queue: 1_024,
            group_at_most: 256,
            log_soft_bytes: 16 * MEBIBYTE,
            log_hard_bytes: 64 * MEBIBYTE,
            max_pages: None,
            durable: true,
        }
    }
}

/// Why a ledger was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has the folder.
    #[error(
        "another process has the ledger in {}; send it your command, or stop it and try again", folder.display()
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The SQLite that was built in is one that can lose a commit.
    #[error("SQLite {found} can lose commits when its log is reset; build with 3.51.3 or newer")]
    OldSqlite {
        /// Its version.
        found: &'static str,
    },
    /// A newer program wrote the ledger.
    #[error(
        "the ledger has version {found} and this program knows {known}; use the program that wrote it, or restore \
         the backup that was made before it was brought to version {found}"
    )]
    NewerForm {
        /// The version of the ledger.
        found: i64,
        /// The newest version that is known here.
        known: i64,
    },
    /// What was to be made is there already.
    #[error("{} is there already; name another place", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// A copy is not what it was copied from.
    #[error("{} is not sound: {what}; use another backup", path.display())]
    Unsound {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A list of what was erased is not as it was written.
    #[error(
        "line {line} of the list of erasures {} is not what was written; put back the list that is kept beside your backups, or \
         take that line out if what it names may come back", path.display()
    )]
    List {
        /// The list.
        path: PathBuf,
        /// The first line that cannot be read, counted from 1.
        line: usize,
    },
    /// A file could not be used.
    #[error("{} could not be {doing}: {source}; {}", path.display(), helps(source))]
    File {
        /// What was being done, as a participle.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The database could not be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl OpenError {
    pub(crate) fn file(
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File {
            doing,
            path,
            source,
        }
    }
}

/// What to do where a file could not be used.
pub(crate) fn helps(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
    let kind = source.kind();
    if matches!(kind, ReadOnlyFilesystem | PermissionDenied) {
        "make the disk and the folder writable for this account, or name another folder"
    } else if kind == StorageFull {
        "free space and try again"
    } else {
        "check the path, its rights and the disk"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_used_is_named_with_what_helps() {
        use std::io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem, StorageFull};
        for (kind, helps) in [
            (ReadOnlyFilesystem, "writable"),
            (PermissionDenied, "writable"),
            (StorageFull, "free space"),
            (NotFound, "check the path"),
        ] {
            let source = std::io::Error::from(kind);
            let error = OpenError::file("locked", Path::new("some/ledger.lock"))(source);
            let said = error.to_string();
            assert!(
                said.starts_with("some/ledger.lock could not be locked: "),
                "{said}"
            );
            assert!(said.contains(helps), "{said}");
        }
    }
}
