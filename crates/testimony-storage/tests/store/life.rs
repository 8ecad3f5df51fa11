//! Opening and closing: what is written down, what is found at once, and who lets go of the folder.

use std::sync::Arc;

use testimony_service::ports::index::{Index, IndexState};
use testimony_storage::store::{Options, Store};

use crate::support::{Draft, Pen, Twin, make_places, open, quick};

fn fill(store: &Store, twin: &mut Twin, pen: &mut Pen, rows: usize) {
    for number in 0..rows {
        let draft = Draft {
            vector: Some(number as u8),
            ..Draft::default()
        };
        pen.write(&*store.ledger(), twin, &draft);
    }
}

#[test]
fn what_a_clean_close_wrote_down_is_there_when_the_store_opens() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    make_places(&*store.ledger());
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    fill(&store, &mut twin, &mut pen, 12);
    let reached = store.index().health().reached;
    store.close().unwrap();
    let store = Store::open(folder.path(), &quick()).unwrap();
    let health = store.index().health();
    assert_eq!((health.rows, health.reached), (12, reached));
    store.wait_until_followed().unwrap();
    assert_eq!(store.index().health().state, IndexState::Ready);
    assert_eq!(twin.complaint(&store), None);
}

#[test]
fn work_has_the_index_written_down_without_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        changes_a_snapshot: 5,
        ..quick()
    };
    let store = Store::open(folder.path(), &options).unwrap();
    make_places(&*store.ledger());
    store.wait_until_followed().unwrap();
    let manifest = folder.path().join("index").join("manifest.json");
    let before = std::fs::read(&manifest).ok();
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    // The keeper works beside this thread, so work goes on until it has.
    while std::fs::read(&manifest).ok() == before && pen.written < 10_000 {
        fill(&store, &mut twin, &mut pen, 5);
    }
    assert_ne!(std::fs::read(&manifest).ok(), before);
}

#[test]
fn a_store_in_memory_is_a_store() {
    let store = Store::open_in_memory().unwrap();
    make_places(&*store.ledger());
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    fill(&store, &mut twin, &mut pen, 7);
    assert_eq!(twin.complaint(&store), None);
    let examination = store.doctor(None).unwrap();
    assert!(examination.is_sound(), "{examination:#?}");
    store.close().unwrap();
}

#[test]
fn the_folder_is_free_when_nobody_holds_anything_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let (ledger, index): (_, Arc<dyn Index>) = (store.ledger(), store.index());
    drop(store);
    assert!(Store::open(folder.path(), &quick()).is_err());
    make_places(&*ledger);
    assert_eq!(index.health().reached, ledger.head().unwrap().seq);
    drop(ledger);
    drop(index);
    open(folder.path());
}
