//! `cargo xtask proof`: what is done to the server, and what came of it.
//!
//! Every kind of fault or attack is a folder or a file here with one [`Family`](trial::Family), and one line in
//! `FAMILIES`. What it found is printed as a table and written as JSON; a single loss or leak fails it. Each family has a
//! canary, something that is broken on purpose, and fails too when that is not seen.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it breaks things, prints, and has no input but its own"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xtask::proof::WantedProof;

mod asking;
mod bytes;
mod client;
mod console;
mod model;
mod program;
mod server;
mod table;
mod told;
mod trial;

mod bodies;
mod crash;
mod erasure;
mod identity;
mod injection;
mod load;
mod secrets;
mod storage;
mod time;

use table::Row;
use trial::{Chance, Family, Found, Scenario, Trial};

/// Every kind of fault and attack.
const FAMILIES: &[&Family] = &[
    &crash::FAMILY,
    &storage::FAMILY,
    &time::FAMILY,
    &load::FAMILY,
    &erasure::FAMILY,
    &bodies::FAMILY,
    &identity::FAMILY,
    &secrets::FAMILY,
    &injection::FAMILY,
];

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    wanted: WantedProof,
    /// The server.
    #[arg(long)]
    server: PathBuf,
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    if line.wanted.list {
        table::list(FAMILIES);
        return ExitCode::SUCCESS;
    }
    let rows: Vec<Row> = FAMILIES.iter().flat_map(|it| family(it, &line)).collect();
    table::print(&rows, line.wanted.seed);
    if let Some(path) = &line.wanted.json {
        std::fs::write(path, table::json(&rows, line.wanted.seed)).unwrap();
    }
    if rows.iter().all(|row| row.verdict().holds()) && !rows.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The scenarios of a family that are wanted, and its canary with them.
fn family(family: &Family, line: &CommandLine) -> Vec<Row> {
    let wanted = family.scenarios.iter();
    let wanted: Vec<&Scenario> = wanted
        .filter(|it| line.wanted.wants(family.name, it.name))
        .collect();
    let canary = (!wanted.is_empty()).then_some((&family.canary, true));
    let all = wanted.into_iter().map(|it| (it, false)).chain(canary);
    all.map(|(scenario, canary)| {
        eprintln!("{} · {} …", family.name, scenario.name);
        let (found, took) = run(scenario, canary, line);
        Row {
            family: family.name,
            scenario: scenario.name,
            canary,
            found,
            took,
        }
    })
    .collect()
}

fn run(scenario: &Scenario, canary: bool, line: &CommandLine) -> (Found, std::time::Duration) {
    let folder = tempfile::tempdir().unwrap();
    let is_long = !line.wanted.short && !canary;
    let own = if is_long {
        scenario.long
    } else {
        scenario.short
    };
    let mut trial = Trial {
        program: &line.server,
        data: line.wanted.data.clone(),
        folder: folder.path().to_owned(),
        rounds: line.wanted.rounds.filter(|_| !canary).unwrap_or(own),
        is_long,
        chance: Chance::of(line.wanted.seed, scenario.name),
        found: Found::default(),
    };
    let start = std::time::Instant::now();
    (scenario.run)(&mut trial);
    (trial.found, start.elapsed())
}
