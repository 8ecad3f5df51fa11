//! Oversight: what operators look into, and what they set right.
//!
//! An operator sees every row of the containers that the credential reaches; whatever the operator changes is an event
//! under the operator's own name, and what is looked at is noted like any other reading.

mod audit;
mod change;
mod erasure;
mod jobs;
mod memories;
mod quarantine;
mod statistics;

use testimony_domain::{
    Capability, Claim, ContainerGrant, ContainerTag, Memory, MemoryId, Principal, Refusal,
};

pub use audit::{Against, Verified, VerifyRequest};
pub use erasure::{Erased, Ground};
pub use jobs::JobsRequest;
pub use memories::{MemoriesRequest, MemoryFile};
pub use quarantine::Quarantined;
pub use statistics::Statistics;

use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::reads::{ReadRow, Route};
use crate::read::Note;
use crate::service::Service;

/// Whoever answers for the service; what is not in a container it may do where it may do everything.
fn operates(principal: &Principal) -> Result<(), ServiceError> {
    let needed = Capability::Admin;
    if principal.capabilities.allow(needed) {
        Ok(())
    } else {
        Err(Refusal::Capability { needed }.into())
    }
}

/// Whoever answers for every container.
fn operates_all(principal: &Principal) -> Result<(), ServiceError> {
    operates(principal)?;
    match principal.containers {
        ContainerGrant::All => Ok(()),
        ContainerGrant::Listed(_) | ContainerGrant::Prefix(_) => Err(ServiceError::NotOverAll),
    }
}

impl Service {
    /// An operator in a container.
    pub(crate) fn oversee(
        &self,
        principal: &Principal,
        container: &ContainerTag,
    ) -> Result<Visitor, ServiceError> {
        self.enter(principal, container, Capability::Admin, &Claim::default())
    }

    /// A memory that an operator's credential reaches, with the operator in its container. One that it does not reach is
    /// as good as missing.
    pub(crate) fn overseen(
        &self,
        principal: &Principal,
        id: MemoryId,
    ) -> Result<(Memory, Visitor), ServiceError> {
        let row = self.ledger.reader()?.memories(&[id])?.pop();
        let reached = row.filter(|row| principal.containers.reaches(row.partition.container()));
        let row = reached.ok_or(NotFound::Memory)?;
        let visitor = self.oversee(principal, row.partition.container())?;
        Ok((row, visitor))
    }

    /// Notes what an operator or reviewer looked at.
    pub(crate) fn note_oversight(&self, visitor: &Visitor, returned: Vec<MemoryId>) {
        let who = &visitor.identity;
        self.journal.note(Note {
            handed: Vec::new(),
            row: ReadRow {
                at: self.clock.now(),
                by: Actor::of(who),
                container: who.container().clone(),
                route: Route::Operator,
                request: None,
                returned,
                suppressed: 0,
                abstained: false,
                latency_us: 0,
            },
        });
    }
}
