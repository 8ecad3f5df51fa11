//! `cargo xtask`: the command line of the repository's own tasks. Everything it does stands in the library beside it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::{Outcome, ci, tidy};

/// The repository's own tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything that has to hold before a change is taken: format, tidy, clippy, tests, doc tests.
    Ci {
        /// List the stages and what each holds, and run nothing.
        #[arg(long)]
        list: bool,
        /// Run only this stage.
        #[arg(long, value_name = "STAGE")]
        only: Option<String>,
    },
    /// Check what the compiler does not: layers, purity, headers, paths in documents, lengths.
    Tidy {
        /// List the rules, and check nothing.
        #[arg(long)]
        list: bool,
        /// Write the recorded counts down where the tree has become better than they say.
        #[arg(long)]
        tighten: bool,
    },
}

fn main() -> ExitCode {
    let out = &mut std::io::stdout().lock();
    let outcome = match CommandLine::parse().task {
        Task::Ci { list: true, .. } => ci::list(out),
        Task::Ci { only, .. } => ci::run(only.as_deref(), out),
        Task::Tidy { list: true, .. } => tidy::list(out),
        Task::Tidy { tighten, .. } => tidy::run(tighten, out),
    };
    match outcome {
        Ok(Outcome::Held) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Err(trouble) => {
            xtask::say_on_stderr(&trouble);
            ExitCode::from(2)
        }
    }
}
