//! Labelled cases from `fixtures/`, and a tally of what was decided about them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may stop, and prints its misses"
)]

pub(crate) mod known;
mod wrong;

use std::fmt::Write;
use std::path::PathBuf;

use serde::de::DeserializeOwned;

/// Rules are tuned on one half; the other one tells how far they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Tuning,
    HeldOut,
}

impl Half {
    /// The half of a case, by its text alone, so that a new line never moves an old one.
    pub(crate) fn of(text: &str) -> Self {
        if (known::digest(text) >> 17) & 1 == 0 {
            Self::Tuning
        } else {
            Self::HeldOut
        }
    }
}

/// Every case in the folder `fixtures/<topic>`.
#[expect(
    clippy::disallowed_methods,
    reason = "cases are files, and a test reads them"
)]
pub(crate) fn read<C: DeserializeOwned>(topic: &str) -> Vec<C> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(topic);
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let lines = files.iter().flat_map(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    lines
        .map(|line| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// How many cases were decided as labelled, by half.
pub(crate) struct Tally {
    topic: &'static str,
    right: [usize; 2],
    all: [usize; 2],
    misses: String,
    wrong: Vec<String>,
}

impl Tally {
    pub(crate) fn new(topic: &'static str) -> Self {
        Self {
            topic,
            right: [0; 2],
            all: [0; 2],
            misses: String::new(),
            wrong: Vec::new(),
        }
    }

    /// Counts a case by its text.
    pub(crate) fn count(&mut self, text: &str, is_right: bool, describe: impl FnOnce() -> String) {
        let half = Half::of(text);
        let at = usize::from(half == Half::HeldOut);
        self.all[at] += 1;
        self.right[at] += usize::from(is_right);
        if !is_right {
            let is_held_out = half == Half::HeldOut;
            self.wrong.push(wrong::listed(text, is_held_out));
            // Held-out misses stay unread while rules are tuned.
            let line = if half == Half::Tuning || std::env::var_os("SHOW_HELD_OUT").is_some() {
                describe()
            } else {
                "(held out)".to_owned()
            };
            writeln!(self.misses, "  {half:?} {line}").unwrap();
        }
    }

    /// Prints the tally and its misses, and fails below `share` of at least `cases` cases, or where others are wrong than
    /// are known to be.
    #[expect(clippy::cast_precision_loss, reason = "a few hundred cases")]
    pub(crate) fn require(mut self, cases: usize, share: f64) {
        let [tuned, held] = self.right;
        let [all_tuned, all_held] = self.all;
        println!(
            "{}: tuning {tuned}/{all_tuned}, held out {held}/{all_held}\n{}",
            self.topic, self.misses
        );
        let (right, all) = (tuned + held, all_tuned + all_held);
        assert!(all >= cases, "{all} cases are too few");
        assert!(
            right as f64 >= share * all as f64,
            "{right} of {all}\n{}",
            self.misses
        );
        self.wrong.sort();
        known::same(&wrong::file(self.topic), &self.wrong);
    }
}
