//! Rows whose time is over expire: through the lifecycle table, earliest first, and with everything that hangs on them.
//!
//! The order is that of the ends, so that one late look does what many timely ones would have done.

use testimony_domain::{Event, MemoryId, ReviewNeed, State};

use crate::conflict::{calm, close_cases};
use crate::ports::ledger::memories::{Change, RunOut};
use crate::ports::ledger::reviews::CaseKind;
use crate::ports::ledger::{LedgerError, Writer};

/// What expiring did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Expired {
    pub(super) memories: u64,
    pub(super) cases_closed: u64,
    pub(super) conflicts_settled: u64,
}

/// What a closed case says about why.
const RAN_OUT: &str = "expired";
const OTHER_SIDE_RAN_OUT: &str = "other_side_expired";

/// Has at most so many rows expire.
pub(super) fn expire(writer: &mut dyn Writer, limit: usize) -> Result<Expired, LedgerError> {
    let mut done = Expired::default();
    let over = writer.run_out(writer.act().at, limit)?;
    for RunOut { memory, .. } in over {
        // Read again: the end of a row before it may have settled the conflict that this one stood in.
        let Some(memory) = writer.memories(&[memory.id])?.pop() else {
            continue;
        };
        let Ok((change, _)) = Change::of(&memory, Event::Expire, |_| ()) else {
            continue;
        };
        writer.change_memory(&change)?;
        done.memories += 1;
        done.cases_closed += close_cases(writer, memory.id, None, RAN_OUT)?;
        if memory.contested {
            settle_the_others(writer, memory.id, &mut done)?;
        }
    }
    Ok(done)
}

/// A conflict one side of which is over is none any more for those who stood against that side alone.
fn settle_the_others(
    writer: &mut dyn Writer,
    over: MemoryId,
    done: &mut Expired,
) -> Result<(), LedgerError> {
    for other in calm(writer, over)? {
        done.conflicts_settled += 1;
        // A challenger still needs a person, and its case is where the person finds it.
        if other.state == State::Active && other.review != Some(ReviewNeed::Challenger) {
            let kind = Some(CaseKind::Conflict);
            done.cases_closed += close_cases(writer, other.id, kind, OTHER_SIDE_RAN_OUT)?;
        }
    }
    Ok(())
}
