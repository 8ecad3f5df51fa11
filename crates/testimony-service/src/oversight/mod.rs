//! Oversight: what operators look into, and what they set right.
//!
//! An operator sees every row of the containers that the credential reaches; whatever the operator changes is an event
//! under the operator's own name, and what is looked at is noted like any other reading.

mod change;
mod memories;

use testimony_domain::{
    Capability, Claim, ContainerTag, Memory, MemoryId, Principal, PrincipalKind,
};

pub use memories::{MemoriesRequest, MemoryFile};

use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::reads::{ReadRow, Route};
use crate::read::Note;
use crate::service::Service;

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
        let by_key = !matches!(who.kind(), PrincipalKind::Person | PrincipalKind::Host);
        self.journal.note(Note {
            handed: Vec::new(),
            row: ReadRow {
                at: self.clock.now(),
                key: by_key.then(|| who.key()),
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
