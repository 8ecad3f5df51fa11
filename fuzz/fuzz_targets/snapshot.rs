//! Snapshots of the index whose checksums are right: whatever stands in the files of rows and of words, they are taken up
//! or refused, and what was taken up can be searched.
//!
//! The first two bytes say how much of what stands behind them is the file of words; the rest is that of rows. Where a
//! snapshot changes its form, `TESTIMONY_SEED=<file>` has the seed written anew.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, FactId, KeyId, Labels, Memory, MemoryId, MemoryKind, MemoryScope, Owner,
    Partition, Plane, Principal, PrincipalKind, Redacted, SourceClass, SourceLabel, Standing,
    State, Timestamp, Validity,
};
use testimony_recall::{Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Index as _, IndexQuery, Meaning};
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{LedgerError, Page};
use testimony_storage::index::{HybridIndex, Options, Replay};

const ROWS: &[&str] = &[
    "the blue harbour",
    "a crane on the quay",
    "paintings of the harbour",
    "the crane is blue",
];
const DIMENSIONS: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    let sample = &*SAMPLE;
    let Some((length, files)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let length = usize::from(u16::from_le_bytes(*length)).min(files.len());
    let (words, rows) = files.split_at(length);
    sample.write(words, rows);
    sample.search();
});

/// A snapshot as the index wrote it, whose files are then put in place of each other.
struct Sample {
    folder: PathBuf,
    manifest: Value,
    who: EffectiveIdentity,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let sample = Sample::written();
    let (words, rows) = (sample.file("words/words"), sample.file("rooms"));
    let length = u16::try_from(words.len()).unwrap();
    let seed = [&length.to_le_bytes()[..], &words, &rows].concat();
    if let Some(path) = std::env::var_os("TESTIMONY_SEED") {
        fs::write(path, seed).unwrap();
    }
    // What the index wrote itself has to be taken up, or nothing is tried here at all.
    sample.write(&words, &rows);
    assert_eq!(sample.search(), ROWS.len());
    sample
});

impl Sample {
    fn written() -> Self {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = place.join(format!("testimony-fuzz-{}", std::process::id()));
        let index = opened(&folder);
        let replay: Arc<dyn Replay> = Arc::new(Told);
        index.catch_up(&replay).unwrap();
        index.snapshot().unwrap();
        let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
        let (_, manifest) = manifest.split_once('\n').unwrap();
        Self {
            manifest: serde_json::from_str(manifest).unwrap(),
            who: asker(),
            folder,
        }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.join("snapshot-0").join(name)
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.place(name)).unwrap()
    }

    /// Puts both files in place, with a manifest that vouches for them.
    fn write(&self, words: &[u8], rows: &[u8]) {
        fs::create_dir_all(self.place("words")).unwrap();
        let files = [("words/words", words), ("rooms", rows)];
        let sealed = files.map(|(name, bytes)| {
            // What hard links lead to the file that was there keeps what it had.
            drop(fs::remove_file(self.place(name)));
            fs::write(self.place(name), bytes).unwrap();
            json!({ "path": name, "bytes": bytes.len(), "crc32": crc32fast::hash(bytes) })
        });
        let mut manifest = self.manifest.clone();
        manifest["folder"] = json!("snapshot-0");
        manifest["files"] = json!(sealed);
        let text = manifest.to_string();
        let check = crc32fast::hash(text.as_bytes());
        fs::write(self.folder.join("manifest.json"), format!("{check:08x}\n{text}")).unwrap();
    }

    /// Opens what is there, and returns how many rows a search finds.
    fn search(&self) -> usize {
        let index = opened(&self.folder);
        let vector = direction(1);
        let query = IndexQuery {
            identity: &self.who,
            view: View::Assistant,
            words: "blue harbour crane",
            entities: &["harbour".to_owned()],
            meaning: Some(Meaning {
                vector: &vector,
                embedder: &embedder(),
                calibration: None,
            }),
            filters: &Filters::default(),
            now: Timestamp::UNIX_EPOCH,
            cuts: &[Cut {
                standings: Standing::ALL,
                time: TimeIntent::Any,
                limit: 10,
            }],
            beside: 4,
        };
        index.search(&query).map_or(0, |found| found.hits.len())
    }
}

fn opened(folder: &Path) -> HybridIndex {
    HybridIndex::open(Options {
        folder: Some(folder.to_owned()),
        ledger: "sample".into(),
    })
    .unwrap()
}

/// A ledger that tells of its rows once.
struct Told;

impl Replay for Told {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        let rows = match page.after {
            None | Some(Seq(0)) => (0..ROWS.len()).map(row).collect(),
            Some(_) => Vec::new(),
        };
        Ok((rows, self.head()?))
    }

    fn embeddings(&self, _: &ContainerTag, of: &[MemoryId]) -> Result<Vec<Embedding>, LedgerError> {
        let embedding = |(number, memory): (usize, &MemoryId)| Embedding {
            memory: *memory,
            embedder: embedder(),
            vector: direction(number),
        };
        Ok(of.iter().enumerate().map(embedding).collect())
    }

    fn fingerprint(&self, _: Seq) -> Result<Option<Digest>, LedgerError> {
        Ok(Some(Digest([7; 32])))
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        Ok(Seq(ROWS.len() as u64))
    }
}

fn embedder() -> EmbedderIdentity {
    EmbedderIdentity {
        name: "sample".into(),
        revision: "1".into(),
        dimensions: DIMENSIONS,
    }
}

fn direction(number: usize) -> Vector {
    let at = |dimension: usize| if dimension == number % DIMENSIONS { 1.0 } else { 0.25 };
    Vector::from_direction((0..DIMENSIONS).map(at).collect()).unwrap()
}

fn container() -> ContainerTag {
    ContainerTag::new("container", "harbour").unwrap()
}

fn agent() -> AgentId {
    AgentId::new("agent_id", "painter").unwrap()
}

fn row(number: usize) -> Memory {
    let id = uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + number as u128);
    Memory {
        id: MemoryId::from_uuid(id),
        fact: FactId::from_uuid(id),
        revision: 1,
        content: Redacted::attest(ROWS[number]),
        kind: MemoryKind::Fact,
        slot: None,
        entities: vec!["harbour".to_owned()],
        speaker: None,
        partition: Partition::stored(
            container(),
            Plane::Task,
            MemoryScope::User,
            Owner::Agent(agent()),
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
        observed_at: Timestamp::UNIX_EPOCH,
        created_at: Timestamp::UNIX_EPOCH,
        validity: Validity::default(),
        expires_at: None,
    }
}

fn asker() -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(1)),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall]),
        source_app: None,
        agent: Some(agent()),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    };
    let claim = Claim::default();
    principal
        .act(&container(), Capability::Recall, &claim, Timestamp::UNIX_EPOCH)
        .unwrap()
        .0
}
