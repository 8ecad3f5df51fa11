//! The embedders that a service has at hand, and which of them speaks for a container.

use std::sync::Arc;

use testimony_domain::Timestamp;

use super::handler::Readiness;
use crate::ports::embedder::{Embedder, EmbedderIdentity};
use crate::ports::health::Health;
use crate::ports::ledger::containers::Container;

/// The embedder that is wanted, and others by which containers may have been embedded before.
#[derive(Clone)]
pub struct Embedders {
    wanted: Arc<dyn Embedder>,
    others: Vec<Arc<dyn Embedder>>,
}

impl Embedders {
    /// One embedder for everything.
    #[must_use]
    pub fn new(wanted: Arc<dyn Embedder>) -> Self {
        Self {
            wanted,
            others: Vec::new(),
        }
    }

    /// Has another one at hand, so that a container whose vectors are by it is searched by meaning until it has new ones.
    #[must_use]
    pub fn and(mut self, other: Arc<dyn Embedder>) -> Self {
        self.others.push(other);
        self
    }

    /// The one that new containers get, and old ones in the end.
    #[must_use]
    pub fn wanted(&self) -> &Arc<dyn Embedder> {
        &self.wanted
    }

    /// The one with this identity.
    #[must_use]
    pub fn by(&self, identity: &EmbedderIdentity) -> Option<&Arc<dyn Embedder>> {
        self.all().find(|each| each.identity() == identity)
    }

    /// The one by which a row of a container gets its vector, and a question about it its meaning: the container's own
    /// where it is at hand, else the wanted one.
    #[must_use]
    pub fn of(&self, container: &Container) -> &Arc<dyn Embedder> {
        let own = container.embedder.as_ref();
        own.and_then(|identity| self.by(identity))
            .unwrap_or(&self.wanted)
    }

    /// The one that says what single words mean: this one where it does, else one that is at hand.
    pub(crate) fn of_words<'a>(
        &'a self,
        first: &'a Arc<dyn Embedder>,
    ) -> Option<&'a Arc<dyn Embedder>> {
        std::iter::once(first)
            .chain(self.all())
            .find(|each| each.reads_words())
    }

    /// How they stand: as the wanted one does, and no better than degraded while another one is down.
    #[must_use]
    pub fn health(&self) -> Health {
        let name = |each: &Arc<dyn Embedder>| format!("`{}`", each.identity().name);
        match self.wanted.health() {
            Health::Healthy => {}
            Health::Degraded { because } => {
                return Health::degraded(format!("{}: {because}", name(&self.wanted)));
            }
            Health::Unavailable { because } => {
                return Health::unavailable(format!("{}: {because}", name(&self.wanted)));
            }
        }
        let ill = self.others.iter().find_map(|each| {
            let health = each.health();
            health
                .because()
                .map(|because| format!("{}: {because}", name(each)))
        });
        ill.map_or(Health::Healthy, Health::degraded)
    }

    /// Whether any of them is worth asking.
    pub(super) fn readiness(&self) -> Readiness {
        let rests: Vec<Option<Timestamp>> = self.all().map(|each| each.rests_until()).collect();
        let resting = rests.iter().flatten();
        let Some(until) = resting.clone().min().copied() else {
            return Readiness::Ready;
        };
        let because = self.health().because().map(str::to_owned);
        let because = because.unwrap_or_else(|| "an embedder does not answer".to_owned());
        if resting.count() < rests.len() {
            Readiness::Partly { because }
        } else {
            Readiness::Waits { until, because }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Arc<dyn Embedder>> {
        std::iter::once(&self.wanted).chain(&self.others)
    }
}
