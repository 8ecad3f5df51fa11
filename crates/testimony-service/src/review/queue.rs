//! The queue: cases with the rows that they are about, as far as the reviewer may know of them, one by one or in groups.
//!
//! What the reviewer may not know of is left out before a part of the list is cut, so no part is shorter than it has to be.

use std::collections::HashMap;

use testimony_domain::{
    Capability, CaseId, Claim, ContainerTag, Memory, MemoryId, Principal, Timestamp, words,
};

use super::sight;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, ReviewCase};
use crate::ports::ledger::{LedgerError, Page, Reader};
use crate::service::Service;

/// So many cases are looked at in one go.
const LOOKED_AT: usize = 200;

words! {
    /// How a case stands.
    pub enum CaseState {
        /// It waits for a decision.
        Open = "open",
        /// It was decided.
        Closed = "closed",
    }
}

impl CaseState {
    /// How a case stands.
    #[must_use]
    pub const fn of(case: &ReviewCase) -> Self {
        match case.closed {
            Some(_) => Self::Closed,
            None => Self::Open,
        }
    }
}

/// Which cases are wanted.
#[derive(Clone, Debug)]
pub struct QueueRequest {
    /// Of this kind.
    pub kind: Option<CaseKind>,
    /// Of this group.
    pub group: Option<String>,
    /// In this state; in either where absent.
    pub state: Option<CaseState>,
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

/// Cases that one decision can serve.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseGroup {
    /// What they have in common.
    pub group: String,
    /// How many of each kind, in the order of the kinds.
    pub kinds: Vec<(CaseKind, u64)>,
    /// When the first was opened.
    pub opened_at: Timestamp,
    /// When the last was opened.
    pub last_opened_at: Timestamp,
    /// The first of them.
    pub first: CaseLine,
}

/// A part of the groups, with how much waits beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseGroups {
    /// The groups of this part.
    pub groups: Vec<CaseGroup>,
    /// How many cases of each kind there are in all groups that were asked for, in the order of the kinds.
    pub kinds: Vec<(CaseKind, u64)>,
}

impl CaseGroup {
    fn of(line: CaseLine) -> Self {
        Self {
            group: line.case.group.clone(),
            kinds: Vec::new(),
            opened_at: line.case.opened_at,
            last_opened_at: line.case.opened_at,
            first: line,
        }
    }

    fn count(&mut self, kind: CaseKind, opened_at: Timestamp) {
        self.last_opened_at = self.last_opened_at.max(opened_at);
        count(&mut self.kinds, kind);
    }

    /// How many cases it holds.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }
}

fn count(kinds: &mut Vec<(CaseKind, u64)>, kind: CaseKind) {
    match kinds.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, count)) => *count += 1,
        None => {
            kinds.push((kind, 1));
            kinds.sort_unstable();
        }
    }
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
        let (visitor, queue) = self.queue(principal, container, request)?;
        let mut lines = Vec::new();
        queue.each(|line| {
            lines.push(line);
            lines.len() < request.page.limit
        })?;
        self.note_oversight(&visitor, lines.iter().map(|line| line.memory.id).collect());
        Ok(lines)
    }

    /// Groups in the order in which their first cases were opened; a part goes on behind the first case of a group.
    ///
    /// # Errors
    /// As of [`Service::review_queue`].
    pub fn review_groups(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &QueueRequest,
    ) -> Result<CaseGroups, ServiceError> {
        let whole = QueueRequest {
            page: Page::first(usize::MAX),
            ..request.clone()
        };
        let (visitor, queue) = self.queue(principal, container, &whole)?;
        let (mut groups, mut kinds) = (Vec::<CaseGroup>::new(), Vec::new());
        let mut places: HashMap<String, usize> = HashMap::new();
        queue.each(|line| {
            let (kind, opened_at) = (line.case.kind, line.case.opened_at);
            count(&mut kinds, kind);
            let place = places.get(&line.case.group).copied();
            let place = place.unwrap_or_else(|| {
                places.insert(line.case.group.clone(), groups.len());
                groups.push(CaseGroup::of(line));
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(place) {
                group.count(kind, opened_at);
            }
            true
        })?;
        let behind = groups_up_to(&groups, request);
        let part = groups.into_iter().skip(behind).take(request.page.limit);
        let part: Vec<CaseGroup> = part.collect();
        let shown = part.iter().map(|group| group.first.memory.id);
        self.note_oversight(&visitor, shown.collect());
        Ok(CaseGroups {
            groups: part,
            kinds,
        })
    }

    /// One case with its rows.
    ///
    /// # Errors
    /// [`NotFound::Case`] when there is none as far as the reviewer may know.
    pub fn review_case(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        id: CaseId,
    ) -> Result<CaseLine, ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        let reader = self.ledger.reader()?;
        let case = reader.case(id)?;
        let case = case.filter(|case| case.container == *container);
        let line = case.map(|case| {
            let cases = vec![case];
            let rows = rows_of(reader.as_ref(), &cases)?;
            let lines = cases.into_iter();
            let mut seen =
                lines.filter_map(|case| line_of(case, &rows, &visitor, self.clock.now()));
            Ok::<_, LedgerError>(seen.next())
        });
        let line = line.transpose()?.flatten().ok_or(NotFound::Case)?;
        self.note_oversight(&visitor, vec![line.memory.id]);
        Ok(line)
    }

    fn queue<'s>(
        &'s self,
        principal: &Principal,
        container: &ContainerTag,
        request: &QueueRequest,
    ) -> Result<(Visitor, Queue<'s>), ServiceError> {
        let needed = Capability::Review;
        let visitor = self.enter(principal, container, needed, &Claim::default())?;
        let reader = self.ledger.reader()?;
        // A case of another container is no place to go on from, whether or not there is one.
        let after = request.page.after.map(|id| reader.case(id)).transpose()?;
        let is_lost = |case: Option<ReviewCase>| case.is_none_or(|it| it.container != *container);
        let queue = Queue {
            is_over: after.is_some_and(is_lost),
            filter: CaseFilter {
                container: Some(container.clone()),
                kind: request.kind,
                group: request.group.clone(),
                memory: None,
                closed_too: request.state != Some(CaseState::Open),
            },
            state: request.state,
            after: request.page.after,
            now: self.clock.now(),
            reader,
            visitor: visitor.clone(),
        };
        Ok((visitor, queue))
    }
}

/// The cases that are wanted, as a reviewer sees them.
struct Queue<'s> {
    reader: Box<dyn Reader + 's>,
    visitor: Visitor,
    filter: CaseFilter,
    state: Option<CaseState>,
    after: Option<CaseId>,
    is_over: bool,
    now: Timestamp,
}

impl Queue<'_> {
    /// Hands out line after line, as long as more are wanted.
    fn each(self, mut more: impl FnMut(CaseLine) -> bool) -> Result<(), LedgerError> {
        let mut page = Page {
            after: self.after,
            limit: LOOKED_AT,
        };
        if self.is_over {
            return Ok(());
        }
        loop {
            let cases = self.reader.cases(&self.filter, page)?;
            let is_last = cases.len() < page.limit;
            page.after = cases.last().map(|case| case.id);
            let rows = rows_of(self.reader.as_ref(), &cases)?;
            let wanted = |case: &ReviewCase| self.state.is_none_or(|it| it == CaseState::of(case));
            for case in cases.into_iter().filter(wanted) {
                let line = line_of(case, &rows, &self.visitor, self.now);
                if line.is_some_and(|line| !more(line)) {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// A case as a reviewer sees it; nothing where the row is hidden.
fn line_of(
    mut case: ReviewCase,
    rows: &HashMap<MemoryId, Memory>,
    visitor: &Visitor,
    now: Timestamp,
) -> Option<CaseLine> {
    let seen = |id: &MemoryId| {
        let row = rows.get(id);
        row.filter(|row| sight::sees(visitor, row, now)).cloned()
    };
    let against: Vec<Memory> = case.against.iter().filter_map(seen).collect();
    case.against = against.iter().map(|row| row.id).collect();
    Some(CaseLine {
        memory: seen(&case.memory)?,
        against,
        case,
    })
}

fn rows_of(
    reader: &dyn Reader,
    cases: &[ReviewCase],
) -> Result<HashMap<MemoryId, Memory>, LedgerError> {
    let ids: Vec<MemoryId> = cases
        .iter()
        .flat_map(|case| std::iter::once(&case.memory).chain(&case.against))
        .copied()
        .collect();
    let rows = reader.memories(&ids)?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// How many groups were shown before.
fn groups_up_to(groups: &[CaseGroup], request: &QueueRequest) -> usize {
    let is_last = |group: &CaseGroup| Some(group.first.case.id) == request.page.after;
    let last = groups.iter().position(is_last);
    match request.page.after {
        Some(_) => last.map_or(groups.len(), |at| at + 1),
        None => 0,
    }
}
