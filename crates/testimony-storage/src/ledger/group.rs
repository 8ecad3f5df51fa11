//! One group of work: a transaction in which each piece stands or falls by itself, and a single wait for the disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;

use rusqlite::Connection;
use testimony_service::ports::ledger::audit::{Act, ChainHead};
use testimony_service::ports::ledger::{Commit, Fate, LedgerError, Work};

use super::erasure::list::Line;
use super::query::failed;
use super::tx::Desk;

/// A piece of work with somebody who waits for it.
pub(crate) struct Task {
    pub(crate) act: Act,
    pub(crate) work: Work,
    pub(crate) answer: Answer,
}

pub(crate) type Answer = SyncSender<Result<Commit, LedgerError>>;

/// A group under way.
pub(crate) struct Group<'c> {
    conn: &'c Connection,
    /// The end of the chain with what was kept so far.
    pub(crate) head: ChainHead,
    /// The end of the chain before the group.
    before: ChainHead,
    pub(crate) kept: Vec<(Answer, Commit)>,
    /// What left nothing, with its answer; it is given with the others, since it may rest on what they wrote.
    pub(crate) left: Vec<(Answer, Result<Commit, LedgerError>)>,
    pub(crate) erased: Vec<Line>,
}

impl<'c> Group<'c> {
    pub(crate) fn begin(conn: &'c Connection, head: ChainHead) -> Result<Self, LedgerError> {
        execute(conn, "BEGIN IMMEDIATE")?;
        Ok(Self {
            conn,
            head,
            before: head,
            kept: Vec::new(),
            left: Vec::new(),
            erased: Vec::new(),
        })
    }

    pub(crate) fn carry_out(&mut self, task: Task) {
        let Task { act, work, answer } = task;
        let outcome = self.ready().and_then(|hold| self.attempt(act, work, hold));
        match outcome {
            Ok(Some(commit)) => self.kept.push((answer, commit)),
            Ok(None) => {
                let nothing = Commit {
                    reached: self.head.seq,
                    changes: Vec::new(),
                    changes_access: false,
                };
                self.left.push((answer, Ok(nothing)));
            }
            Err(error) => {
                if self.conn.is_autocommit() {
                    // SQLite ended the whole transaction, as it does when the disk is full.
                    self.lose_what_was_kept(&error);
                }
                self.left.push((answer, Err(error)));
            }
        }
    }

    /// Begins again where the transaction has ended, and says how far a piece of work can be taken back.
    fn ready(&self) -> Result<Hold, LedgerError> {
        if self.conn.is_autocommit() {
            execute(self.conn, "BEGIN IMMEDIATE")?;
        }
        if self.kept.is_empty() {
            return Ok(Hold::Transaction);
        }
        execute(self.conn, "SAVEPOINT work")?;
        Ok(Hold::Savepoint)
    }

    fn lose_what_was_kept(&mut self, why: &LedgerError) {
        self.head = self.before;
        self.erased.clear();
        let lost = self.kept.drain(..);
        self.left
            .extend(lost.map(|(answer, _)| (answer, Err(same(why)))));
    }

    fn attempt(&mut self, act: Act, work: Work, hold: Hold) -> Result<Option<Commit>, LedgerError> {
        let mut desk = Desk::of(self.conn, act, self.head);
        // The work owns what it touches, and what it wrote is rolled back, so nothing half-done is seen afterwards.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut desk)));
        let working = desk.0;
        let fate = match outcome {
            Ok(Ok(Fate::Keep)) if working.torn => Err(broken("a change failed half-way")),
            Ok(outcome) => outcome,
            Err(_) => Err(broken("the work panicked")),
        };
        if let Ok(Fate::Keep) = fate {
            hold.keep(self.conn)?;
            self.head = working.head;
            self.erased.extend(working.erased);
            return Ok(Some(Commit {
                reached: self.head.seq,
                changes: working.changes,
                changes_access: working.changes_access,
            }));
        }
        if !self.conn.is_autocommit() {
            hold.take_back(self.conn)?;
        }
        fate.map(|_| None)
    }

    /// How many rows it changes so far.
    pub(crate) fn changes(&self) -> usize {
        let each = self.kept.iter().map(|(_, commit)| commit.changes.len());
        each.sum()
    }

    /// Makes the group durable, or leaves nothing of it.
    pub(crate) fn end(&self, keep: bool) -> Result<(), LedgerError> {
        if keep {
            let committed = execute(self.conn, "COMMIT");
            if committed.is_err() {
                roll_back(self.conn);
            }
            return committed;
        }
        roll_back(self.conn);
        Ok(())
    }
}

/// What a piece of work is taken back by.
///
/// A savepoint keeps a copy of every page that changes, in many small pieces, and walks through them at the end of every
/// statement, which a large piece of work feels. The first of a transaction needs none.
#[derive(Clone, Copy)]
enum Hold {
    /// Nothing was kept before it in this transaction.
    Transaction,
    Savepoint,
}

impl Hold {
    fn keep(self, conn: &Connection) -> Result<(), LedgerError> {
        match self {
            Self::Transaction => Ok(()),
            Self::Savepoint => execute(conn, "RELEASE work"),
        }
    }

    fn take_back(self, conn: &Connection) -> Result<(), LedgerError> {
        match self {
            Self::Transaction => execute(conn, "ROLLBACK"),
            Self::Savepoint => {
                execute(conn, "ROLLBACK TO work")?;
                execute(conn, "RELEASE work")
            }
        }
    }
}

fn roll_back(conn: &Connection) {
    if !conn.is_autocommit()
        && let Err(error) = execute(conn, "ROLLBACK")
    {
        tracing::error!(%error, "a transaction could not be rolled back");
    }
}

fn execute(conn: &Connection, sql: &str) -> Result<(), LedgerError> {
    let statement = conn.prepare_cached(sql);
    statement
        .and_then(|mut statement| statement.execute([]))
        .map(drop)
        .map_err(failed("written"))
}

fn broken(why: &'static str) -> LedgerError {
    LedgerError::Store {
        doing: "written",
        source: why.into(),
    }
}

/// An error for everybody whom it concerns.
pub(crate) fn same(error: &LedgerError) -> LedgerError {
    match error {
        LedgerError::Full => LedgerError::Full,
        LedgerError::Stopped => LedgerError::Stopped,
        LedgerError::Damaged { place, what } => LedgerError::Damaged {
            place: place.clone(),
            what: what.clone(),
        },
        LedgerError::Overloaded { .. }
        | LedgerError::Missing { .. }
        | LedgerError::Changed { .. }
        | LedgerError::Exists { .. }
        | LedgerError::Store { .. } => LedgerError::Store {
            doing: "written",
            source: error.to_string().into(),
        },
    }
}
