//! What the tests of this crate share: memories and identities by few words, and a small index of the tests' own.
#![allow(
    clippy::allow_attributes,
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "every test file uses another part, and a helper that cannot build its value has to fail its test"
)]

pub mod strategies;

use std::collections::HashMap;

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, FactId, Ids, KeyId, Labels, Memory, MemoryId, MemoryKind, MemoryScope,
    Owner, Partition, Plane, Principal, PrincipalKind, Redacted, RunId, Score, SequentialIds,
    SourceApp, SourceClass, SourceLabel, State, Tag, Timestamp, UserId, Validity,
};
use testimony_recall::{Candidate, Channel, Channels};

pub fn instant(text: &str) -> Timestamp {
    if text.contains('T') {
        text.parse().unwrap()
    } else {
        format!("{text}T12:00:00Z").parse().unwrap()
    }
}

pub fn container(name: &str) -> ContainerTag {
    ContainerTag::new("container_tag", name).unwrap()
}

pub fn agent(name: &str) -> AgentId {
    AgentId::new("agent_id", name).unwrap()
}

pub fn tag(name: &str) -> Tag {
    Tag::new("tags", name).unwrap()
}

/// A memory that everybody in container `workspace` may see, said by a user.
pub fn memory(ids: &SequentialIds, text: &str) -> Memory {
    let said = instant("2026-01-10");
    Memory {
        id: MemoryId::mint(ids),
        fact: FactId::mint(ids),
        revision: 1,
        content: Redacted::attest(text),
        kind: MemoryKind::Fact,
        slot: None,
        entities: Vec::new(),
        speaker: None,
        partition: place(
            "workspace",
            "builder",
            Plane::Task,
            MemoryScope::User,
            Labels::default(),
        ),
        class: SourceClass::UserStatement,
        source: SourceLabel::new("source", "api").unwrap(),
        source_app: Some(SourceApp::new("source_app", "desk").unwrap()),
        tags: Vec::new(),
        custom_id: None,
        state: State::Active,
        approved: false,
        review: None,
        contested: false,
        origins: 1,
        reasons: Vec::new(),
        evidence: Vec::new(),
        observed_at: said,
        created_at: said,
        validity: Validity::default(),
        expires_at: None,
    }
}

pub fn place(
    container_name: &str,
    owner: &str,
    plane: Plane,
    scope: MemoryScope,
    labels: Labels,
) -> Partition {
    let owner = Owner::Agent(agent(owner));
    Partition::stored(container(container_name), plane, scope, owner, labels)
}

pub fn labels(user: Option<&str>, run: Option<&str>) -> Labels {
    Labels {
        user: user.map(|it| UserId::new("user_id", it).unwrap()),
        run: run.map(|it| RunId::new("run_id", it).unwrap()),
        app: None,
        org: None,
    }
}

/// An identity of container `workspace`.
pub fn identity(name: &str, capabilities: &[Capability], bound: Labels) -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(SequentialIds::default().next_uuid()),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::Listed(vec![container("workspace")]),
        capabilities: Capabilities::of(capabilities.iter().copied().chain([Capability::Recall])),
        source_app: None,
        agent: Some(agent(name)),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: bound,
        expires_at: None,
    };
    let acted = principal.act(
        &container("workspace"),
        Capability::Recall,
        &Claim::default(),
        instant("2026-06-01"),
    );
    acted.unwrap().0
}

pub fn reader() -> EffectiveIdentity {
    identity("builder", &[], Labels::default())
}

pub fn candidate(memory: &Memory) -> Candidate<'_> {
    Candidate {
        memory,
        channels: Channels::default(),
        text: None,
        reads: None,
        follows: None,
    }
}

pub fn score(value: f64) -> Score {
    Score::clamped(value)
}

/// A BM25 index whose statistics come from exactly the texts it was given.
pub struct WordIndex {
    documents: Vec<HashMap<String, f64>>,
    frequency: HashMap<String, f64>,
    mean_length: f64,
}

impl WordIndex {
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let documents: Vec<HashMap<String, f64>> = texts
            .map(|text| {
                let mut counts = HashMap::new();
                for word in words(text) {
                    *counts.entry(word).or_insert(0.0) += 1.0;
                }
                counts
            })
            .collect();
        let mut frequency = HashMap::new();
        for document in &documents {
            for word in document.keys() {
                *frequency.entry(word.clone()).or_insert(0.0) += 1.0;
            }
        }
        let total: f64 = documents.iter().flat_map(HashMap::values).sum();
        let mean_length = total / (documents.len().max(1) as f64);
        Self {
            documents,
            frequency,
            mean_length,
        }
    }

    fn rarity(&self, word: &str) -> f64 {
        let with = self.frequency.get(word).copied().unwrap_or(0.0);
        let all = self.documents.len() as f64;
        ((all - with + 0.5) / (with + 0.5) + 1.0).ln()
    }

    /// The score of a text among those of the index, squeezed into 0..1.
    pub fn score(&self, query: &str, text: &str) -> f64 {
        let mut counts: HashMap<String, f64> = HashMap::new();
        for word in words(text) {
            *counts.entry(word).or_insert(0.0) += 1.0;
        }
        let length: f64 = counts.values().sum();
        let of_word = |word: String| {
            let count = counts.get(&word).copied().unwrap_or(0.0);
            let norm = 1.2 * (0.25 + 0.75 * length / self.mean_length.max(1.0));
            self.rarity(&word) * count * 2.2 / (count + norm)
        };
        let sum: f64 = words(query).map(of_word).sum();
        sum / (sum + 3.0)
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Candidates with the keyword channel from an index over exactly these rows.
pub fn searched<'m>(query: &str, rows: &[&'m Memory]) -> Vec<Candidate<'m>> {
    let index = WordIndex::of(rows.iter().map(|row| row.content.as_str()));
    rows.iter()
        .map(|row| {
            let found = index.score(query, row.content.as_str());
            let channels = if found > 0.0 {
                Channels::default().with(Channel::Keyword, score(found))
            } else {
                Channels::default()
            };
            Candidate {
                memory: row,
                channels,
                text: None,
                reads: None,
                follows: None,
            }
        })
        .collect()
}
