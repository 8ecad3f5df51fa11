//! What waits for support and not for a person: rows of one origin. Nobody is asked about them, and a reviewer may still
//! decide: the row is taken up, which opens a case about it, and the case is decided like any other.

use testimony_domain::{
    Capability, CaseId, Claim, ContainerTag, Memory, MemoryId, Principal, State, Timestamp,
};

use super::sight;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::memories::MemoryFilter;
use crate::ports::ledger::reviews::{CaseFilter, CaseKind, ReviewCase};
use crate::ports::ledger::{Fate, LedgerError, Page, Reader, Writer};
use crate::service::Service;
use crate::write::group_of;

/// So many rows are looked at in one go.
const LOOKED_AT: usize = 200;
/// So many rows are put into groups or counted in one go, however few groups they make.
const GROUPED: usize = 1_000;

/// Rows that wait and that one decision can serve.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingGroup {
    /// What they have in common.
    pub group: String,
    /// How many of them this part of the list holds.
    pub rows: u64,
    /// The first of them.
    pub first: Memory,
}

/// A part of the rows that wait, in groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaitingGroups {
    /// The groups, in the order in which their first rows were made.
    pub groups: Vec<WaitingGroup>,
    /// The last row of this part, where more are behind it.
    pub next: Option<MemoryId>,
    /// How many rows wait from the first of this part on, as far as they are counted in one go.
    pub rows: usize,
    /// Whether there are more than that.
    pub more: bool,
}

impl Service {
    /// Pending rows about which no case is open, in groups. A part ends before a row whose group would be one too many, so
    /// a group may go on in the next; the rows behind it are counted.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn waiting_groups(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        page: Page<MemoryId>,
    ) -> Result<WaitingGroups, ServiceError> {
        let visitor = self.reviewer(principal, container)?;
        let mut part = WaitingGroups::default();
        let mut last = None;
        self.each_waiting(&visitor, (None, page.after), |row| {
            if part.rows == GROUPED {
                part.more = true;
                part.next = part.next.or(last);
                return false;
            }
            part.rows += 1;
            if part.next.is_some() {
                return true;
            }
            let group = group_of(&row);
            let place = part.groups.iter().position(|it| it.group == group);
            if place.is_none() && part.groups.len() >= page.limit {
                part.next = last;
                return true;
            }
            last = Some(row.id);
            match place.and_then(|place| part.groups.get_mut(place)) {
                Some(known) => known.rows += 1,
                None => part.groups.push(WaitingGroup {
                    group,
                    rows: 1,
                    first: row,
                }),
            }
            true
        })?;
        let shown = part.groups.iter().map(|group| group.first.id);
        self.note_oversight(&visitor, shown.collect());
        Ok(part)
    }

    /// The rows of such a group, in the order in which they were made.
    ///
    /// # Errors
    /// As of [`Service::waiting_groups`].
    pub fn waiting(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        group: &str,
        limit: usize,
    ) -> Result<Vec<Memory>, ServiceError> {
        let visitor = self.reviewer(principal, container)?;
        let mut rows = Vec::new();
        self.each_waiting(&visitor, (Some(group), None), |row| {
            rows.push(row);
            rows.len() < limit
        })?;
        self.note_oversight(&visitor, rows.iter().map(|row| row.id).collect());
        Ok(rows)
    }

    /// Hands out the rows that wait, of one group where one is named, as long as more are wanted.
    fn each_waiting(
        &self,
        visitor: &Visitor,
        (group, after): (Option<&str>, Option<MemoryId>),
        mut more: impl FnMut(Memory) -> bool,
    ) -> Result<(), ServiceError> {
        let (reader, now) = (self.ledger.reader()?, self.clock.now());
        let filter = MemoryFilter {
            container: Some(visitor.container.tag.clone()),
            states: vec![State::Pending],
            ..MemoryFilter::default()
        };
        let limit = LOOKED_AT;
        let mut page = Page { after, limit };
        loop {
            let rows = reader.list(&filter, page)?;
            let is_last = rows.len() < page.limit;
            page.after = rows.last().map(|row| row.id);
            for row in rows {
                let is_of_it = group.is_none_or(|group| group_of(&row) == group);
                let waits = is_of_it
                    && sight::sees(visitor, &row, now)
                    && open_case(reader.as_ref(), row.id)?.is_none();
                if waits && !more(row) {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// Opens a case about each of several pending rows; where one is open already, it is that one. A row that waits no
    /// more is passed over.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when none of them waits, as far as the reviewer may know.
    pub fn take_up(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<CaseId>, ServiceError> {
        let visitor = self.reviewer(principal, container)?;
        let actor = Actor::by(principal.kind, principal.key);
        let act = self.act(actor, None);
        let (now, ids, wanted) = (act.at, self.ids.clone(), memories.to_vec());
        let container = container.clone();
        let (cases, _) = self.ledger.write(act, move |writer| {
            let waits = |row: &Memory| {
                row.state == State::Pending
                    && *row.partition.container() == container
                    && sight::sees(&visitor, row, now)
            };
            let mut cases = Vec::new();
            for row in writer.memories(&wanted)?.into_iter().filter(waits) {
                let id = CaseId::mint(ids.as_ref());
                cases.push(case_about(writer, &row, (id, now))?);
            }
            let fate = if cases.is_empty() {
                Fate::Discard
            } else {
                Fate::Keep
            };
            Ok((fate, cases))
        })?;
        if cases.is_empty() {
            return Err(NotFound::Memory.into());
        }
        Ok(cases)
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

/// The open case about a row; where there is none, one that is opened.
fn case_about(
    writer: &mut dyn Writer,
    row: &Memory,
    (id, now): (CaseId, Timestamp),
) -> Result<CaseId, LedgerError> {
    if let Some(open) = open_case(writer, row.id)? {
        return Ok(open);
    }
    writer.open_case(&ReviewCase {
        id,
        container: row.partition.container().clone(),
        kind: CaseKind::Pending,
        group: group_of(row),
        memory: row.id,
        against: Vec::new(),
        note: None,
        opened_at: now,
        closed: None,
    })
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
