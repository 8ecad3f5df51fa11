//! An index that is gone: how soon it answers, and when it is whole again.

use testimony_storage::store::{Options, Store};
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::fill::{fill, make_containers};
use crate::shared::machine::timed;
use crate::world::{HYBRID, Questions};

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(100_000);
    let rows = if wanted.quick { 1_000 } else { rows };
    let data = Data::new(wanted.seed, false, 1);
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let store = Store::open(folder.path(), &Options::default()).unwrap();
    make_containers(&*store.ledger(), &data);
    fill(&*store.ledger(), &data, 0..rows);
    store.close().unwrap();
    let questions = Questions::of(&data, 1);
    let opened = timed(|| Store::open(folder.path(), &Options::default()).unwrap());
    report.add(
        "rebuild",
        "start from a snapshot",
        opened.0.seconds,
        "s",
        Bar::None,
    );
    opened.1.close().unwrap();
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    let (whole, store) = timed(|| {
        let (first, store) = timed(|| {
            let store = Store::open(folder.path(), &Options::default()).unwrap();
            let mut looks = 0_u64;
            // It answers with the rows that it has, from the first page on.
            while questions.ask(&*store.index(), 0, HYBRID).is_empty() && looks < 1_000_000 {
                std::thread::sleep(std::time::Duration::from_millis(1));
                looks += 1;
            }
            store
        });
        report.add(
            "rebuild",
            "answering after",
            first.seconds,
            "s",
            Bar::AtMost(3.0),
        );
        store.wait_until_followed().unwrap();
        store
    });
    report.add(
        "rebuild",
        "whole after",
        whole.seconds,
        "s",
        Bar::AtMost(90.0),
    );
    report.add(
        "rebuild",
        "processor time",
        whole.cpu_seconds,
        "s",
        Bar::None,
    );
    assert_eq!(store.index().health().rows, rows as u64);
}
