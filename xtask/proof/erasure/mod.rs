//! What is erased is gone from every route and every byte, and no older copy brings it back.

use std::path::Path;
use std::thread;

use crate::server::Server;
use crate::told::{Asker, Told, again, is_sound};
use crate::trial::{Chance, Family, Scenario, Trial};

mod backups;
mod judge;
mod marked;
mod routes;

use marked::Marked;

pub(crate) const FAMILY: Family = Family {
    name: "erasure",
    passes_when: "absent from every route and every byte of the folder and the log, the receipt lists each place, nothing resurrected",
    scenarios: &[
        Scenario::new("one memory among many", 1, 4, one_memory),
        Scenario::new("one person among many", 1, 4, one_person),
        Scenario::new("an older backup comes back", 1, 3, backups::run),
    ],
    canary: Scenario::new("a copy that was forgotten", 1, 1, a_copy_that_was_forgotten),
};

/// Rows beside what is erased, in the short form and in the long one.
const FEW: usize = 100;
const MANY: usize = 10_000;
const HANDS: usize = 2;
const BATCH: usize = 50;

/// A folder with many rows that stay.
fn filled(trial: &mut Trial, folder: &Path) -> Option<Server> {
    judge::asked_by(folder);
    let server = again(trial, folder)?;
    let rows = if trial.rounds > 1 { MANY } else { FEW };
    let hands: Vec<_> = (0..HANDS)
        .map(|_| (Asker::agent(&server), Chance::of(trial.chance.next(), "")))
        .collect();
    thread::scope(|scope| {
        for (mut agent, mut chance) in hands {
            scope.spawn(move || {
                for _ in 0..rows / HANDS / BATCH {
                    drop(Told::new(&mut chance, BATCH).say(&mut agent));
                }
            });
        }
    });
    Some(server)
}

fn one_memory(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(mut server) = filled(trial, &folder) else {
        return;
    };
    for round in 0..trial.rounds {
        let marked = Marked::memory(trial, &server, round % 2 == 1);
        marked.is_erased(trial, &server);
        marked.is_gone(trial, &server);
        marked.does_not_come_back(trial, &server);
        server = anew(trial, server, &marked);
        trial.round();
    }
    is_sound(trial, &server);
}

fn one_person(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(mut server) = filled(trial, &folder) else {
        return;
    };
    for _ in 0..trial.rounds {
        let marked = Marked::person(trial, &server);
        marked.is_erased(trial, &server);
        marked.is_gone(trial, &server);
        server = anew(trial, server, &marked);
        trial.round();
    }
    is_sound(trial, &server);
}

/// The same is gone after a stop and another start.
fn anew(trial: &mut Trial, server: Server, marked: &Marked) -> Server {
    let folder = server.folder.clone();
    server.stop();
    marked.is_in_no_byte_of(trial, &folder);
    let server = again(trial, &folder).unwrap();
    marked.is_gone(trial, &server);
    server
}

fn a_copy_that_was_forgotten(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(server) = filled(trial, &folder) else {
        return;
    };
    let marked = Marked::memory(trial, &server, false);
    let copy = std::fs::read(folder.join("ledger.sqlite-wal")).unwrap();
    marked.is_erased(trial, &server);
    std::fs::write(folder.join("index").join("left.tmp"), copy).unwrap();
    marked.is_gone(trial, &server);
    trial.round();
}
