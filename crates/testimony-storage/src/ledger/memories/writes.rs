//! What can be done to memories.

use rusqlite::{Connection, params};
use testimony_domain::{
    ContainerTag, Entity, EntityId, Event, EvidenceId, Fact, Memory, MemoryId, State, Support, Tag,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Action, ObjectRef, Seq};
use testimony_service::ports::ledger::erasure::{Target, Writes as _};
use testimony_service::ports::ledger::memories::{Change, Condition, Link, Writes, as_kept};

use super::{by_id, entities};
use crate::ledger::query::{self, failed, failed_insert};
use crate::ledger::rows::memory as rows;
use crate::ledger::rows::{Id, int_column};
use crate::ledger::trail::Line;
use crate::ledger::tx::Desk;

impl Writes for Desk<'_> {
    fn add_memory(&mut self, memory: &Memory) -> Result<(), LedgerError> {
        self.whole(|desk| add(desk, memory))
    }

    fn change_memory(&mut self, change: &Change) -> Result<(), LedgerError> {
        if change.event() == Some(Event::Erase) {
            // The state alone would leave the content behind.
            return self.erase(&Target::Memory(change.memory())).map(drop);
        }
        self.whole(|desk| alter(desk, change))
    }

    fn add_support(&mut self, support: &Support) -> Result<(), LedgerError> {
        self.whole(|desk| add_support(desk, support))
    }

    fn link(&mut self, link: Link) -> Result<(), LedgerError> {
        self.whole(|desk| add_link(desk, link))
    }

    fn name_entity(
        &mut self,
        container: &ContainerTag,
        entity: &Entity,
    ) -> Result<(), LedgerError> {
        self.whole(|desk| entities::name(desk, container, entity))
    }

    fn mention(&mut self, memory: MemoryId, entity: EntityId) -> Result<(), LedgerError> {
        self.whole(|desk| entities::mention(desk, memory, entity))
    }
}

fn add(desk: &mut Desk<'_>, memory: &Memory) -> Result<(), LedgerError> {
    let place = place_of(desk, memory)?;
    let object = ObjectRef::Memory(memory.id);
    let line = Line::of(Action::MemoryMade, &object).within(memory.partition.container());
    let seq = desk.record(
        line.decided(Some(memory.state.as_str()))
            .because(&memory.reasons),
    )?;
    place.take(desk, seq)?;
    let condition = Condition::of(memory);
    rows::insert_history(desk.conn(), memory.id.bytes(), seq, None, &condition)
}

/// A new memory for which there is a place.
pub(crate) struct Place<'m> {
    memory: &'m Memory,
    fact: Option<Fact>,
}

/// Looks whether there is a place for a new memory.
pub(crate) fn place_of<'m>(desk: &Desk<'_>, memory: &'m Memory) -> Result<Place<'m>, LedgerError> {
    let container = memory.partition.container();
    desk.must_have_container(container)?;
    desk.must_have_evidence(&memory.evidence, container)?;
    must_be_new(desk.conn(), memory)?;
    let fact = fact_in(desk, memory)?;
    Ok(Place { memory, fact })
}

impl Place<'_> {
    /// Puts the memory there, with everything that is kept beside it but its history.
    pub(crate) fn take(&self, desk: &mut Desk<'_>, seq: Seq) -> Result<(), LedgerError> {
        let memory = self.memory;
        stand_for(desk.conn(), memory, self.fact.as_ref())?;
        let object = ObjectRef::Memory(memory.id);
        let ord = rows::insert(desk.conn(), memory, seq).map_err(failed_insert(object))?;
        let container = memory.partition.container();
        tag(desk.conn(), container, &memory.tags, ord)?;
        rest(desk.conn(), memory)?;
        desk.changed(seq, None, Some(as_kept(memory.clone())));
        Ok(())
    }
}

fn must_be_new(conn: &Connection, memory: &Memory) -> Result<(), LedgerError> {
    const SQL: &str = "SELECT 1 FROM memories WHERE id = ?1 \
                       UNION ALL SELECT 1 FROM memories WHERE fact = ?2 AND revision = ?3";
    let bound = params![memory.id.bytes(), memory.fact.bytes(), memory.revision];
    if query::exists(conn, SQL, bound)? {
        let object = ObjectRef::Memory(memory.id);
        return Err(LedgerError::Exists { object });
    }
    Ok(())
}

/// The fact that a memory belongs to, where it is there already.
fn fact_in(desk: &Desk<'_>, memory: &Memory) -> Result<Option<Fact>, LedgerError> {
    const SQL: &str = "SELECT id, slot_subject, slot_attribute, slot_scope, current, container FROM facts WHERE id = ?";
    let found = query::one(desk.conn(), "facts", SQL, [memory.fact.bytes()], |c| {
        Ok((rows::fact(c)?, c.word(ContainerTag::new)?))
    })?;
    // A fact has all its revisions in one container; one of another is as good as none, and cannot be made again.
    match found {
        Some((_, container)) if container != *memory.partition.container() => {
            let object = ObjectRef::Fact(memory.fact);
            Err(LedgerError::Missing { object })
        }
        Some((fact, _)) => Ok(Some(fact)),
        None => Ok(None),
    }
}

/// Has the fact of a memory stand for it.
fn stand_for(conn: &Connection, memory: &Memory, fact: Option<&Fact>) -> Result<(), LedgerError> {
    const MAKE: &str = "INSERT INTO facts VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    const MOVE: &str = "UPDATE facts SET slot_subject = ?3, slot_attribute = ?4, slot_scope = ?5, current = ?6 \
                        WHERE id = ?1 AND container = ?2";
    let own = memory.slot.as_ref().map(|slot| &slot.key);
    let slot = own.or(fact.and_then(|fact| fact.slot.as_ref()));
    let bound = params![
        memory.fact.bytes(),
        memory.partition.container().as_str(),
        slot.map(|slot| &slot.subject),
        slot.map(|slot| &slot.attribute),
        slot.map(|slot| &slot.scope),
        memory.id.bytes(),
    ];
    query::run(conn, if fact.is_some() { MOVE } else { MAKE }, bound).map(drop)
}

fn tag(
    conn: &Connection,
    container: &ContainerTag,
    tags: &[Tag],
    ord: i64,
) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO memory_tags VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    for tag in tags {
        query::run(conn, SQL, params![container.as_str(), tag.as_str(), ord])?;
    }
    Ok(())
}

fn rest(conn: &Connection, memory: &Memory) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO rests VALUES (?, ?) ON CONFLICT DO NOTHING";
    for evidence in &memory.evidence {
        query::run(conn, SQL, [evidence.bytes(), memory.id.bytes()])?;
    }
    Ok(())
}

fn alter(desk: &mut Desk<'_>, change: &Change) -> Result<(), LedgerError> {
    let object = ObjectRef::Memory(change.memory());
    let Some(before) = by_id(desk.conn(), change.memory())? else {
        return Err(LedgerError::Missing { object });
    };
    if before.state != change.expected() {
        return Err(LedgerError::Changed { object });
    }
    let becomes = change.becomes();
    let decision = change.event().map(Event::as_str);
    let line = Line::of(Action::MemoryChanged, &object).within(before.partition.container());
    let seq = desk.record(line.decided(decision).because(&becomes.reasons))?;
    let id = before.id.bytes();
    rows::update(desk.conn(), id, becomes, seq)?;
    rows::insert_history(desk.conn(), id, seq, change.event(), becomes)?;
    if change.event() == Some(Event::Reinstate) {
        const SQL: &str = "UPDATE facts SET current = ? WHERE id = ?";
        query::run(desk.conn(), SQL, [id, before.fact.bytes()])?;
    }
    let after = as_kept(becomes.applied_to(&before));
    desk.changed(seq, Some(before), Some(after));
    Ok(())
}

fn add_support(desk: &mut Desk<'_>, support: &Support) -> Result<(), LedgerError> {
    let container = desk.container_of_living(support.memory)?;
    desk.must_have_evidence(&[support.evidence], &container)?;
    if rows_of_support(desk.conn(), support)? {
        let line = Line::of(Action::SupportAdded, &ObjectRef::Memory(support.memory));
        let decision = Some(support.polarity.as_str());
        desk.record(line.within(&container).decided(decision))?;
    }
    Ok(())
}

fn rows_of_support(conn: &Connection, support: &Support) -> Result<bool, LedgerError> {
    crate::ledger::rows::evidence::insert_support(conn, support).map_err(failed("written"))
}

fn add_link(desk: &mut Desk<'_>, link: Link) -> Result<(), LedgerError> {
    const SQL: &str =
        "INSERT INTO links (source, relation, target) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    let container = desk.container_of_memory(link.from)?;
    if desk.container_of_memory(link.to)? != container {
        let object = ObjectRef::Memory(link.to);
        return Err(LedgerError::Missing { object });
    }
    let bound = params![link.from.bytes(), link.relation.as_str(), link.to.bytes()];
    if query::run(desk.conn(), SQL, bound)? == 1 {
        let line = Line::of(Action::MemoriesLinked, &ObjectRef::Memory(link.from));
        let decision = Some(link.relation.as_str());
        desk.record(line.within(&container).decided(decision))?;
    }
    Ok(())
}

impl Desk<'_> {
    pub(crate) fn must_have_container(&self, tag: &ContainerTag) -> Result<(), LedgerError> {
        const SQL: &str = "SELECT 1 FROM containers WHERE tag = ?";
        if query::exists(self.conn(), SQL, [tag.as_str()])? {
            return Ok(());
        }
        let object = ObjectRef::Container(tag.clone());
        Err(LedgerError::Missing { object })
    }

    /// Evidence of another container is as good as none, and nothing new may rest on what was erased.
    pub(crate) fn must_have_evidence(
        &self,
        ids: &[EvidenceId],
        container: &ContainerTag,
    ) -> Result<(), LedgerError> {
        const SQL: &str = "SELECT erased FROM evidence WHERE id = ? AND container = ?";
        for id in ids {
            let bound = params![id.bytes(), container.as_str()];
            let object = ObjectRef::Evidence(*id);
            match query::one(self.conn(), "evidence", SQL, bound, int_column)? {
                Some(0) => {}
                Some(_) => return Err(LedgerError::Changed { object }),
                None => return Err(LedgerError::Missing { object }),
            }
        }
        Ok(())
    }

    pub(crate) fn container_of_memory(&self, id: MemoryId) -> Result<ContainerTag, LedgerError> {
        self.place_of_memory(id).map(|(container, _)| container)
    }

    /// The container of a memory that has content: what comes too late must not say again what was erased.
    pub(crate) fn container_of_living(&self, id: MemoryId) -> Result<ContainerTag, LedgerError> {
        match self.place_of_memory(id)? {
            (_, State::Erased) => {
                let object = ObjectRef::Memory(id);
                Err(LedgerError::Changed { object })
            }
            (container, _) => Ok(container),
        }
    }

    fn place_of_memory(&self, id: MemoryId) -> Result<(ContainerTag, State), LedgerError> {
        const SQL: &str = "SELECT container, state FROM memories WHERE id = ?";
        let found = query::one(self.conn(), "memories", SQL, [id.bytes()], |c| {
            Ok((c.word(ContainerTag::new)?, c.word(State::parse)?))
        })?;
        let object = ObjectRef::Memory(id);
        found.ok_or(LedgerError::Missing { object })
    }
}
