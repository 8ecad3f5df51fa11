//! Named things, and which memories speak of them.

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, Entity, EntityId, MemoryId};
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::folded;
use crate::ledger::query;
use crate::ledger::rows::{Id, count, id_column, words};
use crate::ledger::trail::Line;
use crate::ledger::tx::Desk;

pub(super) const SPEAKING_OF: &str = "SELECT m.id FROM mentions s JOIN memories m ON m.ord = s.memory \
     WHERE s.entity = ?1 AND s.memory < coalesce((SELECT ord FROM memories WHERE id = ?2), 9223372036854775807) \
     ORDER BY s.memory DESC LIMIT ?3";

pub(super) fn speaking_of(
    conn: &Connection,
    entity: EntityId,
    page: Page<MemoryId>,
) -> Result<Vec<MemoryId>, LedgerError> {
    let after = page.after.map(Id::bytes);
    let bound = params![entity.bytes(), after, count(page.limit)];
    query::all(conn, "mentions", SPEAKING_OF, bound, id_column)
}

/// The container that a thing was named in.
fn container_of(conn: &Connection, entity: EntityId) -> Result<Option<String>, LedgerError> {
    const SQL: &str = "SELECT container FROM entities WHERE id = ?";
    query::one(conn, "entities", SQL, [entity.bytes()], |c| {
        c.text().map(str::to_owned)
    })
}

/// Whether one of the names is another thing's.
fn is_taken(
    conn: &Connection,
    container: &ContainerTag,
    entity: EntityId,
    names: &[String],
) -> Result<bool, LedgerError> {
    const SQL: &str =
        "SELECT 1 FROM entity_names WHERE container = ? AND folded = ? AND entity <> ?";
    for name in names {
        let bound = params![container.as_str(), name, entity.bytes()];
        if query::exists(conn, SQL, bound)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn name(
    desk: &mut Desk<'_>,
    container: &ContainerTag,
    entity: &Entity,
) -> Result<(), LedgerError> {
    desk.must_have_container(container)?;
    let all = std::iter::once(&entity.name).chain(&entity.aliases);
    let names: Vec<String> = all.map(|name| folded(name)).collect();
    let before = container_of(desk.conn(), entity.id)?;
    let elsewhere = before
        .as_ref()
        .is_some_and(|before| before != container.as_str());
    let object = ObjectRef::Entity(entity.id);
    if elsewhere || is_taken(desk.conn(), container, entity.id, &names)? {
        return Err(LedgerError::Exists { object });
    }
    let decision = if before.is_some() { "renamed" } else { "named" };
    let line = Line::of(Action::EntityNamed, &object);
    desk.record(line.within(container).decided(Some(decision)))?;
    put(desk.conn(), container, entity, &names)
}

fn put(
    conn: &Connection,
    container: &ContainerTag,
    entity: &Entity,
    names: &[String],
) -> Result<(), LedgerError> {
    const PUT: &str = "INSERT INTO entities VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (id) DO UPDATE SET name = ?3, aliases = ?4";
    const FORGET: &str = "DELETE FROM entity_names WHERE entity = ?";
    const NAME: &str = "INSERT INTO entity_names VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    let id = entity.id.bytes();
    let aliases = words(entity.aliases.iter().map(String::as_str));
    query::run(
        conn,
        PUT,
        params![id, container.as_str(), entity.name, aliases],
    )?;
    query::run(conn, FORGET, [id])?;
    for name in names {
        query::run(conn, NAME, params![container.as_str(), name, id])?;
    }
    Ok(())
}

pub(super) fn mention(
    desk: &mut Desk<'_>,
    memory: MemoryId,
    entity: EntityId,
) -> Result<(), LedgerError> {
    const SQL: &str =
        "INSERT INTO mentions SELECT ?1, ord FROM memories WHERE id = ?2 ON CONFLICT DO NOTHING";
    let container = desk.container_of_living(memory)?;
    // A thing of another container is as good as none: a name must never be seen across that border.
    if container_of(desk.conn(), entity)?.as_deref() != Some(container.as_str()) {
        let object = ObjectRef::Entity(entity);
        return Err(LedgerError::Missing { object });
    }
    let bound = [entity.bytes(), memory.bytes()];
    if query::run(desk.conn(), SQL, bound)? == 1 {
        let object = ObjectRef::Memory(memory);
        desk.record(Line::of(Action::MentionAdded, &object).within(&container))?;
    }
    Ok(())
}
