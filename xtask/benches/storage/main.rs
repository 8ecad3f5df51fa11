//! What `cargo xtask bench storage` runs: ledger, index and embedder on seeded synthetic memories, beside floors that
//! are measured in the same run.
//!
//! Other work on the machine makes every time longer and none shorter, so each is the least of several rounds, and what
//! is compared with a floor is measured in turns with it.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

mod containers;
mod embedding;
mod floor;
mod graphs;
mod growth;
mod inserts;
mod rebuild;
mod search;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "other programs measure with the rest of it")]
mod shared;
mod vectors;
mod world;
mod writers;

use std::process::ExitCode;

use clap::Parser;
use xtask::bench::{Report, Wanted};

/// Ledger, index and embedder, measured.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    wanted: Wanted,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
    /// Open the store of this folder in a process of its own, answer one question, and say what that took.
    #[arg(long, hide = true)]
    start: Option<std::path::PathBuf>,
}

/// A measurement by its name.
type Measure = fn(&Wanted, &mut Report);

const MEASUREMENTS: &[(&str, Measure)] = &[
    ("embedding", embedding::measure),
    ("inserts", inserts::measure),
    ("writers", writers::measure),
    ("search", search::measure),
    ("vectors", vectors::measure),
    ("rebuild", rebuild::measure),
    ("containers", containers::measure),
    ("growth", growth::measure),
    ("graphs", graphs::measure),
];

fn main() -> ExitCode {
    let CommandLine { wanted, start, .. } = CommandLine::parse();
    if let Some(folder) = start {
        containers::start_and_say(&folder, &wanted);
        return ExitCode::SUCCESS;
    }
    std::fs::create_dir_all(&wanted.out).unwrap();
    let mut report = Report::default();
    for (name, measure) in MEASUREMENTS.iter().filter(|(name, _)| wanted.wants(name)) {
        println!("{name} …");
        measure(&wanted, &mut report);
    }
    report.print(&mut std::io::stdout()).unwrap();
    report.write(&wanted.out, "storage").unwrap();
    println!("\nfigures and plots are in {}", wanted.out.display());
    if wanted.check && !report.holds() {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
