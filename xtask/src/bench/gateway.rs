//! What is wanted of `cargo xtask bench gateway`: the gateway of the server as it is shipped, before a model with a
//! script.

use std::path::PathBuf;

use clap::Args;

use super::http::{server_for, words_of};
use super::run;
use crate::{Outcome, Task};

/// What is to be measured of the gateway, and where the figures go.
#[derive(Args, Clone, Debug)]
pub struct WantedOfGateway {
    /// Measure only this: `first`, `streams`; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many memories are there when questions are asked.
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub rows: usize,
    /// How many streams are held at a time.
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub streams: usize,
    /// For how long they are held.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub seconds: u64,
    /// The folder for `gateway.json`.
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    pub out: PathBuf,
    /// The server to measure, instead of one that is built for it.
    #[arg(long, value_name = "FILE")]
    pub server: Option<PathBuf>,
    /// The seed of the synthetic memories.
    #[arg(long, default_value_t = 20_261_120)]
    pub seed: u64,
    /// End with status 1 when a bar is missed.
    #[arg(long)]
    pub check: bool,
}

impl WantedOfGateway {
    /// Whether a measurement is to be made.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The words that make the other program want the same.
    fn words(&self, server: String) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let out = here.join(&self.out).display().to_string();
        let named = [
            ("--out", out),
            ("--rows", self.rows.to_string()),
            ("--streams", self.streams.to_string()),
            ("--seconds", self.seconds.to_string()),
            ("--seed", self.seed.to_string()),
            ("--server", server),
        ];
        words_of(&named, &self.only, &[("--check", self.check)])
    }
}

/// Builds the server and the program that asks it, with the optimiser, and runs that.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn gateway(wanted: &WantedOfGateway) -> Task {
    match server_for(wanted.server.as_deref())? {
        Some(server) => run("gateway", &wanted.words(server)),
        None => Ok(Outcome::Failed),
    }
}
