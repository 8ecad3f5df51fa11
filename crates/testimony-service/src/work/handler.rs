//! What works on jobs of a kind, and what it may ask of the worker that calls it.

use testimony_domain::Timestamp;

use super::next::Outcome;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::{Commit, Fate, Ledger, LedgerError, Writer};

/// Works on jobs of a kind.
///
/// A job may be worked on twice, since a lease can run out: what a handler does is the same, done once or twice.
pub trait Handler: Send + Sync {
    /// Which jobs.
    fn kind(&self) -> JobKind;

    /// How many of them at once, at most.
    fn at_once(&self) -> usize;

    /// Whether there is any use in taking some now.
    fn readiness(&self) -> Readiness;

    /// Works on jobs; one outcome for each, in their order. A job for which there is none counts as failed.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger fails; then the jobs stay taken until their lease runs out.
    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError>;
}

/// Whether there is any use in taking jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// There is.
    Ready,
    /// There is for some of them; others will have to wait.
    Partly {
        /// What is missing for those; no content.
        because: String,
    },
    /// There is not: what all of them need is not there.
    Waits {
        /// Before when nobody need look again.
        until: Timestamp,
        /// What is missing; no content.
        because: String,
    },
}

/// What a handler may ask of the worker that calls it.
pub struct Shift<'a> {
    pub(super) ledger: &'a dyn Ledger,
    pub(super) act: &'a (dyn Fn() -> crate::ports::ledger::audit::Act + 'a),
    pub(super) keep_leases: &'a (dyn Fn() -> Result<bool, LedgerError> + 'a),
}

impl Shift<'_> {
    /// The ledger, to be read.
    #[must_use]
    pub fn ledger(&self) -> &dyn Ledger {
        self.ledger
    }

    /// Carries work out as the service, now.
    ///
    /// # Errors
    /// [`LedgerError`] as of [`Ledger::submit`].
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Writer) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<(T, Commit), LedgerError> {
        let act = (self.act)();
        self.ledger.write(act, move |writer| {
            work(writer).map(|value| (Fate::Keep, value))
        })
    }

    /// Keeps the leases for another while, and says whether to go on. Not when the worker stops, or somebody else has
    /// taken one of the jobs; what is unfinished is said to be so then.
    ///
    /// # Errors
    /// [`LedgerError`] when the leases could not be kept.
    pub fn goes_on(&self) -> Result<bool, LedgerError> {
        (self.keep_leases)()
    }
}

impl Readiness {
    /// What is missing, where something is.
    #[must_use]
    pub fn missing(&self) -> Option<&str> {
        match self {
            Self::Ready => None,
            Self::Partly { because } | Self::Waits { because, .. } => Some(because),
        }
    }
}
