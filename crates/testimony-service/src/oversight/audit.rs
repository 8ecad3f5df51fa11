//! The trail as operators read it: its events, whether its chain holds, and what was read.

use testimony_domain::{ContainerTag, Principal, Timestamp, words};

use super::{operates, operates_all};
use crate::error::ServiceError;
use crate::ports::ledger::audit::{
    AuditEvent, ChainBreak, ChainHead, EventFilter, Seq, Tally, follow,
};
use crate::ports::ledger::reads::{Latency, ReadRow, Rollup};
use crate::ports::ledger::{LedgerError, Page, Reader};
use crate::service::Service;

/// So many events are followed at once.
const EVENTS_AT_ONCE: usize = 1_000;
/// So many are followed in one request; whoever has more goes on where it ended.
const EVENTS_A_REQUEST: u64 = 50_000;

/// From where the chain is followed, and what it is held against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyRequest {
    /// Where it was left; its beginning otherwise.
    pub from: ChainHead,
    /// A head that was kept elsewhere.
    pub against: Option<ChainHead>,
}

words! {
    /// How the chain stands to a head that was kept elsewhere.
    pub enum Against {
        /// The event is there, with this hash.
        Same = "same",
        /// The event is there with another hash: something at or before it was changed.
        Differs = "differs",
        /// The chain ends before it: something was cut off.
        CutOff = "cut_off",
    }
}

/// What following the chain found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// As far as it holds.
    pub reached: ChainHead,
    /// Where it ends.
    pub head: ChainHead,
    /// Where it breaks.
    pub broken: Option<ChainBreak>,
    /// How it stands to the head that was kept elsewhere.
    pub against: Option<Against>,
}

impl Service {
    /// Events of the trail, in their order.
    ///
    /// # Errors
    /// [`ServiceError::NotOverAll`] when the credential reaches only some containers and the filter names none of those.
    pub fn audit_events(
        &self,
        principal: &Principal,
        filter: &EventFilter,
        page: Page<Seq>,
    ) -> Result<Vec<AuditEvent>, ServiceError> {
        operates(principal)?;
        let reached = filter.container.as_ref();
        if !reached.is_some_and(|tag| principal.containers.reaches(tag)) {
            operates_all(principal)?;
        }
        Ok(self.ledger.reader()?.events(filter, page)?)
    }

    /// The end of the chain, for somebody who keeps it elsewhere.
    ///
    /// # Errors
    /// [`ServiceError::NotOverAll`] when the credential reaches only some containers.
    pub fn audit_head(&self, principal: &Principal) -> Result<ChainHead, ServiceError> {
        operates_all(principal)?;
        Ok(self.ledger.reader()?.chain_head()?)
    }

    /// Follows the chain as far as one request does.
    ///
    /// # Errors
    /// As of [`Service::audit_head`]. That it breaks is an answer.
    pub fn verify_audit(
        &self,
        principal: &Principal,
        request: &VerifyRequest,
    ) -> Result<Verified, ServiceError> {
        operates_all(principal)?;
        let reader = self.ledger.reader()?;
        let reader = reader.as_ref();
        let against = request.against.map(|kept| stands_to(reader, kept));
        let (reached, broken) = follow_on(reader, request.from)?;
        Ok(Verified {
            reached,
            head: reader.chain_head()?,
            broken,
            against: against.transpose()?,
        })
    }

    /// Requests that read in a container, newest first.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn audit_reads(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        since: Timestamp,
        page: Page<Timestamp>,
    ) -> Result<Vec<ReadRow>, ServiceError> {
        self.oversee(principal, container)?;
        self.journal.catch_up();
        let before = page.after.unwrap_or(Timestamp::MAX);
        let reader = self.ledger.reader()?;
        Ok(reader.read_rows_before(container, since, before, page.limit)?)
    }

    /// How long requests that read in a container took since the hour of an instant, counted by hour and door.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or it cannot be read.
    pub fn latencies(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Latency>, ServiceError> {
        self.oversee(principal, container)?;
        self.journal.catch_up();
        Ok(self.ledger.reader()?.latencies(container, since)?)
    }

    /// How often things were done in a container since the hour of an instant, counted by hour.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or it cannot be read.
    pub fn tallies(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Tally>, ServiceError> {
        self.oversee(principal, container)?;
        Ok(self.ledger.reader()?.tallies(container, since)?)
    }

    /// What was read by the hour, in the containers that the credential reaches; a page counts hours.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn audit_rollups(
        &self,
        principal: &Principal,
        container: Option<&ContainerTag>,
        since: Timestamp,
        page: Page<Timestamp>,
    ) -> Result<(Vec<Rollup>, Option<Timestamp>), ServiceError> {
        operates(principal)?;
        self.journal.catch_up();
        let mut hours = self.ledger.reader()?.rollups(since, page)?;
        let last = hours.last().map(|row| row.hour);
        hours.retain(|row| {
            let wanted = container.is_none_or(|tag| *tag == row.container);
            wanted && principal.containers.reaches(&row.container)
        });
        Ok((hours, last))
    }
}

fn follow_on(
    reader: &dyn Reader,
    from: ChainHead,
) -> Result<(ChainHead, Option<ChainBreak>), LedgerError> {
    let mut reached = from;
    while reached.seq.0.saturating_sub(from.seq.0) < EVENTS_A_REQUEST {
        let page = Page {
            after: Some(reached.seq),
            limit: EVENTS_AT_ONCE,
        };
        let events = reader.events(&EventFilter::default(), page)?;
        for event in &events {
            match follow(reached, [event]) {
                Ok(head) => reached = head,
                Err(broken) => return Ok((reached, Some(broken))),
            }
        }
        if events.len() < EVENTS_AT_ONCE {
            break;
        }
    }
    Ok((reached, None))
}

fn stands_to(reader: &dyn Reader, kept: ChainHead) -> Result<Against, LedgerError> {
    if kept.seq == Seq(0) {
        let empty = kept.hash == ChainHead::default().hash;
        return Ok(if empty {
            Against::Same
        } else {
            Against::Differs
        });
    }
    let page = Page {
        after: Some(Seq(kept.seq.0.saturating_sub(1))),
        limit: 1,
    };
    let found = reader.events(&EventFilter::default(), page)?;
    Ok(match found.first() {
        Some(event) if event.seq == kept.seq && event.own == kept.hash => Against::Same,
        Some(_) => Against::Differs,
        None => Against::CutOff,
    })
}
