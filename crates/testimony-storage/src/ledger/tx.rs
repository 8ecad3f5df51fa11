//! A transaction: what can be read in it, and, where it is the writer's, what can be changed.
//!
//! Every family of rows adds its part in a module of its own: `Reads` for every transaction, `Writes` for the writer's.

use std::sync::Arc;

use rusqlite::Connection;
use testimony_domain::{Memory, MemoryId, Timestamp};
use testimony_service::ports::ledger::audit::{Act, ChainHead, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::memories::instant_as_kept;
use testimony_service::ports::ledger::{LedgerError, Reader, RowChange, Writer};

use super::erasure::list;
use super::query;
use super::rows::micros;

/// Where a transaction runs.
pub(crate) trait Source {
    fn connection(&self) -> &Connection;
}

/// A transaction.
pub(crate) struct Tx<S>(pub(crate) S);

impl<S: Source> Tx<S> {
    pub(crate) fn conn(&self) -> &Connection {
        self.0.connection()
    }
}

impl<S: Source> Reader for Tx<S> {
    fn bytes(&self) -> Result<u64, LedgerError> {
        const SQL: &str =
            "SELECT c.page_count * s.page_size FROM pragma_page_count() c, pragma_page_size() s";
        query::number(self.conn(), SQL, []).map(i64::unsigned_abs)
    }
}

/// The transaction of one piece of work.
pub(crate) type Desk<'c> = Tx<Working<'c>>;

/// One piece of work under way.
pub(crate) struct Working<'c> {
    conn: &'c Connection,
    pub(crate) act: Act,
    /// The end of the chain with the events of this work.
    pub(crate) head: ChainHead,
    pub(crate) changes: Vec<RowChange>,
    /// Whether one of its events changes who may come in, or where.
    pub(crate) changes_access: bool,
    /// What has to be remembered outside the database, should the work stand.
    pub(crate) erased: Vec<list::Line>,
    /// A change failed half-way, so the work cannot stand whatever it says.
    pub(crate) torn: bool,
}

impl Source for Working<'_> {
    fn connection(&self) -> &Connection {
        self.conn
    }
}

impl<'c> Tx<Working<'c>> {
    pub(crate) fn of(conn: &'c Connection, act: Act, head: ChainHead) -> Self {
        Self(Working {
            conn,
            act,
            head,
            changes: Vec::new(),
            changes_access: false,
            erased: Vec::new(),
            torn: false,
        })
    }

    /// The present instant of the work, as it is bound.
    pub(crate) fn now(&self) -> i64 {
        micros(self.0.act.at)
    }

    /// One change that is made as a whole: when it fails after its first row, the work cannot stand.
    pub(crate) fn whole<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let before = self.conn().total_changes();
        let outcome = change(self);
        if outcome.is_err() && self.conn().total_changes() != before {
            self.0.torn = true;
        }
        outcome
    }

    pub(crate) fn changed(&mut self, seq: Seq, before: Option<Memory>, after: Option<Memory>) {
        self.0.changes.push(RowChange {
            seq,
            before: before.map(Arc::new),
            after: after.map(Arc::new),
            embedding: None,
        });
    }

    /// Hangs a vector on the change of this work that its memory came with; `false` when there is none.
    pub(crate) fn hang(&mut self, memory: MemoryId, embedding: &Embedding) -> bool {
        let changes = self.0.changes.iter_mut().rev();
        let of_memory = |change: &&mut RowChange| {
            let after = change.after.as_ref();
            after.is_some_and(|after| after.id == memory)
        };
        let Some(change) = changes.into_iter().find(of_memory) else {
            return false;
        };
        change.embedding = Some(Arc::new(embedding.clone()));
        true
    }
}

impl Writer for Desk<'_> {
    fn act(&self) -> &Act {
        &self.0.act
    }
}

/// An act as the ledger keeps it.
pub(crate) fn act_as_kept(act: Act) -> Act {
    let at: Timestamp = instant_as_kept(act.at);
    Act { at, ..act }
}
