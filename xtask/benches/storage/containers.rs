//! Many containers: how soon a fresh process answers, how much memory it holds, and how long a recall takes.

use std::path::Path;
use std::process::Command;

use testimony_storage::store::{Options, Store};
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::fill::{fill, make_containers};
use crate::shared::machine::{Times, bytes_in, resident, timed};
use crate::world::{HYBRID, Questions};

const QUESTIONS: usize = 1_000;
/// How many processes are started; each figure is the least of theirs.
const STARTS: usize = 3;

fn data(wanted: &Wanted) -> Data {
    let containers = if wanted.quick { 10 } else { 1_000 };
    Data::new(wanted.seed, false, containers)
}

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(1_000_000);
    let rows = if wanted.quick { 10_000 } else { rows };
    let data = data(wanted);
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let store = Store::open(folder.path(), &Options::default()).unwrap();
    make_containers(&*store.ledger(), &data);
    let (filled, ()) = timed(|| fill(&*store.ledger(), &data, 0..rows));
    let (closed, ()) = timed(|| store.close().unwrap());
    let starts = (0..STARTS).map(|_| start_apart(folder.path(), wanted));
    let said = starts.reduce(|least, it| std::array::from_fn(|at| least[at].min(it[at])));
    let mut add = |what, value, unit, bar| report.add("containers", what, value, unit, bar);
    add(
        "filled with",
        rows as f64 / filled.seconds,
        "rows/s",
        Bar::None,
    );
    add("written down and closed in", closed.seconds, "s", Bar::None);
    let [start, memory, p50, p99] = said.unwrap();
    add("start to first answer", start, "s", Bar::AtMost(3.0));
    add(
        "resident",
        memory / f64::from(1 << 30),
        "GiB",
        Bar::AtMost(1.5),
    );
    add("recall, p50", p50, "ms", Bar::None);
    add("recall, p99", p99, "ms", Bar::AtMost(20.0));
    let on_disk = bytes_in(folder.path()) / rows as f64;
    add("on the disk, a memory", on_disk, "bytes", Bar::None);
}

/// Memory and starts are those of a process that has done nothing else.
fn start_apart(folder: &Path, wanted: &Wanted) -> [f64; 4] {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--seed", &wanted.seed.to_string(), "--start"]);
    program.arg(folder);
    if wanted.quick {
        program.arg("--quick");
    }
    let said = program.output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let numbers: Vec<f64> = said
        .split_whitespace()
        .filter_map(|it| it.parse().ok())
        .collect();
    numbers.try_into().unwrap()
}

/// What the other process does: it opens a store, answers, and says in how many seconds, with how many bytes, and how
/// long recalls took.
pub(crate) fn start_and_say(folder: &Path, wanted: &Wanted) {
    let data = data(wanted);
    let questions = Questions::of(&data, QUESTIONS);
    let (start, store) = timed(|| {
        let store = Store::open(folder, &Options::default()).unwrap();
        assert!(!questions.ask(&*store.index(), 0, HYBRID).is_empty());
        store
    });
    store.wait_until_followed().unwrap();
    let index = store.index();
    let times = Times::of(QUESTIONS, 3, |which| {
        questions.ask(&*index, which, HYBRID).len()
    });
    println!(
        "{} {} {} {}",
        start.seconds,
        resident(),
        times.at(0.5),
        times.at(0.99)
    );
}
