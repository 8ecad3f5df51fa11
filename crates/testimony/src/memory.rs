//! Opening a memory: the ledger, the index that follows it, and the service over both.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use testimony_domain::{Clock, Ids, Timestamp};
use testimony_embedding::reading::ReaderError;
use testimony_embedding::{BuiltInReader, StaticEmbedder, TableError};
use testimony_service::ports::chance::{Chance, NoChance};
use testimony_service::ports::embedder::Embedder;
use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::audit::{Act, Actor, ChainHead, EventFilter, Seq};
use testimony_service::ports::ledger::{LedgerError, Page};
use testimony_service::upkeep::{Retention, Upkeep};
use testimony_service::work::{
    Compare, Crew, Dependency, Distill, Embed, Embedders, Handler, Reembed, Reembedding, WorkRules,
    Worker, dependencies, order_reembedding,
};
use testimony_service::{
    Banks, Models, Parts, RULES_VERSION, Service, ServiceSecret, SharedGate, SharedPairReader,
    SharedReader,
};
use testimony_storage::store::{Options, Store, StoreError};

use crate::secret_file::{self, SecretError};
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
    /// The service's own secret could not be had.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The built-in embedder could not be loaded.
    #[error(transparent)]
    Embedder(#[from] TableError),
    /// The built-in reader could not be loaded.
    #[error(transparent)]
    Reader(#[from] ReaderError),
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

/// Who reads two texts together.
enum Reads<R> {
    /// The reader in the binary.
    BuiltIn,
    By(R),
    Nobody,
}

impl<R> Reads<R> {
    fn reader(self, shared: fn(BuiltInReader) -> R) -> Result<Option<R>, ReaderError> {
        match self {
            Self::BuiltIn => Ok(Some(shared(BuiltInReader::new()?))),
            Self::By(reader) => Ok(Some(reader)),
            Self::Nobody => Ok(None),
        }
    }
}

/// Who reads for a memory.
struct Readers {
    rows: Reads<SharedReader>,
    pairs: Reads<SharedPairReader>,
}

impl Readers {
    fn read_for(self, service: &Service) -> Result<(), ReaderError> {
        let rows = self.rows.reader(|it| Arc::new(it))?;
        rows.map(|reader| service.read_with(reader));
        let pairs = self.pairs.reader(|it| Arc::new(it))?;
        pairs.map(|reader| service.read_pairs_with(reader));
        Ok(())
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
    readers: Readers,
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
            readers: Readers {
                rows: Reads::BuiltIn,
                pairs: Reads::BuiltIn,
            },
            retention: Retention::default(),
        }
    }
}

impl Builder {
    /// Another embedder than the built-in one, which stays at hand: what is by it is found by meaning until it is
    /// embedded again, and words are compared by it where the other one does not read single words.
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

    /// Whoever reads the likeliest rows with the question before them; without one it is the reader in the binary.
    #[must_use]
    pub fn reader(mut self, reader: SharedReader) -> Self {
        self.readers.rows = Reads::By(reader);
        self
    }

    /// Whoever reads what comes in with what is known, where rules leave open how they stand; without one it is the reader in
    /// the binary.
    #[must_use]
    pub fn pair_reader(mut self, reader: SharedPairReader) -> Self {
        self.readers.pairs = Reads::By(reader);
        self
    }

    /// Nobody reads: words and meanings alone say whether a row answers, and how a new one stands to known ones.
    #[must_use]
    pub fn unread(mut self) -> Self {
        self.readers = Readers {
            rows: Reads::Nobody,
            pairs: Reads::Nobody,
        };
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
        let secret = secret_file::read_or_make(folder, self.chance.as_ref(), || has_keys(&store))?;
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
        let reembedding = order_reembedding(
            store.ledger().as_ref(),
            &embedders,
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
        self.readers.read_for(&service)?;
        let crew = crew(&service, clock, &embedders, self.retention)?;
        Ok(Testimony {
            inner: Arc::new(Inner {
                service,
                crew,
                embedders,
                reembedding,
                store,
                steady,
            }),
        })
    }
}

/// The embedder that is wanted, the built-in one where nobody names another, and those of before, each once.
///
/// The built-in one is always at hand. It is in the program anyway, and a memory that was begun without a word about
/// embedders is by it.
fn embedders(
    wanted: Option<Arc<dyn Embedder>>,
    former: Vec<Arc<dyn Embedder>>,
) -> Result<Embedders, TableError> {
    let built_in: Arc<dyn Embedder> = Arc::new(StaticEmbedder::built_in()?);
    let wanted = wanted.unwrap_or_else(|| Arc::clone(&built_in));
    let others = former.into_iter().chain([built_in]);
    Ok(others.fold(Embedders::new(wanted), |all, other| {
        match all.by(other.identity()) {
            Some(_) => all,
            None => all.and(other),
        }
    }))
}

/// Whether keys were made in a ledger.
fn has_keys(store: &Store) -> Result<bool, OpenError> {
    let ledger = store.ledger();
    let keys = ledger.reader()?.keys(Page::first(1))?;
    Ok(!keys.is_empty())
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

/// The secret in a file that somebody names.
fn secret_of(path: &Path) -> Result<[u8; 32], SecretError> {
    secret_file::read(path)?.ok_or_else(|| SecretError::File {
        doing: "read",
        path: path.to_owned(),
        source: std::io::ErrorKind::NotFound.into(),
    })
}

/// Puts the secret of before into a folder; where there is none, a new one that no key of before was made with.
fn begin_with(folder: &Path, secret: Option<[u8; 32]>) -> Result<(), SecretError> {
    match secret {
        Some(secret) => secret_file::put(folder, &secret),
        None => secret_file::read_or_make(folder, &SystemChance, || Ok(false)).map(drop),
    }
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
fn crew(
    service: &Arc<Service>,
    clock: Arc<dyn Clock + Send + Sync>,
    embedders: &Embedders,
    retention: Retention,
) -> Result<Crew, OpenError> {
    let ledger = Arc::clone(service.ledger());
    let handlers: Vec<Box<dyn Handler>> = vec![
        Box::new(Compare::new(Arc::clone(service))),
        Box::new(Distill::new(Arc::clone(service))),
        Box::new(Embed::new(embedders.clone(), EMBEDDED_AT_ONCE)),
        Box::new(Reembed::new(embedders.clone(), EMBEDDED_AT_ONCE)),
    ];
    let upkeep = Upkeep::new(Arc::clone(&ledger), retention, KEPT_AT_ONCE, RULES_VERSION);
    let worker = Worker::new(
        ledger,
        clock,
        handlers,
        upkeep,
        WorkRules::new(RULES_VERSION),
    );
    Crew::start(Arc::new(worker), THREADS).map_err(OpenError::NoThread)
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
    reembedding: Reembedding,
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
    /// Keys of before are good only where the service's own secret comes back with it, from the file that `secret` names:
    /// see [`Testimony::SECRET`]. Without one the memory begins with a new secret, and no key of before is known.
    ///
    /// # Errors
    /// [`OpenError`] when the folder has a memory, or the backup or the secret is not sound.
    pub fn restore(
        backup: &Path,
        folder: &Path,
        erasures: &[&Path],
        secret: Option<&Path>,
    ) -> Result<ChainHead, OpenError> {
        let secret = secret.map(secret_of).transpose()?;
        if secret.is_some() {
            secret_file::must_be_free(folder)?;
        }
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
        begin_with(folder, secret)?;
        store.wait_until_followed()?;
        let head = store.ledger().head()?;
        store.close()?;
        Ok(head)
    }

    /// Has a memory whose own secret is lost begin with a new one. No key of before is known any more.
    ///
    /// # Errors
    /// [`OpenError`] when the folder has a secret, or could not be used.
    pub fn begin_with_new_secret(folder: &Path) -> Result<(), OpenError> {
        // Whoever has the memory open has its secret too.
        let store = Store::open(folder, &Options::default())?;
        secret_file::make(folder, &SystemChance)?;
        store.close()?;
        Ok(())
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

    /// What had to be embedded again when it was opened, because another embedder is wanted than before.
    #[must_use]
    pub fn reembedding(&self) -> &Reembedding {
        &self.inner.reembedding
    }

    /// How each of the things that it rests on stands.
    #[must_use]
    pub fn health(&self) -> Vec<(Dependency, Health)> {
        let Inner {
            service,
            embedders,
            reembedding: _,
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
