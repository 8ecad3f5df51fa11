//! Rows, identities and a ledger in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, FactId, KeyId, Labels, Memory, MemoryId, MemoryKind, MemoryScope, Owner,
    Partition, Plane, Principal, PrincipalKind, Redacted, SourceClass, SourceLabel, Standing,
    State, Timestamp, UserId, Validity,
};
use testimony_recall::{Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Found, Index, IndexQuery, Meaning};
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Commit, CommitObserver, LedgerError, Page, RowChange};
use testimony_storage::index::{HybridIndex, Options, Replay};
pub(crate) use testimony_testkit::config as cases;

pub(crate) const NOW: &str = "2026-06-01T12:00:00Z";

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn container(number: u8) -> ContainerTag {
    ContainerTag::new("container", &format!("box-{number}")).unwrap()
}

pub(crate) fn agent(number: u8) -> AgentId {
    AgentId::new("agent_id", &format!("agent-{number}")).unwrap()
}

pub(crate) fn user(number: u8) -> UserId {
    UserId::new("user_id", &format!("user-{number}")).unwrap()
}

pub(crate) fn id(number: u64) -> MemoryId {
    MemoryId::from_uuid(uuid::Uuid::from_u128(
        0x0190_0000_0000_7000_8000_0000_0000_0000 + u128::from(number),
    ))
}

/// A plain row of a user's words, shared by everybody in its container.
pub(crate) fn row(number: u64, text: &str) -> Memory {
    let owner = Owner::Agent(agent(0));
    Memory {
        id: id(number),
        fact: FactId::from_uuid(id(number).uuid()),
        revision: 1,
        content: Redacted::attest(text),
        kind: MemoryKind::Fact,
        slot: None,
        entities: Vec::new(),
        speaker: None,
        partition: Partition::stored(
            container(0),
            Plane::Task,
            MemoryScope::User,
            owner,
            Labels::default(),
        ),
        class: SourceClass::UserStatement,
        source: SourceLabel::new("source", "notes").unwrap(),
        source_app: None,
        tags: Vec::new(),
        custom_id: None,
        state: State::Active,
        approved: false,
        review: None,
        contested: false,
        origins: 1,
        reasons: Vec::new(),
        evidence: Vec::new(),
        observed_at: at("2026-05-01T00:00:00Z"),
        created_at: at("2026-05-01T00:00:00Z"),
        validity: Validity::default(),
        expires_at: None,
    }
}

/// The same row in another place.
pub(crate) fn placed(
    memory: Memory,
    container: ContainerTag,
    owner: u8,
    plane: Plane,
    labels: Labels,
) -> Memory {
    let owner = Owner::Agent(agent(owner));
    Memory {
        partition: Partition::stored(container, plane, MemoryScope::User, owner, labels),
        ..memory
    }
}

/// Who asks: an agent of a container, for a person perhaps, or an operator.
pub(crate) fn identity(
    tag: &ContainerTag,
    who: u8,
    labels: Labels,
    capability: Capability,
) -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(u128::from(who) + 1)),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall, capability]),
        source_app: None,
        agent: Some(agent(who)),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels,
        expires_at: None,
    };
    principal
        .act(tag, Capability::Recall, &Claim::default(), at(NOW))
        .unwrap()
        .0
}

pub(crate) fn embedder() -> EmbedderIdentity {
    EmbedderIdentity {
        name: "sample".into(),
        revision: "1".into(),
        dimensions: 8,
    }
}

/// One of a few directions that lie well apart, so that no rounding decides an order.
pub(crate) fn direction(number: u8) -> Vector {
    let angle = |at: u8| {
        f32::from(number % 13)
            .mul_add(0.37 + f32::from(at) * 0.11, f32::from(at))
            .sin()
    };
    Vector::from_direction((0..8).map(angle).collect()).unwrap()
}

pub(crate) fn embedding(memory: MemoryId, number: u8) -> Embedding {
    Embedding {
        memory,
        embedder: embedder(),
        vector: direction(number),
    }
}

/// Every standing that has content.
pub(crate) const ALL_STANDINGS: &[Standing] = Standing::ALL;

/// A search with everything that a test varies.
#[derive(Clone, Debug)]
pub(crate) struct Asking {
    pub(crate) who: EffectiveIdentity,
    pub(crate) view: View,
    pub(crate) words: String,
    pub(crate) entities: Vec<String>,
    pub(crate) meaning: Option<u8>,
    pub(crate) filters: Filters,
    pub(crate) cuts: Vec<(Vec<Standing>, TimeIntent, usize)>,
    pub(crate) beside: usize,
}

impl Asking {
    pub(crate) fn of(who: EffectiveIdentity, words: &str) -> Self {
        Self {
            who,
            view: View::Assistant,
            words: words.to_owned(),
            entities: Vec::new(),
            meaning: None,
            filters: Filters::default(),
            cuts: vec![(ALL_STANDINGS.to_vec(), TimeIntent::Any, 100)],
            beside: 0,
        }
    }

    pub(crate) fn ask(&self, index: &HybridIndex) -> Found {
        let vector = self.meaning.map(direction);
        let embedder = embedder();
        let cut = |(standings, time, limit): &'_ (Vec<Standing>, TimeIntent, usize)| {
            (standings.clone(), *time, *limit)
        };
        let kept: Vec<_> = self.cuts.iter().map(cut).collect();
        let cuts: Vec<Cut<'_>> = kept
            .iter()
            .map(|(standings, time, limit)| Cut {
                standings,
                time: *time,
                limit: *limit,
            })
            .collect();
        let query = IndexQuery {
            identity: &self.who,
            view: self.view,
            words: &self.words,
            entities: &self.entities,
            meaning: vector.as_ref().map(|vector| Meaning {
                vector,
                embedder: &embedder,
                calibration: None,
            }),
            filters: &self.filters,
            now: at(NOW),
            beside: self.beside,
            cuts: &cuts,
        };
        index.search(&query).unwrap()
    }

    pub(crate) fn ids(&self, index: &HybridIndex) -> Vec<MemoryId> {
        self.ask(index).hits.iter().map(|hit| hit.memory).collect()
    }
}

/// A ledger in memory that tells an index of every change, and can be replayed.
#[derive(Default)]
pub(crate) struct FakeLedger(Mutex<Book>);

#[derive(Default)]
struct Book {
    rows: BTreeMap<MemoryId, (Memory, Seq)>,
    vectors: BTreeMap<MemoryId, Embedding>,
    seq: u64,
    history: u8,
}

impl FakeLedger {
    /// Another ledger, whose history is not that of the first.
    pub(crate) fn of_history(history: u8) -> Self {
        Self(Mutex::new(Book {
            history,
            ..Book::default()
        }))
    }

    /// Adds a row or puts another state in its place.
    pub(crate) fn put(&self, memory: &Memory, vector: Option<u8>, index: Option<&HybridIndex>) {
        let change = {
            let mut book = self.0.lock().unwrap();
            book.seq += 1;
            let seq = Seq(book.seq);
            let vector = vector.map(|number| embedding(memory.id, number));
            // A vector is of the words that it was made of.
            let same = |before: &Memory| {
                (&before.content, &before.entities) == (&memory.content, &memory.entities)
                    && before.partition.container() == memory.partition.container()
            };
            if !book
                .rows
                .get(&memory.id)
                .is_some_and(|(before, _)| same(before))
            {
                book.vectors.remove(&memory.id);
            }
            if let Some(vector) = &vector {
                book.vectors.insert(memory.id, vector.clone());
            }
            let before = book.rows.insert(memory.id, (memory.clone(), seq));
            RowChange {
                seq,
                before: before.map(|(memory, _)| Arc::new(memory)),
                after: Some(Arc::new(memory.clone())),
                embedding: vector.map(Arc::new),
            }
        };
        tell(index, change);
    }

    /// Erases a row.
    pub(crate) fn erase(&self, id: MemoryId, index: Option<&HybridIndex>) {
        let change = {
            let mut book = self.0.lock().unwrap();
            book.vectors.remove(&id);
            let Some((memory, _)) = book.rows.get(&id).cloned() else {
                return;
            };
            book.seq += 1;
            let seq = Seq(book.seq);
            let erased = Memory {
                content: Redacted::attest(""),
                state: State::Erased,
                ..memory.clone()
            };
            book.rows.insert(id, (erased, seq));
            RowChange {
                seq,
                before: Some(Arc::new(memory)),
                after: None,
                embedding: None,
            }
        };
        tell(index, change);
    }

    pub(crate) fn row(&self, id: MemoryId) -> Option<Memory> {
        self.0
            .lock()
            .unwrap()
            .rows
            .get(&id)
            .map(|(memory, _)| memory.clone())
    }

    /// Every row that has content, with its vector.
    pub(crate) fn rows(&self) -> Vec<(Memory, Option<Vector>)> {
        let book = self.0.lock().unwrap();
        let live = book
            .rows
            .values()
            .filter(|(memory, _)| memory.state != State::Erased);
        live.map(|(memory, _)| {
            (
                memory.clone(),
                book.vectors.get(&memory.id).map(|it| it.vector.clone()),
            )
        })
        .collect()
    }
}

fn tell(index: Option<&HybridIndex>, change: RowChange) {
    if let Some(index) = index {
        index.committed(&Commit {
            changes_access: false,
            reached: change.seq,
            changes: vec![change],
        });
    }
}

impl Replay for FakeLedger {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        let book = self.0.lock().unwrap();
        let after = page.after.unwrap_or_default();
        let mut rows: Vec<&(Memory, Seq)> =
            book.rows.values().filter(|(_, seq)| *seq > after).collect();
        rows.sort_by_key(|(_, seq)| *seq);
        // A page of two at most, so that every test turns pages.
        rows.truncate(page.limit.min(2));
        let reached = rows.last().map_or(Seq(book.seq), |(_, seq)| *seq);
        Ok((
            rows.into_iter().map(|(memory, _)| memory.clone()).collect(),
            reached,
        ))
    }

    fn embeddings(
        &self,
        _: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        let book = self.0.lock().unwrap();
        Ok(memories
            .iter()
            .filter_map(|id| book.vectors.get(id).cloned())
            .collect())
    }

    fn fingerprint(&self, at: Seq) -> Result<Option<Digest>, LedgerError> {
        let book = self.0.lock().unwrap();
        Ok((at.0 <= book.seq).then(|| Digest([book.history; 32])))
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        Ok(Seq(self.0.lock().unwrap().seq))
    }
}

/// An index in memory that has nothing to catch up with.
pub(crate) fn in_memory() -> HybridIndex {
    let index = HybridIndex::open(Options::default()).unwrap();
    let nothing: Arc<dyn Replay> = Arc::new(FakeLedger::default());
    index.catch_up(&nothing).unwrap();
    index
}

/// From so many rows on a place has a graph in [`with_graphs`].
pub(crate) const GRAPHS_FROM: usize = 4;

/// An index in memory that makes graphs of a few rows, when it is told to.
pub(crate) fn with_graphs() -> HybridIndex {
    let index = HybridIndex::open_with_graphs(Options::default(), Some(GRAPHS_FROM)).unwrap();
    let nothing: Arc<dyn Replay> = Arc::new(FakeLedger::default());
    index.catch_up(&nothing).unwrap();
    index
}

/// An index in a folder, caught up with a ledger.
pub(crate) fn on_disk(folder: &std::path::Path, ledger: &Arc<FakeLedger>) -> HybridIndex {
    let options = Options {
        folder: Some(folder.to_owned()),
        ledger: "sample".into(),
    };
    let index = HybridIndex::open(options).unwrap();
    let replay: Arc<dyn Replay> = Arc::<FakeLedger>::clone(ledger);
    index.catch_up(&replay).unwrap();
    index
}

/// Whether some bytes stand in any file under a folder.
pub(crate) fn stands_in(folder: &std::path::Path, what: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            stands_in(&path, what)
        } else {
            std::fs::read(path)
                .unwrap()
                .windows(what.len())
                .any(|it| it == what)
        }
    })
}

/// Every word that stands in a file of the words' store under a folder, and `?` for every file of a segment that no commit needs
/// any more. A dictionary does not spell its words letter by letter, so they cannot be looked for as bytes.
pub(crate) fn words_in(folder: &std::path::Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.join("meta.json").exists() {
            words.extend(words_of(&path));
        } else if path.is_file() && path.file_name().is_some_and(|name| name == "words") {
            words.extend(words_of_file(&path));
        } else if path.is_dir() {
            words.extend(words_in(&path));
        }
    }
    words
}

/// The words of the store that is in memory, which it writes down as they are, one character of the kind before each.
fn words_of_file(path: &std::path::Path) -> BTreeSet<String> {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let words = text.split(char::is_control);
    let words = words.map(|word| word.chars().skip(1).collect::<String>());
    words.filter(|word| !word.is_empty()).collect()
}

fn words_of(folder: &std::path::Path) -> BTreeSet<String> {
    // A copy, so that looking changes nothing.
    let copy = tempfile::tempdir().unwrap();
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        names.insert(std::path::PathBuf::from(entry.file_name()));
    }
    let index = tantivy::Index::open_in_dir(copy.path()).unwrap();
    let needed = index.load_metas().unwrap().list_segment_files();
    let is_of_a_segment = |name: &std::path::PathBuf| {
        !name.to_string_lossy().ends_with("lock") && !name.to_string_lossy().ends_with("json")
    };
    let unneeded = names
        .iter()
        .filter(|name| is_of_a_segment(name) && !needed.contains(*name));
    let mut words: BTreeSet<String> = unneeded.map(|_| "?".to_owned()).collect();
    let terms = index.schema().get_field("terms").unwrap();
    for segment in index.reader().unwrap().searcher().segment_readers() {
        let inverted = segment.inverted_index(terms).unwrap();
        let mut stream = inverted.terms().stream().unwrap();
        while stream.advance() {
            // Six characters of the container, and one of the kind.
            words.insert(
                String::from_utf8_lossy(stream.key())
                    .chars()
                    .skip(7)
                    .collect(),
            );
        }
    }
    words
}
