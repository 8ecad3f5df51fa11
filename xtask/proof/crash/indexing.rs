//! Killed while the index is written down, at a close and behind a start: ledger and index are one again.

use std::path::Path;

use serde_json::json;

use super::{filled, folders, moment};
use crate::server::Server;
use crate::told::{Asker, RECALL, Told, again, are_there, is_sound, text};
use crate::trial::Trial;

/// How often something is written before the server is ended, in so many rounds.
const WRITES_IN: usize = 3;

pub(super) fn run(trial: &mut Trial) {
    for (number, rounds) in folders(trial.rounds) {
        let folder = trial.room(&format!("data-{number}"));
        let Some(mut told) = filled(trial, &folder, 4) else {
            return;
        };
        for round in 0..rounds {
            if !one(trial, &folder, round, &mut told) {
                return;
            }
        }
        if let Some(server) = again(trial, &folder) {
            are_there(trial, &server, &told);
            is_found(trial, &server, &told);
        }
    }
}

/// Whether it went as far as to the next round.
fn one(trial: &mut Trial, folder: &Path, round: usize, told: &mut Vec<Told>) -> bool {
    let Some(server) = again(trial, folder) else {
        return false;
    };
    if round.is_multiple_of(WRITES_IN) {
        let mut more = Told::new(&mut trial.chance, 3);
        drop(more.say(&mut Asker::agent(&server)));
        told.push(more);
        // Its index is written down when it is asked to stop.
        server.ask_to_stop();
    }
    std::thread::sleep(moment(trial, 120));
    server.kill();
    trial.fault();
    let Some(server) = again(trial, folder) else {
        return false;
    };
    is_sound(trial, &server);
    server.kill();
    trial.round();
    true
}

/// The last row is found by its words.
fn is_found(trial: &mut Trial, server: &Server, told: &[Told]) {
    let Some(word) = told.last().and_then(|told| told.words.last()) else {
        return;
    };
    let query = format!("Where does colleague {word} keep the spare key?");
    let body = json!({ "query": query });
    let (_, found) = Asker::agent(server).ask(RECALL, &body);
    if !found["results"].to_string().contains(&text(word)) {
        trial.lost("a row that is there is not found any more");
    }
}
