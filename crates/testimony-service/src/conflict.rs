//! What follows for the other side when one side of a conflict is gone.

use testimony_domain::{MemoryId, State};

use crate::ports::ledger::memories::{Change, Relation};
use crate::ports::ledger::{LedgerError, Writer};

/// Takes rows out of doubt that stood against a row which is gone, where no other stands against them; says which.
pub(crate) fn calm(
    writer: &mut dyn Writer,
    gone: MemoryId,
) -> Result<Vec<(MemoryId, State)>, LedgerError> {
    let mut calmed = Vec::new();
    for other in opponents(writer, gone)? {
        if is_still_contested(writer, other)? {
            continue;
        }
        let rows = writer.memories(&[other])?;
        if let Some(row) = rows
            .first()
            .filter(|row| row.contested && is_open(row.state))
        {
            let change = Change::within_state(row, |condition| condition.contested = false);
            writer.change_memory(&change)?;
            calmed.push((other, row.state));
        }
    }
    Ok(calmed)
}

fn opponents(writer: &dyn Writer, id: MemoryId) -> Result<Vec<MemoryId>, LedgerError> {
    let links = writer.links(id)?;
    let against = links
        .iter()
        .filter(|link| link.relation == Relation::Contradicts);
    let others = against.map(|link| if link.from == id { link.to } else { link.from });
    Ok(others.collect())
}

fn is_still_contested(writer: &dyn Writer, id: MemoryId) -> Result<bool, LedgerError> {
    let rows = writer.memories(&opponents(writer, id)?)?;
    Ok(rows.iter().any(|row| row.contested && is_open(row.state)))
}

const fn is_open(state: State) -> bool {
    matches!(state, State::Active | State::Pending)
}
