//! Review cases: opened once a row and kind, and settled once.

use rusqlite::types::Value;
use rusqlite::{params, params_from_iter};
use testimony_domain::{CaseId, ContainerTag};
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::reviews::{
    CaseFilter, CaseKind, Closing, Reads, ReviewCase, Writes,
};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed, failed_insert, is_taken};
use super::rows::review::{case, case_columns, insert};
use super::rows::{Id, count, id_column, micros};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const CENSUS: &str = "SELECT kind, count(*) FROM review_cases WHERE container = ? AND closed_at IS NULL GROUP BY kind";

impl<S: Source> Reads for Tx<S> {
    fn case(&self, id: CaseId) -> Result<Option<ReviewCase>, LedgerError> {
        const SQL: &str = concat!(
            "SELECT ",
            case_columns!(),
            " FROM review_cases WHERE id = ?"
        );
        query::one(self.conn(), "review_cases", SQL, [id.bytes()], case)
    }

    fn cases(
        &self,
        filter: &CaseFilter,
        page: Page<CaseId>,
    ) -> Result<Vec<ReviewCase>, LedgerError> {
        let mut sql =
            concat!("SELECT ", case_columns!(), " FROM review_cases WHERE TRUE").to_owned();
        let mut bound = Vec::new();
        let after = page.after.map(|id| Value::from(id.bytes().to_vec()));
        let after = (
            " AND ord > (SELECT ord FROM review_cases WHERE id = ?)",
            after,
        );
        for (condition, value) in conditions(filter).into_iter().chain([after]) {
            if let Some(value) = value {
                sql.push_str(condition);
                bound.push(value);
            }
        }
        if !filter.closed_too {
            sql.push_str(" AND closed_at IS NULL");
        }
        sql.push_str(" ORDER BY ord LIMIT ?");
        bound.push(count(page.limit).into());
        query::all(
            self.conn(),
            "review_cases",
            &sql,
            params_from_iter(bound),
            case,
        )
    }

    fn open_census(&self) -> Result<Vec<(CaseKind, u64)>, LedgerError> {
        const SQL: &str =
            "SELECT kind, COUNT(*) FROM review_cases WHERE closed_at IS NULL GROUP BY kind";
        let mut found = query::all(self.conn(), "review_cases", SQL, [], |c| {
            Ok((c.word(CaseKind::parse)?, c.count()?))
        })?;
        found.sort_unstable();
        Ok(found)
    }

    fn case_census(&self, container: &ContainerTag) -> Result<Vec<(CaseKind, u64)>, LedgerError> {
        let bound = [container.as_str()];
        let mut found = query::all(self.conn(), "review_cases", CENSUS, bound, |c| {
            Ok((c.word(CaseKind::parse)?, c.count()?))
        })?;
        found.sort_unstable();
        Ok(found)
    }
}

fn conditions(filter: &CaseFilter) -> [(&'static str, Option<Value>); 4] {
    let text = |value: &str| Value::from(value.to_owned());
    let container = filter.container.as_ref().map(|tag| text(tag.as_str()));
    let memory = filter.memory.map(|id| Value::from(id.bytes().to_vec()));
    [
        (" AND container = ?", container),
        (" AND kind = ?", filter.kind.map(|kind| text(kind.as_str()))),
        (
            " AND grouped = ?",
            filter.group.as_ref().map(|group| text(group)),
        ),
        (" AND memory = ?", memory),
    ]
}

impl Writes for Desk<'_> {
    fn open_case(&mut self, case: &ReviewCase) -> Result<CaseId, LedgerError> {
        self.whole(|desk| open(desk, case))
    }

    fn settle_case(&mut self, id: CaseId, closing: Option<&Closing>) -> Result<(), LedgerError> {
        self.whole(|desk| settle(desk, id, closing))
    }
}

fn open(desk: &mut Desk<'_>, case: &ReviewCase) -> Result<CaseId, LedgerError> {
    const OPEN: &str =
        "SELECT id FROM review_cases WHERE memory = ? AND kind = ? AND closed_at IS NULL";
    let missing = LedgerError::Missing {
        object: ObjectRef::Memory(case.memory),
    };
    if desk.container_of_living(case.memory)? != case.container {
        return Err(missing);
    }
    let bound = params![case.memory.bytes(), case.kind.as_str()];
    if let Some(open) = query::one(desk.conn(), "review_cases", OPEN, bound, id_column)? {
        return Ok(open);
    }
    let object = ObjectRef::Case(case.id);
    insert(desk.conn(), case).map_err(failed_insert(object.clone()))?;
    let line = Line::of(Action::CaseOpened, &object).within(&case.container);
    desk.record(line.decided(Some(case.kind.as_str())))?;
    Ok(case.id)
}

fn settle(desk: &mut Desk<'_>, id: CaseId, closing: Option<&Closing>) -> Result<(), LedgerError> {
    const SQL: &str = "UPDATE review_cases SET closed_at = ?, closed_by = ?, decision = ?, closing_note = ? \
                       WHERE id = ? AND (closed_at IS NULL) = ?";
    let object = ObjectRef::Case(id);
    let Some(before) = desk.case(id)? else {
        return Err(LedgerError::Missing { object });
    };
    let bound = params![
        closing.map(|closing| micros(closing.at)),
        closing.map(|closing| closing.by.to_string()),
        closing.map(|closing| &closing.decision),
        closing.and_then(|closing| closing.note.as_ref()),
        id.bytes(),
        closing.is_some(),
    ];
    let changed = execute(desk, SQL, bound)?;
    if changed != Some(1) {
        return Err(LedgerError::Changed { object });
    }
    let decision = closing.map_or("reopened", |closing| closing.decision.as_str());
    let line = Line::of(Action::CaseChanged, &object).within(&before.container);
    desk.record(line.decided(Some(decision))).map(drop)
}

/// How many rows were changed; `None` when another case is open for the same row and kind, so that this one cannot be.
fn execute(
    desk: &Desk<'_>,
    sql: &str,
    bound: &[&dyn rusqlite::ToSql],
) -> Result<Option<usize>, LedgerError> {
    let mut statement = desk.conn().prepare_cached(sql).map_err(failed("written"))?;
    match statement.execute(bound) {
        Ok(changed) => Ok(Some(changed)),
        Err(error) if is_taken(&error) => Ok(None),
        Err(error) => Err(failed("written")(error)),
    }
}
