//! `testimony bench`: how quick this machine is, with a memory that is made for it and gone afterwards.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use testimony::Testimony;
use testimony::domain::Principal;
use testimony_transport::local;
use testimony_transport::problem::Problem;
use testimony_transport::routes::Reply;

use crate::failure::{Done, Failure};
use crate::progress::{Answer, Progress};
use crate::read::{part, rows, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony bench
  testimony bench --memories 100000 --in /var/lib
  testimony bench --json | jq '.rows[] | select(.name == \"recall\")'";

/// Measure how quick this machine is, with a memory that is made for it and gone afterwards.
///
/// The first row is the floor: so long the disk takes to keep four kilobytes for good. The others go through the routes
/// in this process, one after another, without HTTP.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArguments {
    /// How many memories there are before anything is asked.
    #[arg(long, value_name = "COUNT", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    memories: u64,

    /// How often each is measured.
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    times: u64,

    /// The folder below which the memory is made, on the disk that is to be measured; that for temporary files where
    /// nothing is said, which may be in memory.
    #[arg(long = "in", value_name = "DIR")]
    inside: Option<PathBuf>,
}

/// So many memories are handed in at once while the memory is filled.
const BATCH: u64 = 100;

/// What stands in the measured texts: enough that hardly two are alike, and no word of anybody.
const THINGS: &[&str] = &[
    "crane", "pump", "gate", "lamp", "winch", "buoy", "ramp", "mast",
];
const COLOURS: &[&str] = &["blue", "green", "grey", "white", "amber", "black"];

/// Measures.
pub(crate) fn run(arguments: &BenchArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    shell.needs_the_folder("bench")?;
    let inside = arguments.inside.clone().unwrap_or_else(std::env::temp_dir);
    let workshop = Workshop::below(&inside)?;
    let floor = measure(arguments.times, |_| workshop.keep_for_good())?;
    let memory = Testimony::open(workshop.path.join("memory"))?;
    let bench = Bench {
        memory: &memory,
        progress: Progress::beside(Answer::AtTheEnd),
    };
    bench.ask(
        "POST",
        "/api/v1/admin/containers",
        json!({ "container_tag": "bench" }),
    )?;
    let filling = bench.fill(arguments.memories)?;
    let (first, times) = (arguments.memories, arguments.times);
    let asked = |route, field| {
        let question = |nth| bench.question(route, field, nth * first / times);
        measure(times, question)
    };
    let retained = measure(times, |nth| bench.retain(&[first + nth]))?;
    let rows = [
        ("keep 4 KiB for good", floor),
        ("retain, batches of 100", filling),
        ("retain", retained),
        ("recall", asked("recall", "query")?),
        ("context", asked("agent/context", "user_message")?),
    ];
    let rows: Vec<Value> = rows.iter().map(|(name, taken)| told(name, taken)).collect();
    let answer = json!({ "memories": arguments.memories, "times": times, "rows": rows });
    shell.show(&answer, tell)?;
    Ok(Done::Yes)
}

/// A folder that is gone when the value is.
struct Workshop {
    path: PathBuf,
}

impl Workshop {
    fn below(inside: &Path) -> Result<Self, Failure> {
        let path = inside.join(format!("testimony-bench-{}", std::process::id()));
        let made = fs::create_dir(&path);
        made.map_err(Failure::doing("the folder for measuring", "made"))?;
        Ok(Self { path })
    }

    fn keep_for_good(&self) -> Result<(), Failure> {
        let kept = || {
            let mut file = File::options()
                .create(true)
                .append(true)
                .open(self.path.join("floor"))?;
            file.write_all(&[7; 4_096])?;
            file.sync_data()
        };
        kept().map_err(Failure::doing("a file for measuring", "written"))
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // It holds nothing of anybody; what cannot be removed lies where temporary files lie.
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct Bench<'a> {
    memory: &'a Testimony,
    progress: Progress,
}

impl Bench<'_> {
    fn ask(&self, method: &str, path: &str, body: Value) -> Result<Value, Failure> {
        let Value::Object(input) = body else {
            return Ok(Value::Null);
        };
        let ask = local::Ask {
            method,
            path,
            input,
            idempotency_key: None,
        };
        let answer = local::ask(self.memory.service(), None, Principal::host(), &ask);
        let refused = |problem: Problem| Failure::Refused {
            status: problem.code.status(),
            problem: problem.document("local"),
        };
        answer.map(Reply::into_json).map_err(refused)
    }

    fn fill(&self, memories: u64) -> Result<Vec<Duration>, Failure> {
        let batches = memories.div_ceil(BATCH);
        let of_batch = |nth: u64| {
            let numbers = nth * BATCH..memories.min((nth + 1) * BATCH);
            let numbers: Vec<u64> = numbers.collect();
            self.progress
                .say(&format!("{} of {memories} memories", nth * BATCH));
            self.retain(&numbers)
        };
        measure(batches, of_batch)
    }

    fn retain(&self, numbers: &[u64]) -> Result<(), Failure> {
        let texts = numbers.iter().map(|number| {
            let (thing, colour) = described(*number);
            format!("The {thing} of pier {number} is {colour}.")
        });
        let body = json!({ "contents": texts.collect::<Vec<_>>() });
        self.ask("POST", "/api/v2/containers/bench/retain", body)?;
        Ok(())
    }

    fn question(&self, route: &str, field: &str, number: u64) -> Result<(), Failure> {
        let (thing, _) = described(number);
        let question = format!("Which colour has the {thing} of pier {number}?");
        let path = format!("/api/v2/containers/bench/{route}");
        self.ask("POST", &path, json!({ field: question }))?;
        Ok(())
    }
}

/// What stands at a pier, and its colour.
fn described(number: u64) -> (&'static str, &'static str) {
    let nth = |words: &[&'static str], number: u64| {
        let at = number as usize % words.len().max(1);
        words.get(at).copied().unwrap_or_default()
    };
    (nth(THINGS, number), nth(COLOURS, number / 3))
}

/// How long each of so many times took, the shortest first.
#[expect(
    clippy::disallowed_methods,
    reason = "this command measures, and decides nothing by what it measured"
)]
fn measure(
    times: u64,
    work: impl Fn(u64) -> Result<(), Failure>,
) -> Result<Vec<Duration>, Failure> {
    let each = |nth| {
        let began = Instant::now();
        work(nth).map(|()| began.elapsed())
    };
    let mut taken: Vec<Duration> = (0..times).map(each).collect::<Result<_, _>>()?;
    taken.sort_unstable();
    Ok(taken)
}

fn told(name: &str, taken: &[Duration]) -> Value {
    let at = |share: f64| {
        let place = (taken.len() as f64 * share) as usize;
        let found = taken.get(place.min(taken.len().saturating_sub(1)));
        found.map_or(0.0, |taken| taken.as_secs_f64() * 1_000.0)
    };
    let sum: Duration = taken.iter().sum();
    let rate = taken.len() as f64 / sum.as_secs_f64().max(f64::EPSILON);
    json!({ "name": name, "p50_ms": at(0.5), "p99_ms": at(0.99), "per_second": rate })
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let number = |row: &Value, name: &str, digits: usize| {
        let number = part(row, name).as_f64().unwrap_or_default();
        format!("{number:>9.digits$}")
    };
    let head = ["", "   p50 ms", "   p99 ms", " a second"];
    let head = head.map(|word| (Ink::Dim, word.to_owned())).to_vec();
    let lines = rows(answer, "rows").iter().map(|row| {
        vec![
            (Ink::Plain, text(row, "name").to_owned()),
            (Ink::Bold, number(row, "p50_ms", 2)),
            (Ink::Plain, number(row, "p99_ms", 2)),
            (Ink::Plain, number(row, "per_second", 0)),
        ]
    });
    let lines: Vec<Vec<(Ink, String)>> = std::iter::once(head).chain(lines).collect();
    sheet.table(0, &lines);
    let memories = part(answer, "memories");
    sheet.note(0, &format!("With {memories} memories, one at a time, in this process. Read the rows beside the first one: other work on the machine slows all of them."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_tail_are_told_apart() {
        let taken: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        let row = told("any", &taken);
        assert_eq!(row["p50_ms"], 51.0);
        assert_eq!(row["p99_ms"], 100.0);
        assert_eq!(told("none", &[])["p50_ms"], 0.0);
    }
}
