//! A clock, embedders and rows that do what a test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use testimony_domain::{
    AgentId, Clock, ContainerTag, Evidence, EvidenceId, FactId, Ids, JobId, KeyId, Labels, Memory,
    MemoryId, MemoryKind, MemoryScope, Origin, Owner, Partition, Plane, Reason, Redacted,
    SequentialIds, SourceClass, SourceLabel, State, Timestamp, Validity,
};
use testimony_service::ports::embedder::{
    Calibration, EmbedError, Embedder, EmbedderIdentity, Vector,
};
use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::audit::{Act, Actor};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::jobs::{Job, JobKind, JobState};
use testimony_service::ports::ledger::{Commit, Fate, Ledger, LedgerError, Made, Reader, Writer};
use testimony_service::upkeep::{Retention, Upkeep};
use testimony_service::work::{Handler, WorkRules, Worker};
use testimony_storage::ledger::SqliteLedger;

pub(crate) const RULES: &str = "test-1";

/// Where every test's time begins, and so many seconds later.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Time that moves when the test says so.
pub(crate) struct Hand(Mutex<Timestamp>);

impl Hand {
    pub(crate) fn at_the_beginning() -> Arc<Self> {
        Arc::new(Self(Mutex::new(at(0))))
    }

    pub(crate) fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap() = now;
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// How the next calls of an embedder go; one that is not spoken of goes well.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    Well,
    Down(Option<Timestamp>),
    OtherDimensions,
    Panics,
}

pub(crate) struct TestEmbedder {
    identity: EmbedderIdentity,
    moods: Mutex<VecDeque<Mood>>,
    pub(crate) calls: Mutex<Vec<Vec<String>>>,
    /// Until when it says that it rests.
    pub(crate) rests: Mutex<Option<Timestamp>>,
}

impl TestEmbedder {
    pub(crate) fn named(name: &str) -> Arc<Self> {
        Self::of(name, 4)
    }

    pub(crate) fn of(name: &str, dimensions: usize) -> Arc<Self> {
        let identity = EmbedderIdentity {
            name: name.to_owned(),
            revision: "1".to_owned(),
            dimensions,
        };
        Arc::new(Self {
            identity,
            moods: Mutex::default(),
            calls: Mutex::default(),
            rests: Mutex::default(),
        })
    }

    pub(crate) fn is_next(&self, moods: impl IntoIterator<Item = Mood>) {
        self.moods.lock().unwrap().extend(moods);
    }

    /// How many texts each call brought.
    pub(crate) fn lots(&self) -> Vec<usize> {
        self.calls.lock().unwrap().iter().map(Vec::len).collect()
    }

    fn vector(&self, text: &str) -> Option<Vector> {
        let mut numbers = vec![1.0; self.identity.dimensions];
        numbers[0] = text.len() as f32;
        numbers[1] = text.bytes().next().map_or(0.0, f32::from);
        let says_nothing = text.trim().is_empty();
        (!says_nothing).then(|| Vector::from_direction(numbers).unwrap())
    }
}

impl Embedder for TestEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        None
    }

    /// A text that holds `refused` is refused, with all that come with it.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let told = texts.iter().map(|text| (*text).to_owned()).collect();
        self.calls.lock().unwrap().push(told);
        let embedder = self.identity.name.clone();
        let mood = self.moods.lock().unwrap().pop_front();
        match mood.unwrap_or(Mood::Well) {
            Mood::Panics => panic!("the test says so"),
            Mood::OtherDimensions => Err(EmbedError::OtherDimensions {
                embedder,
                configured: 4,
                found: 3,
            }),
            Mood::Down(until) => Err(EmbedError::Unavailable {
                embedder,
                because: "nobody listens".to_owned(),
                until,
            }),
            Mood::Well if texts.iter().any(|text| text.contains("refused")) => {
                Err(EmbedError::Refused {
                    embedder,
                    because: "it is too long".to_owned(),
                })
            }
            Mood::Well => Ok(texts.iter().map(|text| self.vector(text)).collect()),
        }
    }

    fn health(&self) -> Health {
        match *self.rests.lock().unwrap() {
            Some(_) => Health::unavailable("nobody listens"),
            None => Health::Healthy,
        }
    }

    fn rests_until(&self) -> Option<Timestamp> {
        *self.rests.lock().unwrap()
    }
}

/// A ledger with ids of its own, and a clock.
pub(crate) struct Desk {
    pub(crate) ledger: Arc<SqliteLedger>,
    pub(crate) clock: Arc<Hand>,
    pub(crate) ids: SequentialIds,
}

pub(crate) fn place() -> ContainerTag {
    ContainerTag::new("container", "harbour").unwrap()
}

pub(crate) fn container(policy: ContainerPolicy) -> Container {
    Container {
        tag: place(),
        made: Made {
            at: at(0),
            by: Actor::Service,
        },
        policy,
        embedder: None,
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(ContainerPolicy::default())
    }

    pub(crate) fn with(policy: ContainerPolicy) -> Self {
        let desk = Self {
            ledger: Arc::new(SqliteLedger::open_in_memory().unwrap()),
            clock: Hand::at_the_beginning(),
            ids: SequentialIds::default(),
        };
        desk.write(move |writer| writer.make_container(&container(policy)));
        desk
    }

    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Writer) -> Result<T, LedgerError> + Send + 'static,
    ) -> T {
        self.commit(work).0
    }

    pub(crate) fn commit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Writer) -> Result<T, LedgerError> + Send + 'static,
    ) -> (T, Commit) {
        let act = Act {
            actor: Actor::Service,
            at: self.clock.now(),
            request: None,
            rules: RULES,
        };
        let ledger: &dyn Ledger = self.ledger.as_ref();
        let work = move |writer: &mut dyn Writer| work(writer).map(|value| (Fate::Keep, value));
        ledger.write(act, work).unwrap()
    }

    pub(crate) fn read(&self) -> Box<dyn Reader + '_> {
        self.ledger.reader().unwrap()
    }

    pub(crate) fn id<T>(&self, mint: impl Fn(&dyn Ids) -> T) -> T {
        mint(&self.ids)
    }

    pub(crate) fn evidence(&self, recorded_at: Timestamp) -> Kept {
        let key = self.id(KeyId::mint);
        Kept {
            evidence: Evidence {
                id: self.id(EvidenceId::mint),
                partition: partition(Owner::Key(key)),
                origin: Origin {
                    key,
                    agent: None,
                    run: None,
                    source: None,
                    class: SourceClass::UserStatement,
                    echo: false,
                },
                label: SourceLabel::new("source", "chat").unwrap(),
                text: Redacted::attest("what was said"),
                observed_at: recorded_at,
                recorded_at,
            },
            reasons: vec![Reason::Admitted],
            metadata: None,
        }
    }

    pub(crate) fn memory(&self, text: &str, evidence: EvidenceId) -> Memory {
        let agent = AgentId::new("agent_id", "pilot").unwrap();
        Memory {
            id: self.id(MemoryId::mint),
            fact: self.id(FactId::mint),
            revision: 1,
            content: Redacted::attest(text),
            kind: MemoryKind::Fact,
            slot: None,
            entities: Vec::new(),
            speaker: None,
            partition: partition(Owner::Agent(agent)),
            class: SourceClass::UserStatement,
            source: SourceLabel::new("source", "chat").unwrap(),
            source_app: None,
            tags: Vec::new(),
            custom_id: None,
            state: State::Active,
            approved: false,
            review: None,
            contested: false,
            origins: 1,
            reasons: vec![Reason::Novel],
            evidence: vec![evidence],
            observed_at: at(0),
            created_at: at(0),
            validity: Validity::default(),
            expires_at: None,
        }
    }

    /// Keeps rows, one for each text.
    pub(crate) fn rows(&self, texts: &[&str]) -> Vec<MemoryId> {
        let kept = self.evidence(at(0));
        let id = kept.evidence.id;
        let rows: Vec<Memory> = texts.iter().map(|text| self.memory(text, id)).collect();
        let ids = rows.iter().map(|row| row.id).collect();
        self.write(move |writer| {
            writer.keep_evidence(&kept)?;
            rows.iter().try_for_each(|row| writer.add_memory(row))
        });
        ids
    }

    pub(crate) fn job(&self, kind: JobKind, memory: Option<MemoryId>) -> Job {
        Job::new(
            self.id(JobId::mint),
            kind,
            place(),
            memory,
            self.clock.now(),
        )
    }

    /// Queues a job for each memory, or one for none.
    pub(crate) fn queue(&self, kind: JobKind, memories: &[MemoryId]) -> Vec<JobId> {
        let jobs: Vec<Job> = if memories.is_empty() {
            vec![self.job(kind, None)]
        } else {
            let each = memories.iter().map(|memory| self.job(kind, Some(*memory)));
            each.collect()
        };
        self.write(move |writer| jobs.iter().map(|job| writer.queue_job(job)).collect())
    }

    pub(crate) fn state_of(&self, job: JobId) -> (JobState, u32, Option<String>) {
        let job = self.read().job(job).unwrap().unwrap();
        (job.state, job.attempts, job.failure)
    }

    pub(crate) fn worker(&self, handlers: Vec<Box<dyn Handler>>) -> Worker {
        self.worker_on(self.ledger.clone(), handlers)
    }

    pub(crate) fn worker_on(
        &self,
        ledger: Arc<dyn Ledger>,
        handlers: Vec<Box<dyn Handler>>,
    ) -> Worker {
        let upkeep = Upkeep::new(ledger.clone(), Retention::default(), 64, RULES);
        Worker::new(
            ledger,
            self.clock.clone(),
            handlers,
            upkeep,
            WorkRules::new(RULES),
        )
    }

    pub(crate) fn upkeep(&self, at_most: usize) -> Upkeep {
        Upkeep::new(self.ledger.clone(), Retention::default(), at_most, RULES)
    }
}

fn partition(owner: Owner) -> Partition {
    Partition::stored(
        place(),
        Plane::Task,
        MemoryScope::App,
        owner,
        Labels::default(),
    )
}
