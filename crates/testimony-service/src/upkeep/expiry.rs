//! Rows whose time is over expire: through the lifecycle table, earliest first, and with everything that hangs on them.
//!
//! The order is that of the ends, so that one late look does what many timely ones would have done.

use testimony_domain::{Event, Memory, MemoryId, ReviewNeed, State};

use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::{Change, Relation, RunOut};
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, Closing};
use crate::ports::ledger::{LedgerError, Page, Writer};

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
        done.cases_closed += close(writer, memory.id, None, RAN_OUT)?;
        if memory.contested {
            settle_the_others(writer, &memory, &mut done)?;
        }
    }
    Ok(done)
}

/// Closes the open cases about a row, of one kind where one is named.
fn close(
    writer: &mut dyn Writer,
    memory: MemoryId,
    kind: Option<CaseKind>,
    decision: &str,
) -> Result<u64, LedgerError> {
    let filter = CaseFilter {
        memory: Some(memory),
        kind,
        ..CaseFilter::default()
    };
    // At most one case of each kind is open about a row.
    let open = writer.cases(&filter, Page::first(CaseKind::ALL.len()))?;
    let closing = Closing {
        at: writer.act().at,
        by: Actor::Service,
        decision: decision.to_owned(),
        note: None,
    };
    for case in &open {
        writer.settle_case(case.id, Some(&closing))?;
    }
    Ok(open.len() as u64)
}

/// A conflict one side of which is over is none any more: whoever stood against that side, and against nobody else who
/// still counts, is contested no longer. Otherwise a claim that nobody ever supported would keep what it contradicted
/// in doubt for ever.
fn settle_the_others(
    writer: &mut dyn Writer,
    over: &Memory,
    done: &mut Expired,
) -> Result<(), LedgerError> {
    for id in opponents(writer, over.id)? {
        let Some(other) = contested(writer, id)? else {
            continue;
        };
        if stands_against_somebody(writer, id)? {
            continue;
        }
        let change = Change::within_state(&other, |condition| condition.contested = false);
        writer.change_memory(&change)?;
        done.conflicts_settled += 1;
        // A challenger still needs a person, and its case is where the person finds it.
        if other.state == State::Active && other.review != Some(ReviewNeed::Challenger) {
            done.cases_closed += close(writer, id, Some(CaseKind::Conflict), OTHER_SIDE_RAN_OUT)?;
        }
    }
    Ok(())
}

/// The rows that a row contradicts, or that contradict it.
fn opponents(writer: &dyn Writer, id: MemoryId) -> Result<Vec<MemoryId>, LedgerError> {
    let links = writer.links(id)?.into_iter();
    let against = links.filter(|link| link.relation == Relation::Contradicts);
    let other = |from: MemoryId, to: MemoryId| if from == id { to } else { from };
    let mut opponents: Vec<MemoryId> = against.map(|link| other(link.from, link.to)).collect();
    // Each may contradict the other in its own words, and be linked twice.
    let mut met = std::collections::HashSet::new();
    opponents.retain(|id| met.insert(*id));
    Ok(opponents)
}

/// The row, while it counts and is contested.
fn contested(writer: &dyn Writer, id: MemoryId) -> Result<Option<Memory>, LedgerError> {
    let found = writer.memories(&[id])?.pop();
    let counts = |memory: &Memory| matches!(memory.state, State::Active | State::Pending);
    Ok(found.filter(|memory| memory.contested && counts(memory)))
}

fn stands_against_somebody(writer: &dyn Writer, id: MemoryId) -> Result<bool, LedgerError> {
    // The newest are looked at first: they are the likeliest to count still.
    for opponent in opponents(writer, id)?.into_iter().rev() {
        if contested(writer, opponent)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
