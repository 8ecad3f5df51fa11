//! The server ended at any moment, in the midst of work: what it acknowledged is there, and nothing half.

use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::server::Server;
use crate::told::{Asker, Told, again, are_there, is_sound};
use crate::trial::{Family, Scenario, Trial};

mod backing_up;
mod erasing;
mod indexing;
mod migrating;
mod retaining;
mod reviewing;
mod stopping;

pub(crate) const FAMILY: Family = Family {
    name: "crash",
    passes_when: "every acknowledged id can be read, nothing is half done, the chain is whole, and a stop lets work end",
    scenarios: &[
        Scenario::new("killed while it retains", 2, 150, retaining::run),
        Scenario::new("killed while it reviews", 4, 110, reviewing::run),
        Scenario::new("killed while it erases", 4, 100, erasing::run),
        Scenario::new("killed while it backs up", 2, 50, backing_up::run),
        Scenario::new("killed while it migrates", 4, 60, migrating::run),
        Scenario::new("killed while it writes its index", 3, 60, indexing::run),
        Scenario::new("asked to stop under load", 1, 20, stopping::run),
    ],
    canary: Scenario::new(
        "the log thrown away after the crash",
        1,
        1,
        the_log_thrown_away,
    ),
};

/// How many work at a time.
const HANDS: usize = 4;
/// After so many rounds a new folder is begun.
const ROUNDS_OF_A_FOLDER: usize = 25;

/// Lets several work on a server, ends it in the midst of that, and gives back what each of them knows.
fn struck<T: Send>(
    server: Server,
    after: Duration,
    work: impl IntoIterator<Item = impl FnOnce() -> T + Send>,
) -> Vec<T> {
    thread::scope(|scope| {
        let hands: Vec<_> = work.into_iter().map(|work| scope.spawn(work)).collect();
        thread::sleep(after);
        server.kill();
        hands.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// A moment below so many milliseconds.
fn moment(trial: &mut Trial, below: u64) -> Duration {
    Duration::from_micros(trial.chance.below(below * 1_000))
}

/// How the rounds are spread over folders: how many each one has.
fn folders(rounds: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rounds.div_ceil(ROUNDS_OF_A_FOLDER)).map(move |folder| {
        let left = rounds - folder * ROUNDS_OF_A_FOLDER;
        (folder, left.min(ROUNDS_OF_A_FOLDER))
    })
}

/// A folder with so many rows, said in as many requests.
fn filled(trial: &mut Trial, folder: &Path, requests: usize) -> Option<Vec<Told>> {
    let server = again(trial, folder)?;
    let mut agent = Asker::agent(&server);
    let mut told: Vec<Told> = (0..requests)
        .map(|_| Told::new(&mut trial.chance, 10))
        .collect();
    for told in &mut told {
        if !told.say(&mut agent).is_ok_and(|status| status == 200) {
            trial.broken("a row was not taken before anything was done to the server");
        }
    }
    server.stop();
    Some(told)
}

fn the_log_thrown_away(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(server) = again(trial, &folder) else {
        return;
    };
    let mut agent = Asker::agent(&server);
    let mut told = Told::new(&mut trial.chance, 2);
    drop(told.say(&mut agent));
    server.kill();
    for name in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
        drop(std::fs::remove_file(folder.join(name)));
    }
    trial.fault();
    trial.round();
    if let Some(server) = again(trial, &folder) {
        are_there(trial, &server, &[told]);
        is_sound(trial, &server);
    }
}
