//! Connections, and what SQLite is told on each.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use testimony_service::ports::ledger::LedgerError;

use super::files;
use super::options::Options;
use super::query::failed;

/// How many prepared statements a connection keeps; there are about a hundred and fifty.
const STATEMENTS: usize = 256;
/// How long a statement waits for a lock that only a checkpoint or another connection's recovery can hold.
const PATIENCE: Duration = Duration::from_millis(500);

/// What names a file as a ledger: "TSTY".
pub(crate) const APPLICATION_ID: i32 = 0x5453_5459;

/// What the writer's connection is told, beside what depends on options.
#[rustfmt::skip]
const WRITER: &[(&str, &str)] = &[
    // Freed pages can be given back one by one; it can only be said before the first table.
    ("auto_vacuum", "INCREMENTAL"),
    ("journal_mode", "WAL"),
    // What is deleted is overwritten.
    ("secure_delete", "ON"),
    ("foreign_keys", "ON"),
    // Nothing of a transaction reaches a temporary file.
    ("temp_store", "MEMORY"),
    // The writer empties the log itself, after it has answered.
    ("wal_autocheckpoint", "0"),
    ("journal_size_limit", "0"),
    // A damaged page is noticed when it is read.
    ("cell_size_check", "ON"),
    ("trusted_schema", "OFF"),
    ("cache_size", "-65536"),
];

#[rustfmt::skip]
const READER: &[(&str, &str)] = &[
    ("query_only", "ON"),
    ("temp_store", "MEMORY"),
    ("cell_size_check", "ON"),
    ("trusted_schema", "OFF"),
    ("cache_size", "-8192"),
];

pub(crate) fn writer(path: &Path, options: &Options) -> Result<Connection, LedgerError> {
    files::make_database(path).map_err(|error| LedgerError::Store {
        doing: "opened",
        source: Box::new(error),
    })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(failed("opened"))?;
    // The wait comes first: it is what lets every other statement live with another connection's recovery.
    conn.busy_timeout(PATIENCE).map_err(failed("opened"))?;
    tell(&conn, WRITER)?;
    let synchronous = if options.durable { "FULL" } else { "OFF" };
    tell(&conn, &[("synchronous", synchronous)])?;
    limit_pages(&conn, options.max_pages)?;
    Ok(conn)
}

pub(crate) fn reader(path: &Path) -> Result<Connection, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(failed("opened"))?;
    conn.busy_timeout(PATIENCE).map_err(failed("opened"))?;
    tell(&conn, READER)?;
    Ok(conn)
}

fn tell(conn: &Connection, pragmas: &[(&str, &str)]) -> Result<(), LedgerError> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // A plan depends on the statement alone; else what is bound anew has many a statement compiled again.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map_err(failed("opened"))?;
    for (name, value) in pragmas {
        conn.pragma_update(None, name, value)
            .map_err(failed("opened"))?;
    }
    Ok(())
}

/// Lets the database grow to so many pages at most.
pub(crate) fn limit_pages(conn: &Connection, pages: Option<u32>) -> Result<(), LedgerError> {
    const AS_MANY_AS_THERE_CAN_BE: u32 = 4_294_967_294;
    let pages = pages.unwrap_or(AS_MANY_AS_THERE_CAN_BE);
    conn.pragma_update(None, "max_page_count", pages)
        .map_err(failed("opened"))
}

/// Brings the log into the database and cuts it; `false` when a reader was in the way.
pub(crate) fn cut_log(conn: &Connection) -> Result<bool, LedgerError> {
    let busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
        row.get::<_, i64>(0)
    });
    busy.map(|busy| busy == 0).map_err(failed("written"))
}

/// The number that a pragma answers with.
pub(crate) fn pragma(conn: &Connection, name: &str) -> Result<i64, LedgerError> {
    conn.pragma_query_value(None, name, |row| row.get(0))
        .map_err(failed("read"))
}

/// What SQLite finds wrong with a database; nothing when it is sound.
pub(crate) fn integrity(conn: &Connection) -> Result<Vec<String>, LedgerError> {
    let mut statement = conn
        .prepare("PRAGMA integrity_check")
        .map_err(failed("checked"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0));
    let lines: Result<Vec<String>, _> = lines.and_then(Iterator::collect);
    let lines = lines.map_err(failed("checked"))?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}
