//! Whatever happens to the files of an index: it opens, says why it has to be built again, and finds the same rows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use testimony_domain::{Capability, Labels, MemoryId};
use testimony_service::ports::index::{Index, IndexState};
use testimony_storage::index::{HybridIndex, Options, Replay};

use crate::support::{Asking, FakeLedger, container, id, identity, on_disk, row};

fn asking() -> Asking {
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    Asking {
        meaning: Some(4),
        ..Asking::of(who, "blue harbour crane")
    }
}

fn filled() -> Arc<FakeLedger> {
    let ledger = FakeLedger::default();
    for number in 0..12 {
        let text = ["the blue harbour", "a crane", "paintings of the harbour"][number as usize % 3];
        ledger.put(&row(number, text), Some(number as u8), None);
    }
    Arc::new(ledger)
}

/// Every file of the snapshot, and the manifest.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let is_work = path.file_name().is_some_and(|name| name == "work");
            match path.is_dir() {
                true if !is_work => folders.push(path),
                true => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

fn open(folder: &Path) -> HybridIndex {
    HybridIndex::open(Options {
        folder: Some(folder.to_owned()),
        ledger: "sample".into(),
    })
    .unwrap()
}

fn reason(index: &HybridIndex) -> String {
    match index.health().state {
        IndexState::Rebuilding { because } => because,
        state => panic!("{state:?}"),
    }
}

/// Opens a damaged folder: nothing is found until the ledger is read, and then the same as before.
fn is_built_again(folder: &Path, ledger: &Arc<FakeLedger>, what: &str) -> String {
    let expected = asking().ask(&on_disk(tempfile::tempdir().unwrap().path(), ledger));
    let index = open(folder);
    let because = reason(&index);
    assert_eq!(index.health().reached.0, 0, "{what}: {because}");
    let replay: Arc<dyn Replay> = Arc::<FakeLedger>::clone(ledger);
    index.catch_up(&replay).unwrap();
    assert_eq!(asking().ask(&index).hits, expected.hits, "{what}");
    assert_eq!(index.health().state, IndexState::Ready, "{what}");
    because
}

/// Writes a snapshot, damages each of its files in turn, and opens it.
fn damaged_by(what: &str, damage: impl Fn(&Path)) {
    let ledger = filled();
    let folder = tempfile::tempdir().unwrap();
    let snapshot = || on_disk(folder.path(), &ledger).snapshot().unwrap();
    snapshot();
    let count = files(folder.path()).len();
    // The manifest, the rows, and what the words are kept in.
    assert!(count > 2, "{count}");
    for at in 0..count {
        let files = files(folder.path());
        damage(&files[at]);
        is_built_again(
            folder.path(),
            &ledger,
            &format!("{what}: {}", files[at].display()),
        );
        snapshot();
    }
}

#[test]
fn a_snapshot_is_taken_up_again() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    let first = on_disk(folder.path(), &ledger);
    let expected = asking().ask(&first);
    assert_eq!(first.snapshot().unwrap().0, 12);
    drop(first);
    // Without any ledger, all of it is there.
    let again = open(folder.path());
    assert_eq!(asking().ask(&again).hits, expected.hits);
    assert_eq!((again.health().reached.0, again.health().rows), (12, 12));
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    damaged_by("flipped", |path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    });
}

#[test]
fn a_file_that_is_cut_short_is_noticed() {
    damaged_by("cut short", |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
    });
}

#[test]
fn a_missing_file_is_noticed() {
    damaged_by("missing", |path| fs::remove_file(path).unwrap());
}

/// Has the manifest vouch for a file as it is now.
fn seal(folder: &Path, file: &Path) {
    let manifest = folder.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let (_, text) = text.split_once('\n').unwrap();
    let mut told: serde_json::Value = serde_json::from_str(text).unwrap();
    let bytes = fs::read(file).unwrap();
    for sealed in told["files"].as_array_mut().unwrap() {
        if file.ends_with(sealed["path"].as_str().unwrap()) {
            sealed["bytes"] = bytes.len().into();
            sealed["crc32"] = crc32fast::hash(&bytes).into();
        }
    }
    let text = told.to_string();
    let check = crc32fast::hash(text.as_bytes());
    fs::write(manifest, format!("{check:08x}\n{text}")).unwrap();
}

#[test]
fn rows_that_somebody_altered_with_their_checksum_are_taken_or_refused_and_never_end_it() {
    const STEP: usize = 11;
    let ledger = filled();
    let folder = tempfile::tempdir().unwrap();
    on_disk(folder.path(), &ledger).snapshot().unwrap();
    let all = files(folder.path());
    let rows = all.iter().find(|path| path.ends_with("rooms")).unwrap();
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    let sound = fs::read(rows).unwrap();
    let mut refused = 0;
    for at in (0..sound.len()).step_by(STEP) {
        let mut bytes = sound.clone();
        // A large number where a count, a place or a length stands.
        bytes
            .iter_mut()
            .skip(at)
            .take(4)
            .for_each(|byte| *byte = 0xfe);
        let copy = tempfile::tempdir().unwrap();
        copy_into(folder.path(), copy.path());
        let altered = copy.path().join(rows.strip_prefix(folder.path()).unwrap());
        fs::write(&altered, bytes).unwrap();
        seal(copy.path(), &altered);
        let index = open(copy.path());
        refused += u32::from(index.health().rows == 0);
        asking().ask(&index);
    }
    assert!(refused > 0, "nothing was refused");
    // What was vouched for was there, and is whole.
    assert_eq!(
        fs::read(folder.path().join("manifest.json")).unwrap(),
        manifest
    );
    seal(folder.path(), rows);
    assert_eq!(open(folder.path()).health().rows, 12);
}

/// Copies a folder with everything in it.
fn copy_into(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&copy).unwrap();
            copy_into(&path, &copy);
        } else {
            fs::copy(&path, &copy).unwrap();
        }
    }
}

#[test]
fn swapped_files_are_noticed() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    on_disk(folder.path(), &ledger).snapshot().unwrap();
    let files: Vec<PathBuf> = files(folder.path())
        .into_iter()
        .filter(|path| !path.ends_with("manifest.json"))
        .collect();
    let (first, last) = (&files[0], &files[files.len() - 1]);
    let (one, other) = (fs::read(first).unwrap(), fs::read(last).unwrap());
    fs::write(first, other).unwrap();
    fs::write(last, one).unwrap();
    assert!(is_built_again(folder.path(), &ledger, "swapped").contains("damaged"));
}

#[test]
fn a_snapshot_of_another_ledger_is_thrown_away() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    on_disk(folder.path(), &ledger).snapshot().unwrap();
    let other = HybridIndex::open(Options {
        folder: Some(folder.path().to_owned()),
        ledger: "other".into(),
    })
    .unwrap();
    assert!(reason(&other).contains("another ledger"));
    assert!(asking().ask(&other).hits.is_empty());
}

#[test]
fn a_ledger_that_was_set_back_is_read_anew() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    on_disk(folder.path(), &ledger).snapshot().unwrap();
    // The same sequences, and another history behind them.
    let other = Arc::new(FakeLedger::of_history(9));
    for number in 0..14 {
        other.put(&row(50 + number, "a blue harbour elsewhere"), None, None);
    }
    let found = asking().ids(&on_disk(folder.path(), &other));
    assert_eq!(found.len(), 14);
    assert!(found.iter().all(|found| *found >= id(50)));
}

#[test]
fn a_half_written_snapshot_is_none() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    on_disk(folder.path(), &ledger).snapshot().unwrap();
    // The folder of a snapshot that was being written when the power went.
    let started = folder.path().join("snapshot-7");
    fs::create_dir_all(started.join("words")).unwrap();
    fs::write(started.join("rooms"), b"half").unwrap();
    fs::write(folder.path().join("manifest.json.draft"), b"half").unwrap();
    let index = open(folder.path());
    assert_eq!(index.health().reached.0, 12);
    assert!(!started.exists());
}

#[test]
fn while_it_is_built_it_answers_with_what_it_has() {
    let (ledger, index) = (
        FakeLedger::default(),
        HybridIndex::open(Options::default()).unwrap(),
    );
    assert!(reason(&index).contains("memory"));
    // A commit that comes before the replay is found at once, and a replay of its past does not undo it.
    ledger.put(&row(1, "a crane"), None, None);
    let old = FakeLedger::default();
    old.put(&row(1, "a crane"), None, None);
    let newer = testimony_domain::Memory {
        state: testimony_domain::State::Rejected,
        ..row(1, "a crane")
    };
    ledger.put(&newer, None, Some(&index));
    ledger.put(&row(2, "a blue harbour"), None, Some(&index));
    assert_eq!(asking().ids(&index), [id(2)]);
    let replay: Arc<dyn Replay> = Arc::new(old);
    index.catch_up(&replay).unwrap();
    assert_eq!(asking().ids(&index), [id(2)] as [MemoryId; 1]);
    assert_eq!(index.health().reached.0, 3);
}

// Words that are in memory wait for nothing.
#[cfg(feature = "tantivy")]
#[test]
fn what_cannot_be_written_is_answered_from_memory() {
    let (ledger, folder) = (filled(), tempfile::tempdir().unwrap());
    let index = on_disk(folder.path(), &ledger);
    fs::remove_dir_all(folder.path().join("work")).unwrap();
    ledger.put(&row(20, "another blue harbour"), Some(2), Some(&index));
    assert!(index.flush().is_err());
    let because = index.health().state;
    assert!(
        matches!(because, IndexState::Degraded { .. }),
        "{because:?}"
    );
    assert!(asking().ids(&index).contains(&id(20)));
    assert!(asking().ids(&index).contains(&id(0)));
    drop(index);
    assert_eq!(asking().ids(&on_disk(folder.path(), &ledger)).len(), 13);
}
