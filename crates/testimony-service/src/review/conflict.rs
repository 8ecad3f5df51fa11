//! The other side of a conflict: what gives way, what comes back, and what is met for the first time.

use testimony_admission::reconcile::{Challenger, Neighbour, Relation, reconcile};
use testimony_domain::{CaseId, Event, Memory, MemoryId, Reason, ReviewNeed, Speaker, State};

use super::bench::{Bench, Refused};
use super::decision::Decided;
use crate::conflict::close_cases;
use crate::error::NotFound;
use crate::ports::ledger::memories::{Change, Condition, Link, Relation as LinkKind};
use crate::ports::ledger::reviews::{CaseKind, ReviewCase};
use crate::ports::ledger::{LedgerError, Writer};
use crate::write::{neighbour, shares_room};

impl Bench {
    /// A row that is approved has won: what it challenged gives way to `stands`, which is the row itself or its new
    /// wording, and what challenged it is rejected.
    pub(super) fn settle_conflict(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        stands: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        if row.state == State::QuarantinedInjection {
            // What is held is in no conflict: a link is left of an approval that was taken back, and decides nothing.
            let standing = writer.memories(&[stands])?.pop();
            return standing.map_or(Ok(()), |it| self.meet_what_is_known(writer, &it, decided));
        }
        for link in writer.links(row.id)? {
            if link.relation != LinkKind::Contradicts {
                continue;
            }
            if link.from == row.id {
                self.give_way(writer, stands, link.to, decided)?;
            } else {
                self.change(writer, link.from, Event::Reject, decided)?;
            }
        }
        Ok(())
    }

    /// A row takes the place of one that the reviewer named.
    pub(super) fn replace(
        &self,
        writer: &mut dyn Writer,
        row: MemoryId,
        old: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        self.row(writer, old, NotFound::Memory)?;
        self.give_way(writer, row, old, decided)
    }

    fn give_way(
        &self,
        writer: &mut dyn Writer,
        row: MemoryId,
        old: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        self.change(writer, old, Event::Supersede, decided)?;
        writer.link(Link {
            from: row,
            relation: LinkKind::Supersedes,
            to: old,
        })?;
        Ok(())
    }

    /// The conflict is open again: what `row` had replaced is back, and in doubt together with it. What `challenger` never
    /// was in conflict with before the reviewer had it give way is in one now, and has a case of its own.
    pub(super) fn reinstate(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        challenger: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        for old in beside(writer, row.id, |link| {
            (link.from == row.id).then_some(link.to)
        })? {
            let back = Change::of(&old, Event::Reinstate, |condition| {
                condition.contested = true;
                condition.validity.until = None;
            });
            // One that was not replaced any more has nothing to come back from.
            let Ok((change, _effect)) = back else {
                continue;
            };
            writer.change_memory(&change)?;
            let known = [row.id, challenger, old.id];
            if old.id != challenger && !contradict(writer, &known)? {
                self.open_conflict(writer, &old, vec![challenger])?;
            }
            if self.sees(&old) {
                decided.others.push((old.id, change.becomes().state));
            }
        }
        if decided.others.is_empty() {
            return Ok(());
        }
        let undone = writer.memories(&[row.id])?;
        for undone in undone.iter().filter(|row| row.state.is_open()) {
            let change = Change::within_state(undone, |condition| condition.contested = true);
            writer.change_memory(&change)?;
        }
        Ok(())
    }

    /// The words in which a row was approved no longer hold: the row waits again, and so does what they had replaced.
    pub(super) fn take_back_wording(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let successors = |link: &Link| (link.to == row.id).then_some(link.from);
        let mut rows = beside(writer, row.id, successors)?.into_iter();
        let wording = rows.find(|it| it.fact == row.fact && it.approved && it.state.is_open());
        let wording = wording.ok_or(Refused::Table(Reason::NothingToUndo))?;
        self.change(writer, wording.id, Event::Reject, decided)?;
        self.reinstate(writer, &wording, row.id, decided)?;
        decided.others.retain(|(id, _)| *id != row.id);
        let back = |(_, state): &(MemoryId, State)| *state == State::Pending;
        let in_conflict = decided.others.iter().any(back);
        for row in writer.memories(&[row.id])? {
            let change = Change::within_state(&row, |condition| {
                condition.review = Some(ReviewNeed::Requested);
                condition.contested = in_conflict;
            });
            writer.change_memory(&change)?;
        }
        Ok(())
    }

    /// Changes a row on the other side, where it is still open to that; what was to be decided about it is decided.
    pub(super) fn change(
        &self,
        writer: &mut dyn Writer,
        id: MemoryId,
        event: Event,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let row = writer.memories(&[id])?.into_iter().next();
        let open = row.filter(|row| row.state.is_open());
        let Some(row) = open else { return Ok(()) };
        // Nobody decides over a row unseen.
        if !self.sees(&row) {
            return Err(Refused::BeyondSight);
        }
        let ends = |condition: &mut Condition| {
            condition.contested = false;
            let until = condition.validity.until.unwrap_or(self.now);
            if event == Event::Supersede {
                condition.validity.until = Some(until.min(self.now));
            }
        };
        let (change, _effect) = Change::of(&row, event, ends).map_err(Refused::Table)?;
        writer.change_memory(&change)?;
        close_cases(writer, id, None, event.as_str())?;
        decided.others.push((id, change.becomes().state));
        Ok(())
    }

    /// A row that comes out of quarantine, or that holds in words that nobody said before, has met nothing yet. What it
    /// contradicts is a conflict of its own, which nobody has decided by approving the row.
    pub(super) fn meet_what_is_known(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let rivals = rivals(writer, row)?;
        if rivals.is_empty() {
            return Ok(());
        }
        let approved = writer.memories(&[row.id])?;
        for shaken in approved.iter().chain(&rivals) {
            let change = Change::within_state(shaken, |condition| condition.contested = true);
            writer.change_memory(&change)?;
            decided.others.push((shaken.id, shaken.state));
        }
        self.open_conflict(writer, row, rivals.iter().map(|rival| rival.id).collect())
    }

    /// A conflict that is to be decided.
    fn open_conflict(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        against: Vec<MemoryId>,
    ) -> Result<(), Refused> {
        for rival in &against {
            writer.link(Link {
                from: row.id,
                relation: LinkKind::Contradicts,
                to: *rival,
            })?;
        }
        writer.open_case(&ReviewCase {
            id: CaseId::mint(self.ids.as_ref()),
            container: row.partition.container().clone(),
            kind: CaseKind::Conflict,
            group: crate::write::group_of(row),
            memory: row.id,
            against,
            note: None,
            opened_at: self.now,
            closed: None,
        })?;
        Ok(())
    }
}

/// Whether two of these rows were known to contradict each other.
fn contradict(writer: &dyn Writer, rows: &[MemoryId]) -> Result<bool, LedgerError> {
    for row in rows {
        let links = writer.links(*row)?;
        let other = |link: &Link| link.relation == LinkKind::Contradicts && link.from != link.to;
        if links
            .iter()
            .any(|link| other(link) && rows.contains(&link.from) && rows.contains(&link.to))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Rows that answer the same question otherwise.
fn rivals(writer: &dyn Writer, row: &Memory) -> Result<Vec<Memory>, LedgerError> {
    let Some(slot) = &row.slot else {
        return Ok(Vec::new());
    };
    let mut others = writer.in_slot(row.partition.container(), &slot.key)?;
    others.retain(|other| other.id != row.id && shares_room(&other.partition, &row.partition));
    let neighbours: Vec<Neighbour<'_>> = others.iter().map(neighbour).collect();
    let met = reconcile(&challenger(row), &neighbours);
    others.retain(|other| {
        met.stands.iter().any(|stand| {
            let otherwise = matches!(stand.relation, Relation::Contradicts | Relation::Supersedes);
            otherwise && stand.neighbour == other.id
        })
    });
    Ok(others)
}

fn challenger(row: &Memory) -> Challenger<'_> {
    Challenger {
        text: row.content.as_str(),
        speaker: row.speaker.as_ref().map(Speaker::as_str),
        slot: row.slot.as_ref(),
        class: row.class,
        observed_at: row.observed_at,
        validity: row.validity,
        supersedes: &[],
        retracts: &[],
        reader: None,
    }
}

/// The rows on the other side of a row's replacements, as far as `other` names one.
pub(super) fn beside(
    writer: &dyn Writer,
    row: MemoryId,
    other: impl Fn(&Link) -> Option<MemoryId>,
) -> Result<Vec<Memory>, LedgerError> {
    let links = writer.links(row)?;
    let replacements = links
        .iter()
        .filter(|link| link.relation == LinkKind::Supersedes);
    let ids: Vec<MemoryId> = replacements.filter_map(other).collect();
    writer.memories(&ids)
}
