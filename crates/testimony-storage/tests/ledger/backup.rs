//! Backups while writers write, and restoring only what is sound into a place that is empty.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{Ledger, Page};
use testimony_storage::ledger::{OpenError, Options, SqliteLedger};

use crate::support::{Maker, act, all_events, keep, make_places, whole_chain};

#[test]
fn a_backup_is_one_consistent_state_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default();
    let ledger = Arc::new(SqliteLedger::open(folder.path(), &options).unwrap());
    make_places(&*ledger, 1);
    let over = Arc::new(AtomicBool::new(false));
    let writing = {
        let (ledger, over) = (Arc::clone(&ledger), Arc::clone(&over));
        thread::spawn(move || {
            let maker = Maker::default();
            while !over.load(Ordering::Relaxed) {
                keep(&*ledger, &maker, "written meanwhile");
            }
        })
    };
    let backups = tempfile::tempdir().unwrap();
    let mut heads = Vec::new();
    for number in 0..5 {
        let path = backups.path().join(format!("{number}.sqlite"));
        heads.push((ledger.backup_to(&path).unwrap(), path));
    }
    over.store(true, Ordering::Relaxed);
    writing.join().unwrap();
    for (report, path) in heads {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let rights = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(rights & 0o777, 0o600, "a backup holds everything");
        }
        let folder = tempfile::tempdir().unwrap();
        let restored = SqliteLedger::restore(&path, folder.path(), &[], act(9), &options).unwrap();
        assert_eq!(whole_chain(&restored).seq, report.head.seq.next());
        let reader = restored.reader().unwrap();
        let rows = reader.list(&MemoryFilter::default(), Page::first(usize::MAX));
        let events = all_events(&*reader).len();
        assert_eq!(
            events,
            2 + 2 * rows.unwrap().len(),
            "no piece of work is there in part"
        );
    }
    let left = std::fs::read_dir(backups.path()).unwrap().count();
    assert_eq!(left, 5, "nothing stands beside a backup");
}

#[test]
fn what_is_not_sound_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default();
    let ledger = SqliteLedger::open(folder.path(), &options).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    for number in 0..50 {
        keep(&ledger, &maker, &format!("row {number} ").repeat(30));
    }
    let backups = tempfile::tempdir().unwrap();
    let backup = backups.path().join("sound.sqlite");
    ledger.backup_to(&backup).unwrap();
    let taken = ledger.backup_to(&backup).unwrap_err();
    assert!(matches!(taken, OpenError::Taken { .. }), "{taken}");
    drop(ledger);
    let taken = SqliteLedger::restore(&backup, folder.path(), &[], act(9), &options);
    assert!(matches!(taken.err().unwrap(), OpenError::Taken { .. }));

    let damaged = backups.path().join("damaged.sqlite");
    std::fs::copy(&backup, &damaged).unwrap();
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .open(&damaged)
        .unwrap();
    file.seek(SeekFrom::Start(5 * 4_096)).unwrap();
    file.write_all(&[0x5a; 2_048]).unwrap();
    let foreign = backups.path().join("foreign.sqlite");
    let other = rusqlite::Connection::open(&foreign).unwrap();
    other
        .execute_batch("CREATE TABLE notes (text TEXT)")
        .unwrap();
    drop(other);
    for path in [&damaged, &foreign, &backups.path().join("none.sqlite")] {
        let empty = tempfile::tempdir().unwrap();
        let refused = SqliteLedger::restore(path, empty.path(), &[], act(9), &options);
        println!("{}", refused.err().unwrap());
        assert!(!empty.path().join("ledger.sqlite").exists());
    }
    let whole = std::fs::metadata(&backup).unwrap().len();
    for left in [whole / 2, 2_000] {
        let torn = backups.path().join(format!("torn-at-{left}"));
        std::fs::copy(&backup, &torn).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&torn).unwrap();
        file.set_len(left).unwrap();
        let empty = tempfile::tempdir().unwrap();
        let refused = SqliteLedger::restore(&torn, empty.path(), &[], act(9), &options);
        let said = refused.err().unwrap().to_string();
        assert!(
            said.contains("torn-at-") && !said.contains("ledger.sqlite"),
            "the file that was named is to blame: {said}"
        );
    }
}

#[test]
fn a_line_of_the_list_of_erasures_that_is_damaged_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default();
    drop(SqliteLedger::open(folder.path(), &options).unwrap());
    let list = folder.path().join("erasures.list");
    let mut file = std::fs::File::create(&list).unwrap();
    file.write_all(b"no line of ours\n").unwrap();
    let refused = SqliteLedger::open(folder.path(), &options).err().unwrap();
    assert!(matches!(refused, OpenError::List { line: 1, .. }));
    let said = refused.to_string();
    assert!(
        said.contains("erasures.list") && !said.contains("ledger is damaged"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_backup_takes_the_place_of_nothing_that_is_there() {
    use std::os::unix::fs::FileTypeExt as _;
    use std::os::unix::net::UnixListener;

    let (folder, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    let path = |name: &str| place.path().join(name);
    std::os::unix::fs::symlink(path("nowhere"), path("dangling")).unwrap();
    std::os::unix::fs::symlink("/dev/null", path("device")).unwrap();
    let listener = UnixListener::bind(path("socket")).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    std::fs::File::create(path("file"))
        .and_then(|mut file| file.write_all(b"kept"))
        .unwrap();
    for name in ["dangling", "device", "socket", "folder", "file"] {
        let before = std::fs::symlink_metadata(path(name)).unwrap().file_type();
        let refused = ledger.backup_to(&path(name)).unwrap_err();
        assert!(
            matches!(refused, OpenError::Taken { .. }),
            "{name}: {refused}"
        );
        let after = std::fs::symlink_metadata(path(name)).unwrap().file_type();
        assert_eq!(before, after, "{name}");
    }
    assert!(listener.local_addr().is_ok());
    assert!(
        std::fs::symlink_metadata(path("socket"))
            .unwrap()
            .file_type()
            .is_socket()
    );
    assert!(!path("nowhere").exists());
    let devices = ledger.backup_to(std::path::Path::new("/dev/full"));
    assert!(matches!(devices.unwrap_err(), OpenError::Taken { .. }));
    ledger.backup_to(&path("free")).unwrap();
}
