//! Taking in what other services export: every item comes in as anything else does, under the class that its importer
//! names, and what became of each is counted with its reasons.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use testimony_domain::{
    Capability, Claim, ContainerTag, CustomId, EvidenceChannel, Principal, Reason, RequestId,
    SourceClass, UserId, words,
};

use super::readers::{self, LeftOut, Origin, lowered};
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::audit::Digest;
use crate::ports::ledger::receipts::Operation;
use crate::ports::ledger::{Fate, Reader};
use crate::service::Service;
use crate::write::{BATCH, Entry, Item, Order, Place, Repetition, WriteAnswer, Written};

/// An export of another service, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignRequest {
    /// Where it comes from.
    pub origin: Origin,
    /// Where it goes.
    pub container: ContainerTag,
    /// The export as that service writes it, or a list of some of its entries.
    pub document: Value,
    /// Whose word it is; an entry can only be weaker.
    pub class: SourceClass,
    /// The person of entries that name none.
    pub user: Option<UserId>,
    /// Whether to tell what would happen, and do nothing.
    pub dry_run: bool,
}

words! {
    /// What became of something.
    pub enum ForeignOutcome {
        /// It is known now.
        Active = "active",
        /// It waits for support or for a person.
        Pending = "pending",
        /// It is held.
        Quarantined = "quarantined",
        /// It is kept as a record.
        Forensic = "forensic",
        /// The same is here already.
        Known = "already_here",
        /// It makes no memory.
        LeftOut = "left_out",
        /// It cannot be what it claims.
        Unreadable = "unreadable",
    }
}

/// Something that did not become known or wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignLine {
    /// The id that it had where it comes from.
    pub id: Option<String>,
    /// What became of it.
    pub outcome: ForeignOutcome,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// What became of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignAnswer {
    /// How many entries were read.
    pub read: usize,
    /// How many statements each outcome had.
    pub counts: BTreeMap<&'static str, usize>,
    /// How often each reason was given.
    pub reasons: BTreeMap<&'static str, usize>,
    /// What did not become known or wait, as far as there is room.
    pub lines: Vec<ForeignLine>,
}

/// So many lines are told of one by one.
const MOST_LINES: usize = 1_000;

impl Service {
    /// Takes an export of another service in.
    ///
    /// Entries that came before are passed over, by the ids that they had there.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice or the ledger fails; batches before that stand.
    pub fn import_from(
        &self,
        principal: &Principal,
        request: &ForeignRequest,
    ) -> Result<ForeignAnswer, ServiceError> {
        let claim = Claim::default();
        let visitor = self.enter(principal, &request.container, Capability::Write, &claim)?;
        let read = readers::read(request.origin, &request.document);
        let mut answer = ForeignAnswer {
            read: read.items.len() + read.left_out.len(),
            ..ForeignAnswer::default()
        };
        read.left_out.iter().for_each(|it| answer.left_out(it));
        let mut items = Vec::new();
        for item in read.items {
            let mut item = lowered(item, request.class);
            item.user = item.user.or_else(|| request.user.clone());
            let person = item.user.as_ref().map(UserId::as_str);
            if person.is_some_and(|name| self.looks_like_a_credential(name)) {
                answer.count(ForeignOutcome::Unreadable, None, &[]);
            } else if self.is_known(&visitor, &item)? {
                answer.count(ForeignOutcome::Known, item.custom_id, &[]);
            } else {
                items.push(item);
            }
        }
        for batch in items.chunks(BATCH.max as usize) {
            self.write_batch(principal, request, batch, &mut answer)?;
        }
        for line in &mut answer.lines {
            let id = line.id.take();
            line.id = id.map(|id| self.redact(&visitor.container.policy, &id).to_string());
        }
        Ok(answer)
    }

    /// Whether an entry came before, with the same text.
    fn is_known(&self, visitor: &Visitor, item: &Item) -> Result<bool, ServiceError> {
        let id = item.custom_id.as_deref();
        let Some(id) = id.and_then(|id| CustomId::new("custom_id", id).ok()) else {
            return Ok(false);
        };
        let reader = self.ledger.reader()?;
        let container = &visitor.container;
        let rows = reader.known_as(&container.tag, &id)?;
        let evidence: Vec<_> = rows.iter().flat_map(|row| &row.evidence).copied().collect();
        if evidence.is_empty() {
            return Ok(false);
        }
        let text = self.redact(&container.policy, &item.content);
        said_before(reader.as_ref(), &evidence, text.as_str())
    }

    fn write_batch(
        &self,
        principal: &Principal,
        request: &ForeignRequest,
        batch: &[Item],
        answer: &mut ForeignAnswer,
    ) -> Result<(), ServiceError> {
        let order = Order {
            operation: Operation::Retain,
            needed: Capability::Write,
            claim: &Claim::default(),
            entries: entries_of(batch),
            is_single: false,
            may_be_empty: false,
            default_source: request.origin.as_str(),
            review_required: false,
            review_reason: None,
            user_message: None,
            repetition: &repetition_of(batch),
            by_service: false,
        };
        let fate = if request.dry_run {
            Fate::Discard
        } else {
            Fate::Keep
        };
        match self.write_with_fate(principal, &request.container, &order, fate)? {
            Written::Done(written) => answer.written(batch, &written),
            Written::Replayed(_) => batch.iter().for_each(|item| {
                answer.count(ForeignOutcome::Known, item.custom_id.clone(), &[]);
            }),
        }
        Ok(())
    }
}

fn entries_of(batch: &[Item]) -> Vec<Entry> {
    let entries = batch.iter().enumerate().map(|(index, item)| Entry {
        place: Place {
            field: BATCH.name,
            index: Some(index),
        },
        channel: EvidenceChannel::Retain,
        item: item.clone(),
        extract: true,
        drawn_from: None,
    });
    entries.collect()
}

/// A batch that is sent again is known by what is in it.
fn repetition_of(batch: &[Item]) -> Repetition {
    let body = digest_of(batch);
    Repetition {
        request: RequestId::new("request_id", &format!("import:{body}")).ok(),
        body,
        ..Repetition::default()
    }
}

fn said_before(
    reader: &dyn Reader,
    evidence: &[testimony_domain::EvidenceId],
    text: &str,
) -> Result<bool, ServiceError> {
    let kept = reader.evidence(evidence)?;
    Ok(kept.iter().any(|kept| kept.evidence.text.as_str() == text))
}

/// By what a batch that is sent again is known.
fn digest_of(batch: &[Item]) -> Digest {
    let mut hash = Sha256::new();
    for item in batch {
        for text in [
            item.custom_id.as_deref().unwrap_or_default(),
            &item.content,
            item.user.as_ref().map_or("", UserId::as_str),
            item.class.map_or("", SourceClass::as_str),
        ] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
    }
    Digest(hash.finalize().into())
}

impl ForeignAnswer {
    fn left_out(&mut self, left_out: &LeftOut) {
        *self
            .counts
            .entry(ForeignOutcome::LeftOut.as_str())
            .or_default() += 1;
        *self.reasons.entry(left_out.reason).or_default() += 1;
        self.tell(ForeignLine {
            id: left_out.id.clone(),
            outcome: ForeignOutcome::LeftOut,
            reasons: vec![left_out.reason.to_owned()],
        });
    }

    fn written(&mut self, batch: &[Item], written: &WriteAnswer) {
        let id_at = |place: &Place| batch.get(place.index?)?.custom_id.clone();
        for retained in &written.retained {
            let outcome = outcome_of(retained.memory.state);
            self.count(outcome, id_at(&retained.place), &retained.reasons);
        }
        for skipped in &written.skipped {
            let known = skipped.existing.is_some() || skipped.reasons.contains(&Reason::Duplicate);
            let outcome = if known {
                ForeignOutcome::Known
            } else {
                ForeignOutcome::LeftOut
            };
            self.count(outcome, id_at(&skipped.place), &skipped.reasons);
        }
        for invalid in &written.invalid {
            *self
                .counts
                .entry(ForeignOutcome::Unreadable.as_str())
                .or_default() += 1;
            let reasons = invalid.problems.iter().map(ToString::to_string);
            self.tell(ForeignLine {
                id: id_at(&invalid.place),
                outcome: ForeignOutcome::Unreadable,
                reasons: reasons.collect(),
            });
        }
    }

    fn count(&mut self, outcome: ForeignOutcome, id: Option<String>, reasons: &[Reason]) {
        *self.counts.entry(outcome.as_str()).or_default() += 1;
        for reason in reasons {
            *self.reasons.entry(reason.as_str()).or_default() += 1;
        }
        if !matches!(
            outcome,
            ForeignOutcome::Active | ForeignOutcome::Pending | ForeignOutcome::Known
        ) {
            let reasons = reasons.iter().map(|reason| reason.sentence().to_owned());
            self.tell(ForeignLine {
                id,
                outcome,
                reasons: reasons.collect(),
            });
        }
    }

    fn tell(&mut self, line: ForeignLine) {
        if self.lines.len() < MOST_LINES {
            self.lines.push(line);
        }
    }
}

const fn outcome_of(state: testimony_domain::State) -> ForeignOutcome {
    use testimony_domain::State;
    match state {
        State::Active => ForeignOutcome::Active,
        State::Pending => ForeignOutcome::Pending,
        State::QuarantinedInjection | State::QuarantinedSecret => ForeignOutcome::Quarantined,
        State::Forensic => ForeignOutcome::Forensic,
        State::Superseded | State::Expired | State::Rejected | State::Erased => {
            ForeignOutcome::LeftOut
        }
    }
}
