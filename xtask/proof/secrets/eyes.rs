//! Eyes for stretches of values: in answers, in files, in logs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;

use super::samples::{Sample, WINDOW, windows};
use crate::trial::Trial;

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
        // What stands around a value is kept, and is nobody's secret.
        for sample in samples {
            eyes.get_used_to(sample.left.as_bytes());
        }
        eyes
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
