//! A store or an index filled with rows, and somebody who asks it.

use std::path::Path;
use std::sync::Arc;

use testimony_domain::{
    AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag, EffectiveIdentity,
    KeyId, Labels, MemoryKind, Principal, PrincipalKind, SourceClass, Standing,
};
use testimony_embedding::Embedder;
use testimony_recall::{Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Hit, Index, IndexQuery, Meaning};
use testimony_service::ports::ledger::audit::{Act, Actor, Seq};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};
use testimony_service::ports::ledger::{Commit, CommitObserver, Fate, Ledger, Made, RowChange};
use testimony_storage::index::{HybridIndex, Options};

use crate::data::{Data, Dice, Row, agent, at, container, tag};

/// How many rows come in one piece of work.
pub(crate) const BATCH: usize = 100;

pub(crate) fn act() -> Act {
    Act {
        actor: Actor::Service,
        at: at("2026-05-01T00:00:00Z"),
        request: None,
        rules: "bench",
    }
}

pub(crate) fn make_containers(ledger: &dyn Ledger, data: &Data) {
    let by = data.embedder().identity().clone();
    let count = data.containers;
    let made = Made {
        at: at("2026-05-01T00:00:00Z"),
        by: Actor::Service,
    };
    let work = move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
        for number in 0..count {
            writer.make_container(&Container {
                tag: container(number),
                made: made.clone(),
                policy: ContainerPolicy::default(),
                embedder: Some(by.clone()),
            })?;
        }
        Ok((Fate::Keep, ()))
    };
    ledger.write(act(), work).unwrap();
}

/// Writes rows as one piece of work, durably.
pub(crate) fn insert(ledger: &dyn Ledger, rows: Vec<Row>) {
    let work = move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
        for row in &rows {
            writer.keep_evidence(&row.kept)?;
            writer.add_memory(&row.memory)?;
            writer.keep_embedding(&row.embedding)?;
        }
        Ok(Fate::Keep)
    };
    ledger.submit(act(), Box::new(work)).unwrap();
}

/// Writes all rows up to a number, from another on, many at a time.
pub(crate) fn fill(ledger: &dyn Ledger, data: &Data, rows: std::ops::Range<usize>) {
    const AT_ONCE: usize = 1_000;
    let end = rows.end;
    for from in rows.step_by(AT_ONCE) {
        insert(ledger, data.rows(from..(from + AT_ONCE).min(end)));
    }
}

/// Has an index take rows in, without a ledger.
pub(crate) fn take_in(index: &HybridIndex, data: &Data, rows: std::ops::Range<usize>) {
    let end = rows.end;
    for from in rows.step_by(BATCH) {
        let until = (from + BATCH).min(end);
        let changes = data.rows(from..until).into_iter().zip(from..until);
        let changes = changes.map(|(row, number)| RowChange {
            seq: Seq(number as u64 + 1),
            before: None,
            after: Some(Arc::new(row.memory)),
            embedding: Some(Arc::new(row.embedding)),
        });
        index.committed(&Commit {
            changes_access: false,
            reached: Seq(until as u64),
            changes: changes.collect(),
        });
    }
}

pub(crate) fn index_in(folder: &Path) -> HybridIndex {
    let options = Options {
        folder: Some(folder.to_owned()),
        ledger: "bench".into(),
    };
    HybridIndex::open(options).unwrap()
}

fn asker(container: &ContainerTag) -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(1)),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall]),
        source_app: None,
        agent: Some(agent(0)),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    };
    let now = at("2026-06-01T00:00:00Z");
    let acted = principal.act(container, Capability::Recall, &Claim::default(), now);
    acted.unwrap().0
}

/// Questions with what is needed to ask them.
pub(crate) struct Questions {
    pub(crate) words: Vec<Vec<String>>,
    pub(crate) meanings: Vec<Vector>,
    askers: Vec<EffectiveIdentity>,
    by: EmbedderIdentity,
}

impl Questions {
    pub(crate) fn of(data: &Data, count: usize) -> Self {
        let mut dice = Dice::seeded(data.seed ^ 0xA5A5);
        let words: Vec<Vec<String>> = (0..count).map(|_| data.words(&mut dice, 5)).collect();
        let meanings = words.iter().map(|words| data.meaning(&words.join(" ")));
        Self {
            meanings: meanings.collect(),
            askers: (0..count)
                .map(|number| asker(&container(number % data.containers)))
                .collect(),
            by: data.embedder().identity().clone(),
            words,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Asks one of them, by words, by meaning, or by both; with filters that let most rows through.
    pub(crate) fn ask(&self, index: &dyn Index, which: usize, by: By) -> Vec<Hit> {
        let filters = if by.filtered {
            Filters {
                kind: Some(MemoryKind::Fact),
                exclude_tags: vec![tag(7)],
                created_after: Some(at("2026-01-01T00:00:00Z")),
                ..Filters::default()
            }
        } else {
            Filters::default()
        };
        let standings = [
            Standing::CleanPerson,
            Standing::Established,
            Standing::CleanTool,
        ];
        let cuts = [Cut {
            standings: &standings,
            time: TimeIntent::Current,
            limit: by.limit,
        }];
        let words = if by.words {
            self.words[which].join(" ")
        } else {
            String::new()
        };
        let query = IndexQuery {
            identity: &self.askers[which],
            view: View::Assistant,
            words: &words,
            entities: &[],
            meaning: by.meaning.then(|| Meaning {
                vector: &self.meanings[which],
                embedder: &self.by,
                calibration: None,
            }),
            filters: &filters,
            now: at("2026-06-01T00:00:00Z"),
            cuts: &cuts,
        };
        index.search(&query).unwrap().hits
    }
}

/// How a question is asked.
#[derive(Clone, Copy)]
pub(crate) struct By {
    pub(crate) words: bool,
    pub(crate) meaning: bool,
    pub(crate) filtered: bool,
    pub(crate) limit: usize,
}

/// How many candidates a recall asks for.
pub(crate) const CANDIDATES: usize = 200;

pub(crate) const HYBRID: By = By {
    words: true,
    meaning: true,
    filtered: true,
    limit: CANDIDATES,
};

pub(crate) const WORDS: By = By {
    meaning: false,
    ..HYBRID
};

pub(crate) const MEANING: By = By {
    words: false,
    ..HYBRID
};
