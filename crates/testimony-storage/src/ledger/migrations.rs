//! The forms that the ledger has had on disk, and the way from each to the next: a list of steps.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};
use testimony_service::ports::ledger::LedgerError;

use super::backup;
use super::connection::{APPLICATION_ID, pragma};
use super::files::{BEFORE_VERSION, beside};
use super::options::OpenError;
use super::query::failed;

/// The way from one form to the next.
pub(crate) struct Step {
    /// The version that it leads to; every step leads one further.
    pub(crate) to: i64,
    pub(crate) sql: &'static str,
}

/// Every step so far.
pub(crate) const STEPS: &[Step] = &[
    Step {
        to: 1,
        sql: include_str!("schema/0001_first.sql"),
    },
    Step {
        to: 2,
        sql: include_str!("schema/0002_time.sql"),
    },
    Step {
        to: 3,
        sql: include_str!("schema/0003_connectors.sql"),
    },
    Step {
        to: 4,
        sql: include_str!("schema/0004_allowances.sql"),
    },
    Step {
        to: 5,
        sql: include_str!("schema/0005_census.sql"),
    },
    Step {
        to: 6,
        sql: include_str!("schema/0006_latencies.sql"),
    },
    Step {
        to: 7,
        sql: include_str!("schema/0007_tallies.sql"),
    },
];

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
        let copy = beside(file, &format!("{BEFORE_VERSION}{known}"));
        // One is there already where an earlier start was cut short behind it; whatever else has the name, the copy of
        // what is there now takes its place once it is whole.
        if !(copy.exists() && backup::is_copy_of(conn, &copy)?) {
            backup::copy_in_place_of(conn, &copy)?;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps as a later program would have them.
    const LATER: &[Step] = &[
        Step {
            to: 1,
            sql: "CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER, actor TEXT, request TEXT, action TEXT, \
                  container TEXT, object TEXT, decision TEXT, reasons TEXT, rules TEXT, previous BLOB, own BLOB); \
                  CREATE TABLE lamps (name TEXT); INSERT INTO lamps VALUES ('pier')",
        },
        Step {
            to: 2,
            sql: "ALTER TABLE lamps ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'",
        },
        Step {
            to: 3,
            sql: "UPDATE lamps SET colour = 'red'; INSERT INTO no_such_table VALUES (1)",
        },
    ];

    fn colours(conn: &Connection) -> rusqlite::Result<String> {
        conn.query_row("SELECT group_concat(colour) FROM lamps", [], |row| {
            row.get(0)
        })
    }

    fn backups(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains("before")).collect()
    }

    #[test]
    fn each_step_is_taken_once_behind_a_verified_backup() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        let mut conn = Connection::open(&file).unwrap();
        migrate(&mut conn, &file, &LATER[..1]).unwrap();
        assert_eq!(
            backups(folder.path()),
            [""; 0],
            "a new one has nothing to lose"
        );
        migrate(&mut conn, &file, &LATER[..2]).unwrap();
        assert_eq!(colours(&conn).unwrap(), "green");
        let backup = "ledger.sqlite.before-version-2";
        assert_eq!(backups(folder.path()), [backup]);
        let before = Connection::open(folder.path().join(backup)).unwrap();
        assert_eq!(pragma(&before, "user_version").unwrap(), 1);
        assert!(colours(&before).is_err(), "it is as it was before");
        drop(before);
        migrate(&mut conn, &file, &LATER[..2]).unwrap();
        assert_eq!(backups(folder.path()), [backup], "nothing was left to do");
    }

    #[test]
    fn a_step_that_fails_leaves_the_form_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        let mut conn = Connection::open(&file).unwrap();
        migrate(&mut conn, &file, &LATER[..2]).unwrap();
        assert!(migrate(&mut conn, &file, LATER).is_err());
        assert_eq!(pragma(&conn, "user_version").unwrap(), 2);
        assert_eq!(colours(&conn).unwrap(), "green");
        assert_eq!(backups(folder.path()).len(), 1);
    }

    #[test]
    fn steps_lead_one_further_each() {
        for (expected, step) in (1..).zip(STEPS) {
            assert_eq!(step.to, expected);
        }
    }
}
