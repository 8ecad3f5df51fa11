//! What follows when a row is over: what was to be decided about it is decided, and who stood against it alone is in
//! doubt no longer.

use std::collections::HashSet;

use testimony_domain::{Memory, MemoryId};

use crate::ports::ledger::memories::{Change, Relation};
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, Closing};
use crate::ports::ledger::{LedgerError, Page, Writer};

/// Closes the open cases about a row, of one kind where one is named; says how many.
pub(crate) fn close_cases(
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
        by: writer.act().actor,
        decision: decision.to_owned(),
        note: None,
    };
    for case in &open {
        writer.settle_case(case.id, Some(&closing))?;
    }
    Ok(open.len() as u64)
}

/// Takes rows out of doubt that stood against a row which is over, and against nobody else who still counts; returns
/// them as they were. Otherwise a claim that nobody ever supported would keep what it contradicted in doubt for ever.
pub(crate) fn calm(writer: &mut dyn Writer, over: MemoryId) -> Result<Vec<Memory>, LedgerError> {
    let mut calmed = Vec::new();
    for id in opponents(writer, over)? {
        let Some(other) = contested(writer, id)? else {
            continue;
        };
        if stands_against_somebody(writer, id)? {
            continue;
        }
        let change = Change::within_state(&other, |condition| condition.contested = false);
        writer.change_memory(&change)?;
        calmed.push(other);
    }
    Ok(calmed)
}

/// The rows that a row contradicts, or that contradict it.
fn opponents(writer: &dyn Writer, id: MemoryId) -> Result<Vec<MemoryId>, LedgerError> {
    let links = writer.links(id)?.into_iter();
    let against = links.filter(|link| link.relation == Relation::Contradicts);
    let other = |from: MemoryId, to: MemoryId| if from == id { to } else { from };
    let mut opponents: Vec<MemoryId> = against.map(|link| other(link.from, link.to)).collect();
    // Each may contradict the other in its own words, and be linked twice.
    let mut met = HashSet::new();
    opponents.retain(|id| met.insert(*id));
    Ok(opponents)
}

/// The row, while it counts and is contested.
fn contested(writer: &dyn Writer, id: MemoryId) -> Result<Option<Memory>, LedgerError> {
    let found = writer.memories(&[id])?.pop();
    Ok(found.filter(|memory| memory.contested && memory.state.is_open()))
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
