//! What an operator sets right: a memory is corrected by another revision, or taken back with the reason as evidence.

use testimony_domain::{
    Effect, Event, Evidence, EvidenceChannel, EvidenceId, Memory, MemoryId, Origin, Polarity,
    Principal, Reason, Redacted, SourceLabel, Support,
};

use crate::access::Visitor;
use crate::conflict::{calm, close_cases};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::memories::Change;
use crate::ports::ledger::{Fate, LedgerError, Writer};
use crate::revise::Rewording;
use crate::service::Service;

/// What the reason for a retraction is called as a source.
const RETRACTION: &str = "retraction";

impl Service {
    /// Says something in place of a memory, by the operator's own class; what it said before stays as an earlier revision.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when there is none that the credential reaches; [`ServiceError::Undecidable`] when the words
    /// make no memory, or the memory is over.
    pub fn correct(
        &self,
        principal: &Principal,
        id: MemoryId,
        content: &str,
        reason: &str,
    ) -> Result<Memory, ServiceError> {
        let (row, visitor) = self.overseen(principal, id)?;
        let act = self.act(Actor::of(&visitor.identity), None);
        let class = visitor.identity.class_of(EvidenceChannel::Retain, None);
        let wording = self.examine_wording(
            &visitor,
            &Rewording {
                row: &row,
                content,
                class,
                observed_at: act.at,
                reason: Some(reason),
            },
        )?;
        let (outcome, _) = self.ledger.write(act, move |writer| {
            let Some(row) = writer.memories(&[id])?.pop() else {
                return Ok((Fate::Discard, Err(NotFound::Memory.into())));
            };
            match wording.keep(writer, &row)? {
                Ok(kept) => {
                    calm(writer, id)?;
                    Ok((Fate::Keep, Ok(kept)))
                }
                Err(reason) => Ok((Fate::Discard, Err(ServiceError::Undecidable(reason)))),
            }
        })?;
        outcome
    }

    /// Takes a memory back. The reason is kept as evidence against it, without secrets.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when there is none that the credential reaches; [`ServiceError::Undecidable`] when it was
    /// erased.
    pub fn retract(
        &self,
        principal: &Principal,
        id: MemoryId,
        reason: &str,
    ) -> Result<Memory, ServiceError> {
        let (_, visitor) = self.overseen(principal, id)?;
        let policy = &visitor.container.policy;
        let reason = self.redact(policy, reason);
        let evidence = EvidenceId::mint(self.ids.as_ref());
        let act = self.act(Actor::of(&visitor.identity), None);
        let (outcome, _) = self.ledger.write(act, move |writer| {
            let retracted = retract(writer, &visitor, id, evidence, reason)?;
            let fate = if retracted.is_ok() {
                Fate::Keep
            } else {
                Fate::Discard
            };
            Ok((fate, retracted))
        })?;
        outcome
    }
}

fn retract(
    writer: &mut dyn Writer,
    visitor: &Visitor,
    id: MemoryId,
    evidence: EvidenceId,
    reason: Redacted,
) -> Result<Result<Memory, ServiceError>, LedgerError> {
    let Some(row) = writer.memories(&[id])?.pop() else {
        return Ok(Err(NotFound::Memory.into()));
    };
    let now = writer.act().at;
    let change = Change::of(&row, Event::Retract, |condition| {
        let until = condition.validity.until.unwrap_or(now);
        condition.validity.until = Some(until.min(now));
        condition.contested = false;
    });
    let change = match change {
        Ok((_, Some(Effect::AlreadyThere))) => return Ok(Ok(row)),
        Ok((change, _)) => change,
        Err(refused) => return Ok(Err(ServiceError::Undecidable(refused))),
    };
    speak_against(writer, visitor, &row, evidence, reason)?;
    writer.change_memory(&change)?;
    close_cases(writer, id, None, Event::Retract.as_str())?;
    calm(writer, id)?;
    Ok(Ok(change.becomes().applied_to(&row)))
}

fn speak_against(
    writer: &mut dyn Writer,
    visitor: &Visitor,
    row: &Memory,
    id: EvidenceId,
    reason: Redacted,
) -> Result<(), LedgerError> {
    let who = &visitor.identity;
    let now = writer.act().at;
    let origin = Origin {
        key: who.key(),
        agent: who.agent().cloned(),
        run: None,
        source: None,
        class: who.class_of(EvidenceChannel::Retain, None),
        echo: false,
    };
    writer.keep_evidence(&Kept {
        evidence: Evidence {
            id,
            partition: row.partition.clone(),
            origin: origin.clone(),
            label: SourceLabel::new("source", RETRACTION).unwrap_or_else(|_| row.source.clone()),
            text: reason,
            observed_at: now,
            recorded_at: now,
        },
        reasons: vec![Reason::Contradicts],
        metadata: None,
    })?;
    writer.add_support(&Support {
        memory: row.id,
        evidence: id,
        polarity: Polarity::Contradicts,
        origin,
    })
}
