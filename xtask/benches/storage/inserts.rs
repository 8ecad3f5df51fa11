//! Durable inserts in batches, with embedding and indexing, beside the same rows through bare rusqlite.

use std::path::Path;

use testimony_storage::store::{Options, Store};
use xtask::bench::{Bar, Report, Wanted};

use crate::floor::RowSet;
use crate::shared::data::Data;
use crate::shared::fill::{BATCH, insert, make_containers};
use crate::shared::machine::{FOR_EVER, Took, timed};

const ROUNDS: usize = 4;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    for (hard, name) in [(false, "Zipf"), (true, "80 words")] {
        let data = Data::new(wanted.seed, hard, 1);
        measure_one(wanted, &data, name, report);
    }
}

/// What each side took.
struct Sides {
    store: Took,
    acknowledged: Took,
    floor: Took,
    bare_tables: Took,
}

fn measure_one(wanted: &Wanted, data: &Data, name: &str, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(20_000);
    let rows = if wanted.quick { 1_000 } else { rows };
    let texts: Vec<String> = (0..rows).map(|row| data.text(row)).collect();
    let batches: Vec<Vec<String>> = texts.chunks(BATCH).map(<[String]>::to_vec).collect();
    let sides = measure_in_turns(wanted, data, &batches);
    let rate = |took: f64| rows as f64 / took;
    let mut add = |what: &str, value: f64, unit, bar| {
        report.add("inserts", format!("{name}: {what}"), value, unit, bar);
    };
    let per_second = "rows/s";
    add(
        "store, all in the index",
        rate(sides.store.seconds),
        per_second,
        Bar::AtLeast(3_000.0),
    );
    add(
        "store, acknowledged",
        rate(sides.acknowledged.seconds),
        per_second,
        Bar::None,
    );
    add(
        "floor, bare rusqlite",
        rate(sides.floor.seconds),
        per_second,
        Bar::None,
    );
    let share = sides.floor.seconds / sides.store.seconds;
    add("share of the floor", share, "", Bar::AtLeast(0.35));
    let share = sides.floor.cpu_seconds / sides.store.cpu_seconds;
    add("share of the floor, processor time", share, "", Bar::None);
    let share = sides.bare_tables.seconds / sides.store.seconds;
    add("share of a floor without SQL indexes", share, "", Bar::None);
    let micros = sides.store.cpu_seconds / rows as f64 * 1e6;
    add("processor time of a row", micros, "µs", Bar::None);
}

fn measure_in_turns(wanted: &Wanted, data: &Data, batches: &[Vec<String>]) -> Sides {
    let mut sides = Sides {
        store: FOR_EVER,
        acknowledged: FOR_EVER,
        floor: FOR_EVER,
        bare_tables: FOR_EVER,
    };
    let mut row_set = None;
    for _ in 0..if wanted.quick { 1 } else { ROUNDS } {
        let folder = tempfile::tempdir_in(&wanted.out).unwrap();
        let (acknowledged, store) = through_the_store(folder.path(), data, batches);
        sides.acknowledged = sides.acknowledged.or_less(acknowledged);
        sides.store = sides.store.or_less(store);
        let row_set =
            row_set.get_or_insert_with(|| RowSet::of(&folder.path().join("ledger.sqlite")));
        for with_indexes in [true, false] {
            let place = tempfile::tempdir_in(&wanted.out).unwrap();
            let file = place.path().join("floor.sqlite");
            let (took, ()) = timed(|| row_set.write(&file, batches, data, with_indexes));
            let side = if with_indexes {
                &mut sides.floor
            } else {
                &mut sides.bare_tables
            };
            *side = side.or_less(took);
        }
    }
    sides
}

/// How long until everything is acknowledged, and until it is in the files of the index as well.
fn through_the_store(folder: &Path, data: &Data, batches: &[Vec<String>]) -> (Took, Took) {
    let store = Store::open(folder, &Options::default()).unwrap();
    make_containers(&*store.ledger(), data);
    store.wait_until_followed().unwrap();
    let ledger = store.ledger();
    let (whole, acknowledged) = timed(|| {
        let (acknowledged, ()) = timed(|| {
            for (number, texts) in batches.iter().enumerate() {
                let from = number * BATCH;
                insert(&*ledger, data.rows_of(from..from + texts.len(), texts));
            }
        });
        store.flush_index().unwrap();
        acknowledged
    });
    (acknowledged, whole)
}
