//! What is wanted of `cargo xtask bench http`: the server as it is shipped, asked over loopback.

use std::path::PathBuf;

use clap::Args;

use super::run;
use crate::{Outcome, Task, shell};

/// What is to be measured over HTTP, and where the figures go.
#[derive(Args, Clone, Debug)]
pub struct WantedOverHttp {
    /// Measure only this: `recall`, `retain`, `transport`, `start`, `agents`; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many memories are there when questions are asked, and when the server starts.
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub rows: usize,
    /// A hundredth of everything, to see that it works; the figures say nothing then.
    #[arg(long)]
    pub quick: bool,
    /// The folder for `http.json`.
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

impl WantedOverHttp {
    /// Whether a measurement is to be made.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// How many memories there are to be.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.part_of(self.rows)
    }

    /// So many, or a hundredth of them.
    #[must_use]
    pub const fn part_of(&self, number: usize) -> usize {
        if !self.quick {
            number
        } else if number < 100 {
            1
        } else {
            number / 100
        }
    }

    /// The words that make the other program want the same.
    fn words(&self, server: &str) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let out = here.join(&self.out).display().to_string();
        let (rows, seed) = (self.rows.to_string(), self.seed.to_string());
        let named = [("--out", out), ("--rows", rows), ("--seed", seed)];
        let named = named.map(|(name, value)| [name.to_owned(), value]);
        let server = ["--server".to_owned(), server.to_owned()];
        let only = self.only.iter();
        let only = only.map(|name| ["--only".to_owned(), name.clone()]);
        let mut words: Vec<String> = named.into_iter().chain([server]).flatten().collect();
        words.extend(only.flatten());
        words.extend(self.quick.then(|| "--quick".to_owned()));
        words.extend(self.check.then(|| "--check".to_owned()));
        words
    }
}

/// Builds the server and the program that asks it, with the optimiser, and runs that.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn http(wanted: &WantedOverHttp) -> Task {
    let server = match &wanted.server {
        Some(server) => std::env::current_dir().unwrap_or_default().join(server),
        None => {
            let build = ["build", "--quiet", "--release", "--package"];
            let package = ["testimony-server"];
            if !shell::cargo_succeeds(&[&build[..], &package[..]].concat())? {
                return Ok(Outcome::Failed);
            }
            shell::target_folder()?.join("release/testimony")
        }
    };
    run("http", &wanted.words(&server.display().to_string()))
}
