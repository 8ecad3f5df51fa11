//! The courtroom: the case report of a memory, for whoever may know that it exists.

use std::collections::BTreeSet;

use testimony_courtroom::{
    ActorKind, CaseFile, CaseReport, Comparison, HistoryEntry, Judgment, NoCase, examine,
};
use testimony_domain::{
    Capability, Claim, ContainerGrant, Evidence, EvidenceId, FactId, Memory, MemoryId, Principal,
    PrincipalKind, Timestamp,
};

use super::journal::Note;
use super::opinion::{Heard, Wanted};
use crate::access::Visitor;
use crate::banks::comparisons;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::{HistoryLine, Relation};
use crate::ports::ledger::reads::{ReadRow, Route};
use crate::ports::ledger::{LedgerError, Reader};
use crate::service::Service;

/// A request for a case report.
#[derive(Clone, Debug, Default)]
pub struct CourtroomRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// A memory or a fact, as it was written.
    pub id: String,
    /// A question of the reader's own.
    pub query: Option<String>,
    /// Whether the judgment of a model is wanted; it is said to be unavailable where there is none.
    pub include_ai: bool,
    /// Whether it is to be made anew; that is for operators, and asks for it.
    pub refresh: bool,
}

/// A case that was heard.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseHeard {
    /// The report.
    pub report: CaseReport,
    /// What became of asking a judge.
    pub heard: Heard,
}

/// What a report is made of.
struct Docket {
    memory: Memory,
    supports: Vec<testimony_domain::Support>,
    evidence: Option<Vec<Evidence>>,
    instructing: Vec<EvidenceId>,
    rivals: Vec<Memory>,
    revisions: Vec<Memory>,
    history: Option<Vec<HistoryEntry>>,
    comparisons: Vec<Comparison>,
}

impl Service {
    /// Reports on a memory, or on the current memory of a fact.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when there is none as far as the reader may know.
    pub fn courtroom(
        &self,
        principal: &Principal,
        request: &CourtroomRequest,
    ) -> Result<CaseHeard, ServiceError> {
        // Whether the capability is there does not depend on the memory, so it is said first.
        if !principal.capabilities.allow(Capability::CourtroomRead) {
            let needed = Capability::CourtroomRead;
            return Err(testimony_domain::Refusal::Capability { needed }.into());
        }
        let (visitor, docket) = self.docket(principal, request)?;
        let now = self.clock.now();
        let examined = |judgment| self.examined(&visitor, &docket, request, now, judgment);
        // The judge hears what the rules have found, as far as this reader may know of it.
        let by_rules = examined(Judgment::Omitted)?;
        let wanted = Wanted {
            include: request.include_ai,
            refresh: request.refresh,
        };
        let (opinion, heard) = self.opinion(&visitor, &by_rules, wanted)?;
        let report = match opinion.judgment() {
            Judgment::Omitted => by_rules,
            judgment @ (Judgment::Unavailable
            | Judgment::Cached(_)
            | Judgment::Generated(_)
            | Judgment::Refreshed(_)) => examined(judgment)?,
        };
        self.keep_opinion(&visitor, &opinion, &report);
        let heard = heard.weighed(&opinion, &report);
        self.note_case(&visitor, report.memory_id);
        Ok(CaseHeard { report, heard })
    }

    /// The case, as the ledger has it. Whoever reads it lets go of the ledger before a judge is asked, who may take long.
    fn docket(
        &self,
        principal: &Principal,
        request: &CourtroomRequest,
    ) -> Result<(Visitor, Docket), ServiceError> {
        let reader = self.ledger.reader()?;
        let memory = find(reader.as_ref(), &request.id)?.ok_or(NotFound::Memory)?;
        let visitor = self.reader_of(principal, &memory, &request.claim)?;
        Ok((visitor, Docket::of(reader.as_ref(), memory)?))
    }

    fn examined(
        &self,
        visitor: &Visitor,
        docket: &Docket,
        request: &CourtroomRequest,
        now: Timestamp,
        judgment: Judgment<'_>,
    ) -> Result<CaseReport, ServiceError> {
        let policy = &visitor.container.policy;
        let report = examine(
            &CaseFile {
                memory: &docket.memory,
                supports: &docket.supports,
                evidence: docket.evidence.as_deref(),
                instructing: &docket.instructing,
                rivals: &docket.rivals,
                revisions: &docket.revisions,
                history: docket.history.as_deref(),
                reader: &visitor.identity,
                now,
                query: request.query.as_deref(),
                judgment,
                comparisons: &docket.comparisons,
            },
            &|text| self.redact(policy, text),
        );
        report.map_err(|none| match none {
            NoCase::Capability => ServiceError::from(testimony_domain::Refusal::Capability {
                needed: Capability::CourtroomRead,
            }),
            NoCase::NotVisible => NotFound::Memory.into(),
        })
    }

    /// The identity in the container of the memory. One that the credential does not reach is as good as missing.
    fn reader_of(
        &self,
        principal: &Principal,
        memory: &Memory,
        claim: &Claim,
    ) -> Result<Visitor, ServiceError> {
        let container = memory.partition.container();
        if !principal.containers.reaches(container) {
            return Err(NotFound::Memory.into());
        }
        self.enter(principal, container, Capability::CourtroomRead, claim)
    }

    fn note_case(&self, visitor: &Visitor, id: MemoryId) {
        let who = &visitor.identity;
        self.journal.note(Note {
            handed: Vec::new(),
            row: ReadRow {
                at: self.clock.now(),
                by: Actor::of(who),
                container: who.container().clone(),
                route: Route::Courtroom,
                request: None,
                returned: vec![id],
                suppressed: 0,
                abstained: false,
                latency_us: 0,
            },
        });
    }
}

/// The memory of an id, or the current one of a fact's.
fn find(reader: &dyn Reader, id: &str) -> Result<Option<Memory>, LedgerError> {
    let memory = match (id.parse::<MemoryId>(), id.parse::<FactId>()) {
        (Ok(memory), _) => Some(memory),
        (Err(_), Ok(fact)) => reader.fact(fact)?.map(|fact| fact.current),
        (Err(_), Err(_)) => None,
    };
    let rows = match memory {
        Some(id) => reader.memories(&[id])?,
        None => Vec::new(),
    };
    Ok(rows.into_iter().next())
}

impl Docket {
    fn of(reader: &dyn Reader, memory: Memory) -> Result<Self, LedgerError> {
        let supports = reader.supports(memory.id)?;
        let linked = supports.iter().map(|link| link.evidence);
        let ids: BTreeSet<EvidenceId> = linked.chain(memory.evidence.iter().copied()).collect();
        let ids: Vec<EvidenceId> = ids.into_iter().collect();
        // Evidence and history that cannot be read make a report poorer, not impossible.
        let kept_evidence = reader.evidence(&ids).ok();
        let instructing = kept_evidence
            .iter()
            .flatten()
            .filter(|kept| kept.instructs());
        let history = reader.history(memory.id).ok();
        let kept = |lines: Vec<HistoryLine>| lines.iter().filter_map(entry_of(reader)).collect();
        Ok(Self {
            rivals: rivals_of(reader, memory.id)?,
            revisions: others(reader.revisions(memory.fact)?, memory.id),
            instructing: instructing.map(|kept| kept.evidence.id).collect(),
            evidence: kept_evidence.map(|kept| kept.into_iter().map(|it| it.evidence).collect()),
            history: history.map(kept),
            comparisons: comparisons(reader, memory.id).unwrap_or_default(),
            supports,
            memory,
        })
    }
}

fn others(rows: Vec<Memory>, but: MemoryId) -> Vec<Memory> {
    rows.into_iter().filter(|row| row.id != but).collect()
}

/// Memories that say otherwise, whichever of the two came first.
fn rivals_of(reader: &dyn Reader, id: MemoryId) -> Result<Vec<Memory>, LedgerError> {
    let links = reader.links(id)?;
    let against = links
        .iter()
        .filter(|link| link.relation == Relation::Contradicts);
    let ids: Vec<MemoryId> = against
        .map(|link| if link.from == id { link.to } else { link.from })
        .collect();
    reader.memories(&ids)
}

fn entry_of(reader: &dyn Reader) -> impl FnMut(&HistoryLine) -> Option<HistoryEntry> + '_ {
    |line| {
        Some(HistoryEntry {
            at: line.at,
            actor: kind_of(reader, line.by),
            event: line.event?,
            reason: line.condition.reasons.last().copied(),
        })
    }
}

fn kind_of(reader: &dyn Reader, actor: Actor) -> ActorKind {
    match actor {
        Actor::Service => ActorKind::Service,
        Actor::Person(_) => ActorKind::Person,
        Actor::Host => ActorKind::Operator,
        Actor::Key(id) => {
            let record = reader.key(id).ok().flatten();
            let is_operator = record.is_some_and(|record| {
                record.principal.kind == PrincipalKind::Operator
                    || matches!(record.principal.containers, ContainerGrant::All)
            });
            if is_operator {
                ActorKind::Operator
            } else {
                ActorKind::Agent
            }
        }
    }
}
