//! The folder damaged, full, closed or taken: a committed prefix, or a refusal that says what to do.

use std::path::Path;

use rusqlite::Connection;

use crate::server::{Refused, Server};
use crate::told::{Asker, Told, again, are_there, end, is_sound};
use crate::trial::{Family, Scenario, Trial};

mod index;
mod pages;
mod room;
mod torn;
mod two;

pub(crate) const FAMILY: Family = Family {
    name: "storage",
    passes_when: "a committed prefix or a refusal that says what to do; indexes are built again; a second server is refused",
    scenarios: &[
        Scenario::new("torn log", 6, 150, torn::run),
        Scenario::new("flipped pages", 6, 150, pages::run),
        Scenario::new(
            "files of the index deleted, cut, flipped and swapped",
            6,
            60,
            index::run,
        ),
        Scenario::new("disk full", 1, 5, room::full),
        Scenario::new("disk read-only", 1, 5, room::read_only),
        Scenario::new("two servers on one folder", 2, 20, two::run),
    ],
    canary: Scenario::new("one word of a kept text changed", 1, 1, one_word_changed),
};

/// A folder with so many requests of so many rows, in their order, and its server ended without a chance to tidy up.
fn filled(
    trial: &mut Trial,
    folder: &Path,
    (requests, rows): (usize, usize),
    ends: fn(Server),
) -> Option<Vec<Told>> {
    let server = again(trial, folder)?;
    let mut agent = Asker::agent(&server);
    let mut told = Vec::new();
    for _ in 0..requests {
        let mut next = Told::new(&mut trial.chance, rows);
        if !next.say(&mut agent).is_ok_and(|status| status == 200) {
            trial.broken("a row was not taken before anything was done to the folder");
        }
        told.push(next);
    }
    ends(server);
    Some(told)
}

fn stopped(server: Server) {
    server.stop();
}

/// What makes a refusal one that helps: it says what is wrong with which file or folder, and what to do.
fn is_helpful(trial: &mut Trial, folder: &Path, refused: &Refused) {
    const DO: &[&str] = &[
        "restore",
        "backup",
        "free ",
        "stop ",
        "check ",
        "delete",
        "put ",
        "start it again",
        "doctor",
        "open it again",
        "try again",
        "move ",
        "make ",
    ];
    let said = end(&refused.said);
    if refused.code.is_none() || said.contains("panicked") {
        trial.broken(format!("it did not refuse, it fell over: {said}"));
    } else if !DO.iter().any(|it| said.contains(it)) {
        trial.broken(format!("a refusal does not say what to do: {said}"));
    }
    drop(std::fs::remove_file(folder.with_extension("log")));
}

/// Nothing in the log of a folder says that something fell over.
fn nobody_panicked(trial: &mut Trial, folder: &Path) {
    let log = std::fs::read_to_string(folder.with_extension("log")).unwrap_or_default();
    if let Some(line) = log.lines().find(|line| line.contains("panicked")) {
        trial.broken(format!("something panicked: {}", end(line)));
    }
}

fn one_word_changed(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(told) = filled(trial, &folder, (1, 3), stopped) else {
        return;
    };
    let ledger = Connection::open(folder.join("ledger.sqlite")).unwrap();
    let changed = ledger.execute(
        "UPDATE memories SET content = replace(content, 'third', 'fifth')",
        (),
    );
    drop(ledger);
    trial.fault();
    trial.round();
    assert!(changed.unwrap() > 0, "there is a word to change");
    if let Some(server) = again(trial, &folder) {
        are_there(trial, &server, &told);
        is_sound(trial, &server);
    }
}
