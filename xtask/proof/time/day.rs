//! A day ahead, back to now, and a day behind, also over a start.

use super::ending::Ending;
use super::{clock, nothing_is_lost};
use crate::told::{Asker, Told};
use crate::trial::Trial;

const DAY: i64 = 24 * 3_600;

/// Where the clock is set to, and what that is called; whether the server is started anew.
const SETTINGS: &[(i64, &str, bool)] = &[
    (DAY, "a day later", false),
    (0, "when the clock is put back", false),
    (-DAY, "a day before", false),
    (-DAY, "after a start a day before", true),
    (0, "when the clock is right again", false),
    (0, "after another start", true),
];

pub(super) fn run(trial: &mut Trial) {
    let Some(clock) = clock(trial) else { return };
    for round in 0..trial.rounds {
        clock.set(0);
        let folder = trial.room(&format!("data-{round}"));
        let Some(mut server) = clock.serve(trial, &folder, "UTC") else {
            return;
        };
        let ending = Ending::made(trial, &server);
        ending.still_counts(trial, &server);
        let mut told = Vec::new();
        for (offset, when, anew) in SETTINGS {
            clock.set(*offset);
            trial.fault();
            if *anew {
                server.kill();
                let Some(again) = clock.serve(trial, &folder, "UTC") else {
                    return;
                };
                server = again;
            }
            ending.is_over(trial, &server, when);
            let mut next = Told::new(&mut trial.chance, 1);
            drop(next.say(&mut Asker::agent(&server)));
            if next.ids.is_none() {
                trial.broken(format!("nothing was taken {when}"));
            }
            told.push(next);
        }
        nothing_is_lost(trial, &server, &told);
        trial.round();
    }
}
