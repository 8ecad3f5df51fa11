//! Erasure: a plan of what goes, made by reading alone, and the carrying out of that same plan.
//!
//! The dry run and the deed share the plan, so that what is announced is what is done.

mod carry_out;
pub(crate) mod list;
mod named;
mod plan;
mod shared;
mod tables;
mod words;

use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::erasure::{Erasure, NO_GROUND, Reads, Target, Toll, Writes};

use super::query;
use super::rows::event::actor;
use super::tx::{Desk, Source, Tx};
use plan::Plan;

impl<S: Source> Reads for Tx<S> {
    fn toll(&self, target: &Target) -> Result<Toll, LedgerError> {
        Plan::of(self.conn(), target).map(|plan| plan.toll())
    }

    fn erasures(&self) -> Result<Vec<Erasure>, LedgerError> {
        const SQL: &str = "SELECT x.seq, e.at, e.actor, x.memories, x.took, e.decision FROM erasures x \
                           JOIN events e ON e.seq = x.seq ORDER BY x.seq";
        query::all(self.conn(), "erasures", SQL, [], |c| {
            Ok(Erasure {
                seq: c.seq()?,
                at: c.time()?,
                by: actor(c)?,
                memories: c.ids()?,
                rows: c.json()?,
                ground: c.maybe_text()?.unwrap_or_default().to_owned(),
            })
        })
    }
}

impl Writes for Desk<'_> {
    fn erase_for(&mut self, target: &Target, ground: &str) -> Result<Toll, LedgerError> {
        self.whole(|desk| {
            let plan = Plan::of(desk.conn(), target)?;
            let toll = plan.toll();
            if plan.takes_something() {
                let line = carry_out::carry_out(desk, &plan, None, ground)?;
                desk.0.erased.push(line);
            }
            Ok(toll)
        })
    }
}

/// Carries out again what a line of the erasure list says, as far as it is not carried out here.
pub(crate) fn apply_again(desk: &mut Desk<'_>, line: &list::Line) -> Result<bool, LedgerError> {
    const SQL: &str = "SELECT 1 FROM erasures WHERE mark = ?";
    if query::exists(desk.conn(), SQL, [line.mark])? {
        return Ok(false);
    }
    desk.whole(|desk| {
        let plan = Plan::again(desk.conn(), line)?;
        carry_out::carry_out(desk, &plan, Some(line.mark), NO_GROUND).map(drop)
    })?;
    Ok(true)
}
