//! Files of the index that are gone or altered: it is built anew, and holds what the ledger holds.

use std::path::{Path, PathBuf};

use testimony_domain::Event;
use testimony_storage::store::Store;

use crate::making::{Dice, chosen};
use crate::support::{Draft, Pen, Twin, change, copy, make_places, open};

/// A closed store in a folder, and what is in it.
fn closed_store(folder: &Path) -> Twin {
    let store = open(folder);
    make_places(&*store.ledger());
    let (mut pen, mut twin) = (Pen::default(), Twin::default());
    for number in 0..40 {
        let draft = Draft {
            place: number % 2,
            pending: number % 5 == 0,
            vector: (number % 3 > 0).then_some(number as u8),
            ..Draft::default()
        };
        let id = pen.write(&*store.ledger(), &mut twin, &draft);
        if number % 7 == 0 {
            change(&*store.ledger(), &mut twin, id, Event::Supersede);
        }
    }
    store.close().unwrap();
    twin
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What is wrong after a start; nothing when the index holds what the ledger holds.
fn complaint(folder: &Path, twin: &Twin) -> Option<String> {
    let store: Store = open(folder);
    let examination = store.doctor(None).unwrap();
    if !examination.is_sound() {
        return Some(format!("{examination:#?}"));
    }
    twin.complaint(&store)
}

#[test]
fn an_index_with_any_file_deleted_is_built_anew() {
    let whole = tempfile::tempdir().unwrap();
    let twin = closed_store(whole.path());
    let names = files(&whole.path().join("index"));
    assert!(names.len() > 2, "there are files to lose");
    for name in &names {
        let folder = tempfile::tempdir().unwrap();
        copy(whole.path(), folder.path());
        std::fs::remove_file(folder.path().join(name.strip_prefix(whole.path()).unwrap())).unwrap();
        assert_eq!(complaint(folder.path(), &twin), None, "without {name:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    copy(whole.path(), folder.path());
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    assert_eq!(complaint(folder.path(), &twin), None, "without any");
}

#[test]
fn an_index_with_flipped_bytes_is_built_anew() {
    let seed = chosen("STORE_SEED", 4_812);
    let rounds = chosen("STORE_FLIPS", 30);
    println!("seed {seed}, {rounds} rounds");
    let mut dice = Dice(seed);
    let whole = tempfile::tempdir().unwrap();
    let twin = closed_store(whole.path());
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        copy(whole.path(), folder.path());
        let names = files(&folder.path().join("index"));
        let name = &names[usize::try_from(dice.below(names.len() as u64)).unwrap()];
        let mut bytes = std::fs::read(name).unwrap();
        for _ in 0..=dice.below(4) {
            if !bytes.is_empty() {
                let at = usize::try_from(dice.below(bytes.len() as u64)).unwrap();
                bytes[at] ^= 1 << dice.below(8);
            }
        }
        if dice.below(4) == 0 {
            bytes.truncate(bytes.len() / 2);
        }
        std::fs::write(name, bytes).unwrap();
        let complaint = complaint(folder.path(), &twin);
        assert_eq!(complaint, None, "seed {seed}, round {round}, {name:?}");
    }
}

#[test]
fn a_twin_that_lacks_a_row_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let mut twin = closed_store(folder.path());
    assert_eq!(complaint(folder.path(), &twin), None);
    twin.rows.pop_first();
    assert!(complaint(folder.path(), &twin).is_some());
}
