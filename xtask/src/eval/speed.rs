//! How fast the whole admission is, on one thread, beside a floor that is measured in the same run.
//!
//! The floor reads the same bytes once as UTF-8 and once through NFKC: less than that no admission can do, so the
//! ratio of the two says more than either figure on a machine that others use too.
//! For the same reason the latency of an input is the median of several calls: the percentiles are over inputs, and
//! tell of texts that are slow rather than of moments at which something else ran.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use unicode_normalization::UnicodeNormalization;

use super::{Entrance, corpus};
use crate::Trouble;

const FILE: &str = "benign/lines.jsonl.gz";
/// The size of the inputs whose latency is measured.
const INPUT_BYTES: usize = 1_000;
/// How often the latency of each input is taken.
const CALLS_PER_INPUT: usize = 9;
/// How long a throughput is measured at least.
const LEAST_TIME: Duration = Duration::from_secs(2);
const LEAST_MB_PER_S: f64 = 10.0;
const MOST_P99_MS: f64 = 1.0;

/// What was measured.
pub(super) struct Speed {
    pub(super) admission_mb_per_s: f64,
    pub(super) floor_mb_per_s: f64,
    pub(super) inputs: usize,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
}

impl Speed {
    /// Whether these are figures to quote: a build without optimisation says nothing.
    pub(super) const COUNTS: bool = !cfg!(debug_assertions);

    /// How many times longer than the floor the admission takes.
    pub(super) fn times_floor(&self) -> f64 {
        self.floor_mb_per_s / self.admission_mb_per_s
    }

    /// Every bar: what it is on, what was measured, and whether it holds.
    pub(super) fn bars(&self) -> [(&'static str, String, bool); 2] {
        [
            (
                "throughput",
                format!(
                    "{:.1} MB/s, at least {LEAST_MB_PER_S}",
                    self.admission_mb_per_s
                ),
                self.admission_mb_per_s >= LEAST_MB_PER_S,
            ),
            (
                "p99 for 1 kB",
                format!("{:.3} ms, under {MOST_P99_MS}", self.p99_ms),
                self.p99_ms < MOST_P99_MS,
            ),
        ]
    }

    pub(super) fn holds(&self) -> bool {
        !Self::COUNTS || self.bars().iter().all(|(_, _, holds)| *holds)
    }
}

pub(super) fn measure(data: &Path, entrance: Entrance) -> Result<Speed, Trouble> {
    let rows = corpus::rows(data, FILE)?;
    let lines: Vec<&str> = rows.iter().map(corpus::Row::text).collect();
    let inputs = inputs(&lines);
    let floor = |text: &str| {
        black_box(std::str::from_utf8(black_box(text.as_bytes())).is_ok());
        black_box(text.nfkc().count());
    };
    let admission = |text: &str| drop(black_box(entrance.rule(black_box(text))));
    let latencies = latencies(&inputs, admission);
    Ok(Speed {
        admission_mb_per_s: mb_per_s(&lines, admission),
        floor_mb_per_s: mb_per_s(&lines, floor),
        inputs: latencies.len(),
        p50_ms: percentile(&latencies, 50),
        p99_ms: percentile(&latencies, 99),
    })
}

/// The lines put together to texts of about a kilobyte.
fn inputs(lines: &[&str]) -> Vec<String> {
    let mut inputs = Vec::new();
    let mut open = String::new();
    for line in lines {
        open.push_str(line);
        open.push('\n');
        if open.len() >= INPUT_BYTES {
            let end = open.floor_char_boundary(INPUT_BYTES);
            open.truncate(end);
            inputs.push(std::mem::take(&mut open));
        }
    }
    inputs
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a corpus has millions of bytes, not quadrillions"
)]
fn mb_per_s(lines: &[&str], work: impl Fn(&str)) -> f64 {
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    let pass = || lines.iter().for_each(|line| work(line));
    pass();
    let (mut spent, mut passes) = (Duration::ZERO, 0_u32);
    while spent < LEAST_TIME {
        spent += on_this_thread(pass);
        passes += 1;
    }
    bytes as f64 * f64::from(passes) / spent.as_secs_f64() / 1e6
}

/// How long the processor was at it for this thread: other work on the machine plays no part.
fn on_this_thread(work: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    work();
    start.elapsed()
}

/// The median time of each input, in order of length.
fn latencies(inputs: &[String], work: impl Fn(&str)) -> Vec<Duration> {
    let latency = |input: &String| {
        let calls = (0..CALLS_PER_INPUT).map(|_| on_this_thread(|| work(input)));
        let mut times: Vec<Duration> = calls.collect();
        times.sort_unstable();
        times.get(CALLS_PER_INPUT / 2).copied().unwrap_or_default()
    };
    let mut medians: Vec<Duration> = inputs.iter().map(latency).collect();
    medians.sort_unstable();
    medians
}

fn percentile(sorted: &[Duration], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted
        .get(at)
        .map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_cut_to_size_between_characters() {
        let inputs = inputs(&["ä".repeat(600).as_str(), "short"]);
        assert_eq!(inputs.iter().map(String::len).collect::<Vec<_>>(), [1_000]);
    }

    #[test]
    fn a_percentile_is_a_time_that_was_measured() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 99).to_string(), "99");
        assert_eq!(percentile(&times, 50).to_string(), "50");
        assert!(percentile(&[], 50).is_nan());
    }
}
