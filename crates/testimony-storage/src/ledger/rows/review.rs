//! Review cases and their closings, as rows.

use rusqlite::{Connection, params};
use testimony_domain::ContainerTag;
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::reviews::{CaseKind, Closing, ReviewCase};

use super::event::maybe_actor;
use super::{Cols, Id, micros, packed};

/// The columns of a case, in the order in which [`case`] reads them.
macro_rules! case_columns {
    () => {
        "id, container, kind, grouped, memory, against, note, opened_at, closed_at, closed_by, decision, closing_note"
    };
}
pub(crate) use case_columns;

pub(crate) fn case(c: &mut Cols<'_, '_>) -> Result<ReviewCase, LedgerError> {
    Ok(ReviewCase {
        id: c.id()?,
        container: c.word(ContainerTag::new)?,
        kind: c.word(CaseKind::parse)?,
        group: c.text()?.to_owned(),
        memory: c.id()?,
        against: c.ids()?,
        note: c.maybe_text()?.map(str::to_owned),
        opened_at: c.time()?,
        closed: closing(c)?,
    })
}

fn closing(c: &mut Cols<'_, '_>) -> Result<Option<Closing>, LedgerError> {
    let at = c.maybe_time()?;
    let by = maybe_actor(c)?;
    let decision = c.maybe_text()?.map(str::to_owned);
    let note = c.maybe_text()?.map(str::to_owned);
    match (at, by, decision) {
        (Some(at), Some(by), Some(decision)) => Ok(Some(Closing {
            at,
            by,
            decision,
            note,
        })),
        (None, None, None) => Ok(None),
        (_, _, _) => Err(c.damaged("a closing is there in part")),
    }
}

pub(crate) fn insert(conn: &Connection, case: &ReviewCase) -> rusqlite::Result<i64> {
    const SQL: &str = concat!(
        "INSERT INTO review_cases (",
        case_columns!(),
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    let closed = case.closed.as_ref();
    conn.prepare_cached(SQL)?.insert(params![
        case.id.bytes(),
        case.container.as_str(),
        case.kind.as_str(),
        case.group,
        case.memory.bytes(),
        packed(&case.against),
        case.note,
        micros(case.opened_at),
        closed.map(|closing| micros(closing.at)),
        closed.map(|closing| closing.by.to_string()),
        closed.map(|closing| &closing.decision),
        closed.and_then(|closing| closing.note.as_ref()),
    ])
}
