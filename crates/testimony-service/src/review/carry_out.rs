//! Carrying decisions out: the routes into the queue's cases, one case or a group of them.

use testimony_domain::{
    Capability, CaseId, Claim, ContainerTag, Invalid, Memory, Principal, Problem,
};

use super::bench::{Bench, Refused};
use super::decision::{Decided, Decision};
use super::sight;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::reviews::{CaseFilter, CaseKind};
use crate::ports::ledger::{Fate, Page, Reader};
use crate::revise::{Rewording, Wording};
use crate::service::Service;

/// Cases that are decided together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike<'a> {
    /// What they have in common.
    pub group: &'a str,
    /// Of which kind they are; of any where nobody says so.
    pub kind: Option<CaseKind>,
}

/// So many cases of a group are decided at once; what is left of it is decided by asking again.
pub const MOST_AT_ONCE: usize = 500;

impl Service {
    /// Decides a case.
    ///
    /// # Errors
    /// [`NotFound::Case`] when there is none as far as the reviewer may know; [`ServiceError::Undecidable`] when the
    /// lifecycle table refuses the decision; [`ServiceError::OwnWord`] when the reviewer would approve what the reviewer
    /// said; [`ServiceError::BeyondSight`] when a row on the other side is hidden from the reviewer.
    pub fn decide(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        case: CaseId,
        decision: &Decision,
        note: Option<&str>,
    ) -> Result<Decided, ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        let wording = match decision {
            Decision::ApproveAs(content) => Some(self.wording_of(&visitor, case, content, note)?),
            Decision::Approve
            | Decision::Reject
            | Decision::Hide
            | Decision::Supersede(_)
            | Decision::Merge(_)
            | Decision::ReleaseRedacted
            | Decision::Undo => None,
        };
        let bench = self.bench(visitor, decision, wording, note);
        let decided = self.decide_all(bench, vec![case], false)?;
        let first = decided.into_iter().next();
        first.ok_or_else(|| NotFound::Case.into())
    }

    /// Decides the open cases of a group in the same way, up to [`MOST_AT_ONCE`]; all of them, or none. One that is closed
    /// by the decision about another is not decided again.
    ///
    /// # Errors
    /// As of [`Service::decide`], for the first case that cannot be decided so; [`ServiceError::Invalid`] for a decision
    /// that speaks of one case alone; [`ServiceError::MixedGroup`] when what was held would be approved with other cases.
    pub fn decide_group(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        alike: Alike<'_>,
        decision: &Decision,
        note: Option<&str>,
    ) -> Result<Vec<Decided>, ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        if matches!(
            decision,
            Decision::Undo | Decision::ApproveAs(_) | Decision::Supersede(_)
        ) {
            let expected = "a decision that several cases can share: approve, reject, hide, merge or release_redacted";
            return Err(Invalid::new("decision", Problem::Malformed { expected }).into());
        }
        let cases = self.open_of_group(&visitor, alike)?;
        if cases.is_empty() {
            return Err(NotFound::Case.into());
        }
        if decision.approves() {
            held_apart(&cases)?;
        }
        let cases = cases.into_iter().map(|(case, _)| case).collect();
        let bench = self.bench(visitor, decision, None, note);
        self.decide_all(bench, cases, true)
    }

    /// The open cases of a group whose rows the reviewer may know of.
    fn open_of_group(
        &self,
        visitor: &Visitor,
        alike: Alike<'_>,
    ) -> Result<Vec<(CaseId, CaseKind)>, ServiceError> {
        let filter = CaseFilter {
            container: Some(visitor.container.tag.clone()),
            kind: alike.kind,
            group: Some(alike.group.to_owned()),
            ..CaseFilter::default()
        };
        let now = self.clock.now();
        let reader = self.ledger.reader()?;
        let mut seen = Vec::new();
        let mut page = Page::first(MOST_AT_ONCE);
        while seen.len() < MOST_AT_ONCE {
            let cases = reader.cases(&filter, page)?;
            page.after = cases.last().map(|case| case.id);
            for case in &cases {
                let row = reader.memories(&[case.memory])?.pop();
                if row.is_some_and(|row| sight::sees(visitor, &row, now)) {
                    seen.push((case.id, case.kind));
                }
            }
            if cases.len() < page.limit {
                break;
            }
        }
        seen.truncate(MOST_AT_ONCE);
        Ok(seen)
    }

    /// The words in which the row of a case is to hold, examined.
    fn wording_of(
        &self,
        visitor: &Visitor,
        case: CaseId,
        content: &str,
        note: Option<&str>,
    ) -> Result<Wording, ServiceError> {
        let reader = self.ledger.reader()?;
        let row = self.row_of(visitor, reader.as_ref(), case)?;
        let own = visitor
            .identity
            .class_of(testimony_domain::EvidenceChannel::Retain, None);
        self.examine_wording(
            visitor,
            &Rewording {
                row: &row,
                content,
                // What is derived from several has the weakest class of its lineage.
                class: row.class.min(own),
                observed_at: row.observed_at,
                reason: note,
            },
        )
    }

    fn row_of(
        &self,
        visitor: &Visitor,
        reader: &dyn Reader,
        case: CaseId,
    ) -> Result<Memory, ServiceError> {
        let case = reader.case(case)?;
        let case = case.filter(|case| case.container == visitor.container.tag);
        let row = case
            .map(|case| reader.memories(&[case.memory]))
            .transpose()?;
        let row = row.and_then(|mut rows| rows.pop());
        let seen = row.filter(|row| sight::sees(visitor, row, self.clock.now()));
        seen.ok_or_else(|| NotFound::Case.into())
    }

    fn bench(
        &self,
        visitor: Visitor,
        decision: &Decision,
        wording: Option<Wording>,
        note: Option<&str>,
    ) -> Bench {
        let policy = &visitor.container.policy;
        let note = note.map(|note| self.redact(policy, note).to_string());
        Bench {
            actor: Actor::of(&visitor.identity),
            decision: decision.clone(),
            now: self.clock.now(),
            ids: self.ids.clone(),
            visitor,
            wording,
            note,
        }
    }

    fn decide_all(
        &self,
        bench: Bench,
        cases: Vec<CaseId>,
        of_several: bool,
    ) -> Result<Vec<Decided>, ServiceError> {
        let act = crate::ports::ledger::audit::Act {
            at: bench.now,
            ..self.act(bench.actor, None)
        };
        let (outcome, _) = self.ledger.write(act, move |writer| {
            let all = cases
                .iter()
                .map(|case| bench.decide(writer, *case, of_several));
            match all.collect::<Result<Vec<Option<Decided>>, Refused>>() {
                Ok(decided) => Ok((Fate::Keep, Ok(decided))),
                Err(Refused::Ledger(error)) => Err(error),
                Err(refused) => Ok((Fate::Discard, Err(refused))),
            }
        })?;
        Ok(outcome?.into_iter().flatten().collect())
    }
}

/// Nobody lets out what was held by approving what stands beside it.
fn held_apart(cases: &[(CaseId, CaseKind)]) -> Result<(), ServiceError> {
    let of = |kind: CaseKind| cases.iter().filter(move |(_, it)| *it == kind).count() as u64;
    let kinds = CaseKind::ALL.iter().map(|kind| (*kind, of(*kind)));
    let kinds: Vec<(CaseKind, u64)> = kinds.filter(|(_, count)| *count > 0).collect();
    let is_held = |kind: CaseKind| matches!(kind, CaseKind::Injection | CaseKind::Redacted);
    if kinds.len() > 1 && kinds.iter().any(|(kind, _)| is_held(*kind)) {
        return Err(ServiceError::MixedGroup { kinds });
    }
    Ok(())
}
