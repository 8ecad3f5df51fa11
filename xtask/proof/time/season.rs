//! An hour that comes twice, and one that never comes: a key ends when it is to, and no moment is an hour off.

use std::thread;
use std::time::Duration;

use super::{clock, key, nothing_is_lost};
use crate::told::{Asker, RECALL, Told};
use crate::trial::Trial;

const ZONE: &str = "Europe/Berlin";
/// Clocks are put back at the first of these moments, and forward at the second: in October 2025 and March 2026.
const CHANGES: &[i64] = &[1_761_440_400, 1_774_746_000];
/// So many seconds before the change it begins.
const BEFORE: i64 = 4;

pub(super) fn run(trial: &mut Trial) {
    let Some(clock) = clock(trial) else { return };
    for round in 0..trial.rounds {
        let change = CHANGES[round % CHANGES.len()];
        clock.set(change - BEFORE - clock::now());
        let folder = trial.room(&format!("data-{round}"));
        let Some(server) = clock.serve(trial, &folder, ZONE) else {
            return;
        };
        trial.fault();
        let until = clock::written(change + 1);
        let ending = key(&server, Some(&until));
        let mut told = vec![said(trial, &server)];
        clock.set(change + 2 - clock::now());
        thread::sleep(Duration::from_millis(10));
        let mut holder = Asker::with(&server, ending);
        let (status, _) = holder.ask(RECALL, &serde_json::json!({ "query": "Who is there?" }));
        if status != 401 {
            trial.leaked(format!(
                "a key that ended with the season is answered {status}"
            ));
        }
        told.push(said(trial, &server));
        nothing_is_lost(trial, &server, &told);
        trial.round();
    }
}

fn said(trial: &mut Trial, server: &crate::server::Server) -> Told {
    let mut told = Told::new(&mut trial.chance, 1);
    drop(told.say(&mut Asker::agent(server)));
    told
}
