//! The doctor finds what is wrong, says where, and knows a remedy.

use rusqlite::Connection;
use testimony_service::ports::ledger::Ledger;
use testimony_service::ports::ledger::audit::{ChainHead, Digest, Seq};
use testimony_storage::ledger::{Finding, FindingKind, Options, SqliteLedger};

use crate::support::{Maker, keep, make_places};

/// What is done to a sound ledger by somebody who has the file, and what the doctor then finds.
#[rustfmt::skip]
const HARMS: &[(&str, FindingKind)] = &[
    ("UPDATE events SET object = 'ledger' WHERE seq = 3", FindingKind::Chain),
    ("DELETE FROM history WHERE seq = 5; DELETE FROM events WHERE seq = 4", FindingKind::Chain),
    ("UPDATE memories SET content = 'something else' WHERE ord = 1", FindingKind::Altered),
    ("UPDATE memories SET state = 'lost' WHERE ord = 1", FindingKind::Unreadable),
    ("UPDATE memories SET reasons = '[\"because\"]' WHERE ord = 1", FindingKind::Unreadable),
    ("UPDATE memories SET approved = 7 WHERE ord = 1", FindingKind::Unreadable),
    ("UPDATE evidence SET id = x'00' WHERE ord = 1", FindingKind::Reference),
    ("DELETE FROM history", FindingKind::Orphan),
    ("UPDATE facts SET current = x'00112233445566778899aabbccddeeff'", FindingKind::Orphan),
    ("UPDATE memories SET state = 'erased' WHERE ord = 2", FindingKind::NotErased),
];

fn kept_ledger(folder: &std::path::Path) -> ChainHead {
    let ledger = SqliteLedger::open(folder, &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    for number in 0..3 {
        keep(&ledger, &maker, &format!("row {number}"));
    }
    assert_eq!(ledger.doctor(Some(ledger.head().unwrap())).unwrap(), []);
    ledger.head().unwrap()
}

fn harmed(sql: &str, against: Option<ChainHead>) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    kept_ledger(folder.path());
    let conn = Connection::open(folder.path().join("ledger.sqlite")).unwrap();
    conn.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    conn.execute_batch(sql).unwrap();
    drop(conn);
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    ledger.doctor(against).unwrap()
}

#[test]
fn every_harm_is_found() {
    for (sql, kind) in HARMS {
        let findings = harmed(sql, None);
        let kinds: Vec<FindingKind> = findings.iter().map(|finding| finding.kind).collect();
        assert!(kinds.contains(kind), "{sql}: {findings:?}");
        assert!(findings.iter().all(|finding| !finding.place.is_empty()));
    }
}

#[test]
fn a_trail_that_was_cut_off_or_replaced_is_known_by_a_head_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let head = kept_ledger(folder.path());
    let cut = "DELETE FROM history WHERE seq >= 6; DELETE FROM events WHERE seq >= 6";
    let without = harmed(cut, None);
    assert!(
        without
            .iter()
            .all(|finding| finding.kind != FindingKind::Chain)
    );
    let kinds = |findings: Vec<Finding>| -> Vec<FindingKind> {
        findings.iter().map(|finding| finding.kind).collect()
    };
    assert!(kinds(harmed(cut, Some(head))).contains(&FindingKind::OutsideHead));
    let other = ChainHead {
        seq: Seq(2),
        hash: Digest([1; 32]),
    };
    assert!(kinds(harmed("SELECT 1", Some(other))).contains(&FindingKind::OutsideHead));
    assert_eq!(harmed("SELECT 1", Some(head)), []);
}

#[test]
fn a_last_event_that_was_changed_keeps_the_ledger_shut() {
    let folder = tempfile::tempdir().unwrap();
    let head = kept_ledger(folder.path());
    let conn = Connection::open(folder.path().join("ledger.sqlite")).unwrap();
    let changed = conn.execute(
        "UPDATE events SET rules = 'other' WHERE seq = ?",
        [head.seq.0.cast_signed()],
    );
    assert_eq!(changed.unwrap(), 1);
    drop(conn);
    let refused = SqliteLedger::open(folder.path(), &Options::default());
    let says = refused.err().unwrap().to_string();
    assert!(
        says.contains("events.own") && says.contains("restore"),
        "{says}"
    );
}
