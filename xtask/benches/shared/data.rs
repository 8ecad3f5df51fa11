//! Synthetic memories: the same for the same seed, with words by Zipf's law, or with eighty that are all alike.

use testimony_domain::{
    AgentId, ContainerTag, Evidence, EvidenceId, FactId, KeyId, Labels, Memory, MemoryId,
    MemoryKind, MemoryScope, Origin, Owner, Partition, Plane, Reason, Redacted, SourceClass,
    SourceLabel, State, Tag, Timestamp, Validity,
};
use testimony_embedding::{Embedder, StaticEmbedder};
use testimony_service::ports::embedder::Vector;
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::evidence::Kept;

/// How many words a memory has.
pub(crate) const WORDS_A_ROW: usize = 15;
const VOCABULARY: f64 = 20_000.0;
const HARD_VOCABULARY: f64 = 80.0;
const SYLLABLES: &[&str] = &[
    "ka", "to", "mi", "re", "lo", "san", "der", "vin", "pa", "gol", "nu", "ter", "bi", "wen", "as",
    "chi",
];

/// Numbers that are the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A word by its rank: what is said more often is shorter.
fn word(rank: usize) -> String {
    let base = SYLLABLES.len();
    let mut rest = rank + base;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % base]);
        rest /= base;
    }
    word
}

/// Rows that are made when they are asked for.
#[derive(Clone)]
pub(crate) struct Data {
    pub(crate) seed: u64,
    /// Eighty words instead of a vocabulary.
    pub(crate) hard: bool,
    /// Over how many containers the rows go round.
    pub(crate) containers: usize,
    embedder: StaticEmbedder,
}

/// A row with everything that is written with it.
pub(crate) struct Row {
    pub(crate) kept: Kept,
    pub(crate) memory: Memory,
    pub(crate) embedding: Embedding,
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn container(number: usize) -> ContainerTag {
    ContainerTag::new("container", &format!("bench-{number}")).unwrap()
}

pub(crate) fn tag(number: usize) -> Tag {
    Tag::new("tag", &format!("tag-{number}")).unwrap()
}

pub(crate) fn agent(number: usize) -> AgentId {
    AgentId::new("agent", &format!("agent-{number}")).unwrap()
}

/// Ids that grow with the rows, as those of real rows grow with time.
fn uuid(kind: u128, number: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + (kind << 48) + number as u128)
}

impl Data {
    pub(crate) fn new(seed: u64, hard: bool, containers: usize) -> Self {
        Self {
            seed,
            hard,
            containers,
            embedder: StaticEmbedder::built_in().unwrap(),
        }
    }

    pub(crate) fn embedder(&self) -> &StaticEmbedder {
        &self.embedder
    }

    pub(crate) fn words(&self, dice: &mut Dice, count: usize) -> Vec<String> {
        let mut rank = || {
            if self.hard {
                (dice.share() * HARD_VOCABULARY) as usize
            } else {
                VOCABULARY.powf(dice.share()) as usize
            }
        };
        (0..count).map(|_| word(rank())).collect()
    }

    pub(crate) fn text(&self, row: usize) -> String {
        let mut dice = Dice::seeded(self.seed ^ (row as u64 + 1));
        self.words(&mut dice, WORDS_A_ROW).join(" ")
    }

    pub(crate) fn meaning(&self, text: &str) -> Vector {
        let mut vectors = self.embedder.embed(&[text]).unwrap();
        vectors.pop().flatten().unwrap()
    }

    pub(crate) fn place(&self, row: usize) -> ContainerTag {
        container(row % self.containers)
    }

    fn partition(&self, row: usize) -> Partition {
        let plane = if row.is_multiple_of(10) {
            Plane::Working
        } else {
            Plane::Task
        };
        let owner = Owner::Agent(agent(row % 20));
        let place = self.place(row);
        Partition::stored(place, plane, MemoryScope::User, owner, Labels::default())
    }

    pub(crate) fn memory(&self, row: usize, text: &str) -> Memory {
        let now = at("2026-05-01T00:00:00Z");
        Memory {
            id: MemoryId::from_uuid(uuid(1, row)),
            fact: FactId::from_uuid(uuid(2, row)),
            revision: 1,
            content: Redacted::attest(text),
            kind: if row % 10 < 7 {
                MemoryKind::Fact
            } else {
                MemoryKind::Decision
            },
            slot: None,
            entities: Vec::new(),
            speaker: None,
            partition: self.partition(row),
            class: SourceClass::UserStatement,
            source: SourceLabel::new("source", "bench").unwrap(),
            source_app: None,
            tags: vec![tag(row % 50)],
            custom_id: None,
            state: State::Active,
            approved: false,
            review: None,
            contested: false,
            origins: 1,
            reasons: vec![Reason::Novel],
            evidence: vec![EvidenceId::from_uuid(uuid(3, row))],
            observed_at: now,
            created_at: now,
            validity: Validity::default(),
            expires_at: None,
        }
    }

    fn evidence(&self, row: usize, text: &str) -> Kept {
        let now = at("2026-05-01T00:00:00Z");
        let key = KeyId::from_uuid(uuid(4, row % 20));
        Kept {
            evidence: Evidence {
                id: EvidenceId::from_uuid(uuid(3, row)),
                partition: self.partition(row),
                origin: Origin {
                    key,
                    agent: Some(agent(row % 20)),
                    run: None,
                    source: None,
                    class: SourceClass::UserStatement,
                    echo: false,
                },
                label: SourceLabel::new("source", "bench").unwrap(),
                text: Redacted::attest(text),
                observed_at: now,
                recorded_at: now,
            },
            reasons: vec![Reason::Admitted],
            metadata: None,
        }
    }

    /// Rows with their vectors, embedded together.
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> Vec<Row> {
        let texts: Vec<String> = rows.clone().map(|row| self.text(row)).collect();
        self.rows_of(rows, &texts)
    }

    /// The same, from texts that are there already.
    pub(crate) fn rows_of(&self, rows: std::ops::Range<usize>, texts: &[String]) -> Vec<Row> {
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.embedder.embed(&borrowed).unwrap();
        let made = rows.zip(texts).zip(vectors);
        made.map(|((row, text), vector)| {
            let memory = self.memory(row, text);
            Row {
                kept: self.evidence(row, text),
                embedding: Embedding {
                    memory: memory.id,
                    embedder: self.embedder.identity().clone(),
                    vector: vector.unwrap(),
                },
                memory,
            }
        })
        .collect()
    }
}
