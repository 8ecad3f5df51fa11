//! Killed while a ledger of an older form is brought to the present one, several times over.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::moment;
use crate::bytes;
use crate::program;
use crate::told::{again, end};
use crate::trial::Trial;

/// How often one upgrade is cut short.
const CUTS: u64 = 3;

/// A ledger of an older form, and what an upgrade that nobody disturbs makes of it.
struct Older {
    file: PathBuf,
    lines: Vec<String>,
    took: Duration,
}

pub(super) fn run(trial: &mut Trial) {
    let all = released();
    let all: Vec<Older> = all.into_iter().filter_map(|it| older(trial, it)).collect();
    for round in 0..trial.rounds {
        let older = &all[round % all.len()];
        let folder = trial.folder.join("data");
        begun(&folder, &older.file);
        for _ in 0..=trial.chance.below(CUTS) {
            cut_short(trial, &folder, older.took);
        }
        let Some(server) = again(trial, &folder) else {
            return;
        };
        server.stop();
        is_as_if_undisturbed(trial, &folder, &older.lines);
        bytes::remove(&folder);
        trial.round();
    }
}

/// A small ledger of every form that was released, other than the present one.
fn released() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ledger");
    let mut all = bytes::files(&folder);
    all.retain(|file| file.extension().is_some_and(|it| it == "sqlite"));
    all
}

/// A folder in which nothing but a ledger of an older form lies.
fn begun(folder: &Path, file: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::copy(file, folder.join("ledger.sqlite")).unwrap();
}

fn older(trial: &mut Trial, file: PathBuf) -> Option<Older> {
    let folder = trial.folder.join("undisturbed");
    begun(&folder, &file);
    let start = Instant::now();
    let server = again(trial, &folder)?;
    let took = start.elapsed();
    server.stop();
    let lines = exported(trial, &folder);
    bytes::remove(&folder);
    Some(Older { file, lines, took })
}

/// Starts the server and ends it somewhere before it could have been ready.
fn cut_short(trial: &mut Trial, folder: &Path, took: Duration) {
    let millis = u64::try_from(took.as_millis()).unwrap_or(1).max(2);
    let after = moment(trial, millis);
    let words = ["serve", "--listen", "127.0.0.1:0"];
    let mut server = program::command(trial.program, folder, &words);
    server.stdout(Stdio::null()).stderr(Stdio::null());
    let mut server = server.spawn().unwrap();
    std::thread::sleep(after);
    drop(server.kill());
    drop(server.wait());
    trial.fault();
}

/// Everything that a folder holds, line by line.
fn exported(trial: &mut Trial, folder: &Path) -> Vec<String> {
    let ran = program::run(trial.program, folder, &["export"]);
    if !ran.succeeded() {
        trial.broken(format!(
            "what is there cannot be exported: {}",
            end(&ran.said)
        ));
    }
    // The first container is made by whichever start came first, and says when.
    let first = |line: &&str| line.contains("\"tag\":\"workspace\"");
    let lines = ran.out.lines().filter(|line| !first(line));
    lines.map(str::to_owned).collect()
}

fn is_as_if_undisturbed(trial: &mut Trial, folder: &Path, lines: &[String]) {
    let found = exported(trial, folder);
    let gone = lines.iter().filter(|line| !found.contains(line)).count();
    if gone > 0 {
        trial.lost(format!(
            "{gone} lines of {} are gone after an upgrade",
            lines.len()
        ));
    }
    if found.len() > lines.len() {
        trial.broken("an upgrade that was cut short left more than it should");
    }
    for finding in program::findings(trial.program, folder) {
        trial.broken(format!("the doctor found {finding}"));
    }
}
