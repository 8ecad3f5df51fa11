//! Files of the index deleted, cut, flipped, and swapped with one another: it is built again, and nothing is lost.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{filled, is_helpful, nobody_panicked, stopped};
use crate::bytes;
use crate::server::Server;
use crate::told::{Asker, RECALL, Told, are_there, is_sound, text};
use crate::trial::Trial;

pub(super) fn run(trial: &mut Trial) {
    let whole = trial.room("whole");
    let Some(told) = filled(trial, &whole, (6, 20), stopped) else {
        return;
    };
    let folder = trial.folder.join("damaged");
    for round in 0..trial.rounds {
        bytes::copy(&whole, &folder);
        damage(trial, &folder.join("index"), round);
        match Server::start(trial.program, &folder) {
            Ok(server) => {
                is_sound(trial, &server);
                if round == 0 || trial.rounds > 20 && round % 10 == 0 {
                    are_there(trial, &server, &told);
                    is_found(trial, &server, &told);
                }
                server.kill();
            }
            Err(refused) => {
                is_helpful(trial, &folder, &refused);
                trial.broken("damage to the index kept the server from starting");
            }
        }
        nobody_panicked(trial, &folder);
        bytes::remove(&folder);
        trial.round();
    }
}

/// Each kind of damage in turn, to a file by chance.
fn damage(trial: &mut Trial, index: &Path, round: usize) {
    let files = bytes::files(index);
    let file = trial.chance.one_of(&files).clone();
    let length = std::fs::metadata(&file).unwrap().len();
    match round % 5 {
        0 => std::fs::remove_file(&file).unwrap(),
        1 => {
            let open = std::fs::OpenOptions::new().write(true).open(&file);
            open.unwrap()
                .set_len(trial.chance.below(length.max(1)))
                .unwrap();
        }
        2 => flip(trial, &file),
        3 => swap(&file, trial.chance.one_of(&files)),
        _ => bytes::remove(index),
    }
    trial.fault();
}

fn flip(trial: &mut Trial, file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    if bytes.is_empty() {
        return;
    }
    let at = trial.chance.below(bytes.len() as u64);
    bytes[usize::try_from(at).unwrap()] ^= 1 << trial.chance.below(8);
    std::fs::write(file, bytes).unwrap();
}

fn swap(first: &PathBuf, second: &PathBuf) {
    let (one, other) = (
        std::fs::read(first).unwrap(),
        std::fs::read(second).unwrap(),
    );
    std::fs::write(first, other).unwrap();
    std::fs::write(second, one).unwrap();
}

/// A row is found by its words.
fn is_found(trial: &mut Trial, server: &Server, told: &[Told]) {
    let told = &told[0];
    let query = format!("Where does colleague {} keep the spare key?", told.words[0]);
    let (_, found) = Asker::agent(server).ask(RECALL, &json!({ "query": query }));
    if !found["results"].to_string().contains(&text(&told.words[0])) {
        trial.lost("a row is not found after the index was damaged");
    }
}
