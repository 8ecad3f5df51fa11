//! Killed while a backup is made and others write: a file under its own name is a whole backup.

use std::path::Path;
use std::process::Stdio;

use super::{filled, moment};
use crate::bytes;
use crate::program;
use crate::server::Server;
use crate::told::{Told, again, are_there, end, is_sound};
use crate::trial::Trial;

/// Requests of ten rows that the folder begins with.
const REQUESTS: usize = 12;

pub(super) fn run(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(told) = filled(trial, &folder, REQUESTS) else {
        return;
    };
    let mut whole = 0;
    for round in 0..trial.rounds {
        let Some(server) = again(trial, &folder) else {
            return;
        };
        let file = trial.folder.join(format!("backup-{round}"));
        let acknowledged = killed(trial, server, &file);
        if file.exists() {
            whole += 1;
            is_whole(trial, &folder, &file, &told);
        } else if acknowledged {
            trial.lost("a backup was acknowledged and is not there");
        }
        trial.round();
    }
    if let Some(server) = again(trial, &folder) {
        are_there(trial, &server, &told);
        is_sound(trial, &server);
    }
    trial.remark(format!(
        "{whole} of {} backups were done before the end",
        trial.rounds
    ));
}

/// Has a backup made and ends the server in the midst of it; whether the backup was acknowledged all the same.
fn killed(trial: &mut Trial, server: Server, file: &Path) -> bool {
    let name = file.display().to_string();
    let mut backup = program::command(trial.program, &server.folder, &["backup", &name]);
    backup.stdout(Stdio::null()).stderr(Stdio::null());
    let mut backup = backup.spawn().unwrap();
    std::thread::sleep(moment(trial, 250));
    server.kill();
    trial.fault();
    backup.wait().unwrap().success()
}

/// Everything that was there before comes back from it.
fn is_whole(trial: &mut Trial, folder: &Path, file: &Path, told: &[Told]) {
    let back = trial.folder.join("back");
    let (name, secret) = (file.display().to_string(), folder.join("service.secret"));
    let secret = secret.display().to_string();
    let words = ["restore", name.as_str(), "--secret", secret.as_str()];
    let ran = program::run(trial.program, &back, &words);
    if !ran.succeeded() {
        trial.broken(format!("a backup cannot be restored: {}", end(&ran.said)));
        return;
    }
    std::fs::copy(folder.join("first-keys.json"), back.join("first-keys.json")).unwrap();
    if let Some(server) = again(trial, &back) {
        are_there(trial, &server, told);
        is_sound(trial, &server);
    }
    bytes::remove(&back);
}
