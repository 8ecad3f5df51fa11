//! A graph of near neighbours beside the scan, over as many memories in one container as nobody else measures.

use std::time::Instant;

use testimony_storage::index::HybridIndex;
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::machine::{Times, resident};
use crate::vectors::recall;
use crate::world::{MEANING, Questions, index_with_graphs, take_in};

const QUESTIONS: usize = 100;
const ROUNDS: usize = 5;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(1_000_000);
    let rows = if wanted.quick { 3_000 } else { rows };
    let data = Data::new(wanted.seed, false, 1);
    let questions = Questions::of(&data, QUESTIONS);
    let million = rows >= 1_000_000;
    let bar = |bar: Bar| if million { bar } else { Bar::None };
    let mut add = |what: String, value, unit, bar| report.add("graphs", what, value, unit, bar);
    let mut look = |index: &HybridIndex, by: &str, bars: [Bar; 2]| {
        let [most, least] = bars;
        let times = Times::of(QUESTIONS, ROUNDS, |which| {
            questions.ask(index, which, MEANING).len()
        });
        let share = recall(index, &data, rows, &questions);
        add(
            format!("{by}: meaning alone, p50"),
            times.at(0.5),
            "ms",
            most,
        );
        add(format!("{by}: p99"), times.at(0.99), "ms", Bar::None);
        add(format!("{by}: recall@10"), share, "", least);
    };

    // Memory is that of a process that has done nothing else, so the graph comes first.
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    // Nine tenths of the rows are for everybody: the graph is made of them when the last has come.
    let index = index_with_graphs(folder.path(), Some(rows / 10 * 9));
    take_in(&index, &data, 0..rows);
    let (scanned, start) = (resident(), Instant::now());
    index.make_graphs();
    let (took, made) = (start.elapsed().as_secs_f64(), resident() - scanned);
    look(&index, "graph", [Bar::None, Bar::None]);
    let of = index.graphs().rows as f64;
    drop(index);

    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let index = index_with_graphs(folder.path(), None);
    take_in(&index, &data, 0..rows);
    // So many rows are scanned unless somebody asks for a graph, so the bars are the scan's.
    let bars = [bar(Bar::AtMost(12.0)), bar(Bar::AtLeast(0.95))];
    look(&index, "scan", bars);

    let mut add = |what, value, unit| report.add("graphs", what, value, unit, Bar::None);
    add("graph: rows in it", of, "rows");
    add("graph: made in", took, "s");
    add("graph: resident, a row in it", made / of, "bytes");
    add("scan: resident, a row", scanned / rows as f64, "bytes");
}
