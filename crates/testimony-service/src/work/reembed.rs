//! The handler of `reembed`: a container whose vectors are by another embedder than the wanted one gets new ones.
//!
//! The old vectors stay, and the container stays with the old embedder, until every row has a new one; then it changes
//! hands in one transaction, and the old vectors go afterwards.
//! The walk goes over every row, in portions, and remembers in this process how far it is.
//! A vector that is there already is kept again, because an index that was started since has followed the old embedder
//! alone and learns of the new vectors by their events.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use testimony_domain::{Clock, ContainerTag, JobId, Memory, MemoryId, State};

use super::embed::outcome_of;
use super::embedders::Embedders;
use super::handler::{Handler, Readiness, Shift};
use super::next::Outcome;
use super::worker::still_there;
use crate::ports::embedder::{Embedder, EmbedderIdentity, Vector};
use crate::ports::ledger::containers::Container;
use crate::ports::ledger::embeddings::Embedding;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::memories::MemoryFilter;
use crate::ports::ledger::{Ledger, LedgerError, Page};

/// How many portions a job takes before others have their turn.
const PORTIONS_AT_ONCE: usize = 8;

/// Embeds containers again.
pub struct Reembed {
    embedders: Embedders,
    portion: usize,
    /// How far each container is, and for which embedder.
    walks: Mutex<HashMap<ContainerTag, Walk>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Walk {
    towards: EmbedderIdentity,
    phase: Phase,
    after: Option<MemoryId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// New vectors are made.
    Making,
    /// Old vectors are let go of.
    Clearing,
}

/// How a portion ended.
enum Portion {
    More,
    Last,
    Stopped(Outcome),
}

impl Reembed {
    /// A handler that brings containers to the wanted embedder, so many rows at a time.
    #[must_use]
    pub fn new(embedders: Embedders, portion: usize) -> Self {
        Self {
            embedders,
            portion,
            walks: Mutex::new(HashMap::new()),
        }
    }

    fn one(&self, job: &Job, shift: &Shift<'_>) -> Result<Outcome, LedgerError> {
        let wanted = self.embedders.wanted();
        let Some(container) = shift.ledger().reader()?.container(&job.container)? else {
            return Ok(Outcome::Done);
        };
        let mut walk = self.walk_of(&container, wanted.identity());
        for _ in 0..PORTIONS_AT_ONCE {
            if !shift.goes_on()? {
                return Ok(Outcome::Unfinished);
            }
            let portion = match walk.phase {
                Phase::Making => self.make(&container.tag, &mut walk, shift)?,
                Phase::Clearing => self.clear(&container.tag, &mut walk, shift)?,
            };
            match (portion, walk.phase) {
                (Portion::Stopped(outcome), _) => return Ok(outcome),
                (Portion::More, _) => {}
                (Portion::Last, Phase::Making) => {
                    if self.hand_over(&container.tag, &walk, shift)? {
                        walk.phase = Phase::Clearing;
                        walk.after = None;
                    }
                }
                (Portion::Last, Phase::Clearing) => {
                    self.walks(|walks| walks.remove(&container.tag));
                    return Ok(Outcome::Done);
                }
            }
            self.walks(|walks| walks.insert(container.tag.clone(), walk.clone()));
        }
        Ok(Outcome::Unfinished)
    }

    fn walk_of(&self, container: &Container, towards: &EmbedderIdentity) -> Walk {
        let known = self.walks(|walks| walks.get(&container.tag).cloned());
        let is_there = container.embedder.as_ref() == Some(towards);
        let phase = if is_there {
            Phase::Clearing
        } else {
            Phase::Making
        };
        let fits = |walk: &Walk| walk.towards == *towards && walk.phase == phase;
        known.filter(fits).unwrap_or_else(|| Walk {
            towards: towards.clone(),
            phase,
            after: None,
        })
    }

    /// The next rows of the walk; fewer than a portion are the last.
    fn rows(
        &self,
        tag: &ContainerTag,
        walk: &Walk,
        shift: &Shift<'_>,
    ) -> Result<Vec<Memory>, LedgerError> {
        let filter = MemoryFilter {
            container: Some(tag.clone()),
            ..MemoryFilter::default()
        };
        let page = Page {
            after: walk.after,
            limit: self.portion,
        };
        shift.ledger().reader()?.list(&filter, page)
    }

    fn passed(&self, rows: &[Memory], walk: &mut Walk) -> Portion {
        walk.after = rows.last().map(|row| row.id).or(walk.after);
        if rows.len() < self.portion {
            Portion::Last
        } else {
            Portion::More
        }
    }

    /// Gives a portion of rows their new vectors.
    fn make(
        &self,
        tag: &ContainerTag,
        walk: &mut Walk,
        shift: &Shift<'_>,
    ) -> Result<Portion, LedgerError> {
        let rows = self.rows(tag, walk, shift)?;
        let living = rows.iter().filter(|row| row.state != State::Erased);
        let ids: Vec<MemoryId> = living.clone().map(|row| row.id).collect();
        let mut kept = shift.ledger().reader()?.embeddings(&walk.towards, &ids)?;
        let has: HashSet<MemoryId> = kept.iter().map(|embedding| embedding.memory).collect();
        let bare: Vec<&Memory> = living.filter(|row| !has.contains(&row.id)).collect();
        match embedded(self.embedders.wanted().as_ref(), &bare) {
            Ok(made) => kept.extend(made),
            Err(outcome) => return Ok(Portion::Stopped(outcome)),
        }
        shift.write(move |writer| {
            kept.iter()
                .try_for_each(|embedding| still_there(writer.keep_embedding(embedding)).map(drop))
        })?;
        Ok(self.passed(&rows, walk))
    }

    /// Has the container found by its new vectors from now on, unless rows came behind the walk that have none.
    fn hand_over(
        &self,
        tag: &ContainerTag,
        walk: &Walk,
        shift: &Shift<'_>,
    ) -> Result<bool, LedgerError> {
        let (tag, walk) = (tag.clone(), walk.clone());
        let page = Page {
            after: walk.after,
            limit: 1,
        };
        let (handed_over, _) = shift.write(move |writer| {
            let complete = writer.not_embedded(&tag, &walk.towards, page)?.is_empty();
            if complete {
                writer.set_embedder(&tag, &walk.towards)?;
            }
            Ok(complete)
        })?;
        Ok(handed_over)
    }

    /// Lets go of the old vectors of a portion of rows.
    fn clear(
        &self,
        tag: &ContainerTag,
        walk: &mut Walk,
        shift: &Shift<'_>,
    ) -> Result<Portion, LedgerError> {
        let rows = self.rows(tag, walk, shift)?;
        let ids: Vec<MemoryId> = rows.iter().map(|row| row.id).collect();
        let keep = walk.towards.clone();
        shift.write(move |writer| writer.drop_other_embeddings(&ids, &keep))?;
        Ok(self.passed(&rows, walk))
    }

    fn walks<T>(&self, with: impl FnOnce(&mut HashMap<ContainerTag, Walk>) -> T) -> T {
        with(&mut self.walks.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The vectors of rows that have none. One that cannot be embedded by itself is left without, so that it does not keep
/// every other row from its new vector.
fn embedded(embedder: &dyn Embedder, rows: &[&Memory]) -> Result<Vec<Embedding>, Outcome> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = rows.iter().map(|row| row.content.as_str()).collect();
    let vectors = match embedder.embed(&texts) {
        Ok(vectors) => vectors,
        Err(error) if error.is_about_the_texts() => one_by_one(embedder, &texts)?,
        Err(error) => return Err(outcome_of(&error)),
    };
    let made = rows.iter().zip(vectors).filter_map(|(row, vector)| {
        vector.map(|vector| Embedding {
            memory: row.id,
            embedder: embedder.identity().clone(),
            vector,
        })
    });
    Ok(made.collect())
}

fn one_by_one(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Option<Vector>>, Outcome> {
    let one = |text: &&str| match embedder.embed(&[text]) {
        Ok(mut vectors) => Ok(vectors.pop().flatten()),
        Err(error) if error.is_about_the_texts() => Ok(None),
        Err(error) => Err(outcome_of(&error)),
    };
    texts.iter().map(one).collect()
}

impl Handler for Reembed {
    fn kind(&self) -> JobKind {
        JobKind::Reembed
    }

    fn at_once(&self) -> usize {
        1
    }

    fn readiness(&self) -> Readiness {
        Embedders::new(self.embedders.wanted().clone()).readiness()
    }

    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        jobs.iter().map(|job| self.one(job, shift)).collect()
    }
}

/// Containers whose vectors are by another embedder than the wanted one, and that get new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reembedding {
    /// How many there are.
    pub containers: usize,
    /// Embedders of theirs that are not at hand, each once: until the new vectors are there, those rows are found by
    /// their words alone.
    pub missing: Vec<EmbedderIdentity>,
}

/// Queues a job for every container whose vectors are by another embedder than the wanted one.
///
/// It is called when a service starts: nothing else changes the embedder that is wanted.
///
/// # Errors
/// [`LedgerError`] when the ledger fails; what was queued by then is queued.
pub fn order_reembedding(
    ledger: &dyn Ledger,
    embedders: &Embedders,
    surroundings: (&dyn Clock, &dyn testimony_domain::Ids),
    version: &'static str,
) -> Result<Reembedding, LedgerError> {
    const PAGE: usize = 256;
    let (clock, ids) = surroundings;
    let mut after = None;
    let mut ordered = Reembedding::default();
    loop {
        let containers = ledger.reader()?.containers(Page { after, limit: PAGE })?;
        let now = clock.now();
        let others = containers.iter().filter_map(|container| {
            let own = container.embedder.as_ref()?;
            (own != embedders.wanted().identity()).then_some((container, own))
        });
        let mut jobs = Vec::new();
        for (container, own) in others {
            if embedders.by(own).is_none() && !ordered.missing.contains(own) {
                ordered.missing.push(own.clone());
            }
            let tag = container.tag.clone();
            jobs.push(Job::new(JobId::mint(ids), JobKind::Reembed, tag, None, now));
        }
        ordered.containers += jobs.len();
        if !jobs.is_empty() {
            let queue = move |writer: &mut dyn crate::ports::ledger::Writer| {
                jobs.iter()
                    .try_for_each(|job| writer.queue_job(job).map(drop))?;
                Ok((crate::ports::ledger::Fate::Keep, ()))
            };
            ledger.write(super::worker::service_act(now, version), queue)?;
        }
        match containers.last() {
            Some(last) if containers.len() == PAGE => after = Some(last.tag.clone()),
            Some(_) | None => return Ok(ordered),
        }
    }
}
