//! `cargo xtask`: the command line of the repository's own tasks. Everything it does stands in the library beside it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::eval::AdmissionEval;
use xtask::{Outcome, ci, entrance, eval, tidy};

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
    /// Measure a part of the service against labelled data.
    Eval {
        #[command(subcommand)]
        part: Part,
    },
}

#[derive(Subcommand)]
enum Part {
    /// Secrets, ordinary text and injections through the whole admission.
    Admission {
        /// The folder that holds `secrets/`, `benign/` and `injection/`.
        #[arg(long, value_name = "FOLDER")]
        data: PathBuf,
        /// Write the figures to this file too.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// End with status 1 when a bar is missed.
        #[arg(long)]
        check: bool,
        /// Measure throughput and latency as well; only a release build gives figures to quote.
        #[arg(long)]
        bench: bool,
        /// Name the rows that were missed, by line and rule, never by their text.
        #[arg(long)]
        misses: bool,
    },
}

fn main() -> ExitCode {
    let out = &mut std::io::stdout().lock();
    let outcome = match CommandLine::parse().task {
        Task::Ci { list: true, .. } => ci::list(out),
        Task::Ci { only, .. } => ci::run(only.as_deref(), out),
        Task::Tidy { list: true, .. } => tidy::list(out),
        Task::Tidy { tighten, .. } => tidy::run(tighten, out),
        Task::Eval { part } => measure(part, out),
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

fn measure(part: Part, out: &mut dyn std::io::Write) -> xtask::Task {
    let Part::Admission {
        data,
        json,
        check,
        bench,
        misses,
    } = part;
    let wanted = AdmissionEval {
        data: &data,
        json: json.as_deref(),
        check,
        bench,
        misses,
    };
    eval::admission(&wanted, entrance::ENTRANCE, out)
}
