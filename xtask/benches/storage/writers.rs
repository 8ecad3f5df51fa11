//! Writers with one row each: how many waits for the disk they share, and how long one alone waits.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use testimony_storage::store::{Options, Store};
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::fill::{insert, make_containers};
use crate::shared::machine::Times;

const WRITERS: usize = 16;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let each = if wanted.quick { 5 } else { 150 };
    let data = Data::new(wanted.seed, false, 1);
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let store = Store::open(folder.path(), &Options::default()).unwrap();
    make_containers(&*store.ledger(), &data);
    let times = write_alone(&store, &data, each * 4);
    let name = "one writer, a row at a time, p50";
    report.add("writers", name, times.at(0.5), "ms", Bar::AtMost(5.0));
    report.add(
        "writers",
        "one writer, p99",
        times.at(0.99),
        "ms",
        Bar::None,
    );
    let before = store.stats();
    let seconds = write_together(&store, &data, each * 4, each);
    let after = store.stats();
    let rows = (after.acknowledged - before.acknowledged) as f64;
    let waits = (after.commits - before.commits) as f64 / rows;
    let name = "16 writers, waits for the disk a row";
    report.add("writers", name, waits, "", Bar::AtMost(1.0 / 6.0));
    report.add(
        "writers",
        "16 writers together",
        rows / seconds,
        "rows/s",
        Bar::None,
    );
}

fn write_alone(store: &Store, data: &Data, rows: usize) -> Times {
    let ledger = store.ledger();
    let times: Vec<_> = (0..rows)
        .map(|row| {
            let made = data.rows(row..row + 1);
            let start = Instant::now();
            insert(&*ledger, made);
            start.elapsed()
        })
        .collect();
    Times::from(times)
}

fn write_together(store: &Store, data: &Data, from: usize, each: usize) -> f64 {
    let ready = Barrier::new(WRITERS + 1);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (ledger, ready) = (store.ledger(), &ready);
            scope.spawn(move || {
                ready.wait();
                for row in 0..each {
                    let row = from + writer * each + row;
                    insert(&*ledger, data.rows(row..row + 1));
                }
            });
        }
        ready.wait();
        Instant::now()
    })
    .elapsed()
    .as_secs_f64()
}
