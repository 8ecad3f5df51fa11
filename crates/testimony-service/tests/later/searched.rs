//! While a container changes its embedder, the real index finds every row by meaning after every step, and after a start
//! in the middle of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, EffectiveIdentity, KeyId,
    Labels, MemoryId, Principal, PrincipalKind, SourceClass, Standing,
};
use testimony_recall::{Channel, Filters, TimeIntent, View};
use testimony_service::ports::embedder::Embedder;
use testimony_service::ports::index::{Cut, Index, IndexQuery, Meaning};
use testimony_service::ports::ledger::Ledger;
use testimony_service::work::Step;
use testimony_storage::index::{HybridIndex, LedgerReplay, Options, Replay};

use crate::reembed::Scene;
use crate::support::{at, place};

fn asker(scene: &Scene) -> EffectiveIdentity {
    let principal = Principal {
        key: scene.desk.id(KeyId::mint),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall]),
        source_app: None,
        agent: Some(AgentId::new("agent_id", "pilot").unwrap()),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    };
    let acted = principal.act(&place(), Capability::Recall, &Claim::default(), at(0));
    acted.unwrap().0
}

/// An index that has caught up with the ledger and follows it.
fn started(scene: &Scene) -> Arc<HybridIndex> {
    let index = Arc::new(HybridIndex::open(Options::default()).unwrap());
    scene.desk.ledger.observe(index.clone());
    let replay: Arc<dyn Replay> = Arc::new(LedgerReplay(scene.desk.ledger.clone()));
    index.catch_up(&replay).unwrap();
    index
}

/// The rows that are found by meaning alone, with the embedder that the container has now.
fn found(scene: &Scene, index: &HybridIndex, asker: &EffectiveIdentity) -> BTreeSet<MemoryId> {
    let is_old = scene.container_is_by() == *scene.old.identity();
    let embedder = if is_old { &scene.old } else { &scene.new };
    let vector = embedder
        .embed(&["berth 7 is free"])
        .unwrap()
        .pop()
        .flatten()
        .unwrap();
    let cut = Cut {
        standings: Standing::ALL,
        time: TimeIntent::Any,
        limit: 100,
    };
    let query = IndexQuery {
        identity: asker,
        view: View::Assistant,
        words: "",
        entities: &[],
        meaning: Some(Meaning {
            vector: &vector,
            embedder: embedder.identity(),
            calibration: None,
        }),
        filters: &Filters::default(),
        now: at(0),
        beside: 0,
        cuts: &[cut],
    };
    let hits = index.search(&query).unwrap().hits.into_iter();
    let by_meaning = hits.filter(|hit| hit.channels.get(Channel::Semantic).is_some());
    by_meaning.map(|hit| hit.memory).collect()
}

#[test]
fn every_row_is_found_by_meaning_after_every_step() {
    for restart_after in [None, Some(1), Some(2), Some(4)] {
        let scene = Scene::of(20);
        let (asker, all) = (
            asker(&scene),
            scene.rows.iter().copied().collect::<BTreeSet<_>>(),
        );
        let mut index = started(&scene);
        scene.order();
        let mut worker = scene.worker(1);
        let mut steps = 0;
        loop {
            assert_eq!(
                found(&scene, &index, &asker),
                all,
                "{restart_after:?}: {steps}"
            );
            if matches!(worker.run_once().unwrap(), Step::Idle(_)) {
                break;
            }
            steps += 1;
            if restart_after == Some(steps) {
                // Another process, which knows nothing of the walk.
                (index, worker) = (started(&scene), scene.worker(1));
            }
        }
        assert_eq!(scene.container_is_by(), *scene.new.identity());
        assert_eq!(scene.with_vector_by(&scene.old), 0);
    }
}
