//! `cargo xtask proof`: the real server under fault and attack, and what was lost or leaked of it.
//!
//! What is done to it lies in `xtask/proof/main.rs` and the folders beside it, a program of its own, so that nobody has to
//! build what it needs to run the other tasks. Here is what can be wanted of it.

use std::path::PathBuf;

use clap::Args;

use crate::{Outcome, Task, shell};

/// The seed where nobody names another.
const SEED: u64 = 20_261_121;

/// What is to be done to the server, how often, and with which seed.
#[derive(Args, Clone, Debug)]
pub struct WantedProof {
    /// Only the families or scenarios with this name; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many rounds each scenario has, instead of its own number.
    #[arg(long, value_name = "NUMBER")]
    pub rounds: Option<usize>,
    /// The seed of everything that is left to chance; a failure names the one it came with.
    #[arg(long, value_name = "NUMBER", default_value_t = SEED)]
    pub seed: u64,
    /// The short form: a few rounds of everything, within four minutes.
    #[arg(long)]
    pub short: bool,
    /// The server as it is shipped instead of one with its checks on.
    #[arg(long)]
    pub release: bool,
    /// A folder with sets of credentials, for the family about secrets; without it they are made up.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Write what was found to this file too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// List the families and their scenarios, and do nothing.
    #[arg(long)]
    pub list: bool,
}

impl WantedProof {
    /// A few rounds of everything, as the check runs it.
    #[must_use]
    pub const fn short() -> Self {
        Self {
            only: Vec::new(),
            rounds: None,
            seed: SEED,
            short: true,
            release: false,
            data: None,
            json: None,
            list: false,
        }
    }

    /// Whether a scenario is to run, by its name or its family's.
    #[must_use]
    pub fn wants(&self, family: &str, scenario: &str) -> bool {
        let named = |only: &String| only == family || only == scenario;
        self.only.is_empty() || self.only.iter().any(named)
    }

    /// The words that make the other program want the same.
    fn words(&self, server: &str) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let mut words = vec!["--server".to_owned(), server.to_owned()];
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        let only = self.only.iter();
        words.extend(only.flat_map(|name| ["--only".to_owned(), name.clone()]));
        if let Some(rounds) = self.rounds {
            words.extend(["--rounds".to_owned(), rounds.to_string()]);
        }
        if let Some(json) = &self.json {
            let json = here.join(json).display().to_string();
            words.extend(["--json".to_owned(), json]);
        }
        if let Some(data) = &self.data {
            let data = here.join(data).display().to_string();
            words.extend(["--data".to_owned(), data]);
        }
        words.extend(self.short.then(|| "--short".to_owned()));
        words.extend(self.list.then(|| "--list".to_owned()));
        words
    }
}

/// Builds the server and the program that attacks it, and runs that.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn run(wanted: &WantedProof) -> Task {
    let server = if wanted.release {
        shipped_server()?
    } else {
        shell::checked_server()?
    };
    let Some(server) = server else {
        return Ok(Outcome::Failed);
    };
    let words = wanted.words(&server.display().to_string());
    // Chosen as for the server, so that both are made of the same.
    let attack = ["test", "--quiet", "--workspace", "--test", "proof", "--"];
    let words: Vec<&str> = attack
        .into_iter()
        .chain(words.iter().map(String::as_str))
        .collect();
    shell::cargo_succeeds(&words).map(Outcome::held_if)
}

fn shipped_server() -> Result<Option<PathBuf>, crate::Trouble> {
    let build = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "testimony-server",
    ];
    let built = shell::cargo_succeeds(&build)?;
    let program = shell::target_folder()?.join("release").join("testimony");
    Ok(built.then_some(program))
}
