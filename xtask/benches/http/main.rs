//! What `cargo xtask bench http` runs: the server as it is shipped, in a process of its own, asked over loopback by a load
//! generator that shares its processors.
//!
//! Other work on the machine makes every time longer and none shorter, so what one client waits is the least of several
//! rounds, and what is compared with a floor is measured in turns with it.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

mod agents;
mod bare;
mod console;
mod reading;
mod server;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the other program measures with the rest of it")]
mod shared;
mod start;
mod transport;
mod turns;
mod writing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xtask::bench::{Report, WantedOverHttp};

/// The server, measured.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    wanted: WantedOverHttp,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
    /// Be the floor: answer everything with this file.
    #[arg(long, hide = true)]
    bare: Option<PathBuf>,
}

/// What every measurement is told.
pub(crate) struct Setting {
    pub(crate) wanted: WantedOverHttp,
    /// The server's program.
    pub(crate) server: PathBuf,
}

/// A measurement by its name.
type Measure = fn(&Setting, &mut Report);

const MEASUREMENTS: &[(&str, Measure)] = &[
    ("recall", reading::measure),
    ("retain", writing::measure),
    ("transport", transport::measure),
    ("start", start::measure),
    ("agents", agents::measure),
    ("console", console::measure),
];

fn main() -> ExitCode {
    let CommandLine { wanted, bare, .. } = CommandLine::parse();
    if let Some(answer) = bare {
        bare::serve(&answer);
        return ExitCode::SUCCESS;
    }
    std::fs::create_dir_all(&wanted.out).unwrap();
    let setting = Setting {
        server: wanted.server.clone().unwrap(),
        wanted,
    };
    let mut report = Report::default();
    for (name, measure) in MEASUREMENTS {
        if setting.wanted.wants(name) {
            println!("{name} …");
            measure(&setting, &mut report);
        }
    }
    report.print(&mut std::io::stdout()).unwrap();
    let out = &setting.wanted.out;
    report.write(out, "http").unwrap();
    println!("\nthe figures are in {}", out.join("http.json").display());
    if setting.wanted.check && !report.holds() {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
