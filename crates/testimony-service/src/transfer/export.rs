//! An export, page by page: the whole ledger, one container, or one person in either.

use serde_json::{Value, json};
use testimony_domain::{
    CaseId, ContainerTag, EvidenceId, Invalid, Memory, MemoryId, Problem, State, Support, UserId,
    words,
};

use super::lines::{self, Whole};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::memories::MemoryFilter;
use crate::ports::ledger::reviews::CaseFilter;
use crate::ports::ledger::{LedgerError, Page, Reader};
use crate::service::Service;

/// The name of the format, as its header says it.
pub const FORMAT: &str = "testimony-export";
/// The version of the format.
pub const VERSION: u64 = 1;

/// What is to be exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRequest {
    /// This container; every one where absent.
    pub container: Option<ContainerTag>,
    /// The rows of this person; of everybody where absent.
    pub user: Option<UserId>,
    /// Go on behind this: the `next` of the page before.
    pub after: Option<String>,
    /// How many rows a page is made of at most; a row can be more than one line.
    pub limit: usize,
}

/// A page of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportPage {
    /// Its lines, each a JSON object.
    pub lines: Vec<Value>,
    /// Where to go on; `None` at the end.
    pub next: Option<String>,
}

words! {
    /// The parts of a container, in an order in which nothing refers to what comes later.
    enum Stage {
        /// The container itself.
        Container = "container",
        /// What was said.
        Evidence = "evidence",
        /// What is known, with its history and what it rests on.
        Memories = "memories",
        /// What holds memories together.
        Ties = "ties",
        /// What people had to decide.
        Cases = "cases",
    }
}

/// Where an export stands: in which container and part, and behind which row.
struct Place {
    container: ContainerTag,
    stage: Stage,
    after: Option<String>,
}

impl Place {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '/');
        let container = ContainerTag::new("after", parts.next()?).ok()?;
        let stage = Stage::parse("after", parts.next()?).ok()?;
        let after = parts.next().filter(|id| !id.is_empty());
        Some(Self {
            container,
            stage,
            after: after.map(str::to_owned),
        })
    }

    fn said(&self) -> String {
        let after = self.after.as_deref().unwrap_or_default();
        format!("{}/{}/{after}", self.container, self.stage)
    }

    fn page<T: std::str::FromStr<Err = Invalid>>(
        &self,
        limit: usize,
    ) -> Result<Page<T>, ServiceError> {
        let after = self.after.as_deref().map(str::parse).transpose()?;
        Ok(Page { after, limit })
    }
}

impl Service {
    /// A page of an export. The first begins with the header.
    ///
    /// # Errors
    /// [`ServiceError`] when the container is not there, `after` is no place of an export, or it cannot be read.
    pub fn export(&self, request: &ExportRequest) -> Result<ExportPage, ServiceError> {
        let reader = self.ledger.reader()?;
        let export = Export {
            reader: reader.as_ref(),
            request,
        };
        export.page()
    }
}

struct Export<'a> {
    reader: &'a dyn Reader,
    request: &'a ExportRequest,
}

impl Export<'_> {
    fn page(&self) -> Result<ExportPage, ServiceError> {
        let (mut lines, mut place) = match &self.request.after {
            Some(text) => (Vec::new(), Some(read_place(text)?)),
            None => (vec![self.header()], self.first()?),
        };
        let mut room = self.request.limit.max(1);
        while let Some(now) = place.take() {
            if room == 0 {
                place = Some(now);
                break;
            }
            let (rows, last) = self.rows(&now, room, &mut lines)?;
            place = if rows < room {
                self.behind(&now)?
            } else {
                Some(Place { after: last, ..now })
            };
            room -= rows.min(room);
        }
        Ok(ExportPage {
            lines,
            next: place.map(|place| place.said()),
        })
    }

    fn header(&self) -> Value {
        json!({
            "record": "header",
            "format": FORMAT,
            "version": VERSION,
            "container": self.request.container.as_ref().map(ToString::to_string),
            "user": self.request.user.as_ref().map(ToString::to_string),
        })
    }

    fn first(&self) -> Result<Option<Place>, ServiceError> {
        let begin = |container| Place {
            container,
            stage: Stage::Container,
            after: None,
        };
        match &self.request.container {
            None => Ok(self.container_behind(None)?.map(begin)),
            Some(tag) if self.reader.container(tag)?.is_some() => Ok(Some(begin(tag.clone()))),
            Some(tag) => Err(NotFound::Container(tag.clone()).into()),
        }
    }

    fn container_behind(
        &self,
        after: Option<ContainerTag>,
    ) -> Result<Option<ContainerTag>, ServiceError> {
        let mut next = self.reader.containers(Page { after, limit: 1 })?;
        Ok(next.pop().map(|container| container.tag))
    }

    /// The next part, or the next container.
    fn behind(&self, place: &Place) -> Result<Option<Place>, ServiceError> {
        let mut later = Stage::ALL.iter().filter(|stage| **stage > place.stage);
        let (container, stage) = match later.next() {
            Some(stage) => (Some(place.container.clone()), *stage),
            None if self.request.container.is_some() => (None, place.stage),
            None => (
                self.container_behind(Some(place.container.clone()))?,
                Stage::Container,
            ),
        };
        Ok(container.map(|container| Place {
            container,
            stage,
            after: None,
        }))
    }

    /// Adds the lines of the next rows; says how many rows there were, and which was the last.
    fn rows(
        &self,
        place: &Place,
        room: usize,
        lines: &mut Vec<Value>,
    ) -> Result<(usize, Option<String>), ServiceError> {
        match place.stage {
            Stage::Container => {
                let found = self.reader.container(&place.container)?;
                lines.extend(found.as_ref().map(lines::container));
                Ok((0, None))
            }
            Stage::Evidence => self.evidence(place, room, lines),
            Stage::Memories => self.memories(place, room, |memory| {
                lines.push(self.memory(memory)?);
                Ok(())
            }),
            Stage::Ties => self.memories(place, room, |memory| self.ties(memory, lines)),
            Stage::Cases => self.cases(place, room, lines),
        }
    }

    fn evidence(
        &self,
        place: &Place,
        room: usize,
        lines: &mut Vec<Value>,
    ) -> Result<(usize, Option<String>), ServiceError> {
        let user = self.request.user.as_ref();
        let page = place.page::<EvidenceId>(room)?;
        let kept = self.reader.evidence_of(&place.container, user, page)?;
        lines.extend(kept.iter().map(lines::evidence));
        Ok((
            kept.len(),
            kept.last().map(|kept| kept.evidence.id.to_string()),
        ))
    }

    fn memories(
        &self,
        place: &Place,
        room: usize,
        mut each: impl FnMut(&Memory) -> Result<(), LedgerError>,
    ) -> Result<(usize, Option<String>), ServiceError> {
        let filter = MemoryFilter {
            container: Some(place.container.clone()),
            user: self.request.user.clone(),
            ..MemoryFilter::default()
        };
        let found = self.reader.list(&filter, place.page::<MemoryId>(room)?)?;
        for memory in found.iter().filter(|memory| is_there(memory)) {
            each(memory)?;
        }
        Ok((
            found.len(),
            found.last().map(|memory| memory.id.to_string()),
        ))
    }

    fn memory(&self, memory: &Memory) -> Result<Value, LedgerError> {
        whole(self.reader, memory, self.request.user.as_ref())
    }

    /// What holds a memory together with others: its links, and the fact that stands for it.
    fn ties(&self, memory: &Memory, lines: &mut Vec<Value>) -> Result<(), LedgerError> {
        let fact = self.reader.fact(memory.fact)?;
        let current = fact.filter(|fact| fact.current == memory.id);
        lines.extend(current.as_ref().map(lines::fact));
        let links = self.reader.links(memory.id)?;
        for link in links.into_iter().filter(|link| link.from == memory.id) {
            if self.travels(link.to)? {
                lines.push(lines::link(link));
            }
        }
        Ok(())
    }

    fn cases(
        &self,
        place: &Place,
        room: usize,
        lines: &mut Vec<Value>,
    ) -> Result<(usize, Option<String>), ServiceError> {
        let filter = CaseFilter {
            container: Some(place.container.clone()),
            closed_too: true,
            ..CaseFilter::default()
        };
        let mut cases = self.reader.cases(&filter, place.page::<CaseId>(room)?)?;
        let (count, last) = (cases.len(), cases.last().map(|case| case.id.to_string()));
        for case in &mut cases {
            if !self.travels(case.memory)? {
                continue;
            }
            let mut against = Vec::new();
            for id in std::mem::take(&mut case.against) {
                if self.travels(id)? {
                    against.push(id);
                }
            }
            case.against = against;
            lines.push(lines::case(case));
        }
        Ok((count, last))
    }

    /// Whether a memory is part of the export.
    fn travels(&self, id: MemoryId) -> Result<bool, LedgerError> {
        let found = self.reader.memories(&[id])?.pop();
        let user = self.request.user.as_ref();
        Ok(found.is_some_and(|memory| {
            let of = memory.partition.labels().user.as_ref();
            is_there(&memory) && (user.is_none() || of == user)
        }))
    }
}

fn is_there(memory: &Memory) -> bool {
    memory.state != State::Erased
}

/// The line of a memory, with what of its evidence is there, of one person where one is named.
pub(super) fn whole(
    reader: &dyn Reader,
    memory: &Memory,
    user: Option<&UserId>,
) -> Result<Value, LedgerError> {
    let supports = reader.supports(memory.id)?;
    let named = memory.evidence.iter().copied();
    let named: Vec<EvidenceId> = named.chain(supports.iter().map(|it| it.evidence)).collect();
    let mut there = reader.living_evidence(&named)?;
    if user.is_some() {
        let kept = reader.evidence(&there)?;
        let own = kept.iter().map(|kept| &kept.evidence);
        let own = own.filter(|evidence| evidence.partition.labels().user.as_ref() == user);
        there = own.map(|evidence| evidence.id).collect();
    }
    let evidence = memory.evidence.iter().filter(|id| there.contains(id));
    let evidence: Vec<EvidenceId> = evidence.copied().collect();
    let supports = supports.into_iter();
    let supports: Vec<Support> = supports.filter(|it| there.contains(&it.evidence)).collect();
    Ok(lines::memory(&Whole {
        memory,
        evidence: &evidence,
        history: &reader.history(memory.id)?,
        supports: &supports,
        mentions: &reader.spoken_of(memory.id)?,
    }))
}

fn read_place(text: &str) -> Result<Place, ServiceError> {
    let expected = "the `next` of the page before";
    Place::read(text).ok_or_else(|| Invalid::new("after", Problem::Malformed { expected }).into())
}
