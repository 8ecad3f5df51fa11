//! Opening a memory: the ledger, the index that follows it, and the service over both.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use testimony_domain::{Clock, Ids, Timestamp};
use testimony_embedding::{StaticEmbedder, TableError};
use testimony_service::ports::chance::{Chance, NoChance};
use testimony_service::ports::embedder::Embedder;
use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::audit::{Act, Actor, ChainHead, EventFilter, Seq};
use testimony_service::ports::ledger::{LedgerError, Page};
use testimony_service::upkeep::{Retention, Upkeep};
use testimony_service::work::{
    Compare, Crew, Dependency, Distill, Embed, Embedders, Handler, Reembed, WorkRules, Worker,
    dependencies, order_reembedding,
};
use testimony_service::{Banks, Models, Parts, RULES_VERSION, Service, ServiceSecret, SharedGate};
use testimony_storage::store::{Options, Store, StoreError};

use crate::secret_file;
use crate::steady::SteadyClock;
use crate::world::{SystemChance, SystemClock, SystemIds};

/// So many rows get their vectors in one step of the work behind answers.
const EMBEDDED_AT_ONCE: usize = 64;
/// So many threads work behind answers, so that nobody waits for a vector while a model reads and a memory bank is asked.
const THREADS: usize = 3;
/// So many rows of each kind are looked after in one step of the upkeep.
const KEPT_AT_ONCE: usize = 500;

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
    /// Ledger or index could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The ledger could not be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The built-in embedder could not be loaded.
    #[error(transparent)]
    Embedder(#[from] TableError),
    /// The system gave no random bytes for the service's own secret.
    #[error(transparent)]
    NoChance(#[from] NoChance),
    /// The system gave no thread for the work behind answers.
    #[error("no thread could be started for the work behind answers: {0}; try again")]
    NoThread(std::io::Error),
}

impl OpenError {
    /// Whether another process has the memory.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_locked())
    }
}

/// How a memory is to be opened.
pub struct Builder {
    embedder: Option<Arc<dyn Embedder>>,
    former: Vec<Arc<dyn Embedder>>,
    clock: Option<Arc<dyn Clock + Send + Sync>>,
    ids: Arc<dyn Ids + Send + Sync>,
    chance: Arc<dyn Chance>,
    gates: Vec<SharedGate>,
    models: Option<Models>,
    banks: Option<Banks>,
    retention: Retention,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            embedder: None,
            former: Vec::new(),
            clock: None,
            ids: Arc::new(SystemIds::default()),
            chance: Arc::new(SystemChance),
            gates: Vec::new(),
            models: None,
            banks: None,
            retention: Retention::default(),
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

    /// An embedder of before. Containers whose vectors are by it are searched by meaning with it until they have new ones.
    #[must_use]
    pub fn former_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.former.push(embedder);
        self
    }

    /// A gate of one's own, examined after the service's own gates; it can only tighten.
    #[must_use]
    pub fn gate(mut self, gate: SharedGate) -> Self {
        self.gates.push(gate);
        self
    }

    /// Models that are asked; without them none is.
    #[must_use]
    pub fn models(mut self, models: Models) -> Self {
        self.models = Some(models);
        self
    }

    /// Memory banks elsewhere that rows are compared with; without them nothing is sent to any.
    #[must_use]
    pub fn banks(mut self, banks: Banks) -> Self {
        self.banks = Some(banks);
        self
    }

    /// For how long what is kept that ends by itself, where the usual is not right.
    #[must_use]
    pub const fn retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }

    /// Another clock than the system's. The system's is kept from going back; this one is taken as it is.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock + Send + Sync>) -> Self {
        self.clock = Some(clock);
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
        make_folder(folder).map_err(unusable)?;
        let store = Store::open(folder, &Options::default())?;
        // The lock of the store is held from here on, so nobody else makes a secret at the same time.
        let secret = secret_file::read_or_make(folder, self.chance.as_ref()).map_err(unusable)?;
        self.over(store, secret, Some(folder))
    }

    /// Opens a memory that is gone when it is dropped.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open_in_memory(self) -> Result<Testimony, OpenError> {
        let store = Store::open_in_memory()?;
        let mut secret = [0; 32];
        self.chance.fill(&mut secret)?;
        self.over(store, ServiceSecret::new(secret), None)
    }

    fn over(
        self,
        store: Store,
        secret: ServiceSecret,
        folder: Option<&Path>,
    ) -> Result<Testimony, OpenError> {
        let steady = Arc::new(SteadyClock::of(folder, last_event(&store)?));
        let clock = self.clock.unwrap_or_else(|| steady.clone());
        let embedders = embedders(self.embedder, self.former)?;
        order_reembedding(
            store.ledger().as_ref(),
            embedders.wanted().identity(),
            (clock.as_ref(), self.ids.as_ref()),
            RULES_VERSION,
        )?;
        let service = Arc::new(Service::new(Parts {
            ledger: store.ledger(),
            index: store.index(),
            embedders: embedders.clone(),
            clock: Arc::clone(&clock),
            ids: self.ids,
            chance: self.chance,
            secret,
            gates: self.gates,
        }));
        self.models.map(|models| service.ask_models(models));
        self.banks.map(|banks| service.compare_with(banks));
        let worker = worker(&service, clock, &embedders, self.retention);
        let crew = Crew::start(Arc::new(worker), THREADS).map_err(OpenError::NoThread)?;
        Ok(Testimony {
            inner: Arc::new(Inner {
                service,
                crew,
                embedders,
                store,
                steady,
            }),
        })
    }
}

/// The embedder that is wanted, the built-in one where nobody names another, and those of before.
fn embedders(
    wanted: Option<Arc<dyn Embedder>>,
    former: Vec<Arc<dyn Embedder>>,
) -> Result<Embedders, TableError> {
    let wanted = match wanted {
        Some(embedder) => embedder,
        None => Arc::new(StaticEmbedder::built_in()?),
    };
    let former = former.into_iter();
    Ok(former.fold(Embedders::new(wanted), Embedders::and))
}

/// When the last thing was written.
fn last_event(store: &Store) -> Result<Option<Timestamp>, LedgerError> {
    let head = store.ledger().head()?;
    let last = Page {
        after: Some(Seq(head.seq.0.saturating_sub(1))),
        limit: 1,
    };
    let ledger = store.ledger();
    let events = ledger.reader()?.events(&EventFilter::default(), last)?;
    Ok(events.first().map(|event| event.at))
}

/// A folder that nobody but its owner looks into.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// What is done behind answers: rows get vectors that could not be made at once, and time is looked after.
fn worker(
    service: &Arc<Service>,
    clock: Arc<dyn Clock + Send + Sync>,
    embedders: &Embedders,
    retention: Retention,
) -> Worker {
    let ledger = Arc::clone(service.ledger());
    let handlers: Vec<Box<dyn Handler>> = vec![
        Box::new(Compare::new(Arc::clone(service))),
        Box::new(Distill::new(Arc::clone(service))),
        Box::new(Embed::new(embedders.clone(), EMBEDDED_AT_ONCE)),
        Box::new(Reembed::new(embedders.clone(), EMBEDDED_AT_ONCE)),
    ];
    let upkeep = Upkeep::new(Arc::clone(&ledger), retention, KEPT_AT_ONCE, RULES_VERSION);
    Worker::new(
        ledger,
        clock,
        handlers,
        upkeep,
        WorkRules::new(RULES_VERSION),
    )
}

/// A memory. Clones share it; it is closed with the last of them.
#[derive(Clone)]
pub struct Testimony {
    inner: Arc<Inner>,
}

/// What a memory is made of, in the order in which it is taken apart.
struct Inner {
    service: Arc<Service>,
    crew: Crew,
    embedders: Embedders,
    store: Store,
    steady: Arc<SteadyClock>,
}

impl Testimony {
    /// Opens a memory in a folder with everything as it usually is.
    ///
    /// # Errors
    /// [`OpenError`] when it could not be opened.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, OpenError> {
        Builder::default().open(folder.as_ref())
    }

    /// Makes a memory in a folder that has none from a backup, with every erasure of the lists carried out again.
    ///
    /// Keys of before are good only where the service's own secret comes back with it: see [`Testimony::SECRET`].
    ///
    /// # Errors
    /// [`OpenError`] when the folder has a memory, or the backup is not sound.
    pub fn restore(
        backup: &Path,
        folder: &Path,
        erasures: &[&Path],
    ) -> Result<ChainHead, OpenError> {
        let was_there = folder.exists();
        make_folder(folder).map_err(|source| OpenError::Folder {
            folder: folder.to_owned(),
            source,
        })?;
        let act = Act {
            actor: Actor::Host,
            at: SystemClock.now(),
            request: None,
            rules: RULES_VERSION,
        };
        let restored = Store::restore(backup, folder, erasures, act, &Options::default());
        let store = restored.inspect_err(|_| {
            // Nothing came of it, so nothing is left of it; a folder that holds anything stays.
            if !was_there {
                let _ = std::fs::remove_dir(folder);
            }
        })?;
        store.wait_until_followed()?;
        let head = store.ledger().head()?;
        store.close()?;
        Ok(head)
    }

    /// The file of the service's own secret in the folder of a memory, by which keys are known again. A backup of the
    /// ledger leaves it out.
    pub const SECRET: &str = secret_file::FILE;

    /// The file of a folder that remembers what was erased.
    pub const ERASURES: &str = Store::ERASURES;

    /// Whether a folder holds a memory.
    #[must_use]
    pub fn is_in(folder: impl AsRef<Path>) -> bool {
        Store::is_in(folder.as_ref())
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
    pub fn service(&self) -> &Arc<Service> {
        &self.inner.service
    }

    /// The ledger and its index: backups, snapshots, the doctor.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// How far the clock of the machine is behind the latest moment that this memory has seen; time goes on from there.
    #[must_use]
    pub fn clock_is_behind(&self) -> Duration {
        self.inner.steady.behind()
    }

    /// How each of the things that it rests on stands.
    #[must_use]
    pub fn health(&self) -> Vec<(Dependency, Health)> {
        let Inner {
            service,
            embedders,
            store,
            crew,
            steady: _,
        } = self.inner.as_ref();
        let journal = service.journal_health();
        let mut all = dependencies(embedders, &store.index().health(), crew, journal).to_vec();
        all.extend(service.model_health());
        all.extend(service.bank_health());
        all
    }
}
