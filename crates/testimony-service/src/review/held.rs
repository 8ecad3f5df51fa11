//! Undo of a decision about what was held: the row is held again exactly as it was, and what the decision had let stand
//! stands no longer.
//!
//! Such a row never becomes pending by an undo: a pending row is shown to agents as something to confirm, and one of a
//! strong class is promoted by the next word for it.

use testimony_domain::{Event, Memory, MemoryId, State};

use super::bench::{Bench, Refused};
use super::conflict::beside;
use super::decision::{Decided, Decision};
use crate::conflict::{calm, close_cases};
use crate::ports::ledger::memories::{Change, Condition, HistoryLine, Relation};
use crate::ports::ledger::reviews::{CaseKind, ReviewCase};
use crate::ports::ledger::{LedgerError, Writer};

impl Bench {
    /// Holds a row of a case again, where the decision about the case was one about a row that was held; says whether it
    /// was.
    pub(super) fn hold_again(
        &self,
        writer: &mut dyn Writer,
        case: &ReviewCase,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<bool, Refused> {
        let Some(held) = held(writer, case, row)? else {
            return Ok(false);
        };
        let made = made(writer, case, row)?;
        for id in &made {
            self.change(writer, *id, Event::Reject, decided)?;
        }
        let change = Change::of(row, Event::HoldAgain, |condition| {
            // What has been said for it in the meantime still has been.
            let origins = condition.origins;
            *condition = Condition { origins, ..held };
        });
        let (change, _effect) = change.map_err(Refused::Table)?;
        writer.change_memory(&change)?;
        // What it was in conflict with since it was let out is a question no longer.
        close_cases(writer, row.id, None, Decision::Undo.as_str())?;
        for stood in made.iter().chain([&row.id]) {
            self.give_back(writer, *stood, decided)?;
        }
        Ok(true)
    }

    /// What had given way to a row that stands no longer is as it was before, and in doubt because of it no longer.
    fn give_back(
        &self,
        writer: &mut dyn Writer,
        over: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        for old in beside(writer, over, |link| (link.from == over).then_some(link.to))? {
            let before = before_last(&writer.history(old.id)?, Event::Supersede);
            let was_active = before.as_ref().map(|it| it.state) == Some(State::Active);
            let back = Change::of(&old, Event::Reinstate, |condition| {
                if let Some(before) = before {
                    *condition = before;
                }
            });
            // One that was not replaced any more has nothing to come back from.
            let Ok((change, _effect)) = back else {
                continue;
            };
            writer.change_memory(&change)?;
            let back = change.becomes().applied_to(&old);
            let state = if was_active {
                promote(writer, &back)?
            } else {
                back.state
            };
            if self.sees(&old) {
                decided.others.push((old.id, state));
            }
        }
        for calmed in calm(writer, over)? {
            let is_told = decided.others.iter().any(|(id, _)| *id == calmed.id);
            if !is_told && self.sees(&calmed) {
                decided.others.push((calmed.id, calmed.state));
            }
        }
        Ok(())
    }
}

/// What made a row active before it gave way still suffices.
fn promote(writer: &mut dyn Writer, row: &Memory) -> Result<State, Refused> {
    let (change, _effect) = Change::of(row, Event::Promote, |_| ()).map_err(Refused::Table)?;
    writer.change_memory(&change)?;
    Ok(change.becomes().state)
}

/// The condition in which the row of a case was held before the decision about it.
fn held(
    writer: &dyn Writer,
    case: &ReviewCase,
    row: &Memory,
) -> Result<Option<Condition>, LedgerError> {
    match row.state {
        // It was decided against, or in other words, and was held all the while.
        State::QuarantinedInjection | State::QuarantinedSecret | State::Forensic => {
            return Ok(Some(Condition::of(row)));
        }
        State::Active
        | State::Pending
        | State::Superseded
        | State::Expired
        | State::Rejected
        | State::Erased => {}
    }
    if case.kind != CaseKind::Injection {
        return Ok(None);
    }
    // A case of this kind may also be about weak signs, and such a row was pending.
    let held = before_last(&writer.history(row.id)?, Event::Approve);
    Ok(held.filter(|before| before.state == State::QuarantinedInjection))
}

/// The condition of a row before the last event of a kind.
fn before_last(history: &[HistoryLine], event: Event) -> Option<Condition> {
    let mut moves = history.iter().zip(history.iter().skip(1));
    let last = moves.rfind(|(_, line)| line.event == Some(event));
    last.map(|(before, _)| before.condition.clone())
}

/// The rows that the decision about a held row made, as far as they still stand: its words without the attack, or what
/// was left of it without its secret.
fn made(
    writer: &dyn Writer,
    case: &ReviewCase,
    row: &Memory,
) -> Result<Vec<MemoryId>, LedgerError> {
    let decision = case
        .closed
        .as_ref()
        .map(|closing| closing.decision.as_str());
    let relation = if decision == Some(Decision::ReleaseRedacted.as_str()) {
        Relation::RedactedFrom
    } else if decision == Some(Decision::Approve.as_str()) {
        Relation::Supersedes
    } else {
        return Ok(Vec::new());
    };
    // What took the place of a row that had been let out as it was is a later claim, and was not made by this decision.
    if relation == Relation::Supersedes && row.state != State::QuarantinedInjection {
        return Ok(Vec::new());
    }
    let links = writer.links(row.id)?.into_iter();
    let made = links.filter(|link| link.relation == relation && link.to == row.id);
    let made: Vec<MemoryId> = made.map(|link| link.from).collect();
    let rows = writer.memories(&made)?.into_iter();
    let stand = rows.filter(|it| it.state.is_open());
    let of_it = stand.filter(|it| relation == Relation::RedactedFrom || it.approved);
    Ok(of_it.map(|it| it.id).collect())
}
