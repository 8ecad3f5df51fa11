//! `cargo xtask bench`: how fast ledger, index and embedder are, and the whole server, beside floors that are measured in
//! the same run.
//!
//! What is measured lies in `xtask/benches/storage/main.rs`, `xtask/benches/http/main.rs`,
//! `xtask/benches/gateway/main.rs` and the files beside them, programs of their own, so that nobody has to build SQLite and tantivy to run the other tasks.
//! Here is what both share: the options, the figures with their bars, and the plots.

use std::path::PathBuf;

use clap::Args;

use crate::{Outcome, Task, shell};

mod figures;
mod gateway;
mod http;
mod plot;

pub use figures::{Bar, Figure, Report};
pub use gateway::{WantedOfGateway, gateway};
pub use http::{WantedOverHttp, http};
pub use plot::{Axis, Line, Plot, Rule};

/// What is to be measured, and where the figures go.
#[derive(Args, Clone, Debug)]
pub struct Wanted {
    /// Measure only this: `inserts`, `writers`, `search`, `vectors`, `rebuild`, `containers`, `growth`, `graphs`,
    /// `embedding`; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many memories, where a measurement does not name its own number.
    #[arg(long, value_name = "NUMBER")]
    pub rows: Option<usize>,
    /// A hundredth of everything, to see that it works; the figures say nothing then.
    #[arg(long)]
    pub quick: bool,
    /// The folder for `storage.json` and the plots.
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    pub out: PathBuf,
    /// The folder of a sentence model, to measure it beside the table in the binary.
    #[arg(long, value_name = "FOLDER")]
    pub model: Option<PathBuf>,
    /// The seed of the synthetic memories.
    #[arg(long, default_value_t = 20_261_120)]
    pub seed: u64,
    /// End with status 1 when a bar is missed.
    #[arg(long)]
    pub check: bool,
}

impl Wanted {
    /// Whether a measurement is to be made.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The words that make the other program want the same.
    fn words(&self) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let absolute = |path: &PathBuf| here.join(path).display().to_string();
        let mut words = vec!["--out".to_owned(), absolute(&self.out)];
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        for name in &self.only {
            words.extend(["--only".to_owned(), name.clone()]);
        }
        if let Some(rows) = self.rows {
            words.extend(["--rows".to_owned(), rows.to_string()]);
        }
        if let Some(model) = &self.model {
            words.extend(["--model".to_owned(), absolute(model)]);
        }
        words.extend(self.quick.then(|| "--quick".to_owned()));
        words.extend(self.check.then(|| "--check".to_owned()));
        words
    }
}

/// Builds the program that measures, with the optimiser, and runs it.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn storage(wanted: &Wanted) -> Task {
    run("storage", &wanted.words())
}

/// Builds a program of this package that measures, with the optimiser, and runs it.
pub(crate) fn run(bench: &str, words: &[String]) -> Task {
    let cargo = [
        "bench",
        "--quiet",
        "--package",
        "xtask",
        "--bench",
        bench,
        "--",
    ];
    let words: Vec<&str> = cargo
        .into_iter()
        .chain(words.iter().map(String::as_str))
        .collect();
    shell::cargo_succeeds(&words).map(Outcome::held_if)
}
