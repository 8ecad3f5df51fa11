//! What the machine says: time on the clock, time on its processors, memory, and the size of files.

use std::path::Path;
use std::time::{Duration, Instant};

/// What a piece of work took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    /// On the clock.
    pub(crate) seconds: f64,
    /// On the processors, all threads of this process together.
    pub(crate) cpu_seconds: f64,
}

impl Took {
    /// The lesser of each.
    pub(crate) fn or_less(self, other: Self) -> Self {
        Self {
            seconds: self.seconds.min(other.seconds),
            cpu_seconds: self.cpu_seconds.min(other.cpu_seconds),
        }
    }
}

pub(crate) const FOR_EVER: Took = Took {
    seconds: f64::INFINITY,
    cpu_seconds: f64::INFINITY,
};

/// Processor time of this process, threads that have ended among it, in steps of ten milliseconds.
fn cpu_seconds() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold blanks; what follows it does not.
    let fields = text.rsplit(')').next().unwrap_or_default();
    let mut ticks = fields.split_whitespace().skip(11).take(2);
    let mut next = || ticks.next().and_then(|it| it.parse::<f64>().ok());
    (next().unwrap_or(0.0) + next().unwrap_or(0.0)) / TICKS_A_SECOND
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Took, T) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    let took = Took {
        seconds: start.elapsed().as_secs_f64(),
        cpu_seconds: cpu_seconds() - cpu,
    };
    (took, result)
}

/// Bytes of memory of this process that are resident now.
pub(crate) fn resident() -> f64 {
    resident_of(Path::new("/proc/self"))
}

/// The same of any process, by what the machine tells of it.
pub(crate) fn resident_of(process: &Path) -> f64 {
    const PAGE: f64 = 4_096.0;
    let text = std::fs::read_to_string(process.join("statm")).unwrap_or_default();
    let pages = text.split_whitespace().nth(1);
    pages.and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0) * PAGE
}

/// Bytes of all files under a folder; a file with two names counts once for each.
pub(crate) fn bytes_in(folder: &Path) -> f64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
            Ok(metadata) => metadata.len() as f64,
            Err(_) => 0.0,
        })
        .sum()
}

/// Times of questions, each the least of several rounds.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Asks every question so many times.
    pub(crate) fn of(questions: usize, rounds: usize, mut ask: impl FnMut(usize) -> usize) -> Self {
        let mut times = vec![Duration::MAX; questions];
        for _ in 0..rounds {
            for (question, time) in times.iter_mut().enumerate() {
                let start = Instant::now();
                std::hint::black_box(ask(question));
                *time = (*time).min(start.elapsed());
            }
        }
        Self::from(times)
    }

    /// The time below which a share of them lies, in milliseconds.
    pub(crate) fn at(&self, share: f64) -> f64 {
        let at = (self.0.len().saturating_sub(1) as f64 * share) as usize;
        self.0.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

impl From<Vec<Duration>> for Times {
    fn from(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }
}
