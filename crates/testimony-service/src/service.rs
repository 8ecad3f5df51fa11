//! The service: the use cases of this crate over the ports that somebody passes in.

use std::sync::{Arc, OnceLock};

use testimony_admission::reconcile::PairReader;
use testimony_domain::{Clock, Ids, RequestId};
use testimony_recall::TrustGate;
use testimony_recall::query::RowReader;

use crate::access::{AtHand, Meter, Passwords, Throttle, Tokens};
use crate::banks::Banks;
use crate::keyring::{Keyring, ServiceSecret};
use crate::models::{LOCAL_RERANKER, Models};
use crate::ports::chance::Chance;
use crate::ports::health::Health;
use crate::ports::index::Index;
use crate::ports::ledger::audit::{Act, Actor};
use crate::ports::ledger::{CommitObserver, Ledger};
use crate::read::{InSession, Journal, Lexicon, Shelf};
use crate::work::{Dependency, Embedders};

/// The version of the rules by which things are decided, as every event of the trail names it.
pub const RULES_VERSION: &str = "rules-2026.1";

/// A gate of somebody's own that serves many requests at once.
pub type SharedGate = Arc<dyn TrustGate + Send + Sync>;

/// A reader that serves many requests at once.
pub type SharedReader = Arc<dyn RowReader + Send + Sync>;

/// A reader of pairs that serves many requests at once.
pub type SharedPairReader = Arc<dyn PairReader + Send + Sync>;

/// What a service is made of.
pub struct Parts {
    /// Where everything is kept.
    pub ledger: Arc<dyn Ledger>,
    /// How it is found; it has to observe the ledger already.
    pub index: Arc<dyn Index>,
    /// What gives texts their meaning.
    pub embedders: Embedders,
    /// What time it is.
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Where ids come from.
    pub ids: Arc<dyn Ids + Send + Sync>,
    /// Where secrets come from.
    pub chance: Arc<dyn Chance>,
    /// The service's own secret.
    pub secret: ServiceSecret,
    /// Gates that the embedding program adds; they can only tighten.
    pub gates: Vec<SharedGate>,
}

/// The service. What it holds beside its parts is counted in memory, or a cache of the ledger.
pub struct Service {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) index: Arc<dyn Index>,
    pub(crate) embedders: Embedders,
    pub(crate) clock: Arc<dyn Clock + Send + Sync>,
    pub(crate) ids: Arc<dyn Ids + Send + Sync>,
    pub(crate) chance: Arc<dyn Chance>,
    pub(crate) keyring: Keyring,
    pub(crate) gates: Vec<SharedGate>,
    pub(crate) journal: Journal,
    /// Rows at hand; a cache of the ledger, which it follows.
    pub(crate) shelf: Arc<Shelf>,
    /// Keys and containers at hand; another.
    pub(crate) at_hand: Arc<AtHand>,
    /// What words of rows mean; it forgets with the ledger.
    pub(crate) lexicon: Arc<Lexicon>,
    pub(crate) meter: Meter,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    pub(crate) tokens: OnceLock<Arc<dyn Tokens>>,
    pub(crate) models: OnceLock<Models>,
    pub(crate) banks: OnceLock<Banks>,
    pub(crate) reader: OnceLock<SharedReader>,
    pub(crate) pair_reader: OnceLock<SharedPairReader>,
    /// Cases that a judge is hearing.
    pub(crate) in_session: InSession,
}

impl Service {
    /// A service of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let shelf = Arc::new(Shelf::default());
        let at_hand = Arc::new(AtHand::default());
        let lexicon = Arc::new(Lexicon::default());
        let followers: [Arc<dyn CommitObserver>; 3] =
            [shelf.clone(), at_hand.clone(), lexicon.clone()];
        for follower in followers {
            parts.ledger.observe(follower);
        }
        Self {
            shelf,
            at_hand,
            lexicon,
            journal: Journal::into_ledger(Arc::clone(&parts.ledger)),
            keyring: Keyring::of(&parts.secret),
            ledger: parts.ledger,
            index: parts.index,
            embedders: parts.embedders,
            clock: parts.clock,
            ids: parts.ids,
            chance: parts.chance,
            gates: parts.gates,
            meter: Meter::default(),
            passwords: Passwords::default(),
            throttle: Throttle::default(),
            tokens: OnceLock::new(),
            models: OnceLock::new(),
            banks: OnceLock::new(),
            reader: OnceLock::new(),
            pair_reader: OnceLock::new(),
            in_session: InSession::default(),
        }
    }

    /// Has tokens of others examined so from now on; without it only the service's own keys are known.
    ///
    /// It is said once, by whoever puts the service together; said again it counts for nothing and is `false`.
    pub fn believe(&self, tokens: Arc<dyn Tokens>) -> bool {
        self.tokens.set(tokens).is_ok()
    }

    /// Has these models asked from now on; without them none is, and everything that a model would do is said to be left
    /// out.
    ///
    /// It is said once, by whoever puts the service together; said again it counts for nothing and is `false`.
    pub fn ask_models(&self, models: Models) -> bool {
        self.models.set(models).is_ok()
    }

    /// Has the likeliest rows of a question read with it from now on; without a reader words and meanings alone say whether a
    /// row answers.
    ///
    /// It is said once, by whoever puts the service together; said again it counts for nothing and is `false`.
    pub fn read_with(&self, reader: SharedReader) -> bool {
        self.reader.set(reader).is_ok()
    }

    /// Has a new claim read with known rows near it from now on, where rules and tables leave open how they stand; without a
    /// reader both are kept there.
    ///
    /// It is said once, by whoever puts the service together; said again it counts for nothing and is `false`.
    pub fn read_pairs_with(&self, reader: SharedPairReader) -> bool {
        self.pair_reader.set(reader).is_ok()
    }

    /// How each model stands that was chosen; nobody is asked for it.
    #[must_use]
    pub fn model_health(&self) -> Vec<(Dependency, Health)> {
        self.models.get().map(Models::health).unwrap_or_default()
    }

    /// The names by which results can be ordered anew, the usual one first.
    #[must_use]
    pub fn reranking_backends(&self) -> Vec<String> {
        match self.models.get() {
            Some(models) => models.reranker_names().map(str::to_owned).collect(),
            None => vec![LOCAL_RERANKER.to_owned()],
        }
    }

    /// Whose tokens are believed beside the service's own keys.
    #[must_use]
    pub fn issuers(&self) -> Vec<String> {
        let tokens = self.tokens.get();
        tokens.map_or_else(Vec::new, |tokens| tokens.issuers())
    }

    /// The one truth that the service works on.
    #[must_use]
    pub const fn ledger(&self) -> &Arc<dyn Ledger> {
        &self.ledger
    }

    /// The index that the service searches.
    #[must_use]
    pub const fn index(&self) -> &Arc<dyn Index> {
        &self.index
    }

    /// Whether what is read is written down: the trail of reads, and what the echo guard knows.
    #[must_use]
    pub fn journal_health(&self) -> Health {
        self.journal.health()
    }

    pub(crate) fn act(&self, actor: Actor, request: Option<RequestId>) -> Act {
        Act {
            actor,
            at: self.clock.now(),
            request,
            rules: RULES_VERSION,
        }
    }
}
