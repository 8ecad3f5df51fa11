//! One case at a time, in one piece of work: the row, the other side of its conflict, and the case itself.

use std::sync::Arc;

use testimony_domain::{
    Capability, CaseId, Effect, FactId, Ids, Memory, MemoryId, Polarity, Reason, ReviewNeed, State,
    Support, Timestamp, independent_origins,
};

use super::decision::{Decided, Decision};
use super::sight;
use crate::access::Visitor;
use crate::conflict::calm;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::accounts::Role;
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::{Change, Link, Relation as LinkKind};
use crate::ports::ledger::reviews::{CaseKind, Closing, ReviewCase};
use crate::ports::ledger::{LedgerError, Writer};
use crate::revise::Wording;
use crate::write::{group_of, mention, queue_vector, shares_room};

/// Why a decision was not carried out.
#[derive(Debug)]
pub(super) enum Refused {
    /// The lifecycle table refuses it.
    Table(Reason),
    /// The case or a row that is spoken of is not there for the reviewer.
    Missing(NotFound),
    /// A row on the other side is not there for the reviewer.
    BeyondSight,
    /// The reviewer said it.
    OwnWord,
    Ledger(LedgerError),
}

impl From<LedgerError> for Refused {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl From<Refused> for ServiceError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Table(reason) => Self::Undecidable(reason),
            Refused::Missing(what) => what.into(),
            Refused::BeyondSight => Self::BeyondSight,
            Refused::OwnWord => Self::OwnWord,
            Refused::Ledger(error) => error.into(),
        }
    }
}

/// Who decides, and how.
pub(super) struct Bench {
    pub(super) visitor: Visitor,
    pub(super) decision: Decision,
    /// The words in which the row holds, where it holds in others.
    pub(super) wording: Option<Wording>,
    pub(super) note: Option<String>,
    pub(super) actor: Actor,
    pub(super) now: Timestamp,
    pub(super) ids: Arc<dyn Ids + Send + Sync>,
}

impl Bench {
    /// Decides a case. One of several that was closed by the decision about another is left as it is.
    pub(super) fn decide(
        &self,
        writer: &mut dyn Writer,
        id: CaseId,
        of_several: bool,
    ) -> Result<Option<Decided>, Refused> {
        let case = writer
            .case(id)?
            .filter(|case| case.container == self.visitor.container.tag)
            .ok_or(Refused::Missing(NotFound::Case))?;
        if of_several && case.closed.is_some() {
            return Ok(None);
        }
        self.may_reopen(writer, &case)?;
        let row = self.row(writer, case.memory, NotFound::Case)?;
        self.may_vouch(writer, &row)?;
        let mut decided = Decided {
            case: id,
            memory: row.id,
            state: row.state,
            others: Vec::new(),
            released: None,
            reworded: None,
        };
        self.carry_out(writer, &case, &row, &mut decided)?;
        self.settle_case(writer, &case)?;
        let now = writer.memories(&[row.id])?;
        decided.state = now.first().map_or(decided.state, |row| row.state);
        Ok(Some(decided))
    }

    fn carry_out(
        &self,
        writer: &mut dyn Writer,
        case: &ReviewCase,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let undoes = self.decision == Decision::Undo;
        if undoes && self.hold_again(writer, case, row, decided)? {
            return Ok(());
        }
        if let Some(wording) = &self.wording {
            return self.reword(writer, row, wording, decided);
        }
        if undoes && row.state == State::Superseded {
            return self.take_back_wording(writer, row, decided);
        }
        let effect = self.move_row(writer, row)?;
        if effect == Some(Effect::SpawnRedacted) {
            decided.released = Some(self.release(writer, row)?);
        }
        match &self.decision {
            Decision::Approve | Decision::ApproveAs(_) => {
                self.settle_conflict(writer, row, row.id, decided)
            }
            Decision::Supersede(old) => self.replace(writer, row.id, *old, decided),
            Decision::Merge(into) => self.merge(writer, row, *into),
            Decision::Reject | Decision::Hide => self.calm_others(writer, row, decided),
            Decision::Undo => self.reinstate(writer, row, row.id, decided),
            Decision::ReleaseRedacted => Ok(()),
        }
    }

    pub(super) fn sees(&self, row: &Memory) -> bool {
        sight::sees(&self.visitor, row, self.now)
    }

    /// A row that exists for the reviewer.
    pub(super) fn row(
        &self,
        writer: &dyn Writer,
        id: MemoryId,
        missing: NotFound,
    ) -> Result<Memory, Refused> {
        let row = writer.memories(&[id])?.into_iter().next();
        let seen = row.filter(|row| self.sees(row));
        seen.ok_or(Refused::Missing(missing))
    }

    /// What was decided is decided again only after it was taken back, and what an operator decided is taken back by
    /// operators.
    fn may_reopen(&self, writer: &dyn Writer, case: &ReviewCase) -> Result<(), Refused> {
        let Some(closing) = &case.closed else {
            return Ok(());
        };
        if self.decision != Decision::Undo {
            return Err(Refused::Table(Reason::NoLongerOpen));
        }
        let by_operator = match closing.by {
            Actor::Key(key) => writer
                .key(key)?
                .is_some_and(|record| record.principal.capabilities.allow(Capability::Admin)),
            Actor::Person(person) => writer
                .person(person)?
                .is_some_and(|person| person.role == Role::Admin),
            Actor::Host => true,
            Actor::Service => false,
        };
        let operates = self.visitor.identity.allows(Capability::Admin);
        if by_operator && !operates {
            return Err(Refused::Table(Reason::NoLongerOpen));
        }
        Ok(())
    }

    /// Nobody vouches for what the same key or agent said, but for operators, who answer for everything: neither by an
    /// approval, nor by taking a refusal back, nor by putting words of the reviewer's own into a row.
    fn may_vouch(&self, writer: &dyn Writer, row: &Memory) -> Result<(), Refused> {
        let who = &self.visitor.identity;
        if who.allows(Capability::Admin) {
            return Ok(());
        }
        let vouches = self.decision.approves() || self.decision == Decision::Undo;
        if vouches && sight::said_it(writer, row, who)? {
            return Err(Refused::OwnWord);
        }
        let says_more = |wording: &Wording| !wording.says_no_more_than(row.content.as_str());
        if self.wording.as_ref().is_some_and(says_more) {
            return Err(Refused::OwnWord);
        }
        Ok(())
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

    /// The row holds in other words: those become its next revision, approved, and win what it would have won.
    fn reword(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        wording: &Wording,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let kept = wording.keep(writer, row)?.map_err(Refused::Table)?;
        self.move_row(writer, &kept)?;
        decided.reworded = Some(kept.id);
        self.settle_conflict(writer, row, kept.id, decided)?;
        // What was held has met everything by now, whatever its words.
        let has_met = row.state == State::QuarantinedInjection
            || wording.says_no_more_than(row.content.as_str());
        match has_met {
            true => Ok(()),
            false => self.meet_what_is_known(writer, &kept, decided),
        }
    }

    fn calm_others(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        decided: &mut Decided,
    ) -> Result<(), Refused> {
        let calmed = calm(writer, row.id)?;
        let seen = calmed.iter().filter(|other| self.sees(other));
        decided
            .others
            .extend(seen.map(|other| (other.id, other.state)));
        Ok(())
    }

    /// The evidence of a row that is merged speaks for the other from now on.
    fn merge(&self, writer: &mut dyn Writer, row: &Memory, into: MemoryId) -> Result<(), Refused> {
        let target = self.row(writer, into, NotFound::Memory)?;
        let who = &self.visitor.identity;
        if !who.allows(Capability::Admin) {
            // Both are the reviewer's to judge, and neither is what the reviewer said.
            if sight::said_it(writer, &target, who)? || sight::said_it(writer, row, who)? {
                return Err(Refused::OwnWord);
            }
        }
        if target.id == row.id || !shares_room(&target.partition, &row.partition) {
            return Err(Refused::Missing(NotFound::Memory));
        }
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

    /// What is left of a row without its secret, as a row that waits like any other, with a case of its own.
    fn release(&self, writer: &mut dyn Writer, row: &Memory) -> Result<MemoryId, Refused> {
        let left = Memory {
            id: MemoryId::mint(self.ids.as_ref()),
            fact: FactId::mint(self.ids.as_ref()),
            revision: 1,
            state: State::Pending,
            approved: false,
            review: Some(ReviewNeed::Requested),
            contested: false,
            created_at: self.now,
            ..row.clone()
        };
        writer.add_memory(&left)?;
        for support in writer.supports(row.id)? {
            writer.add_support(&Support {
                memory: left.id,
                ..support
            })?;
        }
        writer.link(Link {
            from: left.id,
            relation: LinkKind::RedactedFrom,
            to: row.id,
        })?;
        mention(writer, self.ids.as_ref(), &left)?;
        queue_vector(writer, self.ids.as_ref(), &left)?;
        writer.open_case(&ReviewCase {
            id: CaseId::mint(self.ids.as_ref()),
            container: left.partition.container().clone(),
            kind: CaseKind::Requested,
            group: group_of(&left),
            memory: left.id,
            against: Vec::new(),
            note: None,
            opened_at: self.now,
            closed: None,
        })?;
        Ok(left.id)
    }

    fn settle_case(&self, writer: &mut dyn Writer, case: &ReviewCase) -> Result<(), Refused> {
        let undo = self.decision == Decision::Undo;
        // What was carried out may have closed it with others of its row; the reviewer's word is the one that stays.
        let closed = writer.case(case.id)?.is_some_and(|it| it.closed.is_some());
        if undo && closed {
            writer.settle_case(case.id, None)?;
        }
        if undo || case.closed.is_some() {
            return Ok(());
        }
        if closed {
            writer.settle_case(case.id, None)?;
        }
        let closing = Closing {
            at: self.now,
            by: self.actor,
            decision: self.decision.as_str().to_owned(),
            note: self.note.clone(),
        };
        writer.settle_case(case.id, Some(&closing))?;
        Ok(())
    }
}
