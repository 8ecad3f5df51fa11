//! Backups from before an erasure: restored with the list of erasures, and put in the place of the ledger by hand.

use std::path::{Path, PathBuf};

use super::{Marked, filled};
use crate::bytes;
use crate::program;
use crate::server::Server;
use crate::told::{again, end, is_sound};
use crate::trial::Trial;

pub(super) fn run(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(mut server) = filled(trial, &folder) else {
        return;
    };
    for round in 0..trial.rounds {
        let marked = [
            Marked::memory(trial, &server, false),
            Marked::person(trial, &server),
        ];
        let Some(backup) = backed_up(trial, &server, round) else {
            return;
        };
        for marked in &marked {
            marked.is_erased(trial, &server);
        }
        server.stop();
        restored(trial, &folder, &backup, &marked);
        put_back(&folder, &backup);
        trial.fault();
        let Some(started) = again(trial, &folder) else {
            return;
        };
        server = started;
        are_gone(trial, &server, &marked);
        trial.round();
    }
}

fn are_gone(trial: &mut Trial, server: &Server, marked: &[Marked]) {
    for marked in marked {
        marked.is_gone(trial, server);
    }
    is_sound(trial, server);
}

fn backed_up(trial: &mut Trial, server: &Server, round: usize) -> Option<PathBuf> {
    let file = trial.folder.join(format!("backup-{round}"));
    let name = file.display().to_string();
    let ran = program::run(trial.program, &server.folder, &["backup", &name]);
    if ran.succeeded() {
        return Some(file);
    }
    trial.broken(format!("no backup was made: {}", end(&ran.said)));
    None
}

/// A backup restored somewhere else.
fn restored(trial: &mut Trial, folder: &Path, backup: &Path, marked: &[Marked]) {
    let back = trial.folder.join("back");
    let path = |path: &Path| path.display().to_string();
    let (file, secret) = (path(backup), path(&folder.join("service.secret")));
    let list = path(&folder.join("erasures.list"));
    let words = [
        "restore",
        file.as_str(),
        "--secret",
        secret.as_str(),
        "--erasures",
        list.as_str(),
    ];
    let ran = program::run(trial.program, &back, &words);
    if !ran.succeeded() {
        trial.lost(format!("a backup cannot be restored: {}", end(&ran.said)));
        return;
    }
    trial.fault();
    for marked in marked {
        marked.is_in_no_byte_of(trial, &back);
    }
    std::fs::copy(folder.join("first-keys.json"), back.join("first-keys.json")).unwrap();
    if let Some(server) = again(trial, &back) {
        are_gone(trial, &server, marked);
    }
    bytes::remove(&back);
}

/// A backup put in the place of the ledger, as somebody does who knows no other way.
fn put_back(folder: &Path, backup: &Path) {
    for name in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
        drop(std::fs::remove_file(folder.join(name)));
    }
    std::fs::copy(backup, folder.join("ledger.sqlite")).unwrap();
}
