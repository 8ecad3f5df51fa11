//! Opening a memory: the ledger, the index that follows it, and the service over both.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use testimony_domain::{Clock, Ids};
use testimony_embedding::{StaticEmbedder, TableError};
use testimony_service::ports::chance::Chance;
use testimony_service::ports::embedder::Embedder;
use testimony_service::ports::index::IndexError;
use testimony_service::ports::ledger::{CommitObserver, Ledger};
use testimony_service::{Parts, Service, ServiceSecret, SharedGate};
use testimony_storage::index::{HybridIndex, LedgerReplay, Options as IndexOptions, Replay};
use testimony_storage::ledger::{OpenError as LedgerOpenError, Options, SqliteLedger};

use crate::secret_file;
use crate::world::{SystemChance, SystemClock, SystemIds};

/// Why a memory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder could not be used.
    #[error("{} could not be used: {source}; check that it is a folder that you may write to", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The ledger could not be opened.
    #[error(transparent)]
    Ledger(#[from] LedgerOpenError),
    /// The index could not be opened.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The built-in embedder could not be loaded.
    #[error(transparent)]
    Embedder(#[from] TableError),
    /// The system gave no random bytes for the service's own secret.
    #[error(transparent)]
    NoChance(#[from] testimony_service::ports::chance::NoChance),
}

/// How a memory is to be opened.
pub struct Builder {
    embedder: Option<Arc<dyn Embedder>>,
    clock: Arc<dyn Clock + Send + Sync>,
    ids: Arc<dyn Ids + Send + Sync>,
    chance: Arc<dyn Chance>,
    gates: Vec<SharedGate>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            embedder: None,
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIds),
            chance: Arc::new(SystemChance),
            gates: Vec::new(),
        }
    }
}

impl Builder {
    /// Another embedder than the built-in one.
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// A gate of one's own, examined after the service's own gates; it can only tighten.
    #[must_use]
    pub fn gate(mut self, gate: SharedGate) -> Self {
        self.gates.push(gate);
        self
    }

    /// Another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock + Send + Sync>) -> Self {
        self.clock = clock;
        self
    }

    /// Other ids than the system's.
    #[must_use]
    pub fn ids(mut self, ids: Arc<dyn Ids + Send + Sync>) -> Self {
        self.ids = ids;
        self
    }

    /// Opens a memory in a folder, which is made where there is none.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open(self, folder: &Path) -> Result<Testimony, OpenError> {
        let unusable = |source| OpenError::Folder {
            folder: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let ledger = SqliteLedger::open(folder, &Options::default())?;
        // The ledger's lock is held from here on, so nobody else makes a secret at the same time.
        let secret = secret_file::read_or_make(folder, self.chance.as_ref()).map_err(unusable)?;
        self.over(ledger, Some(folder.join("index")), secret)
    }

    /// Opens a memory that is gone when it is dropped.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open_in_memory(self) -> Result<Testimony, OpenError> {
        let ledger = SqliteLedger::open_in_memory()?;
        let mut secret = [0; 32];
        self.chance.fill(&mut secret)?;
        self.over(ledger, None, ServiceSecret::new(secret))
    }

    fn over(
        self,
        ledger: SqliteLedger,
        folder: Option<PathBuf>,
        secret: ServiceSecret,
    ) -> Result<Testimony, OpenError> {
        let embedder = match self.embedder {
            Some(embedder) => embedder,
            None => Arc::new(StaticEmbedder::built_in()?),
        };
        let ledger: Arc<dyn Ledger> = Arc::new(ledger);
        let index = Arc::new(HybridIndex::open(IndexOptions {
            folder,
            ledger: "testimony".into(),
        })?);
        // It observes before it reads, so that no commit falls between the two.
        ledger.observe(Arc::clone(&index) as Arc<dyn CommitObserver>);
        let replay: Arc<dyn Replay> = Arc::new(LedgerReplay(Arc::clone(&ledger)));
        index.follow(replay);
        let service = Service::new(Parts {
            ledger,
            index,
            embedder,
            clock: self.clock,
            ids: self.ids,
            chance: self.chance,
            secret,
            gates: self.gates,
        });
        Ok(Testimony {
            service: Arc::new(service),
        })
    }
}

/// A memory.
#[derive(Clone)]
pub struct Testimony {
    service: Arc<Service>,
}

impl Testimony {
    /// Opens a memory in a folder with everything as it usually is.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, OpenError> {
        Builder::default().open(folder.as_ref())
    }

    /// Opens a memory that is gone when it is dropped, with everything as it usually is.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open_in_memory() -> Result<Self, OpenError> {
        Builder::default().open_in_memory()
    }

    /// Opening with something of one's own.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// What can be done with it.
    #[must_use]
    pub const fn service(&self) -> &Arc<Service> {
        &self.service
    }
}
