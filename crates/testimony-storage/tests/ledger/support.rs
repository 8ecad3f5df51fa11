//! Rows to write, and the few words in which tests speak of a ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use testimony_domain::{
    AgentId, ContainerTag, Evidence, EvidenceId, FactId, Ids, KeyId, Labels, Memory, MemoryId,
    MemoryKind, MemoryScope, Origin, Owner, Partition, Plane, Reason, Redacted, Slot, SlotKey,
    SourceClass, SourceLabel, State, Tag, Timestamp, UserId, Validity,
};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::ledger::audit::{
    Act, Action, Actor, AuditEvent, ChainHead, EventFilter, follow,
};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::{
    Commit, Fate, Ledger, LedgerError, Made, Page, Reader, Writer,
};
use uuid::Uuid;

/// Where every test's time begins.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_760_000_000 + seconds).unwrap()
}

pub(crate) fn act(seconds: i64) -> Act {
    Act {
        actor: Actor::Service,
        at: at(seconds),
        request: None,
        rules: "test-1",
    }
}

pub(crate) fn place(number: usize) -> ContainerTag {
    ContainerTag::new("container", &format!("place-{number}")).unwrap()
}

pub(crate) fn user(number: usize) -> UserId {
    UserId::new("user_id", &format!("person-{number}")).unwrap()
}

pub(crate) fn agent(number: usize) -> Owner {
    Owner::Agent(agent_id(number))
}

pub(crate) fn agent_id(number: usize) -> AgentId {
    AgentId::new("agent_id", &format!("agent-{number}")).unwrap()
}

pub(crate) fn container(number: usize) -> Container {
    Container {
        tag: place(number),
        made: Made {
            at: at(0),
            by: Actor::Service,
        },
        policy: ContainerPolicy::default(),
        embedder: None,
    }
}

/// New ids, and rows with them.
#[derive(Default)]
pub(crate) struct Maker {
    number: u64,
    next: AtomicU64,
}

impl Ids for Maker {
    fn next_uuid(&self) -> Uuid {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        Uuid::from_u64_pair(self.number + 1, next)
    }
}

impl Maker {
    /// A maker whose ids no maker of another number hands out.
    pub(crate) fn numbered(number: u64) -> Self {
        Self {
            number,
            next: AtomicU64::new(0),
        }
    }

    pub(crate) fn id<T>(&self, mint: impl Fn(&dyn Ids) -> T) -> T {
        mint(self)
    }

    pub(crate) fn partition(place_number: usize, owner: Owner, user: Option<UserId>) -> Partition {
        let labels = Labels {
            user,
            ..Labels::default()
        };
        Partition::stored(
            place(place_number),
            Plane::Task,
            MemoryScope::App,
            owner,
            labels,
        )
    }

    pub(crate) fn evidence(&self, place_number: usize, text: &str) -> Kept {
        let key = self.id(KeyId::mint);
        Kept {
            evidence: Evidence {
                id: self.id(EvidenceId::mint),
                partition: Self::partition(place_number, Owner::Key(key), None),
                origin: Origin {
                    key,
                    agent: None,
                    run: None,
                    source: None,
                    class: SourceClass::UserStatement,
                    echo: false,
                },
                label: SourceLabel::new("source", "chat").unwrap(),
                text: Redacted::attest(text),
                observed_at: at(1),
                recorded_at: at(2),
            },
            reasons: vec![Reason::Admitted],
            metadata: None,
        }
    }

    pub(crate) fn memory(
        &self,
        place_number: usize,
        text: &str,
        evidence: Vec<EvidenceId>,
    ) -> Memory {
        Memory {
            id: self.id(MemoryId::mint),
            fact: self.id(FactId::mint),
            revision: 1,
            content: Redacted::attest(text),
            kind: MemoryKind::Fact,
            slot: None,
            entities: vec!["Relay 4".to_owned()],
            speaker: None,
            partition: Self::partition(place_number, agent(0), None),
            class: SourceClass::UserStatement,
            source: SourceLabel::new("source", "chat").unwrap(),
            source_app: None,
            tags: vec![Tag::new("tags", "ops").unwrap()],
            custom_id: None,
            state: State::Active,
            approved: false,
            review: None,
            contested: false,
            origins: 1,
            reasons: vec![Reason::Novel],
            evidence,
            observed_at: at(1),
            created_at: at(2),
            validity: Validity::default(),
            expires_at: None,
        }
    }
}

pub(crate) fn slot(number: usize, value: &str) -> Slot {
    Slot {
        key: SlotKey {
            subject: format!("relay {number}"),
            attribute: "port".to_owned(),
            scope: String::new(),
        },
        value: value.to_owned(),
        unit: None,
        negated: false,
    }
}

pub(crate) fn embedder(name: &str) -> EmbedderIdentity {
    EmbedderIdentity {
        name: name.to_owned(),
        revision: "1".to_owned(),
        dimensions: 4,
    }
}

pub(crate) fn embedding(memory: MemoryId, name: &str) -> Embedding {
    Embedding {
        memory,
        embedder: embedder(name),
        vector: Vector::from_direction(vec![0.25, -3.5, 1.0, 7.25]).unwrap(),
    }
}

/// Does one piece of work that stands.
pub(crate) fn write<T: Send + 'static>(
    ledger: &dyn Ledger,
    seconds: i64,
    work: impl FnOnce(&mut dyn Writer) -> Result<T, LedgerError> + Send + 'static,
) -> Result<(T, Commit), LedgerError> {
    ledger.write(act(seconds), move |writer| {
        work(writer).map(|value| (Fate::Keep, value))
    })
}

/// Keeps one memory with its evidence, and returns its id.
pub(crate) fn keep(ledger: &dyn Ledger, maker: &Maker, text: &str) -> MemoryId {
    let kept = maker.evidence(0, text);
    let memory = maker.memory(0, text, vec![kept.evidence.id]);
    let id = memory.id;
    write(ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&memory)
    })
    .unwrap();
    id
}

pub(crate) fn make_places(ledger: &dyn Ledger, count: usize) {
    write(ledger, 0, move |writer| {
        (0..count).try_for_each(|number| writer.make_container(&container(number)))
    })
    .unwrap();
}

pub(crate) fn all_events(reader: &dyn Reader) -> Vec<AuditEvent> {
    let filter = EventFilter::default();
    reader.events(&filter, Page::first(usize::MAX)).unwrap()
}

pub(crate) fn actions(reader: &dyn Reader) -> Vec<Action> {
    let events = all_events(reader).into_iter();
    events.map(|event| event.action).collect()
}

/// Follows the whole chain and returns where it ends, which is where the ledger says that it does; what is counted of it
/// by the hour is what it says.
pub(crate) fn whole_chain(ledger: &dyn Ledger) -> ChainHead {
    let reader = ledger.reader().unwrap();
    let events = all_events(&*reader);
    assert_tallied(&*reader, &events);
    let head = follow(ChainHead::default(), &events).unwrap();
    assert_eq!(reader.chain_head().unwrap(), head);
    assert_eq!(ledger.head().unwrap(), head);
    head
}

fn assert_tallied(reader: &dyn Reader, events: &[AuditEvent]) {
    let mut counted = BTreeMap::new();
    for event in events.iter().filter(|event| event.action.is_tallied()) {
        if let Some(container) = &event.container {
            let hour = event.at.as_second().div_euclid(3_600) * 3_600;
            let decision = event.decision.clone().unwrap_or_default();
            let key = (container.as_str(), hour, event.action.as_str(), decision);
            *counted.entry(key).or_insert(0_u64) += 1;
        }
    }
    let containers: BTreeSet<&ContainerTag> = events
        .iter()
        .filter_map(|event| event.container.as_ref())
        .collect();
    let mut told = BTreeMap::new();
    for container in containers {
        for tally in reader.tallies(container, Timestamp::MIN).unwrap() {
            let decision = tally.decision.unwrap_or_default();
            let (hour, action) = (tally.hour.as_second(), tally.action.as_str());
            told.insert((container.as_str(), hour, action, decision), tally.events);
        }
    }
    assert_eq!(told, counted);
}

/// A generator of numbers from a seed, for what proptest does not shrink anyway.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// A number from the environment, such as how many rounds a long run has.
pub(crate) fn chosen(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var_os(name).and_then(|value| value.into_string().ok());
    set.and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}
