//! The store: the ledger and its index in one folder, opened, followed, examined and closed together.
//!
//! The ledger is the truth and the index its cache, so this module decides nothing; it sees to three things:
//!
//! - **Nothing falls between them.** The index observes the ledger before anybody can write to it, and catches up with
//!   what it missed in the background.
//! - **What was erased is gone from both.** An erasure answers after the index has been purged; one that a crash cut
//!   short is finished before the store opens again.
//! - **A start is quick.** What the index holds is written down as work is done, and when the store is closed.

mod doctor;
mod erased;
mod files;
mod governed;
mod keeper;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use testimony_service::ports::index::{Index, IndexError};
use testimony_service::ports::ledger::audit::{Act, Seq};
use testimony_service::ports::ledger::{Ledger, LedgerError};

use crate::index::{self, HybridIndex, LedgerReplay, Replay};
use crate::ledger::{self, BackupReport, OpenError, SqliteLedger, Stats, helps};
use erased::Erased;
use governed::{Follower, Governed};
use keeper::{Keeper, Progress};

pub use doctor::{Examination, IndexFinding, IndexFindingKind};

/// The index in the folder of a store.
const INDEX: &str = "index";

/// By which name the index knows its ledger. Histories are told apart by the chain of events, not by names.
const LEDGER: &str = "ledger.sqlite";

/// How a store is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How its ledger is kept.
    pub ledger: ledger::Options,
    /// After how many changes of memories the index writes down what it holds; never before a quarter of it is new.
    pub changes_a_snapshot: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ledger: ledger::Options::default(),
            changes_a_snapshot: 10_000,
        }
    }
}

/// Why a store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The ledger could not be opened, restored or copied.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The ledger could not be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The index could not be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file beside both could not be used.
    #[error("{} could not be {doing}: {source}; {}", path.display(), helps(source))]
    File {
        /// What was being done, as a participle.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The store is being closed.
    #[error("the store is being closed; open it again")]
    Closing,
}

impl StoreError {
    /// Whether another process has the folder.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        matches!(self, Self::Open(OpenError::Locked { .. }))
    }
}

/// A ledger and the index that follows it.
///
/// What [`Store::ledger`] and [`Store::index`] gave away stays usable when the store is closed, and keeps the folder
/// locked as long as it is held.
pub struct Store {
    parts: Arc<Parts>,
    keeper: Keeper,
}

/// What a store shares with what it gave away.
pub(crate) struct Parts {
    pub(crate) ledger: Arc<SqliteLedger>,
    pub(crate) index: Arc<HybridIndex>,
    pub(crate) erased: Arc<Erased>,
}

impl Store {
    /// The file that remembers what was erased. It lies in the folder, and no backup holds it: what was erased after the
    /// backup must be known to whoever restores it.
    pub const ERASURES: &str = ledger::LIST_FILE;

    /// Whether a folder holds a store.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        ledger::is_in(folder)
    }

    /// Opens the store of a folder, and makes it where there is none.
    ///
    /// The index follows in the background: what it holds is found at once, and its health says how far it is.
    ///
    /// # Errors
    /// [`StoreError`] when the ledger cannot be opened, or the folder of the index cannot be used at all.
    pub fn open(folder: &Path, options: &Options) -> Result<Self, StoreError> {
        let ledger = SqliteLedger::open(folder, &options.ledger)?;
        Self::compose(ledger, Some(folder), options)
    }

    /// A store that is gone when it is closed, for people who embed it and for tests.
    ///
    /// # Errors
    /// [`StoreError`] when there is no place for it.
    pub fn open_in_memory() -> Result<Self, StoreError> {
        let ledger = SqliteLedger::open_in_memory()?;
        let store = Self::compose(ledger, None, &Options::default())?;
        store.wait_until_followed()?;
        Ok(store)
    }

    /// Makes a store in a folder that has none from a backup, with every erasure of the lists carried out again.
    ///
    /// An index that lies in the folder is thrown away and built anew: it may hold what the erasures took.
    ///
    /// # Errors
    /// [`StoreError`] when the folder has a ledger, or the backup is not sound.
    pub fn restore(
        backup: &Path,
        folder: &Path,
        lists: &[&Path],
        act: Act,
        options: &Options,
    ) -> Result<Self, StoreError> {
        let ledger = SqliteLedger::restore(backup, folder, lists, act, &options.ledger)?;
        // From here on the folder is locked, so nobody has the index open.
        files::throw_away(&folder.join(INDEX))?;
        Self::compose(ledger, Some(folder), options)
    }

    fn compose(
        ledger: SqliteLedger,
        folder: Option<&Path>,
        options: &Options,
    ) -> Result<Self, StoreError> {
        let ledger = Arc::new(ledger);
        let place = folder.map(|folder| folder.join(INDEX));
        let reader: Arc<dyn Ledger> = Arc::<SqliteLedger>::clone(&ledger);
        let replay: Arc<dyn Replay> = Arc::new(LedgerReplay(reader));
        let erased = Arc::new(Erased::remembered(folder, Arc::clone(&replay))?);
        if erased.left_something(&*ledger)? {
            // What it holds of the erased rows goes with everything else; the ledger has the rest.
            place.as_deref().map_or(Ok(()), files::throw_away)?;
        }
        let index = Arc::new(HybridIndex::open(index::Options {
            folder: place,
            ledger: LEDGER.to_owned(),
        })?);
        erased.note_all_gone(&*ledger)?;
        let progress = Arc::new(Progress::new(index.health().reached));
        ledger.observe(Arc::new(Follower::new(&index, &erased, &progress)));
        let parts = Arc::new(Parts {
            ledger,
            index,
            erased,
        });
        let keeper = Keeper::start(&parts, progress, replay, options.changes_a_snapshot)?;
        Ok(Self { parts, keeper })
    }

    /// The ledger, whose erasures answer after the index has been purged.
    #[must_use]
    pub fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(Governed(Arc::clone(&self.parts)))
    }

    /// The index.
    #[must_use]
    pub fn index(&self) -> Arc<dyn Index> {
        Arc::<HybridIndex>::clone(&self.parts.index)
    }

    /// What the writer of the ledger has done since the store was opened.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.parts.ledger.stats()
    }

    /// Copies the ledger as it is now into one file, and verifies the copy. The index is left out: it is a cache.
    ///
    /// # Errors
    /// [`StoreError`] when the file is there already, cannot be written, or is not sound; then it is not there.
    pub fn backup_to(&self, path: &Path) -> Result<BackupReport, StoreError> {
        Ok(self.parts.ledger.backup_to(path)?)
    }

    /// Returns once the index holds everything that the ledger held when the store was opened.
    ///
    /// # Errors
    /// [`StoreError::Closing`] when the store is closed before that.
    pub fn wait_until_followed(&self) -> Result<(), StoreError> {
        self.keeper.wait_until_followed()
    }

    /// Throws the index away and builds it again from the ledger, while the store is used; returns when it is built.
    ///
    /// # Errors
    /// [`StoreError::Closing`] when the store is closed before that.
    pub fn rebuild_index(&self) -> Result<(), StoreError> {
        self.keeper.rebuild()?;
        self.wait_until_followed()
    }

    /// Has the index write the words that wait in memory into its files; they are found before as well.
    ///
    /// # Errors
    /// [`StoreError`] when they could not be written; nothing is lost by that.
    pub fn flush_index(&self) -> Result<(), StoreError> {
        Ok(self.parts.index.flush()?)
    }

    /// Has the index write down what it holds, so that the next start need not replay it; returns how far that is.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be written; nothing is lost by that.
    pub fn snapshot(&self) -> Result<Seq, StoreError> {
        Ok(self.keeper.snapshot()?)
    }

    /// Closes the store, with the index written down.
    ///
    /// # Errors
    /// [`StoreError`] when the index could not be written down; nothing is lost by that.
    pub fn close(mut self) -> Result<(), StoreError> {
        Ok(self.keeper.stop()?)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Err(error) = self.keeper.stop() {
            tracing::warn!(%error, "the index could not be written down, and will be built from the ledger");
        }
    }
}
