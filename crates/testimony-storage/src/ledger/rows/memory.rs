//! Memories, their condition, facts, entities and links.

use rusqlite::{Connection, ToSql, params};
use testimony_domain::{
    CustomId, Entity, Event, Fact, Memory, MemoryKind, Reason, Redacted, ReviewNeed, Slot, SlotKey,
    SourceApp, SourceClass, SourceLabel, Speaker, State, Tag, Timestamp, Validity,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Actor, Seq};
use testimony_service::ports::ledger::memories::{
    Condition, HistoryLine, Link, Relation, digest_of_words,
};

use super::event::{actor, read_actor};
use super::evidence::{PlaceCols, partition};
use super::{Cols, Id, count, maybe_micros, micros, packed, seq, words};
use crate::ledger::query;

/// The columns of a memory, in the order in which [`memory`] reads them.
macro_rules! memory_columns {
    () => {
        "id, fact, revision, content, kind, slot_subject, slot_attribute, slot_scope, slot_value, \
         slot_unit, slot_negated, entities, speaker, container, plane, scope, owner_agent, owner_key, label_user, \
         label_app, label_org, label_run, class, source, source_app, tags, custom_id, evidence, observed_at, \
         created_at, state, approved, review, contested, origins, reasons, valid_from, valid_until, expires_at"
    };
}
pub(crate) use memory_columns;

pub(crate) fn memory(c: &mut Cols<'_, '_>) -> Result<Memory, LedgerError> {
    // The fields are filled in the order in which they are written here, which is the order of the columns.
    Ok(Memory {
        id: c.id()?,
        fact: c.id()?,
        revision: c.count()?,
        content: Redacted::attest(c.text()?),
        kind: c.word(MemoryKind::parse)?,
        slot: slot(c)?,
        entities: c.json()?,
        speaker: c.maybe_word(Speaker::new)?,
        partition: partition(c)?,
        class: c.word(SourceClass::parse)?,
        source: c.word(SourceLabel::new)?,
        source_app: c.maybe_word(SourceApp::new)?,
        tags: c.words(Tag::new)?,
        custom_id: c.maybe_word(CustomId::new)?,
        evidence: c.ids()?,
        observed_at: c.time()?,
        created_at: c.time()?,
        state: c.word(State::parse)?,
        approved: c.flag()?,
        review: c.maybe_word(ReviewNeed::parse)?,
        contested: c.flag()?,
        origins: c.count()?,
        reasons: c.words(Reason::parse)?,
        validity: validity(c)?,
        expires_at: c.maybe_time()?,
    })
}

fn slot(c: &mut Cols<'_, '_>) -> Result<Option<Slot>, LedgerError> {
    let key = slot_key(c)?;
    let value = c.maybe_text()?.map(str::to_owned);
    let unit = c.maybe_text()?.map(str::to_owned);
    let negated = c.maybe_int()?;
    Ok(key.map(|key| Slot {
        key,
        value: value.unwrap_or_default(),
        unit,
        negated: negated == Some(1),
    }))
}

fn slot_key(c: &mut Cols<'_, '_>) -> Result<Option<SlotKey>, LedgerError> {
    let parts = (c.maybe_text()?, c.maybe_text()?, c.maybe_text()?);
    match parts {
        (Some(subject), Some(attribute), Some(scope)) => Ok(Some(SlotKey {
            subject: subject.to_owned(),
            attribute: attribute.to_owned(),
            scope: scope.to_owned(),
        })),
        (None, None, None) => Ok(None),
        (_, _, _) => Err(c.damaged("a slot is there in part")),
    }
}

pub(crate) fn condition(c: &mut Cols<'_, '_>) -> Result<Condition, LedgerError> {
    Ok(Condition {
        state: c.word(State::parse)?,
        approved: c.flag()?,
        review: c.maybe_word(ReviewNeed::parse)?,
        contested: c.flag()?,
        origins: c.count()?,
        reasons: c.words(Reason::parse)?,
        validity: validity(c)?,
        expires_at: c.maybe_time()?,
    })
}

fn validity(c: &mut Cols<'_, '_>) -> Result<Validity, LedgerError> {
    Ok(Validity {
        from: c.maybe_time()?,
        until: c.maybe_time()?,
    })
}

pub(crate) fn reasons(reasons: &[Reason]) -> String {
    words(reasons.iter().map(|reason| reason.as_str()))
}

const INSERT: &str = concat!(
    "INSERT INTO memories (changed, words, ",
    memory_columns!(),
    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
     ?, ?, ?, ?, ?, ?, ?)"
);

/// Inserts a memory and returns the order in which it came.
pub(crate) fn insert(conn: &Connection, memory: &Memory, changed: Seq) -> rusqlite::Result<i64> {
    let slot = memory.slot.as_ref();
    let key = slot.map(|slot| &slot.key);
    let place = PlaceCols::of(&memory.partition);
    let condition = ConditionCols::of(&Condition::of(memory));
    let says: &[&dyn ToSql] = params![
        seq(changed),
        digest_of_words(memory.content.as_str()).0,
        memory.id.bytes(),
        memory.fact.bytes(),
        memory.revision,
        memory.content.as_str(),
        memory.kind.as_str(),
        key.map(|key| &key.subject),
        key.map(|key| &key.attribute),
        key.map(|key| &key.scope),
        slot.map(|slot| &slot.value),
        slot.and_then(|slot| slot.unit.as_ref()),
        slot.map(|slot| slot.negated),
        words(memory.entities.iter().map(String::as_str)),
        memory.speaker.as_ref().map(Speaker::as_str),
    ];
    let came: &[&dyn ToSql] = params![
        memory.class.as_str(),
        memory.source.as_str(),
        memory.source_app.as_ref().map(SourceApp::as_str),
        words(memory.tags.iter().map(Tag::as_str)),
        memory.custom_id.as_ref().map(CustomId::as_str),
        packed(&memory.evidence),
        micros(memory.observed_at),
        micros(memory.created_at),
    ];
    let row = [says, &place.bound(), came, &condition.bound()].concat();
    conn.prepare_cached(INSERT)?.insert(&*row)
}

/// A condition in its columns, which memories and history share.
struct ConditionCols {
    state: &'static str,
    approved: bool,
    review: Option<&'static str>,
    contested: bool,
    origins: i64,
    reasons: String,
    valid_from: Option<i64>,
    valid_until: Option<i64>,
    expires_at: Option<i64>,
}

impl ConditionCols {
    fn of(condition: &Condition) -> Self {
        Self {
            state: condition.state.as_str(),
            approved: condition.approved,
            review: condition.review.map(ReviewNeed::as_str),
            contested: condition.contested,
            origins: count(condition.origins),
            reasons: reasons(&condition.reasons),
            valid_from: maybe_micros(condition.validity.from),
            valid_until: maybe_micros(condition.validity.until),
            expires_at: maybe_micros(condition.expires_at),
        }
    }

    fn bound(&self) -> [&dyn ToSql; 9] {
        [
            &self.state,
            &self.approved,
            &self.review,
            &self.contested,
            &self.origins,
            &self.reasons,
            &self.valid_from,
            &self.valid_until,
            &self.expires_at,
        ]
    }
}

/// Puts a memory into another condition.
pub(crate) fn update(
    conn: &Connection,
    memory: [u8; 16],
    becomes: &Condition,
    changed: Seq,
) -> Result<(), LedgerError> {
    const SQL: &str = "UPDATE memories SET changed = ?, state = ?, approved = ?, review = ?, contested = ?, \
                       origins = ?, reasons = ?, valid_from = ?, valid_until = ?, expires_at = ? WHERE id = ?";
    let becomes = ConditionCols::of(becomes);
    let changed = seq(changed);
    let row = [params![changed], &becomes.bound(), params![memory]].concat();
    query::run(conn, SQL, &*row).map(drop)
}

/// Adds a line to a memory's history.
pub(crate) fn insert_history(
    conn: &Connection,
    memory: [u8; 16],
    at: Seq,
    event: Option<Event>,
    condition: &Condition,
) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let condition = ConditionCols::of(condition);
    let line: &[&dyn ToSql] = params![memory, seq(at), event.map(Event::as_str)];
    let line = [line, &condition.bound()].concat();
    query::run(conn, SQL, &*line).map(drop)
}

/// A line of history: `seq, at, actor, event`, then the condition, and for what happened in another ledger when and by
/// whom it did there.
pub(crate) fn history_line(c: &mut Cols<'_, '_>) -> Result<HistoryLine, LedgerError> {
    let (seq, at) = (c.seq()?, c.time()?);
    let by = actor(c)?;
    let event = c.maybe_word(Event::parse)?;
    let condition = condition(c)?;
    let elsewhere = c.maybe_text()?.map(read_told);
    let (at, by) = match elsewhere {
        None => (at, by),
        Some(Some(told)) => told,
        Some(None) => return Err(c.damaged("it does not say when and by whom")),
    };
    Ok(HistoryLine {
        seq,
        at,
        by,
        event,
        condition,
    })
}

/// When and by whom something happened in another ledger, as the trail spells it.
pub(crate) fn told(at: Timestamp, by: Actor) -> String {
    format!("{at} {by}")
}

fn read_told(text: &str) -> Option<(Timestamp, Actor)> {
    let (at, by) = text.split_once(' ')?;
    Some((at.parse().ok()?, read_actor(by)?))
}

/// A fact: `id, slot_subject, slot_attribute, slot_scope, current`.
pub(crate) fn fact(c: &mut Cols<'_, '_>) -> Result<Fact, LedgerError> {
    Ok(Fact {
        id: c.id()?,
        slot: slot_key(c)?,
        current: c.id()?,
    })
}

/// An entity: `id, name, aliases`.
pub(crate) fn entity(c: &mut Cols<'_, '_>) -> Result<Entity, LedgerError> {
    Ok(Entity {
        id: c.id()?,
        name: c.text()?.to_owned(),
        aliases: c.json()?,
    })
}

/// A link: `source, relation, target`.
pub(crate) fn link(c: &mut Cols<'_, '_>) -> Result<Link, LedgerError> {
    Ok(Link {
        from: c.id()?,
        relation: c.word(Relation::parse)?,
        to: c.id()?,
    })
}
