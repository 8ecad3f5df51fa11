//! Which model is asked for what, as whoever puts the service together says it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testimony_domain::SourceLabel;

use crate::ports::health::Health;
use crate::ports::models::{ChatModel, ModelUse, Reranker};
use crate::work::Dependency;

/// The name of the order that the service makes by itself, without a model.
pub const LOCAL_RERANKER: &str = "local";

/// So many questions are with models at a time; one more is answered as if its model were busy. Whoever waits for a model
/// holds a thread, and a slow provider must not hold them all.
const AT_ONCE: usize = 32;

/// How long each use is waited for, where nothing else was said. A caller waits for all but the third.
const PATIENCE: [(ModelUse, Duration); ModelUse::ALL.len()] = [
    (ModelUse::Synthesis, Duration::from_secs(45)),
    (ModelUse::Judge, Duration::from_secs(45)),
    (ModelUse::Extraction, Duration::from_secs(90)),
    (ModelUse::Rewriting, Duration::from_secs(8)),
];
/// How long an order is waited for.
const RERANKING_PATIENCE: Duration = Duration::from_secs(8);

/// Why models could not be chosen so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelsError {
    /// A reranker cannot be named so.
    #[error(
        "a reranker cannot be named `{LOCAL_RERANKER}` or like another; give it a name of its own"
    )]
    Name,
}

/// The models of a service. Whatever is not chosen is not asked, and the service does without.
#[derive(Default)]
pub struct Models {
    chosen: Vec<(ModelUse, Chosen)>,
    rerankers: Vec<(SourceLabel, Arc<dyn Reranker>)>,
    asked: Arc<AtomicUsize>,
}

/// A model for a use.
#[derive(Clone)]
pub(crate) struct Chosen {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) patience: Duration,
}

impl Models {
    /// Has a model asked for a use, in place of another that was chosen for it.
    #[must_use]
    pub fn asking(self, purpose: ModelUse, model: Arc<dyn ChatModel>) -> Self {
        let usual = PATIENCE.iter().find(|(known, _)| *known == purpose);
        let patience = usual.map_or(RERANKING_PATIENCE, |(_, patience)| *patience);
        self.waiting(purpose, model, patience)
    }

    /// The same, waited for so long.
    #[must_use]
    pub fn waiting(
        mut self,
        purpose: ModelUse,
        model: Arc<dyn ChatModel>,
        patience: Duration,
    ) -> Self {
        self.chosen.retain(|(known, _)| *known != purpose);
        self.chosen.push((purpose, Chosen { model, patience }));
        self
    }

    /// Lets callers have results ordered by this one, under a name. The first is the usual one.
    ///
    /// # Errors
    /// [`ModelsError`] when another has that name.
    pub fn reranking(
        mut self,
        name: SourceLabel,
        reranker: Arc<dyn Reranker>,
    ) -> Result<Self, ModelsError> {
        let is_taken = self.reranker(name.as_str()).is_some() || name.as_str() == LOCAL_RERANKER;
        if is_taken {
            return Err(ModelsError::Name);
        }
        self.rerankers.push((name, reranker));
        Ok(self)
    }

    /// The model of a use.
    pub(crate) fn of(&self, purpose: ModelUse) -> Option<&Chosen> {
        let found = self.chosen.iter().find(|(known, _)| *known == purpose);
        found.map(|(_, chosen)| chosen)
    }

    pub(crate) fn reranker(&self, name: &str) -> Option<&Arc<dyn Reranker>> {
        let found = self
            .rerankers
            .iter()
            .find(|(known, _)| known.as_str() == name);
        found.map(|(_, reranker)| reranker)
    }

    /// The names under which results can be ordered, the usual one first.
    pub(crate) fn reranker_names(&self) -> impl Iterator<Item = &str> {
        let remote = self.rerankers.iter().map(|(name, _)| name.as_str());
        remote.chain([LOCAL_RERANKER])
    }

    pub(crate) const fn reranking_patience() -> Duration {
        RERANKING_PATIENCE
    }

    /// Takes a place among those who wait for a model, where there is one.
    pub(crate) fn take_place(&self) -> Option<Place> {
        let place = Place(Arc::clone(&self.asked));
        // The place is given back when it is dropped, also where there was none left.
        (self.asked.fetch_add(1, Ordering::SeqCst) < AT_ONCE).then_some(place)
    }

    /// How each of the chosen models stands.
    pub(crate) fn health(&self) -> Vec<(Dependency, Health)> {
        let of_use = |(purpose, chosen): &(ModelUse, Chosen)| {
            let dependency = match purpose {
                ModelUse::Synthesis => Dependency::Synthesis,
                ModelUse::Judge => Dependency::Judge,
                ModelUse::Extraction => Dependency::Extraction,
                ModelUse::Rewriting => Dependency::Rewriting,
            };
            (dependency, chosen.model.health())
        };
        let mut all: Vec<_> = self.chosen.iter().map(of_use).collect();
        let worst = self.rerankers.iter().map(|(_, it)| it.health());
        let worst = worst.max_by_key(|health| (!health.is_available(), health.because().is_some()));
        all.extend(worst.map(|health| (Dependency::Reranker, health)));
        all
    }
}

/// A place among those who wait for a model.
pub(crate) struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let uses: Vec<&str> = self.chosen.iter().map(|(it, _)| it.as_str()).collect();
        let orders: Vec<&str> = self.reranker_names().collect();
        f.debug_struct("Models")
            .field("uses", &uses)
            .field("orders", &orders)
            .finish()
    }
}
