//! Carrying out a write: from a request to its answer.

use testimony_domain::{
    Capability, Claim, ContainerTag, EvidenceChannel, Invalid, Memory, Principal, Problem,
    RequestId, Timestamp,
};

use super::answer::{Unreadable, WriteAnswer, Written};
use super::examine::{Examined, Request};
use super::item::{BATCH, Entry, Place, Repetition, RetainRequest};
use super::quota::Quota;
use super::repetition::{Desk, Known};
use super::settle::{Settling, Tools};
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::receipts::Operation;
use crate::ports::ledger::{Fate, LedgerError, Writer};
use crate::ports::models::ModelUse;
use crate::service::Service;

/// How many memories that were handed out lately are looked at for echoes.
const HANDED_OUT: usize = 200;

/// A write of any kind.
pub(crate) struct Order<'a> {
    pub(crate) operation: Operation,
    pub(crate) needed: Capability,
    pub(crate) claim: &'a Claim,
    pub(crate) entries: Vec<Entry>,
    /// Whether one item alone came, so that its conflict is the answer.
    pub(crate) is_single: bool,
    /// Whether a request without any item is a request.
    pub(crate) may_be_empty: bool,
    pub(crate) default_source: &'a str,
    pub(crate) review_required: bool,
    pub(crate) review_reason: Option<&'a str>,
    pub(crate) user_message: Option<&'a str>,
    pub(crate) repetition: &'a Repetition,
    /// Whether the service does it by itself, behind an answer.
    pub(crate) by_service: bool,
}

impl Service {
    /// Captures evidence and what it claims.
    ///
    /// # Errors
    /// [`ServiceError`] when nothing was kept; a conflict is no error of this kind, since evidence, challenger and case
    /// are kept and named in the answer.
    pub fn retain(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &RetainRequest,
    ) -> Result<Written, ServiceError> {
        let entries = request.items.iter().enumerate().map(|(index, item)| Entry {
            place: place(request.is_batch, index),
            channel: EvidenceChannel::Retain,
            item: item.clone(),
            extract: request.extract,
            drawn_from: None,
        });
        self.write(
            principal,
            container,
            &Order {
                operation: Operation::Retain,
                needed: Capability::Write,
                claim: &request.claim,
                entries: entries.collect(),
                is_single: request.items.len() == 1,
                may_be_empty: false,
                default_source: "api",
                review_required: request.review_required,
                review_reason: request.review_reason.as_deref(),
                user_message: None,
                repetition: &request.repetition,
                by_service: false,
            },
        )
    }

    pub(crate) fn write(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        order: &Order<'_>,
    ) -> Result<Written, ServiceError> {
        self.write_with_fate(principal, container, order, Fate::Keep)
    }

    /// Carries a write out; where its fate is to be discarded, the answer says what would have come of it.
    pub(crate) fn write_with_fate(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        order: &Order<'_>,
        fate: Fate,
    ) -> Result<Written, ServiceError> {
        let visitor = self.enter(principal, container, order.needed, order.claim)?;
        check_batch(order)?;
        let now = self.clock.now();
        let desk = Desk::of(&visitor, order.operation, order.repetition);
        if let Err(known) = desk.look(self.ledger.reader()?.as_ref(), now)? {
            return known.told();
        }
        let quota = self.quota_for(&visitor, order)?;
        let (examined, invalid) = self.examine_all(&visitor, order, now)?;
        let trail = self.trail(order);
        let request = RequestId::new("request_id", &trail).ok();
        let answer = WriteAnswer {
            invalid,
            trail,
            is_single: order.is_single,
            ..WriteAnswer::to(&visitor)
        };
        let tools = self.tools(&visitor, order);
        let act = self.act(actor_of(&visitor, order), request);
        let (outcome, _) = self.ledger.write(act, move |writer| {
            let done = carry_out(writer, (&desk, quota), &tools, &examined, answer)?;
            Ok((if done.0 == Fate::Keep { fate } else { done.0 }, done.1))
        })?;
        match outcome {
            Ok(answer) => Ok(Written::Done(Box::new(answer))),
            Err(known) => known.told(),
        }
    }

    /// What the service draws from a text by itself, nobody hands in.
    fn quota_for(
        &self,
        visitor: &Visitor,
        order: &Order<'_>,
    ) -> Result<Option<Quota>, ServiceError> {
        match order.by_service {
            true => Ok(None),
            false => self.quota_of(visitor),
        }
    }

    fn tools(&self, visitor: &Visitor, order: &Order<'_>) -> Tools {
        let policy = &visitor.container.policy;
        Tools {
            ids: self.ids.clone(),
            distills: !order.by_service && self.model_for(ModelUse::Extraction).is_some(),
            compares: self.compares(&visitor.container.tag),
            embedder: self.embedders.of(&visitor.container).identity().clone(),
            container: visitor.container.clone(),
            note: order
                .review_reason
                .map(|reason| self.redact(policy, reason)),
        }
    }

    /// Reads every item. One that is wrong leaves the others alone; when all of them are, the request is.
    fn examine_all(
        &self,
        visitor: &Visitor,
        order: &Order<'_>,
        now: Timestamp,
    ) -> Result<(Vec<Examined>, Vec<Unreadable>), ServiceError> {
        let handed_out = self.handed_out_to(visitor, now)?;
        let request = Request {
            visitor,
            claim: order.claim,
            needed: order.needed,
            default_source: order.default_source,
            review_required: order.review_required,
            user_message: order.user_message,
            handed_out: &handed_out,
            now,
        };
        let (mut examined, mut wrong) = (Vec::new(), Vec::new());
        for entry in &order.entries {
            match self.examine(&request, entry.clone()) {
                Ok(item) => examined.push(item),
                Err(ServiceError::Invalid(problems)) => wrong.push(Unreadable {
                    place: entry.place.clone(),
                    problems,
                }),
                Err(other) => return Err(other),
            }
        }
        if examined.is_empty() && !wrong.is_empty() {
            let all = wrong.into_iter().flat_map(|item| item.problems);
            return Err(ServiceError::Invalid(all.collect()));
        }
        Ok((examined, wrong))
    }

    /// What was handed to this key and run lately, for the echo guard.
    fn handed_out_to(
        &self,
        visitor: &Visitor,
        now: Timestamp,
    ) -> Result<Vec<Memory>, ServiceError> {
        self.journal.catch_up();
        let reader = self.ledger.reader()?;
        let who = &visitor.identity;
        let ids = reader.handed_out(who.key(), who.labels().run.as_ref(), now, HANDED_OUT)?;
        let mut rows = reader.memories(&ids)?;
        // To say again what was replaced since is news.
        rows.retain(|row| row.state.is_open());
        Ok(rows)
    }

    /// The name under which the audit trail knows this write: the caller's, or one of our own.
    fn trail(&self, order: &Order<'_>) -> String {
        let repetition = order.repetition;
        let named = repetition.request.as_ref().or(repetition.key.as_ref());
        named.map_or_else(
            || format!("op_{}", self.ids.next_uuid().simple()),
            ToString::to_string,
        )
    }
}

fn actor_of(visitor: &Visitor, order: &Order<'_>) -> Actor {
    match order.by_service {
        true => Actor::Service,
        false => Actor::of(&visitor.identity),
    }
}

fn place(is_batch: bool, index: usize) -> Place {
    if is_batch {
        Place {
            field: "contents",
            index: Some(index),
        }
    } else {
        Place {
            field: "content",
            index: None,
        }
    }
}

fn check_batch(order: &Order<'_>) -> Result<(), ServiceError> {
    let (length, max) = (order.entries.len(), BATCH.max as usize);
    let problem = if length == 0 && !order.may_be_empty {
        Problem::Empty
    } else if length > max {
        Problem::OutOfRange {
            min: BATCH.min,
            max: BATCH.max,
        }
    } else {
        return Ok(());
    };
    Err(Invalid::new(BATCH.name, problem).into())
}

/// The part of a write that runs alone. What was answered meanwhile by another of the same name is returned instead.
fn carry_out(
    writer: &mut dyn Writer,
    (desk, quota): (&Desk, Option<Quota>),
    tools: &Tools,
    examined: &[Examined],
    mut answer: WriteAnswer,
) -> Result<(Fate, Result<WriteAnswer, Known>), LedgerError> {
    let now = writer.act().at;
    match desk.look(writer, now)? {
        Ok(idempotency) => answer.idempotency = idempotency,
        Err(known) => return Ok((Fate::Discard, Err(known))),
    }
    if let Some(quota) = quota
        && let Some(spent) = quota.spent_by(writer, examined.len())?
    {
        return Ok((Fate::Discard, Err(spent)));
    }
    if writer.container(&tools.container.tag)?.is_none() {
        writer.make_container(&tools.container)?;
    }
    let mut settling = Settling::new(writer, tools, &mut answer);
    for item in examined {
        settling.item(item)?;
    }
    settling.finish()?;
    desk.keep(writer, &answer)?;
    Ok((Fate::Keep, Ok(answer)))
}
