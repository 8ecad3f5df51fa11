//! The form on disk: what an earlier program wrote is read, and what a newer one wrote is refused.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use testimony_domain::{Event, State};
use testimony_service::ports::ledger::memories::{Change, MemoryFilter};
use testimony_service::ports::ledger::{Ledger, Page};
use testimony_storage::ledger::{OpenError, Options, SqliteLedger};

use crate::accounts::connector;
use crate::erasure::keep_everywhere;
use crate::support::{Maker, keep, make_places, whole_chain, write};

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
    ledger.backup_to(&fixture(4)).unwrap();
}

#[test]
fn every_released_form_is_read_and_goes_on() {
    for version in 1..=4 {
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
