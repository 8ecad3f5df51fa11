//! Vectors beside their memories, and the embedders that gave them.

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, MemoryId};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::embeddings::{Embedding, Reads, Writes};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::memories::by_id;
use super::query;
use super::rows::{Cols, Id, count, id_column, int_column, seq};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const VECTOR_OF: &str = "SELECT v.vector FROM memories m JOIN embeddings v ON v.memory = m.ord \
     WHERE m.id = ? AND v.embedder = ?";
pub(crate) const NOT_EMBEDDED: &str = "SELECT id FROM memories AS m WHERE container = ?1 AND state <> 'erased' \
     AND ord > coalesce((SELECT ord FROM memories WHERE id = ?2), 0) \
     AND NOT EXISTS (SELECT 1 FROM embeddings v WHERE v.memory = m.ord AND v.embedder = ?3) ORDER BY ord LIMIT ?4";

/// The number under which an embedder is kept, where it is.
fn number_of(conn: &Connection, embedder: &EmbedderIdentity) -> Result<Option<i64>, LedgerError> {
    const SQL: &str =
        "SELECT ord FROM embedders WHERE name = ? AND revision = ? AND dimensions = ?";
    let bound = params![embedder.name, embedder.revision, count(embedder.dimensions)];
    query::one(conn, "embedders", SQL, bound, int_column)
}

/// The number under which an embedder is kept, from now on at the latest.
pub(crate) fn enrolled(conn: &Connection, embedder: &EmbedderIdentity) -> Result<i64, LedgerError> {
    const SQL: &str = "INSERT INTO embedders (name, revision, dimensions) VALUES (?, ?, ?)";
    if let Some(number) = number_of(conn, embedder)? {
        return Ok(number);
    }
    let bound = params![embedder.name, embedder.revision, count(embedder.dimensions)];
    query::run(conn, SQL, bound)?;
    Ok(conn.last_insert_rowid())
}

/// An embedder: `name, revision, dimensions`; none where the first is absent.
pub(crate) fn identity(c: &mut Cols<'_, '_>) -> Result<Option<EmbedderIdentity>, LedgerError> {
    let name = c.maybe_text()?.map(str::to_owned);
    let revision = c.maybe_text()?.map(str::to_owned);
    let dimensions = c.maybe_count()?;
    Ok(name.map(|name| EmbedderIdentity {
        name,
        revision: revision.unwrap_or_default(),
        dimensions: dimensions.unwrap_or_default(),
    }))
}

fn vector(c: &mut Cols<'_, '_>) -> Result<Vector, LedgerError> {
    let (whole, rest) = c.blob()?.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(c.damaged("its length is no multiple of a number's"));
    }
    let numbers = whole.iter().map(|bytes| f32::from_le_bytes(*bytes));
    Vector::from_unit(numbers.collect()).map_err(|error| c.damaged(error))
}

impl<S: Source> Reads for Tx<S> {
    fn embeddings(
        &self,
        embedder: &EmbedderIdentity,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        let Some(number) = number_of(self.conn(), embedder)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::with_capacity(memories.len());
        for memory in memories {
            let bound = params![memory.bytes(), number];
            let vector = query::one(self.conn(), "embeddings", VECTOR_OF, bound, vector)?;
            found.extend(vector.map(|vector| Embedding {
                memory: *memory,
                embedder: embedder.clone(),
                vector,
            }));
        }
        Ok(found)
    }

    fn not_embedded(
        &self,
        container: &ContainerTag,
        embedder: &EmbedderIdentity,
        page: Page<MemoryId>,
    ) -> Result<Vec<MemoryId>, LedgerError> {
        let number = number_of(self.conn(), embedder)?.unwrap_or_default();
        let bound = params![
            container.as_str(),
            page.after.map(Id::bytes),
            number,
            count(page.limit)
        ];
        query::all(self.conn(), "memories", NOT_EMBEDDED, bound, id_column)
    }
}

impl Writes for Desk<'_> {
    fn keep_embedding(&mut self, embedding: &Embedding) -> Result<(), LedgerError> {
        self.whole(|desk| keep(desk, embedding))
    }

    fn drop_other_embeddings(
        &mut self,
        memories: &[MemoryId],
        keep: &EmbedderIdentity,
    ) -> Result<u64, LedgerError> {
        const SQL: &str = "DELETE FROM embeddings WHERE embedder <> ? \
                           AND memory = (SELECT ord FROM memories WHERE id = ?)";
        self.whole(|desk| {
            let number = number_of(desk.conn(), keep)?.unwrap_or_default();
            let mut dropped = 0;
            for memory in memories {
                let bound = params![number, memory.bytes()];
                dropped += query::run(desk.conn(), SQL, bound)?;
            }
            Ok(dropped as u64)
        })
    }
}

fn keep(desk: &mut Desk<'_>, embedding: &Embedding) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO embeddings (memory, embedder, vector) VALUES (?1, ?2, ?3) \
                       ON CONFLICT (memory, embedder) DO UPDATE SET vector = ?3";
    let ord = order_of_living(desk.conn(), embedding.memory)?;
    let embedder = enrolled(desk.conn(), &embedding.embedder)?;
    let numbers = embedding.vector.as_slice().iter();
    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    query::run(desk.conn(), SQL, params![ord, embedder, bytes])?;
    if desk.hang(embedding.memory, embedding) {
        return Ok(());
    }
    came_later(desk, embedding)
}

/// The order of a memory that has content: what comes too late must not say again what was erased.
fn order_of_living(conn: &Connection, id: MemoryId) -> Result<i64, LedgerError> {
    const SQL: &str = "SELECT ord, state = 'erased' FROM memories WHERE id = ?";
    let found = query::one(conn, "memories", SQL, [id.bytes()], |c| {
        Ok((c.int()?, c.flag()?))
    })?;
    let object = ObjectRef::Memory(id);
    match found {
        Some((ord, false)) => Ok(ord),
        Some((_, true)) => Err(LedgerError::Changed { object }),
        None => Err(LedgerError::Missing { object }),
    }
}

/// A vector that comes after its memory moves the memory in the order of changes, so that whoever follows that order
/// meets it.
fn came_later(desk: &mut Desk<'_>, embedding: &Embedding) -> Result<(), LedgerError> {
    const SQL: &str = "UPDATE memories SET changed = ? WHERE id = ?";
    let object = ObjectRef::Memory(embedding.memory);
    let Some(memory) = by_id(desk.conn(), embedding.memory)? else {
        return Err(LedgerError::Missing { object });
    };
    let line = Line::of(Action::MemoryEmbedded, &object);
    let at = desk.record(line.within(memory.partition.container()))?;
    query::run(desk.conn(), SQL, params![seq(at), embedding.memory.bytes()])?;
    desk.changed(at, Some(memory.clone()), Some(memory));
    desk.hang(embedding.memory, embedding);
    Ok(())
}
