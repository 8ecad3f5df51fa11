//! Pages of the database flipped, each a few bytes of it: refused, found by the doctor, or without any harm.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{filled, is_helpful, nobody_panicked, stopped};
use crate::bytes;
use crate::server::Server;
use crate::told::{Asker, Told, findings, text};
use crate::trial::Trial;

const PAGE: u64 = 4_096;

pub(super) fn run(trial: &mut Trial) {
    let whole = trial.room("whole");
    let Some(told) = filled(trial, &whole, (12, 10), stopped) else {
        return;
    };
    let folder = trial.folder.join("flipped");
    let mut outcomes = [0; 3];
    for _ in 0..trial.rounds {
        bytes::copy(&whole, &folder);
        flip(trial, &folder);
        let outcome = is_known_or_whole(trial, &folder, &told);
        outcomes[outcome as usize] += 1;
        nobody_panicked(trial, &folder);
        drop(std::fs::remove_file(folder.with_extension("log")));
        bytes::remove(&folder);
        trial.round();
    }
    let [refused, found, harmless] = outcomes;
    trial.remark(format!(
        "{refused} were refused at the start, {found} found by the doctor, {harmless} changed nothing that is read"
    ));
}

/// Flips up to sixteen bytes of one page.
fn flip(trial: &mut Trial, folder: &Path) {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true);
    let mut file = file.open(folder.join("ledger.sqlite")).unwrap();
    let pages = file.metadata().unwrap().len() / PAGE;
    let page = trial.chance.below(pages) * PAGE;
    for _ in 0..=trial.chance.below(16) {
        let at = SeekFrom::Start(page + trial.chance.below(PAGE));
        let mut byte = [0];
        file.seek(at).unwrap();
        file.read_exact(&mut byte).unwrap();
        byte[0] ^= 1 << trial.chance.below(8);
        file.seek(at).unwrap();
        file.write_all(&byte).unwrap();
    }
    trial.fault();
}

/// What came of it.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Refused,
    Found,
    Harmless,
}

/// Either somebody says that something is wrong, or every row is as it was said.
pub(super) fn is_known_or_whole(trial: &mut Trial, folder: &Path, told: &[Told]) -> Outcome {
    let server = match Server::start(trial.program, folder) {
        Ok(server) => server,
        Err(refused) => {
            is_helpful(trial, folder, &refused);
            return Outcome::Refused;
        }
    };
    let found = findings(&server);
    let wrong = wrong(&server, told);
    if found.is_empty() {
        for wrong in &wrong {
            trial.lost(format!("the doctor says that all is well, and {wrong}"));
        }
        return Outcome::Harmless;
    }
    Outcome::Found
}

/// Rows that are not as they were said.
fn wrong(server: &Server, told: &[Told]) -> Vec<String> {
    let mut operator = Asker::operator(server);
    let mut wrong = Vec::new();
    for told in told {
        let ids = told.ids.iter().flatten();
        for (id, word) in ids.zip(&told.words) {
            let (status, found) = operator.look(&format!("/api/v1/admin/memories/{id}"));
            if found["memory"]["content"] != text(word) {
                wrong.push(format!("{id} is not as it was said: {status}"));
            }
        }
    }
    wrong
}
