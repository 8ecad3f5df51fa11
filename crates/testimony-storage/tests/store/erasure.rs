//! What was erased is gone from the files of the index when the erasure answers, and no backup brings it back.

use std::path::Path;

use testimony_domain::{MemoryId, SourceLabel};
use testimony_service::ports::ledger::erasure::Target;
use testimony_storage::ledger::SqliteLedger;
use testimony_storage::store::Store;

use crate::making::{act, place};
use crate::support::{
    Draft, Pen, Twin, copy, erase, leaves_files, make_places, open, quick, traces,
};

/// A store with rows in memory and in files, some of them from a mailbox.
fn filled(folder: &Path) -> (Store, Twin) {
    let store = open(folder);
    make_places(&*store.ledger());
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    for number in 0..24 {
        let draft = Draft {
            from_mail: number % 4 == 0,
            vector: Some(number as u8),
            ..Draft::default()
        };
        pen.write(&*store.ledger(), &mut twin, &draft);
        if number % 10 == 9 {
            store.snapshot().unwrap();
        }
    }
    (store, twin)
}

fn from_mail() -> Target {
    Target::Source(place(0), SourceLabel::new("source", "mail").unwrap())
}

fn words_of(twin: &Twin, ids: &[MemoryId]) -> Vec<String> {
    ids.iter().map(|id| twin.rows[id].word.clone()).collect()
}

#[test]
fn an_erasure_answers_when_the_files_of_the_index_hold_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut twin) = filled(folder.path());
    store.snapshot().unwrap();
    let all: Vec<MemoryId> = twin.rows.keys().copied().collect();
    let before = traces(folder.path(), words_of(&twin, &all));
    assert!(before.len() >= all.len(), "the words stand in files before");
    let erased = erase(&*store.ledger(), &mut twin, from_mail());
    assert_eq!(erased.len(), 6);
    assert_eq!(
        traces(folder.path(), words_of(&twin, &erased)),
        [""; 0],
        "nothing of it is left"
    );
    assert!(!leaves_files(folder.path()));
    assert_eq!(twin.complaint(&store), None);
    assert!(store.doctor(None).unwrap().is_sound());
}

#[test]
fn an_erasure_that_was_cut_short_is_finished_before_the_store_opens() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut twin) = filled(folder.path());
    store.close().unwrap();
    // The ledger alone is what a crash between its commit and the purge of the index leaves behind.
    let alone = SqliteLedger::open(folder.path(), &quick().ledger).unwrap();
    let erased = erase(&alone, &mut twin, from_mail());
    drop(alone);
    let words = words_of(&twin, &erased);
    assert!(!traces(folder.path(), words.clone()).is_empty());
    let store = Store::open(folder.path(), &quick()).unwrap();
    assert_eq!(
        traces(folder.path(), words.clone()),
        [""; 0],
        "before anything else"
    );
    store.wait_until_followed().unwrap();
    assert_eq!(twin.complaint(&store), None);
    store.close().unwrap();
    // And it is remembered as finished: the next start takes the index as it lies there.
    let store = Store::open(folder.path(), &quick()).unwrap();
    assert_eq!(store.index().health().rows, 18, "nothing had to be built");
    store.wait_until_followed().unwrap();
    assert_eq!(traces(folder.path(), words), [""; 0]);
    assert_eq!(twin.complaint(&store), None);
}

#[test]
fn a_backup_from_before_an_erasure_brings_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut twin) = filled(folder.path());
    store.snapshot().unwrap();
    let aside = tempfile::tempdir().unwrap();
    let backup = aside.path().join("backup.sqlite");
    store.backup_to(&backup).unwrap();
    // Somebody keeps the index as well, and puts it where the ledger is restored.
    let restored_at = tempfile::tempdir().unwrap();
    copy(
        &folder.path().join("index"),
        &restored_at.path().join("index"),
    );
    let erased = erase(&*store.ledger(), &mut twin, from_mail());
    let list = folder.path().join("erasures.list");
    let restored = Store::restore(&backup, restored_at.path(), &[&list], act(9), &quick()).unwrap();
    restored.wait_until_followed().unwrap();
    assert_eq!(twin.complaint(&restored), None);
    assert!(restored.doctor(None).unwrap().is_sound());
    restored.snapshot().unwrap();
    assert_eq!(
        traces(restored_at.path(), words_of(&twin, &erased)),
        [""; 0]
    );
}

#[test]
fn an_older_copy_of_the_ledger_brings_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut twin) = filled(folder.path());
    store.close().unwrap();
    let older = tempfile::tempdir().unwrap();
    copy(folder.path(), older.path());
    let store = open(folder.path());
    let erased = erase(&*store.ledger(), &mut twin, from_mail());
    store.close().unwrap();
    // Database and index are set back; the erasure list and the mark of the purge stay as they are.
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = std::fs::remove_file(folder.path().join(name));
    }
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    std::fs::copy(
        older.path().join("ledger.sqlite"),
        folder.path().join("ledger.sqlite"),
    )
    .unwrap();
    copy(&older.path().join("index"), &folder.path().join("index"));
    let store = open(folder.path());
    assert_eq!(twin.complaint(&store), None);
    assert_eq!(traces(folder.path(), words_of(&twin, &erased)), [""; 0]);
}

/// The canary: without the purge the words are still there.
#[test]
fn an_erasure_past_the_store_leaves_traces() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut twin) = filled(folder.path());
    store.close().unwrap();
    let alone = SqliteLedger::open(folder.path(), &quick().ledger).unwrap();
    let erased = erase(&alone, &mut twin, from_mail());
    let left = traces(folder.path(), words_of(&twin, &erased));
    assert!(left.len() >= erased.len(), "{left:?}");
}
