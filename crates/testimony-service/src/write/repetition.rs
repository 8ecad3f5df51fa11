//! Repetitions: the same write sent twice is carried out once, and answered as it was the first time.

use std::collections::BTreeSet;
use std::time::Duration;

use testimony_domain::{MemoryId, RequestId, State, Timestamp};

use super::answer::{Idempotency, Replay, WriteAnswer, Written};
use super::item::Repetition;
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::receipts::{Operation, Receipt, ReceiptKey};
use crate::ports::ledger::{LedgerError, Reader, Writer};
use crate::upkeep::Retention;

/// Why a request is not carried out, as the ledger knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It was carried out.
    Answered(Replay),
    /// The same idempotency key came with another body.
    KeyReused,
    /// It holds more items than are left of the day's.
    QuotaSpent {
        items_per_day: u32,
        left: u64,
        wait: Duration,
    },
}

impl Known {
    /// What its caller is told.
    pub(super) fn told(self) -> Result<Written, ServiceError> {
        match self {
            Self::Answered(replay) => Ok(Written::Replayed(replay)),
            Self::KeyReused => Err(ServiceError::KeyReused),
            Self::QuotaSpent {
                items_per_day,
                left,
                wait,
            } => Err(ServiceError::QuotaSpent {
                items_per_day,
                left,
                wait,
            }),
        }
    }
}

/// The name under which a request is known. The header insists, so it counts before the field of the body.
fn name(repetition: &Repetition) -> Option<&RequestId> {
    repetition.key.as_ref().or(repetition.request.as_ref())
}

fn key_of(visitor: &Visitor, operation: Operation, repetition: &Repetition) -> Option<ReceiptKey> {
    Some(ReceiptKey {
        key: visitor.identity.key(),
        container: visitor.identity.container().clone(),
        operation,
        request: name(repetition)?.clone(),
    })
}

/// The desk at which one request is known.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    key: Option<ReceiptKey>,
    repetition: Repetition,
}

impl Desk {
    pub(super) fn of(visitor: &Visitor, operation: Operation, repetition: &Repetition) -> Self {
        Self {
            key: key_of(visitor, operation, repetition),
            repetition: repetition.clone(),
        }
    }

    /// Whether the request was carried out before; if not, how a repetition of it will be known.
    pub(super) fn look(
        &self,
        reader: &(impl Reader + ?Sized),
        now: Timestamp,
    ) -> Result<Result<Idempotency, Known>, LedgerError> {
        let Some(key) = &self.key else {
            return Ok(Ok(Idempotency::Missing));
        };
        let Some(receipt) = reader.receipt(key, now)? else {
            return Ok(Ok(Idempotency::Recorded));
        };
        if receipt.body == self.repetition.body {
            return Ok(Err(Known::Answered(replay(reader, receipt)?)));
        }
        Ok(match self.repetition.key {
            Some(_) => Err(Known::KeyReused),
            None => Ok(Idempotency::Reused),
        })
    }

    /// Keeps what is answered. A request whose id was used for another body keeps the first answer.
    pub(super) fn keep(
        &self,
        writer: &mut dyn Writer,
        answer: &WriteAnswer,
    ) -> Result<(), LedgerError> {
        let Some(key) = self
            .key
            .as_ref()
            .filter(|_| answer.idempotency == Idempotency::Recorded)
        else {
            return Ok(());
        };
        let at = writer.act().at;
        writer.keep_receipt(&Receipt {
            key: key.clone(),
            body: self.repetition.body,
            response: self.repetition.render.write(answer),
            memories: answer.retained.iter().map(|row| row.memory.id).collect(),
            names: named(answer),
            at,
            until: Retention::default().receipt_until(at),
        })
    }
}

/// The memories that an answer names beside those that it made. When one of them is erased, the answer is not sent again:
/// not even its id outlives it there.
fn named(answer: &WriteAnswer) -> Vec<MemoryId> {
    let skipped = answer.skipped.iter().filter_map(|it| it.existing);
    let met = answer.decisions.iter().filter_map(|it| it.existing);
    let against = answer.conflicts.iter().flat_map(|it| &it.incumbents);
    let all: BTreeSet<MemoryId> = skipped.chain(met).chain(against.copied()).collect();
    all.into_iter().collect()
}

/// What is left of an earlier answer: as it was sent, or the rows that are still there.
fn replay(reader: &(impl Reader + ?Sized), receipt: Receipt) -> Result<Replay, LedgerError> {
    let rows = reader.memories(&receipt.memories)?;
    let there = rows.iter().filter(|row| row.state != State::Erased);
    let memories: Vec<MemoryId> = there.map(|row| row.id).collect();
    let whole = !receipt.response.is_empty() && memories.len() == receipt.memories.len();
    Ok(Replay {
        response: whole.then_some(receipt.response),
        memories,
    })
}
