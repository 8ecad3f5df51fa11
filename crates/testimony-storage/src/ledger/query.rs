//! Statements, prepared once a connection, with the ledger's errors instead of SQLite's.

use rusqlite::{CachedStatement, Connection, ErrorCode, Params, ffi};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::ObjectRef;

use super::rows::Cols;

/// What SQLite's error means to whoever asked the ledger.
pub(crate) fn failed(doing: &'static str) -> impl Fn(rusqlite::Error) -> LedgerError {
    move |error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => LedgerError::Full,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => LedgerError::Damaged {
            place: super::FILE.to_owned(),
            what: error.to_string(),
        },
        Some(_) | None => LedgerError::Store {
            doing,
            source: Box::new(error),
        },
    }
}

/// The same for an insert of something that has to be new.
pub(crate) fn failed_insert(object: ObjectRef) -> impl FnOnce(rusqlite::Error) -> LedgerError {
    move |error| {
        if is_taken(&error) {
            LedgerError::Exists { object }
        } else {
            failed("written")(error)
        }
    }
}

/// Whether a row is there already.
pub(crate) fn is_taken(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY)
    )
}

/// Changes rows, and says how many.
pub(crate) fn run(conn: &Connection, sql: &str, params: impl Params) -> Result<usize, LedgerError> {
    let statement = conn.prepare_cached(sql);
    statement
        .and_then(|mut statement| statement.execute(params))
        .map_err(failed("written"))
}

/// Changes rows by one statement again and again, each time with what `execute` binds.
pub(crate) fn run_each<T>(
    conn: &Connection,
    sql: &str,
    all: impl IntoIterator<Item = T>,
    mut execute: impl FnMut(&mut CachedStatement<'_>, T) -> rusqlite::Result<usize>,
) -> Result<(), LedgerError> {
    let mut statement = conn.prepare_cached(sql).map_err(failed("written"))?;
    for one in all {
        execute(&mut statement, one).map_err(failed("written"))?;
    }
    Ok(())
}

/// Every row, each read by `read`.
pub(crate) fn all<T>(
    conn: &Connection,
    table: &'static str,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&mut Cols<'_, '_>) -> Result<T, LedgerError>,
) -> Result<Vec<T>, LedgerError> {
    let mut statement = conn.prepare_cached(sql).map_err(failed("read"))?;
    let mut rows = statement.query(params).map_err(failed("read"))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed("read"))? {
        found.push(read(&mut Cols::new(row, table))?);
    }
    Ok(found)
}

/// The first row, read by `read`.
pub(crate) fn one<T>(
    conn: &Connection,
    table: &'static str,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&mut Cols<'_, '_>) -> Result<T, LedgerError>,
) -> Result<Option<T>, LedgerError> {
    let mut statement = conn.prepare_cached(sql).map_err(failed("read"))?;
    let mut rows = statement.query(params).map_err(failed("read"))?;
    let row = rows.next().map_err(failed("read"))?;
    row.map(|row| read(&mut Cols::new(row, table))).transpose()
}

/// The first row for each of these, where there is one; the statement is looked up once for all of them.
pub(crate) fn one_each<P: Params, T>(
    conn: &Connection,
    table: &'static str,
    sql: &str,
    each: impl Iterator<Item = P>,
    mut read: impl FnMut(&mut Cols<'_, '_>) -> Result<T, LedgerError>,
) -> Result<Vec<T>, LedgerError> {
    let mut statement = conn.prepare_cached(sql).map_err(failed("read"))?;
    let mut found = Vec::new();
    for params in each {
        let mut rows = statement.query(params).map_err(failed("read"))?;
        if let Some(row) = rows.next().map_err(failed("read"))? {
            found.push(read(&mut Cols::new(row, table))?);
        }
    }
    Ok(found)
}

/// A number that is always there, such as a count.
pub(crate) fn number(
    conn: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<i64, LedgerError> {
    let statement = conn.prepare_cached(sql);
    statement
        .and_then(|mut statement| statement.query_row(params, |row| row.get(0)))
        .map_err(failed("read"))
}

/// Whether there is such a row.
pub(crate) fn exists(
    conn: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<bool, LedgerError> {
    let statement = conn.prepare_cached(sql);
    statement
        .and_then(|mut statement| statement.exists(params))
        .map_err(failed("read"))
}
