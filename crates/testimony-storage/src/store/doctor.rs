//! The doctor of a store: is the ledger sound, and does the index hold what the ledger holds, no more and no less?
//!
//! It looks while the store is used. The ledger is read in one state and the index looked at behind it; rows that
//! changed between the two are left out, since either may be right about them.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::Duration;

use testimony_domain::{ContainerTag, Memory, MemoryId, words};
use testimony_service::ports::embedder::EmbedderIdentity;
use testimony_service::ports::index::{Index, IndexState};
use testimony_service::ports::ledger::audit::{ChainHead, Seq};
use testimony_service::ports::ledger::{Ledger, LedgerError, Page, Reader};

use super::{Store, StoreError};
use crate::index::{Holding, HybridIndex, Inventory};
use crate::ledger::Finding;

/// How many rows are read at a time.
const PAGE: usize = 1_000;
/// The index takes a commit in right after it, so one that has not done so after this long does not follow.
const LOOKS: u32 = 2_000;
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

words! {
    /// What can be wrong with an index.
    pub enum IndexFindingKind {
        /// It has not caught up with the ledger.
        Behind = "behind",
        /// It cannot be written and answers from memory.
        Unwritable = "unwritable",
        /// A row of the ledger is not there.
        Missing = "missing",
        /// It holds a row that the ledger has not got, or has erased.
        Ghost = "ghost",
        /// It holds a row in another condition than the ledger.
        Stale = "stale",
        /// A row is there, but its words are not.
        Wordless = "wordless",
        /// A row has a vector in the ledger and none here.
        NoVector = "no_vector",
        /// Its files hold words of rows that are not there.
        OrphanedWords = "orphaned_words",
    }
}

impl IndexFindingKind {
    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Behind => "wait until its health says that it is ready, and look again",
            Self::Unwritable => "see to the disk on which the index lies; nothing is lost by that",
            Self::Missing
            | Self::Ghost
            | Self::Stale
            | Self::Wordless
            | Self::NoVector
            | Self::OrphanedWords => "have it built again with `testimony doctor --repair`",
        }
    }
}

/// Something that is wrong with the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFinding {
    /// What.
    pub kind: IndexFindingKind,
    /// Which row, where it is one.
    pub memory: Option<MemoryId>,
    /// In detail; no content.
    pub detail: String,
}

/// What the doctor found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// Where the chain of events ended.
    pub head: ChainHead,
    /// How many rows of the ledger were looked for in the index.
    pub rows: u64,
    /// What is wrong with the ledger.
    pub ledger: Vec<Finding>,
    /// What is wrong with the index.
    pub index: Vec<IndexFinding>,
}

impl Examination {
    /// Whether nothing was found.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.ledger.is_empty() && self.index.is_empty()
    }
}

impl Store {
    /// Looks for everything that can be wrong with the ledger, the index, or between them.
    ///
    /// `against` is a head of the chain that was kept elsewhere: with it, a trail that was cut off is found too.
    ///
    /// # Errors
    /// [`StoreError`] when the ledger or the index cannot be looked at at all.
    pub fn doctor(&self, against: Option<ChainHead>) -> Result<Examination, StoreError> {
        let ledger = self.parts.ledger.doctor(against)?;
        let head = self.parts.ledger.head()?;
        let mut examination = Examination {
            head,
            rows: 0,
            ledger,
            index: Vec::new(),
        };
        if examination.ledger.is_empty() {
            // What cannot be read cannot be compared, and a restored ledger begins with a new index anyway.
            compare(&self.parts.index, &*self.parts.ledger, &mut examination)?;
        }
        Ok(examination)
    }

    /// Looks for what is wrong, builds the index again where something is wrong with it, and looks again.
    ///
    /// The ledger is never repaired: it is the truth, and comes back from a backup.
    ///
    /// # Errors
    /// [`StoreError`] as of [`Store::doctor`] and [`Store::rebuild_index`].
    pub fn repair(&self, against: Option<ChainHead>) -> Result<Examination, StoreError> {
        self.wait_until_followed()?;
        let found = self.doctor(against)?;
        if found.index.is_empty() {
            return Ok(found);
        }
        self.rebuild_index()?;
        self.doctor(against)
    }
}

fn finding(
    kind: IndexFindingKind,
    memory: Option<MemoryId>,
    detail: impl Into<String>,
) -> IndexFinding {
    IndexFinding {
        kind,
        memory,
        detail: detail.into(),
    }
}

fn compare(
    index: &HybridIndex,
    ledger: &dyn Ledger,
    into: &mut Examination,
) -> Result<(), StoreError> {
    if !answers_from_all(index.health().state, &mut into.index) {
        return Ok(());
    }
    let before = ledger.reader()?;
    let head = before.chain_head()?;
    if !comes_to(index, head.seq) {
        let detail = format!("it has reached {} of {}", index.health().reached, head.seq);
        let behind = finding(IndexFindingKind::Behind, None, detail);
        into.index.push(behind);
        return Ok(());
    }
    let inventory = index.inventory()?;
    let moved = changed_behind(&*ledger.reader()?, head.seq)?;
    into.head = head;
    let comparison = Comparison {
        inventory: &inventory,
        moved: &moved,
        into,
    };
    comparison.walk(&*before)?;
    Ok(())
}

/// Whether the index has structures that can be compared, with what its state says.
fn answers_from_all(state: IndexState, findings: &mut Vec<IndexFinding>) -> bool {
    let (kind, because) = match state {
        IndexState::Ready => return true,
        IndexState::Rebuilding { because } => (IndexFindingKind::Behind, because),
        IndexState::Degraded { because } => (IndexFindingKind::Unwritable, because),
    };
    findings.push(finding(kind, None, because));
    kind == IndexFindingKind::Unwritable
}

/// Whether the index takes in what a reader has seen already.
fn comes_to(index: &HybridIndex, seq: Seq) -> bool {
    (0..LOOKS).any(|_| {
        let there = index.health().reached >= seq;
        if !there {
            thread::sleep(BETWEEN_LOOKS);
        }
        there
    })
}

/// Rows that changed behind a sequence.
fn changed_behind(reader: &dyn Reader, seq: Seq) -> Result<HashSet<MemoryId>, LedgerError> {
    let mut changed = HashSet::new();
    let mut after = seq;
    loop {
        let page = Page {
            after: Some(after),
            limit: PAGE,
        };
        let (rows, reached) = reader.changed_since(page)?;
        changed.extend(rows.iter().map(|memory| memory.id));
        if rows.len() < PAGE {
            return Ok(changed);
        }
        after = reached;
    }
}

/// The rows of the ledger beside what the index holds.
struct Comparison<'a> {
    inventory: &'a Inventory,
    moved: &'a HashSet<MemoryId>,
    into: &'a mut Examination,
}

impl Comparison<'_> {
    /// Goes through every row of the ledger, and then through what the index holds beside them.
    fn walk(mut self, reader: &dyn Reader) -> Result<(), LedgerError> {
        let mut beside: HashSet<MemoryId> = self.inventory.memories().collect();
        beside.retain(|id| !self.moved.contains(id));
        let mut after = None;
        loop {
            let page = Page { after, limit: PAGE };
            let (rows, reached) = reader.changed_since(page)?;
            for memory in &rows {
                beside.remove(&memory.id);
            }
            self.look_at(reader, &rows)?;
            if rows.len() < PAGE {
                self.look_beside(beside);
                return Ok(());
            }
            after = Some(reached);
        }
    }

    fn look_beside(&mut self, beside: HashSet<MemoryId>) {
        let detail = "the ledger has no such row";
        let ghosts = beside.into_iter();
        let ghosts = ghosts.map(|id| finding(IndexFindingKind::Ghost, Some(id), detail));
        self.into.index.extend(ghosts);
        let orphans = self.inventory.orphaned_words();
        if orphans > 0 {
            let detail = format!("{orphans} documents stand for no row");
            let orphaned = finding(IndexFindingKind::OrphanedWords, None, detail);
            self.into.index.push(orphaned);
        }
    }

    fn look_at(&mut self, reader: &dyn Reader, rows: &[Memory]) -> Result<(), LedgerError> {
        let still = rows
            .iter()
            .filter(|memory| !self.moved.contains(&memory.id));
        let still: Vec<&Memory> = still.collect();
        let mut vectors = VectorsOf::default();
        for memory in &still {
            self.into.rows += 1;
            let complaint = match self.inventory.holding(memory) {
                Holding::Sound => {
                    vectors.expect(memory);
                    continue;
                }
                Holding::Missing => (IndexFindingKind::Missing, "nobody can find it"),
                Holding::Ghost => (IndexFindingKind::Ghost, "it is erased, and still held"),
                Holding::Stale => (IndexFindingKind::Stale, "it changed since it was taken in"),
                Holding::Wordless => (IndexFindingKind::Wordless, "it is found by no word"),
            };
            let (kind, detail) = complaint;
            self.into.index.push(finding(kind, Some(memory.id), detail));
        }
        self.look_for_vectors(reader, vectors)
    }

    fn look_for_vectors(
        &mut self,
        reader: &dyn Reader,
        rows: VectorsOf,
    ) -> Result<(), LedgerError> {
        for (container, memories) in rows.0 {
            let Some(embedder) = embedder_of(reader, &container)? else {
                continue;
            };
            // While a container moves to another embedder, a row may have left the old one already.
            let bare = memories
                .into_iter()
                .filter(|id| !self.inventory.has_a_vector(*id));
            let bare: Vec<MemoryId> = bare.collect();
            for embedding in reader.embeddings(&embedder, &bare)? {
                let detail = "the ledger has its vector";
                let memory = Some(embedding.memory);
                let no_vector = finding(IndexFindingKind::NoVector, memory, detail);
                self.into.index.push(no_vector);
            }
        }
        Ok(())
    }
}

/// Rows of which vectors are looked for, by container.
#[derive(Default)]
struct VectorsOf(HashMap<ContainerTag, Vec<MemoryId>>);

impl VectorsOf {
    fn expect(&mut self, memory: &Memory) {
        let container = memory.partition.container();
        if let Some(memories) = self.0.get_mut(container) {
            memories.push(memory.id);
        } else {
            self.0.insert(container.clone(), vec![memory.id]);
        }
    }
}

fn embedder_of(
    reader: &dyn Reader,
    container: &ContainerTag,
) -> Result<Option<EmbedderIdentity>, LedgerError> {
    let found = reader.container(container)?;
    Ok(found.and_then(|container| container.embedder))
}
