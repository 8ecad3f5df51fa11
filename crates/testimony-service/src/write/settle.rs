//! Settling: what an item brings is kept, and each of its claims becomes what [`super::plan`] says, in one piece of work.

use std::ops::Deref;
use std::sync::Arc;

use testimony_admission::reconcile::{Cue, Reconciliation, Relation, heard};
use testimony_admission::ruling::{Claim, Finding, Route, Ruling};
use testimony_domain::verdict::may_promote;
use testimony_domain::{
    CaseId, Event, Evidence, EvidenceId, FactId, Ids, JobId, Memory, MemoryId, Origin, Polarity,
    Reason, Redacted, ReviewNeed, Standing, State, Support, Timestamp, independent_origins,
};

use super::answer::{Conflicting, Decision, NextAction, Retained, Skipped, WriteAnswer};
use super::examine::{Examined, Near, meets_others};
use super::findable::{keep_vector_of, mention, queue_vector, say_embedder};
use super::found::with_findings;
use super::meet::{Acquaintances, Met, meet, neighbour};
use super::plan::{Addition, Plan, plan};
use crate::banks::queue_comparison;
use crate::conflict::{calm, close_cases};
use crate::ports::embedder::EmbedderIdentity;
use crate::ports::ledger::audit::ObjectRef;
use crate::ports::ledger::containers::Container;
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::memories::{Change, Link, Relation as LinkKind, as_kept};
use crate::ports::ledger::reviews::{CaseKind, ReviewCase};
use crate::ports::ledger::{LedgerError, Writer};
use crate::read::is_visible;

/// A text of more characters than this may say more than its claims; a shorter one is a claim itself.
const DISTILLED_FROM: usize = 120;

/// What settling needs beside the ledger.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) ids: Arc<dyn Ids + Send + Sync>,
    pub(super) embedder: EmbedderIdentity,
    /// Where it goes, to be made where it is not there yet.
    pub(super) container: Container,
    pub(super) note: Option<Redacted>,
    /// Whether a model draws statements from texts later.
    pub(super) distills: bool,
    /// Whether rows are compared with a memory bank later.
    pub(super) compares: bool,
}

/// Settles items one after the other; a later one meets what an earlier one brought.
pub(super) struct Settling<'w> {
    writer: &'w mut dyn Writer,
    tools: &'w Tools,
    answer: &'w mut WriteAnswer,
    now: Timestamp,
    met: Acquaintances,
    /// Whether the container says by which embedder it is found.
    has_embedder: bool,
}

/// A claim on its way, with the item and the evidence that it comes from.
#[derive(Clone, Copy)]
struct Case<'a> {
    examined: &'a Examined,
    claim: &'a Claim,
    near: &'a Near,
    evidence: EvidenceId,
}

impl<'w> Settling<'w> {
    pub(super) fn new(
        writer: &'w mut dyn Writer,
        tools: &'w Tools,
        answer: &'w mut WriteAnswer,
    ) -> Self {
        let now = writer.act().at;
        Self {
            writer,
            tools,
            answer,
            now,
            met: Acquaintances::default(),
            has_embedder: false,
        }
    }

    /// Keeps an item and settles its claims.
    pub(super) fn item(&mut self, examined: &Examined) -> Result<(), LedgerError> {
        let evidence = self.keep_evidence(examined)?;
        if self.is_taken_back(examined, evidence)? {
            return Ok(());
        }
        let ruling = &examined.ruling;
        if ruling.claims.is_empty() {
            self.skip(
                examined,
                &ruling.text,
                reasons_of(&ruling.findings),
                evidence,
                None,
            );
        }
        if !ruling.claims.is_empty() {
            for (text, reason) in &examined.left_out {
                self.skip(examined, text, vec![*reason], evidence, None);
            }
        }
        for (claim, near) in ruling.claims.iter().zip(&examined.nearby) {
            self.claim(Case {
                examined,
                claim,
                near,
                evidence,
            })?;
        }
        self.distill(examined, evidence)
    }

    /// Takes back what the caller names, where its word is enough for all of it: what it says is the word for that then,
    /// whatever it is, and no memory of its own. Otherwise a person decides over what it says.
    fn is_taken_back(
        &mut self,
        examined: &Examined,
        evidence: EvidenceId,
    ) -> Result<bool, LedgerError> {
        let named = &examined.entry.item.retracts;
        let rows = self.writer.memories(named)?;
        // Since it was examined a row may have gone out of sight.
        let is_heard = |row: &Memory| {
            is_visible(row, &examined.who) && heard(examined.class, &neighbour(row)).is_ok()
        };
        if rows.is_empty() || !rows.iter().all(is_heard) {
            return Ok(false);
        }
        for row in rows {
            self.take_back(examined, evidence, &row)?;
        }
        Ok(true)
    }

    /// Takes back one row; of one that is over already it is told as well that it is.
    fn take_back(
        &mut self,
        examined: &Examined,
        evidence: EvidenceId,
        row: &Memory,
    ) -> Result<(), LedgerError> {
        if row.state.is_open() {
            self.writer.add_support(&Support {
                memory: row.id,
                evidence,
                polarity: Polarity::Contradicts,
                origin: examined.origin(),
            })?;
            self.end_row(row, Event::Retract, examined.observed_at)?;
        }
        self.answer.decisions.push(Decision {
            place: examined.entry.place.clone(),
            content: examined.ruling.text.clone(),
            relation: Some(Relation::Supersedes),
            cue: Cue::CallerRetracts,
            reason: Reason::Supersedes,
            memory: None,
            existing: Some(row.id),
            slot: row.slot.as_ref().map(|slot| slot.key.clone()),
        });
        Ok(())
    }

    /// Ends a row, and says since when it holds no longer. Whether it could be ended is told.
    fn end_row(
        &mut self,
        row: &Memory,
        event: Event,
        since: Timestamp,
    ) -> Result<bool, LedgerError> {
        let change = Change::of(row, event, |condition| {
            let until = condition.validity.until;
            condition.validity.until = Some(until.map_or(since, |until| until.min(since)));
        });
        let Ok((change, _effect)) = change else {
            // Rows that are met are active or pending, and the table lets both events happen to either.
            return Ok(false);
        };
        self.met.forget_how_they_stand();
        self.writer.change_memory(&change)?;
        close_cases(self.writer, row.id, None, event.as_str())?;
        calm(self.writer, row.id)?;
        Ok(true)
    }

    /// Queues the work of having a model draw statements from a text of which something is known or waits now.
    fn distill(&mut self, examined: &Examined, evidence: EvidenceId) -> Result<(), LedgerError> {
        let is_long = examined
            .ruling
            .text
            .as_str()
            .chars()
            .nth(DISTILLED_FROM)
            .is_some();
        if !self.tools.distills || !examined.entry.extract || !is_long {
            return Ok(());
        }
        let of_it = |row: &&Retained| row.evidence == evidence && row.memory.state.is_open();
        let Some(row) = self.answer.retained.iter().find(of_it) else {
            return Ok(());
        };
        let container = row.memory.partition.container().clone();
        let id = JobId::mint(self.tools.ids.as_ref());
        let job = Job::new(
            id,
            JobKind::Distill,
            container,
            Some(row.memory.id),
            self.now,
        );
        self.writer.queue_job(&job)?;
        self.is_pending(JobKind::Distill);
        Ok(())
    }

    fn is_pending(&mut self, job: JobKind) {
        if !self.answer.pending_jobs.contains(&job) {
            self.answer.pending_jobs.push(job);
        }
    }

    /// The rows of the answer as they are in the end: what came later in the same request may have changed them.
    pub(super) fn finish(self) -> Result<(), LedgerError> {
        if !self.met.any_changed {
            return Ok(());
        }
        let ids: Vec<MemoryId> = self.answer.retained.iter().map(|it| it.memory.id).collect();
        let rows = self.writer.memories(&ids)?;
        for retained in &mut self.answer.retained {
            if let Some(row) = rows.iter().find(|row| row.id == retained.memory.id) {
                retained.memory = Arc::new(row.clone());
                retained.next_action = next_action(row);
            }
        }
        Ok(())
    }

    fn keep_evidence(&mut self, examined: &Examined) -> Result<EvidenceId, LedgerError> {
        if let Some(known) = examined.entry.drawn_from {
            // A text that was erased meanwhile is no evidence of anything.
            let mut kept = self.writer.evidence(&[known])?.into_iter();
            let is_there = kept.any(|kept| !kept.evidence.text.as_str().is_empty());
            let object = ObjectRef::Evidence(known);
            return if is_there {
                Ok(known)
            } else {
                Err(LedgerError::Missing { object })
            };
        }
        let id = EvidenceId::mint(self.tools.ids.as_ref());
        self.writer.keep_evidence(&Kept {
            evidence: Evidence {
                id,
                partition: examined.partition.clone(),
                origin: examined.origin(),
                label: examined.labels.source.clone(),
                text: examined.ruling.text.clone(),
                observed_at: examined.observed_at,
                recorded_at: self.now,
            },
            reasons: reasons_of_evidence(&examined.ruling),
            metadata: with_findings(examined.labels.metadata.as_deref(), &examined.ruling),
        })?;
        Ok(id)
    }

    fn claim(&mut self, case: Case<'_>) -> Result<(), LedgerError> {
        let met = self.meet(case)?;
        let rows: Vec<&Memory> = met.rows.iter().map(Deref::deref).collect();
        match plan(case.claim.route, case.examined.class, &met.stands, &rows) {
            Plan::Skip => {
                let reasons = reasons_of(&case.claim.findings);
                self.skip(
                    case.examined,
                    &case.claim.text,
                    reasons,
                    case.evidence,
                    None,
                );
                Ok(())
            }
            Plan::Known(id) => {
                self.link_repetition(case, id)?;
                self.already_known(case, &met, id);
                Ok(())
            }
            Plan::Support { of, ends } => {
                self.support(case, &met, of)?;
                for ended in ends {
                    self.end(case, &met, of, ended)?;
                }
                self.already_known(case, &met, of);
                Ok(())
            }
            Plan::Add(addition) => self.add(case, &met, &addition),
        }
    }

    /// What is held or only recorded meets nothing: it changes nothing that is known.
    fn meet(&mut self, case: Case<'_>) -> Result<Met, LedgerError> {
        let Case {
            examined,
            claim,
            near,
            ..
        } = case;
        if meets_others(claim) {
            return meet(self.writer, &mut self.met, examined, claim, near);
        }
        Ok(Met {
            stands: met_nothing(),
            rows: Vec::new(),
        })
    }

    fn skip(
        &mut self,
        examined: &Examined,
        content: &Redacted,
        reasons: Vec<Reason>,
        evidence: EvidenceId,
        existing: Option<MemoryId>,
    ) {
        self.answer.skipped.push(Skipped {
            place: examined.entry.place.clone(),
            content: content.clone(),
            reasons,
            evidence: Some(evidence),
            existing,
        });
    }

    /// Says that the same is known already; of a row that the writer may not know of, only that.
    fn already_known(&mut self, case: Case<'_>, met: &Met, id: MemoryId) {
        let existing = visible(case, met, Some(id));
        let reasons = vec![met.stands.reason];
        self.skip(
            case.examined,
            &case.claim.text,
            reasons,
            case.evidence,
            existing,
        );
        self.decided(case, met, None, existing);
    }

    fn support(&mut self, case: Case<'_>, met: &Met, id: MemoryId) -> Result<(), LedgerError> {
        let Some(row) = met.row(id) else {
            return Ok(());
        };
        self.link_evidence(case, id, Polarity::Supports)?;
        let supports = self.writer.supports(id)?;
        let speaking_for = supports
            .iter()
            .filter(|link| link.polarity == Polarity::Supports);
        let origins = independent_origins(speaking_for.map(|link| &link.origin));
        if origins == row.origins {
            return Ok(());
        }
        let grown = |condition: &mut crate::ports::ledger::memories::Condition| {
            condition.origins = origins;
        };
        let promoted = match may_promote(row.class, row.review, row.contested, origins) {
            Ok(()) if row.state == State::Pending => Change::of(row, Event::Promote, grown).ok(),
            Ok(()) | Err(_) => None,
        };
        let change = promoted.map_or_else(
            || Change::within_state(row, grown),
            |(change, _effect)| change,
        );
        self.met.forget_how_they_stand();
        self.writer.change_memory(&change)
    }

    fn add(&mut self, case: Case<'_>, met: &Met, addition: &Addition) -> Result<(), LedgerError> {
        let memory = as_kept(self.row(case, met, addition)?);
        self.writer.add_memory(&memory)?;
        self.link_evidence(case, memory.id, Polarity::Supports)?;
        if let Some(known) = addition.speaks_for {
            self.support(case, met, known)?;
        }
        for ended in &addition.ends {
            self.end(case, met, memory.id, *ended)?;
        }
        for incumbent in &addition.against {
            self.stand_against(case, met, &memory, *incumbent)?;
        }
        mention(self.writer, self.tools.ids.as_ref(), &memory)?;
        self.embed(case, &memory)?;
        self.compare(&memory)?;
        let opened = addition
            .case
            .map(|kind| self.open_case(kind, &memory, &addition.against));
        let opened = opened.transpose()?;
        self.tell_conflict(case, met, memory.id, (&addition.against, opened));
        let existing = visible(case, met, met.stands.neighbour);
        self.decided(case, met, Some(memory.id), existing);
        self.answer.retained.push(Retained {
            place: case.examined.entry.place.clone(),
            evidence: case.evidence,
            next_action: next_action(&memory),
            reasons: memory.reasons.clone(),
            case: opened,
            memory: Arc::new(memory),
        });
        Ok(())
    }

    /// Tells of a conflict with what holds now.
    fn tell_conflict(
        &mut self,
        case: Case<'_>,
        met: &Met,
        challenger: MemoryId,
        (incumbents, opened): (&[MemoryId], Option<CaseId>),
    ) {
        let is_current = |id: &MemoryId| met.row(*id).is_some_and(|row| row.state == State::Active);
        if incumbents.iter().any(is_current) {
            self.answer.conflicts.push(Conflicting {
                place: case.examined.entry.place.clone(),
                reason: met.stands.reason,
                challenger,
                incumbents: incumbents.to_vec(),
                case: opened,
            });
        }
    }

    /// Has a row compared with memory banks, where there are some for it.
    fn compare(&mut self, memory: &Memory) -> Result<(), LedgerError> {
        let ids = self.tools.ids.as_ref();
        if self.tools.compares && queue_comparison(self.writer, ids, memory)? {
            self.is_pending(JobKind::Compare);
        }
        Ok(())
    }

    fn row(&self, case: Case<'_>, met: &Met, addition: &Addition) -> Result<Memory, LedgerError> {
        let (examined, claim) = (case.examined, case.claim);
        let (fact, revision) = self.revision(met, addition.revision_of)?;
        let state = addition.state.unwrap_or(State::Pending);
        Ok(Memory {
            id: MemoryId::mint(self.tools.ids.as_ref()),
            fact,
            revision,
            content: claim.text.clone(),
            kind: claim.kind,
            slot: claim.slot.clone(),
            entities: claim.entities.clone(),
            speaker: claim.speaker.clone(),
            partition: examined.partition.clone(),
            class: examined.class,
            source: examined.labels.source.clone(),
            source_app: examined.who.source_app().cloned(),
            tags: examined.labels.tags.clone(),
            custom_id: examined.labels.custom_id.clone(),
            state,
            approved: false,
            review: addition.review,
            contested: addition.contested,
            origins: 1,
            reasons: reasons_for(case, met, state, addition),
            evidence: vec![case.evidence],
            observed_at: claim.observed_at,
            created_at: self.now,
            validity: claim.validity,
            expires_at: examined.expires_at,
        })
    }

    fn revision(&self, met: &Met, of: Option<MemoryId>) -> Result<(FactId, u32), LedgerError> {
        let Some(old) = of.and_then(|id| met.row(id)) else {
            return Ok((FactId::mint(self.tools.ids.as_ref()), 1));
        };
        let revisions = self.writer.revisions(old.fact)?;
        let last = revisions.iter().map(|row| row.revision).max();
        Ok((old.fact, last.unwrap_or(old.revision) + 1))
    }

    /// Ends a row that the new one replaces or takes back.
    fn end(
        &mut self,
        case: Case<'_>,
        met: &Met,
        successor: MemoryId,
        (ended, event): (MemoryId, Event),
    ) -> Result<(), LedgerError> {
        let Some(row) = met.row(ended) else {
            return Ok(());
        };
        let since = case.claim.validity.from.unwrap_or(case.claim.observed_at);
        if self.end_row(row, event, since)? && event == Event::Supersede {
            self.writer.link(Link {
                from: successor,
                relation: LinkKind::Supersedes,
                to: ended,
            })?;
        }
        Ok(())
    }

    fn stand_against(
        &mut self,
        case: Case<'_>,
        met: &Met,
        challenger: &Memory,
        incumbent: MemoryId,
    ) -> Result<(), LedgerError> {
        self.writer.link(Link {
            from: challenger.id,
            relation: LinkKind::Contradicts,
            to: incumbent,
        })?;
        self.link_evidence(case, incumbent, Polarity::Contradicts)?;
        // A weaker word that stands against several leaves those where they are that are above it.
        let of_equal_weight = met
            .stands
            .stands
            .iter()
            .any(|stand| stand.neighbour == incumbent && stand.reason == Reason::Conflict);
        let shaken = met.row(incumbent).filter(|row| {
            challenger.contested && of_equal_weight && !row.contested && !row.approved
        });
        if let Some(row) = shaken {
            let change = Change::within_state(row, |condition| condition.contested = true);
            self.met.forget_how_they_stand();
            self.writer.change_memory(&change)?;
        }
        Ok(())
    }

    fn link_evidence(
        &mut self,
        case: Case<'_>,
        memory: MemoryId,
        polarity: Polarity,
    ) -> Result<(), LedgerError> {
        self.writer.add_support(&Support {
            memory,
            evidence: case.evidence,
            polarity,
            origin: case.examined.origin(),
        })
    }

    /// Links evidence to what it only says again, so that it goes with it; as an echo it counts for nothing. What may be
    /// an instruction to its reader is not put beside a row that people read.
    fn link_repetition(&mut self, case: Case<'_>, memory: MemoryId) -> Result<(), LedgerError> {
        if case.claim.route == Route::Review(ReviewNeed::WeakInjection) {
            return Ok(());
        }
        self.writer.add_support(&Support {
            memory,
            evidence: case.evidence,
            polarity: Polarity::Supports,
            origin: Origin {
                echo: true,
                ..case.examined.origin()
            },
        })
    }

    /// Keeps the vector of a row, or queues the work of making one.
    fn embed(&mut self, case: Case<'_>, memory: &Memory) -> Result<(), LedgerError> {
        if let Some(vector) = &case.near.vector {
            let embedder = &self.tools.embedder;
            if !self.has_embedder {
                say_embedder(self.writer, embedder, memory.partition.container())?;
                self.has_embedder = true;
            }
            return keep_vector_of(self.writer, embedder, memory, vector);
        }
        if !case.near.waits_for_vector {
            return Ok(());
        }
        queue_vector(self.writer, self.tools.ids.as_ref(), memory)?;
        self.is_pending(JobKind::Embed);
        Ok(())
    }

    fn open_case(
        &mut self,
        kind: CaseKind,
        memory: &Memory,
        against: &[MemoryId],
    ) -> Result<CaseId, LedgerError> {
        let case = ReviewCase {
            id: CaseId::mint(self.tools.ids.as_ref()),
            container: memory.partition.container().clone(),
            kind,
            group: group_of(memory),
            memory: memory.id,
            against: against.to_vec(),
            note: self.tools.note.clone().map(|note| note.to_string()),
            opened_at: self.now,
            closed: None,
        };
        self.writer.open_case(&case)
    }

    fn decided(
        &mut self,
        case: Case<'_>,
        met: &Met,
        memory: Option<MemoryId>,
        existing: Option<MemoryId>,
    ) {
        let stands = &met.stands;
        let relation = Some(stands.relation).filter(|it| *it != Relation::Independent);
        self.answer.decisions.push(Decision {
            place: case.examined.entry.place.clone(),
            content: case.claim.text.clone(),
            relation,
            cue: stands.cue,
            reason: stands.reason,
            memory,
            existing: existing.filter(|_| relation.is_some()),
            slot: stands.slot.clone(),
        });
    }
}

/// What stands of one owner and answers one question is one decision of a person.
pub(crate) fn group_of(memory: &Memory) -> String {
    let owner = match memory.partition.owner() {
        testimony_domain::Owner::Agent(agent) => agent.to_string(),
        testimony_domain::Owner::Key(key) => key.to_string(),
    };
    let slot = memory.slot.as_ref().map(|slot| &slot.key);
    let question = slot.map_or_else(String::new, |key| {
        format!("{}/{}/{}", key.subject, key.attribute, key.scope)
    });
    format!("{owner}:{question}")
}

/// The row that was met, where its writer may know of it.
fn visible(case: Case<'_>, met: &Met, id: Option<MemoryId>) -> Option<MemoryId> {
    let row = id.and_then(|id| met.row(id));
    row.filter(|row| is_visible(row, &case.examined.who))
        .map(|row| row.id)
}

fn met_nothing() -> Reconciliation {
    Reconciliation {
        relation: Relation::Independent,
        neighbour: None,
        slot: None,
        cue: Cue::NothingKnown,
        reason: Reason::Novel,
        stands: Vec::new(),
    }
}

fn reasons_of(findings: &[Finding]) -> Vec<Reason> {
    each_once(findings.iter().map(|finding| finding.reason))
}

/// What was found in a text as a whole, and that a claim of it instructs its reader, though a worse one decided.
fn reasons_of_evidence(ruling: &Ruling) -> Vec<Reason> {
    let in_claims = ruling.claims.iter().flat_map(|claim| &claim.findings);
    let instructs = in_claims.filter(|finding| finding.reason.is_of_an_injection());
    each_once(
        ruling
            .findings
            .iter()
            .chain(instructs)
            .map(|finding| finding.reason),
    )
}

fn each_once(reasons: impl Iterator<Item = Reason>) -> Vec<Reason> {
    let mut once = Vec::new();
    for reason in reasons {
        if !once.contains(&reason) {
            once.push(reason);
        }
    }
    once
}

/// Why a new row is what it is: what was found in it, how it stands to what was known, and what it waits for.
fn reasons_for(case: Case<'_>, met: &Met, state: State, addition: &Addition) -> Vec<Reason> {
    let mut reasons = reasons_of(&case.claim.findings);
    let waits = match state {
        State::Pending if addition.contested => Some(Reason::Conflict),
        State::Pending if addition.review.is_some() => Some(Reason::PendingReview),
        State::Pending => Some(Reason::SingleSupport),
        State::Active
        | State::QuarantinedInjection
        | State::QuarantinedSecret
        | State::Forensic
        | State::Superseded
        | State::Expired
        | State::Rejected
        | State::Erased => None,
    };
    let stands = Some(met.stands.reason).filter(|_| met.stands.neighbour.is_some());
    for reason in stands.into_iter().chain(waits) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

/// What a caller can do about a row.
fn next_action(memory: &Memory) -> NextAction {
    match memory.standing() {
        Standing::CleanPerson | Standing::CleanTool | Standing::Established => NextAction::None,
        Standing::Quarantined if memory.state == State::QuarantinedSecret => {
            NextAction::RotateSecret
        }
        Standing::SingleOrigin | Standing::AwaitsReview | Standing::Quarantined => {
            NextAction::Review
        }
        Standing::Contested => NextAction::Resolve,
        Standing::Forensic
        | Standing::Superseded
        | Standing::Expired
        | Standing::Rejected
        | Standing::Erased => NextAction::Discard,
    }
}
