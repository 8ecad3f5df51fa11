//! Nobody but its owner looks into the folder of a store.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use testimony_storage::store::{Options, Store};

use crate::support::make_places;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// What others may do something with, of everything that lies directly in a folder.
fn open_to_others(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let open = entries.map(|entry| entry.unwrap().path());
    let open = open.filter(|path| mode(path) & 0o077 != 0);
    open.map(|path| path.display().to_string()).collect()
}

fn use_it(folder: &Path) -> Store {
    let store = Store::open(folder, &Options::default()).unwrap();
    store.wait_until_followed().unwrap();
    store
}

#[test]
fn what_is_made_is_made_for_its_owner_alone() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("new/memory");
    let store = use_it(&folder);
    make_places(&*store.ledger());
    store.snapshot().unwrap();
    assert!(folder.join("ledger.sqlite-wal").exists());
    assert_eq!((mode(&folder), mode(&folder.join("index"))), (0o700, 0o700));
    assert_eq!(open_to_others(&folder), [""; 0]);
    let backup = around.path().join("backup.sqlite");
    store.backup_to(&backup).unwrap();
    assert_eq!(mode(&backup), 0o600);
}

#[test]
fn a_folder_that_others_may_read_is_closed_to_them() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    drop(use_it(folder.path()));
    assert_eq!(mode(folder.path()), 0o700);

    // As an earlier program left it.
    for name in ["ledger.sqlite", "ledger.lock", "erasures.list"] {
        set_mode(&folder.path().join(name), 0o644);
    }
    for path in [folder.path().join("index"), folder.path().to_owned()] {
        set_mode(&path, 0o755);
    }
    assert_ne!(open_to_others(folder.path()), [""; 0], "the canary");
    let store = use_it(folder.path());
    make_places(&*store.ledger());
    assert_eq!(mode(folder.path()), 0o700);
    assert_eq!(open_to_others(folder.path()), [""; 0]);
}

#[test]
fn a_folder_for_everybody_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o1777);
    drop(use_it(folder.path()));
    assert_eq!(mode(folder.path()), 0o777);
    assert_eq!(open_to_others(folder.path()), [""; 0]);
}
