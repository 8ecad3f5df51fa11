//! Carrying a decision out: the row, the other side of its conflict, and the case, in one piece of work.

use std::sync::Arc;

use testimony_admission::reconcile::{Challenger, Neighbour, Relation, reconcile};
use testimony_domain::{
    Capability, CaseId, Claim, ContainerTag, Effect, Event, FactId, Ids, Memory, MemoryId,
    Polarity, Principal, Reason, ReviewNeed, Speaker, State, Support, Timestamp,
    independent_origins,
};

use super::decision::{Decided, Decision};
use crate::access::Visitor;
use crate::conflict::calm;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::{Change, Condition, Link, Relation as LinkKind};
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, Closing, ReviewCase};
use crate::ports::ledger::{Fate, LedgerError, Page, Writer};
use crate::read::is_visible;
use crate::service::Service;
use crate::write::{neighbour, shares_room};

/// Why a decision was not carried out.
#[derive(Debug)]
enum Refused {
    /// The lifecycle table refuses it.
    Table(Reason),
    /// The case or a row that is spoken of is not there for the reviewer.
    Missing(NotFound),
    Ledger(LedgerError),
}

impl From<LedgerError> for Refused {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl Service {
    /// Decides a case.
    ///
    /// # Errors
    /// [`NotFound::Case`] when there is none as far as the reviewer may know; [`ServiceError::Undecidable`] when the
    /// lifecycle table refuses the decision.
    pub fn decide(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        case: CaseId,
        decision: &Decision,
        note: Option<&str>,
    ) -> Result<Decided, ServiceError> {
        let decided = self.decide_all(principal, container, &[case], decision, note)?;
        let first = decided.into_iter().next();
        first.ok_or_else(|| NotFound::Case.into())
    }

    /// Decides every open case of a group in the same way; all of them, or none.
    ///
    /// # Errors
    /// As of [`Service::decide`], for the first case that cannot be decided so.
    pub fn decide_group(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        group: &str,
        decision: &Decision,
        note: Option<&str>,
    ) -> Result<Vec<Decided>, ServiceError> {
        let needed = Capability::Review;
        self.enter(principal, container, needed, &Claim::default())?;
        let filter = CaseFilter {
            container: Some(container.clone()),
            group: Some(group.to_owned()),
            ..CaseFilter::default()
        };
        let cases = self
            .ledger
            .reader()?
            .cases(&filter, Page::first(usize::MAX))?;
        let ids: Vec<CaseId> = cases.iter().map(|case| case.id).collect();
        self.decide_all(principal, container, &ids, decision, note)
    }

    fn decide_all(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        cases: &[CaseId],
        decision: &Decision,
        note: Option<&str>,
    ) -> Result<Vec<Decided>, ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        let policy = &visitor.container.policy;
        let note = note.map(|note| self.redact(policy, note).to_string());
        let act = self.act(Actor::of(&visitor.identity), None);
        let bench = Bench {
            visitor,
            decision: decision.clone(),
            note,
            actor: act.actor,
            now: act.at,
            ids: self.ids.clone(),
        };
        let cases = cases.to_vec();
        let (outcome, _) = self.ledger.write(act, move |writer| {
            let all = cases.iter().map(|case| bench.decide(writer, *case));
            match all.collect::<Result<Vec<Decided>, Refused>>() {
                Ok(decided) => Ok((Fate::Keep, Ok(decided))),
                Err(Refused::Ledger(error)) => Err(error),
                Err(refused) => Ok((Fate::Discard, Err(refused))),
            }
        })?;
        outcome.map_err(|refused| match refused {
            Refused::Table(reason) => ServiceError::Undecidable(reason),
            Refused::Missing(what) => what.into(),
            Refused::Ledger(error) => error.into(),
        })
    }
}

/// Who decides, and how.
struct Bench {
    visitor: Visitor,
    decision: Decision,
    note: Option<String>,
    actor: Actor,
    now: Timestamp,
    ids: Arc<dyn Ids + Send + Sync>,
}

impl Bench {
    fn decide(&self, writer: &mut dyn Writer, id: CaseId) -> Result<Decided, Refused> {
        let case = writer
            .case(id)?
            .filter(|case| case.container == self.visitor.container.tag)
            .ok_or(Refused::Missing(NotFound::Case))?;
        let row = self.row(writer, case.memory, NotFound::Case)?;
        let mut decided = Decided {
            case: id,
            memory: row.id,
            state: row.state,
            others: Vec::new(),
            released: None,
        };
        let effect = self.move_row(writer, &row)?;
        if effect == Some(Effect::SpawnRedacted) {
            decided.released = Some(self.release(writer, &row)?);
        }
        match &self.decision {
            Decision::Approve => self.settle_conflict(writer, &row, &mut decided)?,
            Decision::Supersede(old) => self.replace(writer, &row, *old, &mut decided)?,
            Decision::Merge(into) => self.merge(writer, &row, *into)?,
            Decision::Reject | Decision::Hide => {
                let calmed = calm(writer, row.id)?;
                let calmed = calmed.iter().map(|other| (other.id, other.state));
                decided.others.extend(calmed);
            }
            Decision::Undo => self.reinstate(writer, &row, &mut decided)?,
            Decision::ReleaseRedacted => {}
        }
        self.settle_case(writer, &case)?;
        let now = writer.memories(&[row.id])?;
        decided.state = now.first().map_or(decided.state, |row| row.state);
        Ok(decided)
    }

    /// A row that exists for the reviewer.
    fn row(&self, writer: &dyn Writer, id: MemoryId, missing: NotFound) -> Result<Memory, Refused> {
        let row = writer.memories(&[id])?.into_iter().next();
        let seen = row.filter(|row| is_visible(row, &self.visitor.identity));
        seen.ok_or(Refused::Missing(missing))
    }

    fn move_row(&self, writer: &mut dyn Writer, row: &Memory) -> Result<Option<Effect>, Refused> {
        let approves = self.decision.approves();
        let (change, effect) = Change::of(row, self.decision.event(), |condition| {
            if approves {
                condition.approved = true;
                condition.review = None;
                condition.contested = false;
            } else if self.decision == Decision::Undo {
                condition.approved = false;
                condition.review = Some(ReviewNeed::Requested);
            }
        })
        .map_err(Refused::Table)?;
        writer.change_memory(&change)?;
        Ok(effect)
    }

    /// A row that is approved has won: what it challenged gives way, and what challenged it is rejected.
    fn settle_conflict(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        for link in writer.links(row.id)? {
            if link.relation != LinkKind::Contradicts {
                continue;
            }
            if link.from == row.id {
                self.replace(writer, row, link.to, decided)?;
            } else {
                self.change(writer, link.from, Event::Reject, decided)?;
            }
        }
        if row.state == State::QuarantinedInjection {
            self.meet_what_is_known(writer, row, decided)?;
        }
        Ok(())
    }

    /// The approved row takes the place of another.
    fn replace(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        old: MemoryId,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        self.row(writer, old, NotFound::Memory)?;
        self.change(writer, old, Event::Supersede, decided)?;
        writer.link(Link {
            from: row.id,
            relation: LinkKind::Supersedes,
            to: old,
        })?;
        Ok(())
    }

    /// The conflict is open again: what the row had replaced is back, and in doubt together with it.
    fn reinstate(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let links = writer.links(row.id)?;
        let replaced = links
            .iter()
            .filter(|link| link.relation == LinkKind::Supersedes && link.from == row.id);
        let replaced: Vec<MemoryId> = replaced.map(|link| link.to).collect();
        for old in writer.memories(&replaced)? {
            let back = Change::of(&old, Event::Reinstate, |condition| {
                condition.contested = true;
                condition.validity.until = None;
            });
            // One that was not replaced any more has nothing to come back from.
            let Ok((change, _effect)) = back else {
                continue;
            };
            writer.change_memory(&change)?;
            decided.others.push((old.id, change.becomes().state));
        }
        if decided.others.is_empty() {
            return Ok(());
        }
        for undone in writer.memories(&[row.id])? {
            let change = Change::within_state(&undone, |condition| condition.contested = true);
            writer.change_memory(&change)?;
        }
        Ok(())
    }

    /// Changes a row on the other side, where it is still open to that.
    fn change(
        &self,
        writer: &mut dyn Writer,
        id: MemoryId,
        event: Event,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let row = writer.memories(&[id])?.into_iter().next();
        let open = row.filter(|row| row.state.is_open());
        let Some(row) = open else { return Ok(()) };
        let ends = |condition: &mut Condition| {
            condition.contested = false;
            let until = condition.validity.until.unwrap_or(self.now);
            if event == Event::Supersede {
                condition.validity.until = Some(until.min(self.now));
            }
        };
        let (change, _effect) = Change::of(&row, event, ends).map_err(Refused::Table)?;
        writer.change_memory(&change)?;
        decided.others.push((id, change.becomes().state));
        Ok(())
    }

    /// A row that comes out of quarantine has met nothing yet. What it contradicts is a conflict of its own, which nobody
    /// has decided by approving that the row is no attack.
    fn meet_what_is_known(
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
        let against: Vec<MemoryId> = rivals.iter().map(|rival| rival.id).collect();
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

    /// The evidence of a row that is merged speaks for the other from now on.
    fn merge(&self, writer: &mut dyn Writer, row: &Memory, into: MemoryId) -> Result<(), Refused> {
        let target = self.row(writer, into, NotFound::Memory)?;
        for support in writer.supports(row.id)? {
            if support.polarity == Polarity::Supports {
                writer.add_support(&Support {
                    memory: into,
                    ..support
                })?;
            }
        }
        let supports = writer.supports(into)?;
        let speaking_for = supports
            .iter()
            .filter(|link| link.polarity == Polarity::Supports);
        let origins = independent_origins(speaking_for.map(|link| &link.origin));
        let change = Change::within_state(&target, |condition| condition.origins = origins);
        writer.change_memory(&change)?;
        Ok(())
    }

    /// What is left of a row without its secret, as a row that waits like any other.
    fn release(&self, writer: &mut dyn Writer, row: &Memory) -> Result<MemoryId, Refused> {
        let id = MemoryId::mint(self.ids.as_ref());
        writer.add_memory(&Memory {
            id,
            fact: FactId::mint(self.ids.as_ref()),
            revision: 1,
            state: State::Pending,
            approved: false,
            review: Some(ReviewNeed::Requested),
            contested: false,
            created_at: self.now,
            ..row.clone()
        })?;
        writer.link(Link {
            from: id,
            relation: LinkKind::RedactedFrom,
            to: row.id,
        })?;
        Ok(id)
    }

    fn settle_case(&self, writer: &mut dyn Writer, case: &ReviewCase) -> Result<(), Refused> {
        let undo = self.decision == Decision::Undo;
        let closing = (!undo).then(|| Closing {
            at: self.now,
            by: self.actor,
            decision: self.decision.as_str().to_owned(),
            note: self.note.clone(),
        });
        if undo == case.closed.is_some() {
            writer.settle_case(case.id, closing.as_ref())?;
        }
        Ok(())
    }
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
    }
}
