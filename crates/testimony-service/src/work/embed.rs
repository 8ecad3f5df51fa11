//! The handler of `embed`: memories whose vector could not be made when they were written get it.

use testimony_domain::{ContainerTag, Memory, MemoryId, State};

use super::embedders::Embedders;
use super::handler::{Handler, Readiness, Shift};
use super::next::Outcome;
use super::worker::still_there;
use crate::ports::embedder::{EmbedError, EmbedderIdentity, Vector};
use crate::ports::ledger::embeddings::Embedding;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::{LedgerError, Reader, Writer};

/// Gives memories their vectors, many at once.
pub struct Embed {
    embedders: Embedders,
    at_once: usize,
}

/// A job with its memory, which is there and has no vector yet.
struct Bare {
    /// Which of the jobs.
    place: usize,
    memory: Memory,
    embedder: EmbedderIdentity,
}

impl Embed {
    /// A handler with these embedders, which takes so many memories at once.
    #[must_use]
    pub fn new(embedders: Embedders, at_once: usize) -> Self {
        Self { embedders, at_once }
    }

    /// The memories that still need a vector; what there is to say of the others is said.
    fn bare(
        &self,
        jobs: &[Job],
        reader: &dyn Reader,
        outcomes: &mut [Outcome],
    ) -> Result<Vec<Bare>, LedgerError> {
        let mut bare = Vec::with_capacity(jobs.len());
        for ((place, job), outcome) in jobs.iter().enumerate().zip(outcomes) {
            let Some(id) = job.memory else {
                *outcome = Outcome::Hopeless {
                    failure: "it names no memory".to_owned(),
                };
                continue;
            };
            let memory = reader.memories(&[id])?.pop();
            let memory = memory.filter(|memory| memory.state != State::Erased);
            let container = reader.container(&job.container)?;
            let (Some(memory), Some(container)) = (memory, container) else {
                continue;
            };
            let embedder = self.embedders.of(&container).identity().clone();
            if reader.embeddings(&embedder, &[id])?.is_empty() {
                bare.push(Bare {
                    place,
                    memory,
                    embedder,
                });
            }
        }
        Ok(bare)
    }

    /// Embeds what is by one embedder, and keeps it; one outcome for each, in their order.
    fn embed(
        &self,
        identity: &EmbedderIdentity,
        bare: &[&Bare],
        shift: &Shift<'_>,
    ) -> Result<Vec<Outcome>, LedgerError> {
        let texts: Vec<&str> = bare
            .iter()
            .map(|each| each.memory.content.as_str())
            .collect();
        // The identity was taken from one that is at hand.
        let embedder = self
            .embedders
            .by(identity)
            .unwrap_or(self.embedders.wanted());
        match embedder.embed(&texts) {
            Ok(vectors) => self.keep_all(identity, bare, vectors, shift),
            Err(error) => Ok(vec![outcome_of(&error); bare.len()]),
        }
    }

    fn keep_all(
        &self,
        identity: &EmbedderIdentity,
        bare: &[&Bare],
        vectors: Vec<Option<Vector>>,
        shift: &Shift<'_>,
    ) -> Result<Vec<Outcome>, LedgerError> {
        let (embedders, identity) = (self.embedders.clone(), identity.clone());
        let rows = bare.iter().map(|each| {
            let container = each.memory.partition.container().clone();
            (container, each.memory.id)
        });
        let rows: Vec<((ContainerTag, MemoryId), Option<Vector>)> = rows.zip(vectors).collect();
        let (kept, _) = shift.write(move |writer| {
            let keep = |((container, memory), vector)| {
                keep(&embedders, &identity, writer, &container, memory, vector)
            };
            rows.into_iter().map(keep).collect()
        })?;
        Ok(kept)
    }
}

/// Keeps one vector, if it is still the one that its container's rows should have.
fn keep(
    embedders: &Embedders,
    identity: &EmbedderIdentity,
    writer: &mut dyn Writer,
    container: &ContainerTag,
    memory: MemoryId,
    vector: Option<Vector>,
) -> Result<Outcome, LedgerError> {
    let (Some(place), Some(vector)) = (writer.container(container)?, vector) else {
        // A text that says nothing has no vector and needs none.
        return Ok(Outcome::Done);
    };
    if embedders.of(&place).identity() != identity {
        // The container was given to another embedder meanwhile, which is to be asked at once.
        return Ok(Outcome::Unfinished);
    }
    let embedding = Embedding {
        memory,
        embedder: identity.clone(),
        vector,
    };
    if !still_there(writer.keep_embedding(&embedding))? {
        return Ok(Outcome::Done);
    }
    if place.embedder.is_none() {
        writer.set_embedder(container, identity)?;
    }
    Ok(Outcome::Done)
}

impl Handler for Embed {
    fn kind(&self) -> JobKind {
        JobKind::Embed
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn readiness(&self) -> Readiness {
        self.embedders.readiness()
    }

    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        let mut outcomes = vec![Outcome::Done; jobs.len()];
        let bare = self.bare(jobs, shift.ledger().reader()?.as_ref(), &mut outcomes)?;
        let mut identities: Vec<&EmbedderIdentity> = Vec::new();
        for each in &bare {
            if !identities.contains(&&each.embedder) {
                identities.push(&each.embedder);
            }
        }
        for identity in identities {
            let of_it = bare.iter().filter(|each| each.embedder == *identity);
            let of_it: Vec<&Bare> = of_it.collect();
            let mut told = self.embed(identity, &of_it, shift)?.into_iter();
            for each in of_it {
                let unsaid = || Outcome::Failed {
                    failure: "the embedder gave fewer answers than it had texts".to_owned(),
                };
                if let Some(place) = outcomes.get_mut(each.place) {
                    *place = told.next().unwrap_or_else(unsaid);
                }
            }
        }
        Ok(outcomes)
    }
}

/// What a failure of an embedder means for whoever waits for a vector.
pub(super) fn outcome_of(error: &EmbedError) -> Outcome {
    match error {
        EmbedError::Unavailable { until, .. } => Outcome::Waits {
            until: *until,
            because: error.to_string(),
        },
        EmbedError::Misconfigured { .. } | EmbedError::OtherDimensions { .. } => Outcome::Waits {
            until: None,
            because: error.to_string(),
        },
        EmbedError::NoVector { .. } | EmbedError::Refused { .. } => Outcome::Failed {
            failure: error.to_string(),
        },
    }
}
