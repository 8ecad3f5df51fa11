//! The pool of readers: each reader is one transaction on a connection of its own, and so one consistent state.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use testimony_service::ports::ledger::LedgerError;

use super::connection;
use super::trail::settle_snapshot;
use super::tx::{Source, Tx};

/// How many connections wait for the next reader; more are opened as they are needed, and closed afterwards.
const IDLE_AT_MOST: usize = 8;

pub(crate) struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Pool {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// A connection that nobody else uses, outside any transaction.
    pub(crate) fn connection(&self) -> Result<Pooled<'_>, LedgerError> {
        let waiting = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.pop()
        };
        let conn = match waiting {
            Some(conn) => conn,
            None => connection::reader(&self.path)?,
        };
        Ok(Pooled {
            pool: self,
            conn: Some(conn),
        })
    }

    /// A transaction that sees the state as of now.
    pub(crate) fn reader(&self) -> Result<Tx<Pooled<'_>>, LedgerError> {
        let pooled = self.connection()?;
        settle_snapshot(pooled.connection())?;
        Ok(Tx(pooled))
    }

    /// Closes every connection that waits.
    pub(crate) fn clear(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.clear();
    }
}

/// A connection on loan.
pub(crate) struct Pooled<'p> {
    pool: &'p Pool,
    /// Taken out when it goes back, and at no other time.
    conn: Option<Connection>,
}

impl Source for Pooled<'_> {
    #[expect(
        clippy::expect_used,
        reason = "the connection is taken out by `drop` alone"
    )]
    fn connection(&self) -> &Connection {
        self.conn.as_ref().expect("it goes back only once")
    }
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
        // A connection that cannot end its transaction is closed instead, which ends it too.
        let ended = conn.is_autocommit() || conn.execute_batch("ROLLBACK").is_ok();
        let mut idle = self
            .pool
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if ended && idle.len() < IDLE_AT_MOST {
            idle.push(conn);
        }
    }
}
