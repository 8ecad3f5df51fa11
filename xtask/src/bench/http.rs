//! What is wanted of `cargo xtask bench http`: the server as it is shipped, asked over loopback.

use std::path::{Path, PathBuf};

use clap::Args;

use super::run;
use crate::{Outcome, Task, Trouble, shell};

/// What is to be measured over HTTP, and where the figures go.
#[derive(Args, Clone, Debug)]
pub struct WantedOverHttp {
    /// Measure only this: `recall`, `retain`, `transport`, `start`, `agents`, `console`; may be given several times.
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
    fn words(&self, server: String) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let out = here.join(&self.out).display().to_string();
        let named = [
            ("--out", out),
            ("--rows", self.rows.to_string()),
            ("--seed", self.seed.to_string()),
            ("--server", server),
        ];
        let switches = [("--quick", self.quick), ("--check", self.check)];
        words_of(&named, &self.only, &switches)
    }
}

/// The words that say the same again: names with their values, what alone is wanted, and switches that are on.
pub(super) fn words_of(
    named: &[(&str, String)],
    only: &[String],
    switches: &[(&str, bool)],
) -> Vec<String> {
    let named = named.iter().map(|(name, value)| (*name, value));
    let only = only.iter().map(|name| ("--only", name));
    let pairs = named.chain(only);
    let mut words: Vec<String> = pairs
        .flat_map(|(name, value)| [name.to_owned(), value.clone()])
        .collect();
    let on = switches.iter().filter(|(_, on)| *on);
    words.extend(on.map(|(name, _)| (*name).to_owned()));
    words
}

/// Builds the server and the program that asks it, with the optimiser, and runs that.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn http(wanted: &WantedOverHttp) -> Task {
    match server_for(wanted.server.as_deref())? {
        Some(server) => run("http", &wanted.words(server)),
        None => Ok(Outcome::Failed),
    }
}

/// The server to measure: the one that is wanted, or one that is built for it; nothing, where it cannot be built.
pub(super) fn server_for(wanted: Option<&Path>) -> Result<Option<String>, Trouble> {
    let server = match wanted {
        Some(server) => std::env::current_dir().unwrap_or_default().join(server),
        None => {
            let build = ["build", "--quiet", "--release", "--package"];
            let package = ["testimony-server"];
            if !shell::cargo_succeeds(&[&build[..], &package[..]].concat())? {
                return Ok(None);
            }
            shell::target_folder()?.join("release/testimony")
        }
    };
    Ok(Some(server.display().to_string()))
}
