//! Eyes for stretches of values: in answers, in files, in logs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use testimony_domain::{Event, State};
use testimony_service::ports::ledger::audit::Actor;

use super::samples::{Sample, WINDOW, windows};
use crate::trial::Trial;

/// What the service itself writes right before a word of a text: points to names, labels in the row before it, and, beside
/// these, what was decided about the row.
const BEFORE: [&str; 4] = ["/", "api", "agent_runtime", "mcp"];
/// An index writes the number of a row behind its state; two signs of a number may be anything.
const SIGNS_OF_A_NUMBER: usize = 2;

/// What is looked for, and whose it is.
pub(super) struct Eyes {
    machine: AhoCorasick,
    owners: Vec<usize>,
    labels: Vec<String>,
    /// Stretches that stand somewhere without any value having been sent: they give nothing away.
    common: HashSet<usize>,
    /// How many bytes were looked at.
    pub(super) looked: usize,
    seen: HashSet<(usize, String)>,
}

impl Eyes {
    pub(super) fn for_values(samples: &[Sample]) -> Self {
        let mut owners: HashMap<&[u8], usize> = HashMap::new();
        for (at, sample) in samples.iter().enumerate() {
            for window in sample.values.iter().flat_map(|value| windows(value)) {
                owners.entry(window).or_insert(at);
            }
        }
        let (stretches, owners): (Vec<&[u8]>, Vec<usize>) = owners.into_iter().unzip();
        // What is looked up is kept in small letters.
        let mut whatever_case = AhoCorasick::builder();
        whatever_case.ascii_case_insensitive(true);
        let mut eyes = Self {
            machine: whatever_case.build(&stretches).unwrap(),
            owners,
            labels: samples.iter().map(|it| it.label.clone()).collect(),
            common: HashSet::new(),
            looked: 0,
            seen: HashSet::new(),
        };
        let beside_numbers = stretches
            .iter()
            .enumerate()
            .filter(|(_, it)| ends_in_a_number(it) || begins_in_a_number(it));
        eyes.common.extend(beside_numbers.map(|(at, _)| at));
        eyes.get_used_to_what_is_left(samples);
        eyes
    }

    /// What stands around a value is kept, and is nobody's secret.
    fn get_used_to_what_is_left(&mut self, samples: &[Sample]) {
        let decided = Event::ALL.iter().map(|event| event.as_str());
        let before: Vec<&str> = BEFORE.into_iter().chain(decided).collect();
        for sample in samples {
            self.get_used_to(sample.left.as_bytes());
            let words = sample.left.split(|sign: char| !sign.is_alphanumeric());
            for (word, before) in words.flat_map(|word| before.iter().map(move |it| (word, it))) {
                self.get_used_to(format!("{before}{word}").as_bytes());
            }
        }
    }

    /// What stands in these bytes gives nothing away.
    pub(super) fn get_used_to(&mut self, bytes: &[u8]) {
        let found = self.machine.find_overlapping_iter(bytes);
        self.common.extend(found.map(|it| it.pattern().as_usize()));
    }

    pub(super) fn look_at(&mut self, trial: &mut Trial, place: &str, bytes: &[u8]) {
        self.looked += bytes.len();
        let found = self.machine.find_overlapping_iter(bytes);
        for hit in found {
            let pattern = hit.pattern().as_usize();
            let owner = self.owners[pattern];
            if self.common.contains(&pattern) || !self.seen.insert((owner, place.to_owned())) {
                continue;
            }
            // The value itself is told to nobody, not even here.
            let label = &self.labels[owner];
            trial.leaked(format!(
                "{WINDOW} characters of a value ({label}) in {place} at {}",
                hit.start()
            ));
        }
    }

    /// Every file below a folder, and the log beside it.
    pub(super) fn look_below(&mut self, trial: &mut Trial, folder: &Path, when: &str) {
        for file in files_below(folder) {
            let name = file
                .strip_prefix(folder)
                .unwrap_or(&file)
                .display()
                .to_string();
            let bytes = std::fs::read(&file).unwrap_or_default();
            self.look_at(trial, &format!("{name} {when}"), &bytes);
        }
    }
}

/// Every plain file below a folder.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let each = entries.flat_map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files_below(&entry.path()),
        Ok(kind) if kind.is_file() => vec![entry.path()],
        _ => Vec::new(),
    });
    each.collect()
}

/// Whether it is the end of a state's name and two signs behind that.
fn ends_in_a_number(stretch: &[u8]) -> bool {
    let Some((word, number)) = stretch.split_at_checked(WINDOW - SIGNS_OF_A_NUMBER) else {
        return false;
    };
    let mut ends = State::ALL.iter().filter_map(|state| {
        let name = state.as_str().as_bytes();
        name.get(name.len().checked_sub(word.len())?..)
    });
    number.len() == SIGNS_OF_A_NUMBER && ends.any(|end| end.eq_ignore_ascii_case(word))
}

/// Whether it is the end of a number and the word behind that: the trail writes who did something right behind when. Of
/// ".gserviceaccount" it is the stretch "gservice", which "G", the last byte of an instant, and the name of the service make up.
fn begins_in_a_number(stretch: &[u8]) -> bool {
    let who = Actor::Service.to_string();
    (1..=SIGNS_OF_A_NUMBER).any(|signs| {
        let word = &stretch[signs..];
        let begun = who.as_bytes().get(..word.len());
        begun.is_some_and(|begun| begun.eq_ignore_ascii_case(word))
    })
}
