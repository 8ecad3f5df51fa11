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
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::{Commit, CommitObserver, RowChange};
use testimony_storage::index::{HybridIndex, Options};

use crate::shared::data::{Data, Dice, agent, at, container, tag};
use crate::shared::fill::BATCH;

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
    HybridIndex::open(options_in(folder)).unwrap()
}

/// With graphs of near neighbours from so many rows on, or with none.
pub(crate) fn index_with_graphs(folder: &Path, from: Option<usize>) -> HybridIndex {
    HybridIndex::open_with_graphs(options_in(folder), from).unwrap()
}

fn options_in(folder: &Path) -> Options {
    Options {
        folder: Some(folder.to_owned()),
        ledger: "bench".into(),
    }
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
            // As a recall asks.
            beside: 16,
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
