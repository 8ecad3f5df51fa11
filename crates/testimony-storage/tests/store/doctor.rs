//! The doctor finds what differs between ledger and index, repairs it, and looks while others write.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use testimony_domain::{Memory, MemoryId, State};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Commit, RowChange};
use testimony_storage::store::{IndexFindingKind, Store};

use crate::making::Maker;
use crate::support::{Draft, Pen, Twin, embedding, make_places, open};

/// Tells the index alone of a change that never was.
fn lie(
    store: &Store,
    before: Option<&Memory>,
    after: Option<&Memory>,
    embedding: Option<Embedding>,
) {
    let index = store.index();
    let reached = index.health().reached;
    index.committed(&Commit {
        changes_access: false,
        reached,
        changes: vec![RowChange {
            seq: reached,
            before: before.cloned().map(Arc::new),
            after: after.cloned().map(Arc::new),
            embedding: embedding.map(Arc::new),
        }],
    });
}

fn findings(store: &Store) -> Vec<(IndexFindingKind, Option<MemoryId>)> {
    let examination = store.doctor(None).unwrap();
    assert_eq!(examination.ledger, []);
    let index = examination.index.into_iter();
    index
        .map(|finding| (finding.kind, finding.memory))
        .collect()
}

#[test]
fn every_difference_is_found_named_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    make_places(&*store.ledger());
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    let draft = Draft {
        vector: Some(3),
        ..Draft::default()
    };
    for _ in 0..6 {
        pen.write(&*store.ledger(), &mut twin, &draft);
    }
    assert_eq!(findings(&store), []);
    let rows: Vec<Memory> = twin.rows.values().map(|row| row.memory.clone()).collect();
    let stranger = Maker::numbered(99).memory(0, "a row that nobody wrote", Vec::new());
    let pending = Memory {
        state: State::Pending,
        ..rows[1].clone()
    };
    let reworded = Memory {
        content: testimony_domain::Redacted::attest("other words"),
        ..rows[2].clone()
    };
    lie(&store, Some(&rows[0]), None, None);
    lie(&store, Some(&rows[1]), Some(&pending), None);
    let vector = embedding(rows[2].id, 3);
    lie(&store, Some(&rows[2]), Some(&reworded), Some(vector));
    lie(&store, Some(&rows[3]), None, None);
    lie(&store, None, Some(&rows[3]), None);
    lie(&store, None, Some(&stranger), None);
    let mut found = findings(&store);
    found.sort_unstable_by_key(|(kind, memory)| (kind.to_string(), *memory));
    let expected = [
        (IndexFindingKind::Ghost, Some(stranger.id)),
        (IndexFindingKind::Missing, Some(rows[0].id)),
        (IndexFindingKind::NoVector, Some(rows[3].id)),
        (IndexFindingKind::Stale, Some(rows[1].id)),
        (IndexFindingKind::Stale, Some(rows[2].id)),
    ];
    assert_eq!(found, expected);
    assert!(twin.complaint(&store).is_some(), "and each changes answers");
    let repaired = store.repair(None).unwrap();
    assert!(repaired.is_sound(), "{repaired:#?}");
    assert_eq!(repaired.rows, rows.len() as u64);
    assert_eq!(twin.complaint(&store), None);
}

#[test]
fn every_finding_says_what_to_do() {
    for kind in IndexFindingKind::ALL {
        assert!(!kind.remedy().is_empty(), "{kind}");
    }
}

#[test]
fn it_finds_nothing_wrong_while_others_write() {
    let store = Arc::new(Store::open_in_memory().unwrap());
    make_places(&*store.ledger());
    let over = Arc::new(AtomicBool::new(false));
    let written: [Arc<AtomicUsize>; 2] = Default::default();
    let writer = |(number, written): (usize, &Arc<AtomicUsize>)| {
        let (store, over, written) = (Arc::clone(&store), Arc::clone(&over), Arc::clone(written));
        thread::spawn(move || {
            let mut pen = Pen {
                maker: Maker::numbered(number as u64),
                written: number * 1_000_000,
            };
            let (ledger, mut twin) = (store.ledger(), Twin::default());
            let draft = Draft {
                place: number,
                vector: Some(1),
                ..Draft::default()
            };
            while !over.load(Ordering::Relaxed) {
                pen.write(&*ledger, &mut twin, &draft);
                written.fetch_add(1, Ordering::Relaxed);
            }
        })
    };
    let writers: Vec<_> = written.iter().enumerate().map(writer).collect();
    // Each of them is at it before the last looks.
    let wrote = || written.iter().all(|one| one.load(Ordering::Relaxed) > 0);
    let mut round = 0;
    while round < 8 || !wrote() {
        let examination = store.doctor(None).unwrap();
        assert!(examination.is_sound(), "round {round}: {examination:#?}");
        round += 1;
    }
    over.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.join().unwrap();
    }
}
