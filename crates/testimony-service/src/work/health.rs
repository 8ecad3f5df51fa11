//! How the service stands: each of its dependencies by name, with why it is not as it should be.

use testimony_domain::words;

use super::crew::Crew;
use super::embedders::Embedders;
use crate::ports::health::Health;
use crate::ports::index::{IndexHealth, IndexState};

words! {
    /// What the service rests on beside the ledger, without which there is none.
    pub enum Dependency {
        /// Texts as vectors.
        Embedder = "embedder",
        /// What finds candidates.
        Index = "index",
        /// What is done later.
        Jobs = "jobs",
        /// The model that phrases replies.
        Synthesis = "model_synthesis",
        /// The model that judges cases.
        Judge = "model_judge",
        /// The model that draws statements from texts.
        Extraction = "model_extraction",
        /// The model that puts questions into other words.
        Rewriting = "model_rewriting",
        /// What orders results anew.
        Reranker = "reranker",
        /// What was read, written down.
        Journal = "journal",
        /// The models that are configured, all together.
        Models = "models",
        /// The memory banks that rows are compared with, all together.
        Banks = "memory_banks",
    }
}

/// How each dependency stands.
#[must_use]
pub fn dependencies(
    embedders: &Embedders,
    index: &IndexHealth,
    crew: &Crew,
    journal: Health,
) -> [(Dependency, Health); 4] {
    [
        (Dependency::Embedder, embedders.health()),
        (Dependency::Index, of_index(index)),
        (Dependency::Jobs, crew.health()),
        (Dependency::Journal, journal),
    ]
}

/// The health that an index tells of itself, in the words of all.
#[must_use]
pub fn of_index(index: &IndexHealth) -> Health {
    match &index.state {
        IndexState::Ready => Health::Healthy,
        IndexState::Rebuilding { because } => Health::degraded(format!(
            "it is being built again and looks at every row meanwhile, {} of {}: {because}",
            index.reached, index.ledger
        )),
        IndexState::Degraded { because } => Health::degraded(format!(
            "it cannot be written and answers from memory: {because}"
        )),
    }
}

/// The health of all together. Each of them can be done without, so that one that is gone makes answers poorer and not
/// impossible.
#[must_use]
pub fn overall(dependencies: &[(Dependency, Health)]) -> Health {
    let told = dependencies.iter().filter_map(|(name, health)| {
        let because = health.because()?;
        Some(format!("{name}: {because}"))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        Health::Healthy
    } else {
        Health::degraded(told.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::ledger::audit::Seq;

    #[test]
    fn an_index_that_is_being_built_is_degraded_and_says_how_far_it_is() {
        let index = |state| IndexHealth {
            reached: Seq(7),
            ledger: Seq(90),
            rows: 3,
            state,
        };
        assert_eq!(of_index(&index(IndexState::Ready)), Health::Healthy);
        let because = "a file was damaged".to_owned();
        let building = of_index(&index(IndexState::Rebuilding { because }));
        assert!(building.is_available());
        assert!(
            building
                .because()
                .unwrap()
                .contains("7 of 90: a file was damaged")
        );
    }

    #[test]
    fn all_together_are_as_ill_as_what_is_told_of_each() {
        let well = (Dependency::Index, Health::Healthy);
        assert_eq!(overall(std::slice::from_ref(&well)), Health::Healthy);
        let down = (Dependency::Embedder, Health::unavailable("nobody listens"));
        assert_eq!(
            overall(&[well, down]),
            Health::degraded("embedder: nobody listens")
        );
    }
}
