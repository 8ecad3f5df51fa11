//! The scan is exact, and a container moves from one embedder to another without losing recall in between.

use std::sync::Arc;

use testimony_domain::{Capability, Labels, MemoryId, Standing};
use testimony_recall::{Channel, Filters, TimeIntent, View};
use testimony_service::ports::embedder::{Calibration, EmbedderIdentity, Point, Vector};
use testimony_service::ports::index::{Cut, Hit, Index, IndexError, IndexQuery, Meaning};
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Commit, CommitObserver, RowChange};
use testimony_storage::index::HybridIndex;

use crate::support::{NOW, at, container, id, identity, in_memory, row};

pub(crate) fn embedder(name: &str, dimensions: usize) -> EmbedderIdentity {
    EmbedderIdentity {
        name: name.to_owned(),
        revision: "1".to_owned(),
        dimensions,
    }
}

/// Directions without any structure, the same in every run.
pub(crate) fn noise(seed: u64, dimensions: usize) -> Vector {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    Vector::from_direction((0..dimensions).map(|_| next() + next() + next()).collect()).unwrap()
}

fn give(index: &HybridIndex, number: u64, by: &EmbedderIdentity, vector: Vector) {
    let memory = Arc::new(row(number, "a row"));
    let embedding = Embedding {
        memory: memory.id,
        embedder: by.clone(),
        vector,
    };
    let change = RowChange {
        seq: Seq(number + 1),
        before: None,
        after: Some(memory),
        embedding: Some(Arc::new(embedding)),
    };
    index.committed(&Commit {
        changes_access: false,
        reached: Seq(number + 1),
        changes: vec![change],
    });
}

fn ask(
    index: &HybridIndex,
    by: &EmbedderIdentity,
    vector: &Vector,
    calibration: Option<&Calibration>,
    limit: usize,
) -> Result<Vec<Hit>, IndexError> {
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    let meaning = Meaning {
        vector,
        embedder: by,
        calibration,
    };
    let query = IndexQuery {
        identity: &who,
        view: View::Assistant,
        words: "",
        entities: &[],
        meaning: Some(meaning),
        filters: &Filters::default(),
        now: at(NOW),
        beside: 0,
        cuts: &[Cut {
            standings: &[Standing::CleanPerson],
            time: TimeIntent::Current,
            limit,
        }],
    };
    index.search(&query).map(|found| found.hits)
}

#[test]
fn the_scan_finds_what_measuring_every_row_finds() {
    // So many rows that they are drawn; with more dimensions than a drawing has ways, and with fewer.
    const ROWS: u64 = 4_300;
    for dimensions in [96, 150] {
        let by = embedder("noise", dimensions);
        let index = in_memory();
        let rows: Vec<Vector> = (0..ROWS).map(|number| noise(number, dimensions)).collect();
        for (number, vector) in (0..).zip(&rows) {
            give(&index, number, &by, vector.clone());
        }
        for question in 0..12 {
            let asked = noise(10_000 + question, dimensions);
            let hits = ask(&index, &by, &asked, None, 10).unwrap();
            let cosines = rows.iter().map(|row| asked.cosine(row).unwrap());
            let mut exact: Vec<(f32, MemoryId)> = cosines.zip((0..ROWS).map(id)).collect();
            exact.sort_by(|one, other| other.0.total_cmp(&one.0));
            let bar = exact[9].0 - 1e-4;
            assert_eq!(hits.len(), 10);
            for hit in hits {
                let cosine = exact.iter().find(|(_, id)| *id == hit.memory).unwrap().0;
                assert!(
                    cosine >= bar,
                    "question {question}: {cosine} is under {bar}"
                );
            }
        }
    }
}

#[test]
fn a_container_moves_to_another_embedder_without_losing_recall() {
    let (old, new) = (embedder("old", 8), embedder("new", 16));
    let index = in_memory();
    for number in 0..6 {
        give(&index, number, &old, noise(number, 8));
    }
    for number in 0..6 {
        let with_old = ask(&index, &old, &noise(5, 8), None, 10).unwrap();
        assert_eq!(with_old[0].memory, id(5), "{number} rows have moved");
        give(&index, number, &new, noise(100 + number, 16));
        index.flush().unwrap();
        let with_new = ask(&index, &new, &noise(100 + number, 16), None, 10).unwrap();
        assert_eq!(with_new[0].memory, id(number));
    }
    // All have moved, so the old vectors are gone, and whoever still asks by them is told.
    let error = ask(&index, &old, &noise(5, 8), None, 10).unwrap_err();
    assert!(error.to_string().contains("new"), "{error}");
}

#[test]
fn a_likeness_is_what_the_calibration_makes_of_a_cosine() {
    let by = embedder("noise", 8);
    let index = in_memory();
    give(&index, 1, &by, noise(1, 8));
    let point = |cosine: f32, likeness: f32| Point { cosine, likeness };
    let half = Calibration::new("1", vec![point(0.0, 0.0), point(1.0, 0.5)]).unwrap();
    let hits = ask(&index, &by, &noise(1, 8), Some(&half), 1).unwrap();
    let said = hits[0].channels.get(Channel::Semantic).unwrap().get();
    assert!((said - 0.5).abs() < 1e-4, "{said}");
    let nothing = Calibration::new("2", vec![point(0.0, 0.0), point(1.0, 0.0)]).unwrap();
    assert_eq!(
        ask(&index, &by, &noise(1, 8), Some(&nothing), 1).unwrap(),
        []
    );
}
