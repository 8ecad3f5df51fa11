//! Graphs of near neighbours: what they find, what they never show, and when they go.

use std::sync::Arc;

use testimony_domain::{Capability, Labels, Memory, MemoryId, Plane, Standing, State};
use testimony_recall::{Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Hit, Index, IndexQuery, Meaning};
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Commit, CommitObserver, RowChange};
use testimony_storage::index::{GraphsBuilt, HybridIndex, Options};

use crate::meaning::{embedder, noise};
use crate::support::{NOW, at, container, id, identity, placed, row};

const DIMENSIONS: usize = 16;
const ROWS: u64 = 1_500;
/// The largest step that begins with 400, grows by a quarter, and is not above 1,500.
const IN_THE_GRAPH: usize = 1_220;

fn by() -> EmbedderIdentity {
    embedder("noise", DIMENSIONS)
}

fn open() -> HybridIndex {
    HybridIndex::open_with_graphs(Options::default(), Some(400)).unwrap()
}

fn shared(number: u64) -> Memory {
    row(number, "a row")
}

fn of_another(number: u64) -> Memory {
    placed(
        shared(number),
        container(0),
        3,
        Plane::Working,
        Labels::default(),
    )
}

fn tell(
    index: &HybridIndex,
    before: Option<Memory>,
    after: Option<Memory>,
    vector: Option<Vector>,
) {
    let memory = after.as_ref().or(before.as_ref()).map(|it| it.id).unwrap();
    let embedding = vector.map(|vector| Embedding {
        memory,
        embedder: by(),
        vector,
    });
    let change = RowChange {
        seq: Seq(1),
        before: before.map(Arc::new),
        after: after.map(Arc::new),
        embedding: embedding.map(Arc::new),
    };
    index.committed(&Commit {
        changes_access: false,
        reached: Seq(1),
        changes: vec![change],
    });
}

fn put(index: &HybridIndex, memory: Memory, seed: u64) {
    tell(index, None, Some(memory), Some(noise(seed, DIMENSIONS)));
}

fn filled() -> HybridIndex {
    let index = open();
    (0..ROWS).for_each(|number| put(&index, shared(number), number));
    index.make_graphs();
    index
}

fn ask(index: &HybridIndex, seed: u64, standings: &[Standing]) -> Vec<Hit> {
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    let (vector, by) = (noise(seed, DIMENSIONS), by());
    let query = IndexQuery {
        identity: &who,
        view: View::Assistant,
        words: "",
        entities: &[],
        meaning: Some(Meaning {
            vector: &vector,
            embedder: &by,
            calibration: None,
        }),
        filters: &Filters::default(),
        now: at(NOW),
        beside: 0,
        cuts: &[Cut {
            standings,
            time: TimeIntent::Any,
            limit: 10,
        }],
    };
    index.search(&query).unwrap().hits
}

fn ids(hits: &[Hit]) -> Vec<MemoryId> {
    hits.iter().map(|hit| hit.memory).collect()
}

/// How many of the ten best that a scan finds are found.
fn found_of_the_best(index: &HybridIndex, scanned: &HybridIndex) -> (usize, usize) {
    let of_one = |question: u64| {
        let best = ids(&ask(scanned, question, Standing::ALL));
        let found = ids(&ask(index, question, Standing::ALL));
        (
            best.iter().filter(|it| found.contains(it)).count(),
            best.len(),
        )
    };
    let counts = (10_000..10_060).map(of_one);
    counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

#[test]
fn a_graph_finds_nearly_all_of_the_best_and_the_rest_is_scanned() {
    let index = filled();
    let built = GraphsBuilt {
        graphs: 1,
        rows: IN_THE_GRAPH,
    };
    assert_eq!(index.graphs(), built);
    let scanned = HybridIndex::open_with_graphs(Options::default(), None).unwrap();
    (0..ROWS).for_each(|number| put(&scanned, shared(number), number));
    scanned.make_graphs();
    assert_eq!(scanned.graphs(), GraphsBuilt::default());
    let (found, best) = found_of_the_best(&index, &scanned);
    assert_eq!(best, 600);
    assert!(found >= 594, "{found} of {best}");
    // A row that came after the graph is found at once.
    put(&index, shared(5_000), 77_000);
    assert_eq!(ids(&ask(&index, 77_000, Standing::ALL))[0], id(5_000));
}

#[test]
fn a_narrow_cut_is_scanned_and_finds_everything() {
    let index = filled();
    let over = |number: u64| Memory {
        state: State::Superseded,
        ..shared(number)
    };
    for number in [3, 300, 900, 1_499] {
        tell(&index, Some(shared(number)), Some(over(number)), None);
    }
    assert_eq!(index.graphs().graphs, 1, "who sees a row did not change");
    let mut found = ids(&ask(&index, 1, &[Standing::Superseded]));
    found.sort_unstable();
    let positive = |number: &u64| {
        noise(*number, DIMENSIONS)
            .cosine(&noise(1, DIMENSIONS))
            .unwrap()
            > 1e-3
    };
    let expected: Vec<MemoryId> = [3, 300, 900, 1_499]
        .into_iter()
        .filter(positive)
        .map(id)
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_row_that_goes_takes_the_graph_with_it() {
    type Change = fn(&HybridIndex);
    let changes: [Change; 4] = [
        |index| tell(index, Some(shared(7)), None, None),
        |index| tell(index, Some(shared(7)), Some(of_another(7)), None),
        |index| put(index, shared(7), 123_456),
        |index| index.purge(&[id(7)]).unwrap(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let index = filled();
        assert_eq!(ids(&ask(&index, 7, Standing::ALL))[0], id(7));
        change(&index);
        assert_eq!(index.graphs(), GraphsBuilt::default(), "change {number}");
        assert!(!ids(&ask(&index, 7, Standing::ALL)).contains(&id(7)));
        index.make_graphs();
        assert_eq!(index.graphs().rows, IN_THE_GRAPH, "change {number}");
        assert!(!ids(&ask(&index, 7, Standing::ALL)).contains(&id(7)));
    }
    // Rows that it does not hold, and vectors that are as they were, leave it alone.
    let index = filled();
    put(&index, shared(7), 7);
    put(&index, shared(ROWS - 1), 123_456);
    put(&index, of_another(9_000), 7);
    assert_eq!(index.graphs().graphs, 1);
}

#[test]
fn foreign_rows_around_and_graphs_of_them_change_no_bit_of_an_answer() {
    let alone = filled();
    let crowded = open();
    for number in 0..ROWS {
        put(&crowded, of_another(20_000 + number * 7 % ROWS), number);
        put(&crowded, shared(number), number);
        put(&crowded, of_another(10_000 + number), 50_000 + number);
    }
    crowded.make_graphs();
    assert_eq!(crowded.graphs().graphs, 2);
    for question in 0..60 {
        let asked = ask(&alone, 40_000 + question, Standing::ALL);
        assert_eq!(asked, ask(&crowded, 40_000 + question, Standing::ALL));
    }
    // And nothing that becomes of foreign rows shows.
    let before = ask(&crowded, 1, Standing::ALL);
    crowded.purge(&[id(10_001), id(20_005)]).unwrap();
    assert_eq!(crowded.graphs().graphs, 1);
    assert_eq!(before, ask(&crowded, 1, Standing::ALL));
    crowded.make_graphs();
    assert_eq!(before, ask(&crowded, 1, Standing::ALL));
}

#[test]
fn rows_that_leave_while_a_graph_is_made_are_not_in_it() {
    let index = Arc::new(open());
    (0..ROWS).for_each(|number| put(&index, shared(number), number));
    let maker = Arc::clone(&index);
    let making = std::thread::spawn(move || maker.make_graphs());
    // Rows that leave meanwhile stop what is being made, and it is begun again or given up; nobody waits for ever.
    (0..20).for_each(|number| tell(&index, Some(shared(number)), None, None));
    index.purge(&[id(30)]).unwrap();
    making.join().unwrap();
    let held = ids(&ask(&index, 30, Standing::ALL));
    assert!(!held.contains(&id(30)) && !held.contains(&id(3)));
    drop(index);
}
