//! The queue: open cases with the rows that they are about, as far as the reviewer may know of them.

use std::collections::HashMap;

use testimony_domain::{Capability, CaseId, Claim, ContainerTag, Memory, MemoryId, Principal};

use crate::error::ServiceError;
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, ReviewCase};
use crate::ports::ledger::{Page, Reader};
use crate::read::is_visible;
use crate::service::Service;

/// Which cases are wanted.
#[derive(Clone, Debug)]
pub struct QueueRequest {
    /// Of this kind.
    pub kind: Option<CaseKind>,
    /// Of this group.
    pub group: Option<String>,
    /// Whether closed ones are wanted too.
    pub closed_too: bool,
    /// Which part of the list.
    pub page: Page<CaseId>,
}

/// A case with its row.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseLine {
    /// The case.
    pub case: ReviewCase,
    /// The row that is to be decided about.
    pub memory: Memory,
    /// The rows that it stands against, as far as the reviewer may know of them.
    pub against: Vec<Memory>,
}

impl Service {
    /// Cases in the order in which they were opened.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn review_queue(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &QueueRequest,
    ) -> Result<Vec<CaseLine>, ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        let reader = self.ledger.reader()?;
        let filter = CaseFilter {
            container: Some(container.clone()),
            kind: request.kind,
            group: request.group.clone(),
            memory: None,
            closed_too: request.closed_too,
        };
        let cases = reader.cases(&filter, request.page)?;
        let rows = rows_of(reader.as_ref(), &cases)?;
        let seen = |id: &MemoryId| {
            let row = rows.get(id);
            row.filter(|row| is_visible(row, &visitor.identity))
                .cloned()
        };
        let line = |mut case: ReviewCase| {
            let against: Vec<Memory> = case.against.iter().filter_map(seen).collect();
            case.against = against.iter().map(|row| row.id).collect();
            Some(CaseLine {
                memory: seen(&case.memory)?,
                against,
                case,
            })
        };
        Ok(cases.into_iter().filter_map(line).collect())
    }
}

fn rows_of(
    reader: &dyn Reader,
    cases: &[ReviewCase],
) -> Result<HashMap<MemoryId, Memory>, ServiceError> {
    let ids: Vec<MemoryId> = cases
        .iter()
        .flat_map(|case| std::iter::once(&case.memory).chain(&case.against))
        .copied()
        .collect();
    let rows = reader.memories(&ids)?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
