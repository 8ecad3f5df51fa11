//! Every byte of a folder, looked through for what must not be there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// So many bytes of a word are enough to know it by.
pub(crate) const WINDOW: usize = 8;

/// What is looked for: words as they are, in whatever case.
pub(crate) struct Wanted {
    /// Each piece by its bytes, with the word that it is of.
    pieces: HashMap<[u8; WINDOW], Vec<usize>>,
    /// Whether a piece begins with two bytes: most places are passed by with one look.
    begins: Vec<bool>,
    words: Vec<Vec<u8>>,
    whole: bool,
}

impl Wanted {
    /// Whole words, of eight letters or more.
    pub(crate) fn whole<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of(words, true)
    }

    /// Any eight letters of a word, one after the other.
    pub(crate) fn windows<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of(words, false)
    }

    fn of<'a>(words: impl IntoIterator<Item = &'a str>, whole: bool) -> Self {
        let words: Vec<Vec<u8>> = words
            .into_iter()
            .map(|word| word.to_ascii_lowercase().into_bytes())
            .collect();
        let mut pieces: HashMap<[u8; WINDOW], Vec<usize>> = HashMap::new();
        let mut begins = vec![false; 1 << 16];
        for (number, word) in words.iter().enumerate() {
            let windows = word.array_windows::<WINDOW>();
            let many = if whole { 1 } else { usize::MAX };
            for window in windows.take(many) {
                begins[two(window)] = true;
                pieces.entry(*window).or_default().push(number);
            }
        }
        Self {
            pieces,
            begins,
            words,
            whole,
        }
    }

    /// What of it stands in some bytes.
    pub(crate) fn found_in(&self, bytes: &[u8]) -> Vec<String> {
        let bytes = bytes.to_ascii_lowercase();
        let (bytes, begins) = (bytes.as_slice(), self.begins.as_slice());
        let (mut at, mut found) = (0, Vec::new());
        // A plain loop: without the optimiser an iterator takes several times as long, and folders are large.
        while at + WINDOW <= bytes.len() {
            if begins[usize::from(bytes[at]) << 8 | usize::from(bytes[at + 1])] {
                found.extend(self.found_at(&bytes[at..]));
            }
            at += 1;
        }
        found
    }

    /// The piece with which some bytes begin.
    fn found_at(&self, bytes: &[u8]) -> Option<String> {
        let window = bytes.first_chunk::<WINDOW>()?;
        let mut numbers = self.pieces.get(window)?.iter();
        let here = |number: &usize| !self.whole || bytes.starts_with(&self.words[*number]);
        numbers
            .any(here)
            .then(|| String::from_utf8_lossy(window).into_owned())
    }

    /// What of it stands in the files of a folder, also as UTF-16, and in their names.
    pub(crate) fn found_below(&self, folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for file in files(folder) {
            let mut bytes = std::fs::read(&file).unwrap_or_default();
            let mut narrow = bytes.clone();
            narrow.retain(|byte| *byte != 0);
            bytes.extend_from_slice(file.to_string_lossy().as_bytes());
            let raw = self.found_in(&bytes);
            let all = raw.into_iter().chain(self.found_in(&narrow)).take(3);
            found.extend(all.map(|it| format!("`{it}` stands in {}", name(folder, &file))));
        }
        found
    }
}

fn two(window: &[u8; WINDOW]) -> usize {
    usize::from(window[0]) << 8 | usize::from(window[1])
}

fn name(folder: &Path, file: &Path) -> String {
    let name = file.strip_prefix(folder).unwrap_or(file);
    name.display().to_string()
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                all.push(entry.path());
            }
        }
    }
    all.sort();
    all
}

/// Copies a folder with all that is in it, other than sockets.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            self::copy(&path, &copy);
        } else if kind.is_file() {
            std::fs::copy(&path, &copy).unwrap();
        }
    }
}

/// Removes a folder with all that is in it.
pub(crate) fn remove(folder: &Path) {
    if folder.exists() {
        std::fs::remove_dir_all(folder).unwrap();
    }
}
