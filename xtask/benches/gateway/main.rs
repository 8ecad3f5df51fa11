//! What `cargo xtask bench gateway` runs: the gateway of the server as it is shipped, between a client and a model with a
//! script, all on loopback and on the same processors.
//!
//! Other work on the machine makes every time longer and none shorter, so what counts is the least of several rounds,
//! and the model is asked directly in turns with the gateway.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

mod asked;
mod first;
mod model;
#[path = "../http/server.rs"]
#[expect(dead_code, reason = "the other program measures with the rest of it")]
mod server;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the other programs measure with the rest of it")]
mod shared;
mod streams;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xtask::bench::{Report, WantedOfGateway};

use model::Model;
use server::{Prepared, Served, prepared};
use shared::data::Data;

/// The gateway, measured.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    wanted: WantedOfGateway,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What every measurement is told.
pub(crate) struct Setting {
    pub(crate) wanted: WantedOfGateway,
    /// The server's program.
    pub(crate) server: PathBuf,
}

/// A server that leads to a model.
pub(crate) struct Gateway {
    pub(crate) served: Served,
    pub(crate) model: Model,
    /// Where the server tells what it counts.
    pub(crate) metrics: String,
    prepared: Prepared,
}

impl Gateway {
    /// The key of an agent.
    pub(crate) fn key(&self) -> &str {
        &self.prepared.key
    }

    fn start(setting: &Setting, data: &Data, rows: usize) -> Self {
        let (prepared, model) = (prepared(setting, data, rows), Model::listening());
        let settings = prepared.folder.path().join("testimony.toml");
        std::fs::write(&settings, model.settings()).unwrap();
        let metrics = asked::free_address();
        let more = ["--metrics-listen", metrics.as_str()];
        Self {
            served: Served::start_with(setting, prepared.folder.path(), &more),
            model,
            metrics,
            prepared,
        }
    }
}

/// A measurement by its name.
type Measure = fn(&Setting, &Data, &mut Report);

const MEASUREMENTS: &[(&str, Measure)] =
    &[("first", first::measure), ("streams", streams::measure)];

fn main() -> ExitCode {
    let CommandLine { wanted, .. } = CommandLine::parse();
    std::fs::create_dir_all(&wanted.out).unwrap();
    let setting = Setting {
        server: wanted.server.clone().unwrap(),
        wanted,
    };
    let data = Data::new(setting.wanted.seed, false, 1);
    let mut report = Report::default();
    for (name, measure) in MEASUREMENTS {
        if setting.wanted.wants(name) {
            println!("{name} …");
            measure(&setting, &data, &mut report);
        }
    }
    report.print(&mut std::io::stdout()).unwrap();
    let out = &setting.wanted.out;
    report.write(out, "gateway").unwrap();
    println!(
        "\nthe figures are in {}",
        out.join("gateway.json").display()
    );
    if setting.wanted.check && !report.holds() {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
