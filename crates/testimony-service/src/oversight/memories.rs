//! Memories as operators look into them: lists by filter or by words, one with all that hangs on it, and its history.

use testimony_domain::{
    ContainerTag, Fact, Memory, MemoryId, Principal, Standing, State, Support, TrustBucket,
};
use testimony_recall::{Filters, TimeIntent, View};

use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::index::{Cut, IndexQuery};
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::jobs::Job;
use crate::ports::ledger::memories::{HistoryLine, Link, MemoryFilter};
use crate::ports::ledger::reviews::{CaseFilter, ReviewCase};
use crate::ports::ledger::{LedgerError, Page, Reader};
use crate::service::Service;

/// So many rows are looked at in one go.
const LOOKED_AT: usize = 500;
/// So many rows are looked for by words.
const FOUND: usize = 500;
/// So many cases of one memory are shown.
const CASES: usize = 100;

/// Which memories an operator wants.
#[derive(Clone, Debug)]
pub struct MemoriesRequest {
    /// What the ledger filters by; its container is that of the request.
    pub filter: MemoryFilter,
    /// Of this bucket of trust.
    pub trust: Option<TrustBucket>,
    /// In which these words stand, as the index finds them. The best come first then, and in one part.
    pub text: Option<String>,
    /// Which part of the list.
    pub page: Page<MemoryId>,
}

/// A memory with all that hangs on it.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryFile {
    /// The memory.
    pub memory: Memory,
    /// The fact that it is a revision of.
    pub fact: Option<Fact>,
    /// The revisions of that fact, oldest first.
    pub revisions: Vec<Memory>,
    /// What speaks for and against it, with the evidence as far as it is kept.
    pub supports: Vec<(Support, Option<Kept>)>,
    /// How it stands to other memories.
    pub links: Vec<Link>,
    /// Review cases about it.
    pub cases: Vec<ReviewCase>,
    /// Jobs about it that are not over.
    pub jobs: Vec<Job>,
}

impl Service {
    /// Memories of a container, in the order in which they were made.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn list_memories(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &MemoriesRequest,
    ) -> Result<Vec<Memory>, ServiceError> {
        let visitor = self.oversee(principal, container)?;
        let reader = self.ledger.reader()?;
        let filter = MemoryFilter {
            container: Some(container.clone()),
            ..request.filter.clone()
        };
        let rows = match &request.text {
            Some(words) => self.with_words(reader.as_ref(), &visitor, words, request)?,
            None => listed(reader.as_ref(), &filter, request)?,
        };
        self.note_oversight(&visitor, rows.iter().map(|row| row.id).collect());
        Ok(rows)
    }

    /// A memory with all that hangs on it.
    ///
    /// # Errors
    /// [`NotFound::Memory`](crate::NotFound::Memory) when there is none that the credential reaches.
    pub fn memory_file(
        &self,
        principal: &Principal,
        id: MemoryId,
    ) -> Result<MemoryFile, ServiceError> {
        let (memory, visitor) = self.overseen(principal, id)?;
        let reader = self.ledger.reader()?;
        let about = CaseFilter {
            memory: Some(id),
            closed_too: true,
            ..CaseFilter::default()
        };
        let file = MemoryFile {
            fact: reader.fact(memory.fact)?,
            revisions: reader.revisions(memory.fact)?,
            supports: with_evidence(reader.as_ref(), id)?,
            links: reader.links(id)?,
            cases: reader.cases(&about, Page::first(CASES))?,
            jobs: reader.jobs_of(id)?,
            memory,
        };
        self.note_oversight(&visitor, vec![id]);
        Ok(file)
    }

    /// What happened to a memory, oldest first.
    ///
    /// # Errors
    /// As of [`Service::memory_file`].
    pub fn memory_history(
        &self,
        principal: &Principal,
        id: MemoryId,
    ) -> Result<Vec<HistoryLine>, ServiceError> {
        let (_, visitor) = self.overseen(principal, id)?;
        let lines = self.ledger.reader()?.history(id)?;
        self.note_oversight(&visitor, vec![id]);
        Ok(lines)
    }

    /// Rows in which words stand, best first.
    fn with_words(
        &self,
        reader: &dyn Reader,
        visitor: &Visitor,
        words: &str,
        request: &MemoriesRequest,
    ) -> Result<Vec<Memory>, LedgerError> {
        let filter = &request.filter;
        let found = self.find(&IndexQuery {
            identity: &visitor.identity,
            view: View::Forensic,
            words,
            entities: &[],
            meaning: None,
            filters: &Filters {
                plane: filter.plane,
                kind: filter.kind,
                tags: filter.tag.iter().cloned().collect(),
                source: filter.source.clone(),
                created_after: filter.created_after,
                created_before: filter.created_before,
                ..Filters::default()
            },
            now: self.clock.now(),
            beside: 0,
            cuts: &[Cut {
                standings: Standing::ALL,
                time: TimeIntent::Any,
                limit: FOUND,
            }],
        });
        let hits = found.map(|found| found.hits).unwrap_or_default();
        let ids: Vec<MemoryId> = hits.iter().map(|hit| hit.memory).collect();
        let rows = reader.memories(&ids)?.into_iter();
        let wanted = rows.filter(|row| passes(row, filter) && is_trusted_so(row, request));
        Ok(wanted.take(request.page.limit).collect())
    }
}

/// Rows by filter; what the ledger does not filter by is left out before the part is cut.
fn listed(
    reader: &dyn Reader,
    filter: &MemoryFilter,
    request: &MemoriesRequest,
) -> Result<Vec<Memory>, LedgerError> {
    let wanted = request.page.limit;
    if let Some(after) = request.page.after {
        let row = reader.memories(&[after])?.pop();
        // A row of another container is no place to go on from, whether or not there is one.
        if row.is_none_or(|row| Some(row.partition.container()) != filter.container.as_ref()) {
            return Ok(Vec::new());
        }
    }
    let mut page = Page {
        after: request.page.after,
        limit: if request.trust.is_some() {
            LOOKED_AT
        } else {
            wanted
        },
    };
    let mut rows: Vec<Memory> = Vec::new();
    loop {
        let part = reader.list(filter, page)?;
        let is_last = part.len() < page.limit;
        page.after = part.last().map(|row| row.id);
        rows.extend(part.into_iter().filter(|row| is_trusted_so(row, request)));
        if is_last || rows.len() >= wanted {
            break;
        }
    }
    rows.truncate(wanted);
    Ok(rows)
}

fn is_trusted_so(row: &Memory, request: &MemoriesRequest) -> bool {
    let bucket = row.ruling().verdict.bucket();
    request.trust.is_none_or(|wanted| wanted == bucket)
}

/// Whether a row passes what the index does not filter by.
fn passes(row: &Memory, filter: &MemoryFilter) -> bool {
    let labels = row.partition.labels();
    let of_user = filter.user.is_none() || filter.user == labels.user;
    let of_owner = filter
        .owner
        .as_ref()
        .is_none_or(|owner| owner == row.partition.owner());
    let in_state = filter.states.is_empty() || filter.states.contains(&row.state);
    of_user && of_owner && in_state && row.state != State::Erased
}

fn with_evidence(
    reader: &dyn Reader,
    id: MemoryId,
) -> Result<Vec<(Support, Option<Kept>)>, LedgerError> {
    let supports = reader.supports(id)?;
    let ids: Vec<_> = supports.iter().map(|link| link.evidence).collect();
    let kept = reader.evidence(&ids)?;
    let find = |support: &Support| {
        let found = kept
            .iter()
            .find(|kept| kept.evidence.id == support.evidence);
        found.cloned()
    };
    Ok(supports
        .into_iter()
        .map(|support| {
            let evidence = find(&support);
            (support, evidence)
        })
        .collect())
}
