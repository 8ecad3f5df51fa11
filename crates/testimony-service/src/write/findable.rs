//! What makes a row findable beside its words: the things that it speaks of, and its vector.

use testimony_domain::{ContainerTag, Entity, EntityId, Ids, JobId, Memory};

use crate::ports::embedder::{EmbedderIdentity, Vector};
use crate::ports::ledger::embeddings::Embedding;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::{LedgerError, Writer};

/// Says of which things a row speaks, and names those that have no name here yet.
pub(crate) fn mention(
    writer: &mut dyn Writer,
    ids: &dyn Ids,
    memory: &Memory,
) -> Result<(), LedgerError> {
    let container = memory.partition.container();
    for name in &memory.entities {
        let known = writer.entity(container, name)?;
        let id = match known {
            Some(entity) => entity.id,
            None => {
                let entity = Entity {
                    id: EntityId::mint(ids),
                    name: name.clone(),
                    aliases: Vec::new(),
                };
                writer.name_entity(container, &entity)?;
                entity.id
            }
        };
        writer.mention(memory.id, id)?;
    }
    Ok(())
}

/// Keeps the vector of a row; the first one says by which embedder its container is found.
pub(crate) fn keep_vector(
    writer: &mut dyn Writer,
    embedder: &EmbedderIdentity,
    memory: &Memory,
    vector: &Vector,
) -> Result<(), LedgerError> {
    say_embedder(writer, embedder, memory.partition.container())?;
    keep_vector_of(writer, embedder, memory, vector)
}

/// Says by which embedder a container is found, where that was not said before.
pub(super) fn say_embedder(
    writer: &mut dyn Writer,
    embedder: &EmbedderIdentity,
    container: &ContainerTag,
) -> Result<(), LedgerError> {
    let kept = writer.container(container)?;
    if kept.is_some_and(|kept| kept.embedder.is_none()) {
        writer.set_embedder(container, embedder)?;
    }
    Ok(())
}

/// Keeps the vector of a row whose container says by which embedder it is found.
pub(super) fn keep_vector_of(
    writer: &mut dyn Writer,
    embedder: &EmbedderIdentity,
    memory: &Memory,
    vector: &Vector,
) -> Result<(), LedgerError> {
    writer.keep_embedding(&Embedding {
        memory: memory.id,
        embedder: embedder.clone(),
        vector: vector.clone(),
    })
}

/// Queues the work of making the vector of a row.
pub(crate) fn queue_vector(
    writer: &mut dyn Writer,
    ids: &dyn Ids,
    memory: &Memory,
) -> Result<(), LedgerError> {
    let now = writer.act().at;
    let container = memory.partition.container().clone();
    let id = JobId::mint(ids);
    let job = Job::new(id, JobKind::Embed, container, Some(memory.id), now);
    writer.queue_job(&job).map(drop)
}
