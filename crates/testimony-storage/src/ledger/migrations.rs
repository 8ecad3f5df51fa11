//! The forms that the ledger has had on disk, and the way from each to the next: a list of steps.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};
use testimony_service::ports::ledger::LedgerError;

use super::backup;
use super::connection::{APPLICATION_ID, pragma};
use super::files::beside;
use super::open::OpenError;
use super::query::failed;

/// The way from one form to the next.
pub(crate) struct Step {
    /// The version that it leads to; every step leads one further.
    pub(crate) to: i64,
    pub(crate) sql: &'static str,
}

/// Every step so far.
pub(crate) const STEPS: &[Step] = &[Step {
    to: 1,
    sql: include_str!("schema/0001_first.sql"),
}];

/// Brings a database to the newest form; one that holds something is backed up and verified first.
pub(crate) fn migrate(conn: &mut Connection, file: &Path, steps: &[Step]) -> Result<(), OpenError> {
    let found = pragma(conn, "user_version")?;
    let known = steps.last().map_or(0, |step| step.to);
    if found > known {
        return Err(OpenError::NewerForm { found, known });
    }
    let empty = is_empty(conn)?;
    if !empty && (found == 0 || pragma(conn, "application_id")? != i64::from(APPLICATION_ID)) {
        return Err(OpenError::Ledger(LedgerError::Damaged {
            place: file.display().to_string(),
            what: "it is a database of something else".to_owned(),
        }));
    }
    let mut pending = steps.iter().filter(|step| step.to > found).peekable();
    if !empty && pending.peek().is_some() {
        backup::copy(conn, &beside(file, &format!(".before-version-{known}")))?;
    }
    for step in pending {
        carry_out(conn, step)?;
    }
    Ok(())
}

fn is_empty(conn: &Connection) -> Result<bool, LedgerError> {
    let tables = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
        row.get::<_, i64>(0)
    });
    tables.map(|tables| tables == 0).map_err(failed("read"))
}

fn carry_out(conn: &mut Connection, step: &Step) -> Result<(), LedgerError> {
    let migrated = || {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute_batch(step.sql)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", step.to)?;
        tx.commit()
    };
    let mut migrated = migrated;
    migrated().map_err(failed("brought to its newest form"))
}
