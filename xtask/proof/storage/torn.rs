//! The write-ahead log cut, filled with zeros or with chance behind some byte: what is there is a prefix of what was
//! acknowledged.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use super::{filled, is_helpful};
use crate::bytes;
use crate::server::Server;
use crate::told::{Told, counted, is_sound};
use crate::trial::Trial;

const LOG: &str = "ledger.sqlite-wal";
/// Requests that are acknowledged one after the other, and rows of each.
const SAID: (usize, usize) = (40, 3);

pub(super) fn run(trial: &mut Trial) {
    let whole = trial.room("whole");
    let Some(told) = filled(trial, &whole, SAID, Server::kill) else {
        return;
    };
    let folder = trial.folder.join("torn");
    let (mut served, mut refused) = (0, 0);
    for _ in 0..trial.rounds {
        bytes::copy(&whole, &folder);
        tear(trial, &folder);
        match Server::start(trial.program, &folder) {
            Ok(server) => {
                served += 1;
                is_a_prefix(trial, &server, &told);
                is_sound(trial, &server);
                server.kill();
            }
            Err(said) => {
                refused += 1;
                is_helpful(trial, &folder, &said);
            }
        }
        bytes::remove(&folder);
        trial.round();
    }
    trial.remark(format!(
        "{served} logs were read up to the tear, {refused} refused"
    ));
}

/// Tears the log somewhere; what SQLite knows of it in memory is gone after a power failure.
fn tear(trial: &mut Trial, folder: &Path) {
    drop(std::fs::remove_file(folder.join("ledger.sqlite-shm")));
    let mut log = OpenOptions::new()
        .write(true)
        .open(folder.join(LOG))
        .unwrap();
    let length = log.metadata().unwrap().len();
    let at = trial.chance.below(length);
    match trial.chance.below(3) {
        0 => log.set_len(at).unwrap(),
        kind => {
            let end = length.min(at + 1 + trial.chance.below(3 * 4_096));
            let filled: Vec<u8> = (at..end)
                .map(|_| {
                    if kind == 1 {
                        0
                    } else {
                        trial.chance.next() as u8
                    }
                })
                .collect();
            log.seek(SeekFrom::Start(at)).unwrap();
            log.write_all(&filled).unwrap();
        }
    }
    trial.fault();
}

/// What is there was acknowledged, in its order, with nothing left out before it, and whole.
fn is_a_prefix(trial: &mut Trial, server: &Server, told: &[Told]) {
    let counts = counted(server);
    let there = |told: &&Told| told.words.iter().all(|word| counts.contains_key(word));
    let prefix = told.iter().take_while(there).count();
    let all: usize = told[..prefix].iter().map(|told| told.words.len()).sum();
    if counts.len() != all {
        trial.broken(format!(
            "behind the tear are {} rows beside the {all} of the prefix",
            counts.len() - all
        ));
    }
}
