//! Growth: latency and bytes a memory against how many there are, as plots.

use std::time::Instant;

use testimony_storage::store::{Options, Store};
use xtask::bench::{Axis, Bar, Line, Plot, Report, Rule, Wanted};

use crate::shared::data::Data;
use crate::shared::fill::{BATCH, fill, insert, make_containers};
use crate::shared::machine::{Times, bytes_in, resident};
use crate::vectors::recall;
use crate::world::{HYBRID, MEANING, Questions, WORDS};

const SIZES: &[usize] = &[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const QUESTIONS: usize = 100;

/// What was measured at one size.
struct Point {
    rows: f64,
    hybrid: Times,
    words: Times,
    meaning: Times,
    /// A batch of a hundred, in milliseconds.
    batches: Times,
    resident: f64,
    ledger: f64,
    index: f64,
}

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let most = wanted.rows.unwrap_or(1_000_000);
    let most = if wanted.quick { 3_000 } else { most };
    let data = Data::new(wanted.seed, false, 1);
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let store = Store::open(folder.path(), &Options::default()).unwrap();
    make_containers(&*store.ledger(), &data);
    let questions = Questions::of(&data, QUESTIONS);
    let (before, mut rows, mut points) = (resident(), 0, Vec::new());
    for size in SIZES.iter().filter(|size| **size <= most) {
        let last = 20.min(size / BATCH / 2) * BATCH;
        fill(&*store.ledger(), &data, rows..size - last);
        let batches = write_batches(&store, &data, size - last..*size);
        rows = *size;
        store.snapshot().unwrap();
        let memory = resident() - before;
        points.push(look(
            &store,
            folder.path(),
            &questions,
            (rows, memory, batches),
        ));
        println!("  {rows} rows");
    }
    at_the_end(&store, &data, rows, &questions, &points, report);
    report.plots.push(latency(&points));
    report.plots.push(inserts(&points));
    report.plots.push(bytes(&points));
}

fn write_batches(store: &Store, data: &Data, rows: std::ops::Range<usize>) -> Times {
    let ledger = store.ledger();
    let batches = rows.step_by(BATCH).map(|from| {
        let made = data.rows(from..from + BATCH);
        let start = Instant::now();
        insert(&*ledger, made);
        start.elapsed()
    });
    Times::from(batches.collect::<Vec<_>>())
}

fn look(
    store: &Store,
    folder: &std::path::Path,
    questions: &Questions,
    (rows, memory, batches): (usize, f64, Times),
) -> Point {
    let index = store.index();
    let rounds = if rows > 100_000 { 3 } else { 5 };
    let [hybrid, words, meaning] = [HYBRID, WORDS, MEANING].map(|by| {
        Times::of(QUESTIONS, rounds, |which| {
            questions.ask(&*index, which, by).len()
        })
    });
    let of_index = bytes_in(&folder.join("index"));
    let each = |bytes: f64| bytes / rows as f64;
    Point {
        rows: rows as f64,
        hybrid,
        words,
        meaning,
        batches,
        resident: each(memory),
        ledger: each(bytes_in(folder) - of_index),
        index: each(of_index),
    }
}

fn at_the_end(
    store: &Store,
    data: &Data,
    rows: usize,
    questions: &Questions,
    points: &[Point],
    report: &mut Report,
) {
    let Some(last) = points.last() else { return };
    let share = recall(&*store.index(), data, rows, questions);
    let million = rows >= 1_000_000;
    let bar = |bar: Bar| if million { bar } else { Bar::None };
    let mut add = |what: &str, value, unit, bar| {
        report.add(
            "growth",
            format!("{rows} in one container: {what}"),
            value,
            unit,
            bar,
        );
    };
    let (meaning, hybrid) = (&last.meaning, &last.hybrid);
    add("meaning alone, p50", meaning.at(0.5), "ms", Bar::None);
    add("recall@10", share, "", bar(Bar::AtLeast(0.95)));
    add("hybrid, p50", hybrid.at(0.5), "ms", Bar::None);
    add("hybrid, p99", hybrid.at(0.99), "ms", Bar::None);
    add("resident, a memory", last.resident, "bytes", Bar::None);
    add(
        "ledger on the disk, a memory",
        last.ledger,
        "bytes",
        Bar::None,
    );
    add(
        "index on the disk, a memory",
        last.index,
        "bytes",
        Bar::None,
    );
}

fn line(name: &str, points: &[Point], value: impl Fn(&Point) -> f64) -> Line {
    let points = points.iter().map(|point| (point.rows, value(point)));
    Line {
        name: name.to_owned(),
        points: points.collect(),
    }
}

const ACROSS: Axis = Axis {
    label: "memories in one container",
    logarithmic: true,
};

fn latency(points: &[Point]) -> Plot {
    Plot {
        file: "growth-latency",
        title: "How long a search takes".to_owned(),
        across: ACROSS,
        up: Axis {
            label: "milliseconds",
            logarithmic: true,
        },
        lines: vec![
            line("hybrid, p50", points, |it| it.hybrid.at(0.5)),
            line("hybrid, p99", points, |it| it.hybrid.at(0.99)),
            line("words alone, p50", points, |it| it.words.at(0.5)),
            line("meaning alone, p50", points, |it| it.meaning.at(0.5)),
        ],
        rules: vec![Rule {
            name: "12 ms".to_owned(),
            at: 12.0,
        }],
    }
}

fn inserts(points: &[Point]) -> Plot {
    Plot {
        file: "growth-inserts",
        title: "How long a durable batch of a hundred takes".to_owned(),
        across: ACROSS,
        up: Axis {
            label: "milliseconds",
            logarithmic: false,
        },
        lines: vec![
            line("p50", points, |it| it.batches.at(0.5)),
            line("p90", points, |it| it.batches.at(0.9)),
        ],
        rules: vec![Rule {
            name: "3,000 rows/s".to_owned(),
            at: 100.0 / 3.0,
        }],
    }
}

fn bytes(points: &[Point]) -> Plot {
    Plot {
        file: "growth-bytes",
        title: "How many bytes a memory takes".to_owned(),
        across: ACROSS,
        up: Axis {
            label: "bytes a memory",
            logarithmic: false,
        },
        lines: vec![
            line("ledger, on the disk", points, |it| it.ledger),
            line("index, on the disk", points, |it| it.index),
            line("both, resident", points, |it| it.resident),
        ],
        rules: Vec::new(),
    }
}
