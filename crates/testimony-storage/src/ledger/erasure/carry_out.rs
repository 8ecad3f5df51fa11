//! The carrying out of an erasure.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, params};
use testimony_domain::{
    ContainerTag, EntityId, Event, EvidenceId, FactId, MemoryId, Reason, State, Validity,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::memories::Condition;

use super::list::Line as ListLine;
use super::plan::{Doomed, Plan};
use super::tables::{By, WITH_MEMORY};
use crate::ledger::memories::by_id;
use crate::ledger::query;
use crate::ledger::rows::memory::insert_history;
use crate::ledger::rows::{Id, id_column, ids_column, packed, seq};
use crate::ledger::trail::Line;
use crate::ledger::tx::Desk;

/// Takes out what the plan says, and returns what has to be remembered elsewhere.
///
/// The mark names the erasure wherever it is written down; the first time it is the hash of its event.
pub(super) fn carry_out(
    desk: &mut Desk<'_>,
    plan: &Plan,
    mark: Option<[u8; 32]>,
    ground: &str,
) -> Result<ListLine, LedgerError> {
    blank_what_speaks_of_them(desk, plan)?;
    for doomed in &plan.memories {
        blank_memory(desk, doomed)?;
    }
    for evidence in &plan.evidence {
        blank_evidence(desk, *evidence)?;
    }
    for (evidence, left) in &plan.cuts {
        cut_evidence(desk, *evidence, left)?;
    }
    for thing in &plan.entities {
        forget_thing(desk.conn(), *thing)?;
    }
    let facts: BTreeSet<FactId> = plan.memories.iter().map(|doomed| doomed.fact).collect();
    for fact in facts {
        settle_fact(desk.conn(), fact)?;
    }
    write_down(desk, plan, mark, ground)
}

fn blank_what_speaks_of_them(desk: &Desk<'_>, plan: &Plan) -> Result<(), LedgerError> {
    let conn = desk.conn();
    let going: HashSet<MemoryId> = plan.memories.iter().map(|doomed| doomed.id).collect();
    for (table, rows) in &plan.rows {
        for row in rows {
            match *table {
                "receipts" => run(
                    conn,
                    "UPDATE receipts SET response = '' WHERE ord = ?",
                    *row,
                )?,
                "judgments" => run(conn, "DELETE FROM judgments WHERE rowid = ?", *row)?,
                "review_cases" => blank_case(desk, *row, &going)?,
                _ => drop_from_read_row(conn, *row, &going)?,
            }
        }
    }
    Ok(())
}

fn run(conn: &Connection, sql: &str, row: i64) -> Result<(), LedgerError> {
    query::run(conn, sql, [row]).map(drop)
}

/// A case about an erased memory is closed and says nothing; one that stands against it only loses its notes.
fn blank_case(desk: &Desk<'_>, row: i64, going: &HashSet<MemoryId>) -> Result<(), LedgerError> {
    const ABOUT: &str = "SELECT memory FROM review_cases WHERE ord = ?";
    const NOTES: &str = "UPDATE review_cases SET note = NULL, closing_note = NULL WHERE ord = ?";
    const CLOSE: &str = "UPDATE review_cases SET grouped = 'erased', \
         closed_at = coalesce(closed_at, ?1), closed_by = coalesce(closed_by, ?2), \
         decision = coalesce(decision, 'erased') WHERE ord = ?3";
    run(desk.conn(), NOTES, row)?;
    let about = query::one(desk.conn(), "review_cases", ABOUT, [row], id_column)?;
    if about.is_some_and(|memory: MemoryId| going.contains(&memory)) {
        let bound = params![desk.now(), desk.0.act.actor.to_string(), row];
        query::run(desk.conn(), CLOSE, bound)?;
    }
    Ok(())
}

fn drop_from_read_row(
    conn: &Connection,
    row: i64,
    going: &HashSet<MemoryId>,
) -> Result<(), LedgerError> {
    const FIND: &str = "SELECT returned FROM read_rows WHERE ord = ?";
    const PUT: &str = "UPDATE read_rows SET returned = ? WHERE ord = ?";
    let returned = query::one(conn, "read_rows", FIND, [row], ids_column::<MemoryId>)?;
    let stays = returned
        .into_iter()
        .flatten()
        .filter(|id| !going.contains(id));
    let stays: Vec<MemoryId> = stays.collect();
    query::run(conn, PUT, params![packed(&stays), row]).map(drop)
}

const BLANK_MEMORY: &str = "UPDATE memories SET changed = ?1, words = NULL, content = '', slot_subject = NULL, \
     slot_attribute = NULL, slot_scope = NULL, slot_value = NULL, slot_unit = NULL, slot_negated = NULL, \
     owner_agent = CASE WHEN owner_agent IS NULL THEN NULL ELSE 'erased' END, entities = '[]', speaker = NULL, label_user = NULL, label_app = NULL, label_org = NULL, label_run = NULL, \
     source = 'erased', tags = '[]', custom_id = NULL, evidence = x'', observed_at = created_at, state = 'erased', \
     approved = 0, review = NULL, contested = 0, origins = 0, reasons = '[\"content_erased\"]', valid_from = NULL, \
     valid_until = NULL, expires_at = NULL WHERE ord = ?2";

fn blank_memory(desk: &mut Desk<'_>, doomed: &Doomed) -> Result<(), LedgerError> {
    for table in WITH_MEMORY {
        match table.by {
            By::Order => query::run(desk.conn(), table.erase, [doomed.ord])?,
            By::Id => query::run(desk.conn(), table.erase, [doomed.id.bytes()])?,
        };
    }
    let before = by_id(desk.conn(), doomed.id)?;
    let line = Line::of(Action::Erased, &ObjectRef::Memory(doomed.id)).within(&doomed.container);
    let decided = line.decided(Some(Event::Erase.as_str()));
    let at = desk.record(decided.because(&[Reason::ContentErased]))?;
    query::run(desk.conn(), BLANK_MEMORY, [seq(at), doomed.ord])?;
    let id = doomed.id.bytes();
    insert_history(desk.conn(), id, at, Some(Event::Erase), &nothing_left())?;
    desk.changed(at, before, None);
    Ok(())
}

/// The condition of a memory whose content is gone.
fn nothing_left() -> Condition {
    Condition {
        state: State::Erased,
        approved: false,
        review: None,
        contested: false,
        origins: 0,
        reasons: vec![Reason::ContentErased],
        validity: Validity::default(),
        expires_at: None,
    }
}

/// Agents, runs and sources become the word `erased`, not nothing: origins that say nothing would look independent, and
/// everything is somebody's.
const BLANK_EVIDENCE: &str = "UPDATE evidence SET erased = 1, text = '', metadata = NULL, label = 'erased', label_user = NULL, \
     label_app = NULL, label_org = NULL, label_run = NULL, observed_at = recorded_at, \
     owner_agent = CASE WHEN owner_agent IS NULL THEN NULL ELSE 'erased' END, \
     origin_agent = CASE WHEN origin_agent IS NULL THEN NULL ELSE 'erased' END, \
     origin_run = CASE WHEN origin_run IS NULL THEN NULL ELSE 'erased' END, \
     origin_source = CASE WHEN origin_source IS NULL THEN NULL ELSE 'erased' END WHERE id = ?";
const BLANK_SUPPORTS: &str = "UPDATE supports SET \
     origin_agent = CASE WHEN origin_agent IS NULL THEN NULL ELSE 'erased' END, \
     origin_run = CASE WHEN origin_run IS NULL THEN NULL ELSE 'erased' END, \
     origin_source = CASE WHEN origin_source IS NULL THEN NULL ELSE 'erased' END WHERE evidence = ?";

fn blank_evidence(desk: &mut Desk<'_>, id: EvidenceId) -> Result<(), LedgerError> {
    query::run(desk.conn(), BLANK_EVIDENCE, [id.bytes()])?;
    query::run(desk.conn(), BLANK_SUPPORTS, [id.bytes()])?;
    say_removed(desk, id, "erasure")
}

/// What others rest on keeps its links and where it came from, and of its text what they say; what came beside the text
/// may speak of anything in it.
const CUT_EVIDENCE: &str = "UPDATE evidence SET text = ?2, metadata = NULL, reasons = \
     CASE WHEN instr(reasons, '\"content_erased\"') THEN reasons ELSE json_insert(reasons, '$[#]', 'content_erased') END \
     WHERE id = ?1";

fn cut_evidence(desk: &mut Desk<'_>, id: EvidenceId, left: &str) -> Result<(), LedgerError> {
    query::run(desk.conn(), CUT_EVIDENCE, params![id.bytes(), left])?;
    say_removed(desk, id, "erasure_in_part")
}

fn say_removed(desk: &mut Desk<'_>, id: EvidenceId, how: &str) -> Result<(), LedgerError> {
    const PLACE: &str = "SELECT container FROM evidence WHERE id = ?";
    let place = query::one(desk.conn(), "evidence", PLACE, [id.bytes()], |c| {
        c.word(ContainerTag::new)
    })?;
    let Some(place) = place else { return Ok(()) };
    let line = Line::of(Action::EvidenceRemoved, &ObjectRef::Evidence(id)).within(&place);
    desk.record(line.decided(Some(how))).map(drop)
}

fn forget_thing(conn: &Connection, id: EntityId) -> Result<(), LedgerError> {
    for sql in [
        "DELETE FROM mentions WHERE entity = ?",
        "DELETE FROM entity_names WHERE entity = ?",
        "DELETE FROM entities WHERE id = ?",
    ] {
        query::run(conn, sql, [id.bytes()])?;
    }
    Ok(())
}

/// A fact stands for its newest revision that has content; one without any says nothing more.
fn settle_fact(conn: &Connection, fact: FactId) -> Result<(), LedgerError> {
    const NEWEST: &str = "SELECT id FROM memories WHERE fact = ? AND state <> 'erased' \
                          ORDER BY revision DESC LIMIT 1";
    const STANDS: &str = "SELECT 1 FROM facts f JOIN memories m ON m.id = f.current \
                          WHERE f.id = ? AND m.state <> 'erased'";
    const MOVE: &str = "UPDATE facts SET current = ?2 WHERE id = ?1";
    const BLANK: &str = "UPDATE facts SET slot_subject = NULL, slot_attribute = NULL, \
                         slot_scope = NULL WHERE id = ?1";
    let newest = query::one(
        conn,
        "memories",
        NEWEST,
        [fact.bytes()],
        id_column::<MemoryId>,
    )?;
    match newest {
        None => query::run(conn, BLANK, [fact.bytes()]).map(drop),
        Some(_) if query::exists(conn, STANDS, [fact.bytes()])? => Ok(()),
        Some(newest) => query::run(conn, MOVE, [fact.bytes(), newest.bytes()]).map(drop),
    }
}

fn write_down(
    desk: &mut Desk<'_>,
    plan: &Plan,
    mark: Option<[u8; 32]>,
    ground: &str,
) -> Result<ListLine, LedgerError> {
    const SQL: &str = "INSERT INTO erasures VALUES (?, ?, ?, ?, ?)";
    let toll = plan.toll();
    let own = ObjectRef::Erasure(desk.0.head.seq.next());
    let line = Line::of(Action::Erased, &own).decided(Some(ground));
    let at = desk.record(line)?;
    let mark = mark.unwrap_or(desk.0.head.hash.0);
    let evidence: Vec<EvidenceId> = plan.evidence.iter().copied().collect();
    let took = serde_json::to_string(&toll.rows).unwrap_or_default();
    let bound = params![
        seq(at),
        mark,
        packed(&toll.memories),
        packed(&evidence),
        took
    ];
    query::run(desk.conn(), SQL, bound)?;
    Ok(ListLine {
        mark,
        at: desk.0.act.at,
        memories: toll.memories,
        evidence,
        cut: plan.cuts.keys().copied().collect(),
        named: plan.named.clone(),
    })
}
