//! The form on disk: what an earlier program wrote is read, and what a newer one wrote is refused.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use testimony_domain::{Event, MemoryId, State};
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::memories::{Change, MemoryFilter};
use testimony_service::ports::ledger::{Ledger, Page};
use testimony_storage::ledger::{OpenError, Options, SqliteLedger};

use crate::accounts::connector;
use crate::erasure::keep_everywhere;
use crate::support::{Maker, act, keep, make_places, place, user, whole_chain, write};

/// The newest form that was released.
const NEWEST: i64 = 7;

fn fixture(version: i64) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ledger");
    fixtures.join(format!("version-{version}.sqlite"))
}

/// Writes the fixture of the newest form. It is run by hand when a form is released, and never for one that was.
#[test]
#[ignore = "writes a file of the repository"]
fn write_the_newest_form() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 2);
    let maker = Maker::default();
    for number in 0..3 {
        keep(
            &ledger,
            &maker,
            &format!("The {number}. lamp of the pier burns green."),
        );
    }
    let id = keep_everywhere(&ledger, &maker, "driftwood");
    write(&ledger, 6, move |writer| {
        let memory = writer.memories(&[id])?.remove(0);
        let (change, _) = Change::of(&memory, Event::Expire, |_| ()).unwrap();
        writer.change_memory(&change)
    })
    .unwrap();
    let token = connector(&maker, 7);
    write(&ledger, 7, move |writer| writer.make_connector(&token)).unwrap();
    ledger.backup_to(&fixture(NEWEST)).unwrap();
}

#[test]
fn every_released_form_is_read_and_goes_on() {
    for version in 1..=NEWEST {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        std::fs::copy(fixture(version), &file).unwrap();
        let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
        let reader = ledger.reader().unwrap();
        let all = reader
            .list(&MemoryFilter::default(), Page::first(99))
            .unwrap();
        let states: Vec<State> = all.iter().map(|memory| memory.state).collect();
        assert_eq!(
            states,
            [State::Active, State::Active, State::Active, State::Expired]
        );
        assert_eq!(
            all[1].content.as_str(),
            "The 1. lamp of the pier burns green."
        );
        assert_eq!(all[3].tags[0].as_str(), "driftwood");
        assert_eq!(reader.history(all[3].id).unwrap().len(), 2);
        let connectors = reader.connectors(Page::first(9)).unwrap();
        assert_eq!(connectors.len(), usize::from(version >= 3));
        drop(reader);
        whole_chain(&ledger);
        assert_eq!(ledger.doctor(None).unwrap(), []);
        keep(&ledger, &Maker::numbered(5), "written by the newer program");
        whole_chain(&ledger);
    }
}

#[test]
fn a_newer_form_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    drop(SqliteLedger::open(folder.path(), &Options::default()).unwrap());
    let conn = Connection::open(folder.path().join("ledger.sqlite")).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let error = SqliteLedger::open(folder.path(), &Options::default());
    let error = error.err().unwrap();
    assert!(matches!(error, OpenError::NewerForm { found: 99, .. }));
    assert!(error.to_string().contains("use the program that wrote it"));
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.sqlite");
    let conn = Connection::open(&file).unwrap();
    conn.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        .unwrap();
    drop(conn);
    let error = SqliteLedger::open(folder.path(), &Options::default());
    assert!(error.err().unwrap().to_string().contains("something else"));
    let conn = Connection::open(&file).unwrap();
    let kept: String = conn
        .query_row("SELECT text FROM notes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "mine");
}

/// A folder with the ledger of an earlier form, and where the copy of it is put when it is brought to the newest.
fn earlier() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(fixture(3), folder.path().join("ledger.sqlite")).unwrap();
    let copy = folder
        .path()
        .join(format!("ledger.sqlite.before-version-{NEWEST}"));
    (folder, copy)
}

fn version(file: &Path) -> i64 {
    let conn = Connection::open(file).unwrap();
    let version = conn.pragma_query_value(None, "user_version", |row| row.get(0));
    version.unwrap()
}

#[test]
fn an_upgrade_that_was_cut_short_behind_its_copy_is_finished() {
    let (folder, copy) = earlier();
    std::fs::copy(fixture(3), &copy).unwrap();
    let before = std::fs::metadata(&copy).unwrap().modified().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    assert_eq!(ledger.doctor(None).unwrap(), []);
    drop(ledger);
    assert_eq!(version(&copy), 3);
    let after = std::fs::metadata(&copy).unwrap().modified().unwrap();
    assert_eq!(after, before, "it is used again");
}

#[test]
fn what_is_no_copy_of_the_ledger_gives_way_to_one() {
    type Put = fn(&Path);
    let others: &[(&str, Put)] = &[
        ("of another form", |copy| {
            std::fs::copy(fixture(2), copy).unwrap();
        }),
        ("half a copy", |copy| {
            let whole = std::fs::read(fixture(3)).unwrap();
            std::fs::write(copy, &whole[..whole.len() / 2]).unwrap();
        }),
        ("of a ledger that went on", |copy| {
            std::fs::copy(fixture(3), copy).unwrap();
            let conn = Connection::open(copy).unwrap();
            let last = "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)";
            conn.execute_batch(&format!("PRAGMA foreign_keys = OFF; {last}"))
                .unwrap();
        }),
        ("nothing", |copy| std::fs::write(copy, "").unwrap()),
        ("something else", |copy| {
            std::fs::write(copy, "mine").unwrap();
        }),
    ];
    for (what, put) in others {
        let (folder, copy) = earlier();
        put(&copy);
        let opened = SqliteLedger::open(folder.path(), &Options::default());
        drop(opened.unwrap_or_else(|error| panic!("{what}: {error}")));
        assert_eq!(version(&copy), 3, "{what}");
        let empty = tempfile::tempdir().unwrap();
        let restored = SqliteLedger::restore(&copy, empty.path(), &[], act(9), &Options::default());
        assert_eq!(restored.unwrap().doctor(None).unwrap(), [], "{what}");
    }
}

fn some_memory(ledger: &SqliteLedger) -> MemoryId {
    let reader = ledger.reader().unwrap();
    let all = reader.list(&MemoryFilter::default(), Page::first(1));
    all.unwrap()[0].id
}

#[test]
fn the_copy_from_before_an_upgrade_goes_with_the_first_erasure() {
    let (folder, copy) = earlier();
    let half = folder.path().join("ledger.sqlite.before-version-2.partial");
    std::fs::write(&half, "what was never finished").unwrap();
    let options = Options::default();
    drop(SqliteLedger::open(folder.path(), &options).unwrap());
    let ledger = SqliteLedger::open(folder.path(), &options).unwrap();
    assert!(copy.exists(), "until then one can go back to it");
    let id = some_memory(&ledger);
    let nobody = Target::User(place(0), user(99));
    let (nothing, _) = write(&ledger, 7, move |writer| writer.erase(&nobody)).unwrap();
    assert_eq!(nothing.rows, []);
    assert!(copy.exists(), "nothing was erased");
    let (toll, _) = write(&ledger, 8, move |writer| {
        let announced = writer.toll(&Target::Memory(id))?;
        assert_eq!(writer.erase(&Target::Memory(id))?, announced);
        Ok(announced)
    })
    .unwrap();
    assert!(toll.rows.contains(&("upgrade_copies", 2)), "{toll:?}");
    assert!(!copy.exists() && !half.exists());
}

#[test]
fn a_copy_that_outlived_an_erasure_goes_when_the_ledger_is_opened() {
    let (folder, copy) = earlier();
    let options = Options::default();
    let ledger = SqliteLedger::open(folder.path(), &options).unwrap();
    let aside = folder.path().join("aside");
    std::fs::rename(&copy, &aside).unwrap();
    let id = some_memory(&ledger);
    write(&ledger, 8, move |writer| writer.erase(&Target::Memory(id))).unwrap();
    drop(ledger);
    std::fs::rename(&aside, &copy).unwrap();
    drop(SqliteLedger::open(folder.path(), &options).unwrap());
    assert!(!copy.exists());

    // The list of an erasure that comes with an older form is carried out behind its copy.
    let (older, copy) = earlier();
    let list = "erasures.list";
    std::fs::copy(folder.path().join(list), older.path().join(list)).unwrap();
    let ledger = SqliteLedger::open(older.path(), &options).unwrap();
    assert_eq!(ledger.reader().unwrap().erasures().unwrap().len(), 1);
    assert!(!copy.exists());
}
