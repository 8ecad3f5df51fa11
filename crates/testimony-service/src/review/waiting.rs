//! What waits for support and not for a person: rows of one origin. Nobody is asked about them, and a reviewer may still
//! decide: the row is taken up, which opens a case about it, and the case is decided like any other.

use testimony_domain::{
    Capability, CaseId, Claim, ContainerTag, Memory, MemoryId, Principal, State,
};

use super::sight;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::MemoryFilter;
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, ReviewCase};
use crate::ports::ledger::{Fate, LedgerError, Page, Reader};
use crate::service::Service;
use crate::write::group_of;

/// So many rows are looked at in one go.
const LOOKED_AT: usize = 200;

impl Service {
    /// Pending rows about which no case is open, in the order in which they were made.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn waiting(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        page: Page<MemoryId>,
    ) -> Result<Vec<Memory>, ServiceError> {
        let visitor = self.reviewer(principal, container)?;
        let (reader, now) = (self.ledger.reader()?, self.clock.now());
        let filter = MemoryFilter {
            container: Some(container.clone()),
            states: vec![State::Pending],
            ..MemoryFilter::default()
        };
        let mut part = Page {
            after: page.after,
            limit: LOOKED_AT,
        };
        let mut waiting = Vec::new();
        loop {
            let rows = reader.list(&filter, part)?;
            let is_last = rows.len() < part.limit;
            part.after = rows.last().map(|row| row.id);
            for row in rows {
                if waiting.len() < page.limit
                    && sight::sees(&visitor, &row, now)
                    && open_case(reader.as_ref(), row.id)?.is_none()
                {
                    waiting.push(row);
                }
            }
            if is_last || waiting.len() >= page.limit {
                break;
            }
        }
        self.note_oversight(&visitor, waiting.iter().map(|row| row.id).collect());
        Ok(waiting)
    }

    /// Opens a case about a pending row; where one is open already, it is that one.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when no such row waits, as far as the reviewer may know.
    pub fn take_up(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        memory: MemoryId,
    ) -> Result<CaseId, ServiceError> {
        let visitor = self.reviewer(principal, container)?;
        let actor = Actor::by(principal.kind, principal.key);
        let act = self.act(actor, None);
        let (now, id) = (act.at, CaseId::mint(self.ids.as_ref()));
        let container = container.clone();
        let (case, _) = self.ledger.write(act, move |writer| {
            let row = writer.memories(&[memory])?.pop();
            let row = row.filter(|row| {
                row.state == State::Pending
                    && *row.partition.container() == container
                    && sight::sees(&visitor, row, now)
            });
            let Some(row) = row else {
                return Ok((Fate::Discard, None));
            };
            if let Some(open) = open_case(writer, memory)? {
                return Ok((Fate::Discard, Some(open)));
            }
            let opened = writer.open_case(&ReviewCase {
                id,
                container,
                kind: CaseKind::Pending,
                group: group_of(&row),
                memory,
                against: Vec::new(),
                note: None,
                opened_at: now,
                closed: None,
            })?;
            Ok((Fate::Keep, Some(opened)))
        })?;
        case.ok_or_else(|| NotFound::Memory.into())
    }

    fn reviewer(
        &self,
        principal: &Principal,
        container: &ContainerTag,
    ) -> Result<Visitor, ServiceError> {
        let needed = Capability::Review;
        self.enter(principal, container, needed, &Claim::default())
    }
}

/// The open case about a row.
fn open_case(
    reader: &(impl Reader + ?Sized),
    memory: MemoryId,
) -> Result<Option<CaseId>, LedgerError> {
    let about = CaseFilter {
        memory: Some(memory),
        ..CaseFilter::default()
    };
    let open = reader.cases(&about, Page::first(1))?;
    Ok(open.first().map(|case| case.id))
}
