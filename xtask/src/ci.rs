//! `cargo xtask ci`: the one command that tells whether a change may be taken, the same by hand and on a machine.

use std::io::Write;
use std::time::Duration;

use crate::proof::{self, WantedProof};
use crate::{Outcome, Task, Trouble, browser, clients, shell, tidy};

/// A stage of the check.
pub struct Stage {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// What holds when it passes.
    pub holds: &'static str,
    work: Work,
}

enum Work {
    /// A cargo command.
    Cargo(&'static [&'static str]),
    /// A cargo command where its subcommand is installed, else another that checks the same.
    Preferred {
        subcommand: &'static str,
        first: &'static [&'static str],
        otherwise: &'static [&'static str],
    },
    /// The rules of [`tidy`], in this process.
    Tidy,
    /// The clients of [`clients`], started from this process.
    Clients,
    /// The console in a [`browser`].
    Browser,
    /// The short form of [`proof`].
    Proof,
}

/// Every stage, cheapest first: what fails soon is said soon.
#[rustfmt::skip]
pub const STAGES: &[Stage] = &[
    Stage { name: "format", holds: "every file is formatted",
        work: Work::Cargo(&["fmt", "--all", "--check"]) },
    Stage { name: "tidy", holds: "layers, purity, headers, paths in documents and lengths are as they should be",
        work: Work::Tidy },
    Stage { name: "package", holds: "every crate that is published packs on its own",
        work: Work::Cargo(&["package", "--workspace", "--exclude", "xtask", "--no-verify", "--allow-dirty", "--quiet"]) },
    Stage { name: "clippy", holds: "no lint has anything to say about any target",
        work: Work::Cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]) },
    Stage { name: "test", holds: "every test passes",
        work: Work::Preferred {
            subcommand: "nextest",
            first: &["nextest", "run", "--workspace", "--no-fail-fast"],
            otherwise: &["test", "--workspace", "--lib", "--bins", "--tests", "--examples", "--no-fail-fast"],
        } },
    Stage { name: "features", holds: "the memory without tantivy and without graphs gives the same answers",
        work: Work::Preferred {
            subcommand: "nextest",
            first: &["nextest", "run", "--package", "testimony-storage", "--package", "testimony", "--no-default-features",
                "--no-fail-fast", "--lib", "--test", "index", "--test", "store"],
            otherwise: &["test", "--package", "testimony-storage", "--package", "testimony", "--no-default-features",
                "--no-fail-fast", "--lib", "--test", "index", "--test", "store"],
        } },
    Stage { name: "doctest", holds: "every example in the documentation and in the README compiles and runs",
        work: Work::Cargo(&["test", "--workspace", "--doc"]) },
    Stage { name: "proof", holds: "a real server loses and leaks nothing under fault and attack, in the short form",
        work: Work::Proof },
    Stage { name: "clients", holds: "clients that nobody here wrote talk to the server",
        work: Work::Clients },
    Stage { name: "browser", holds: "the console does in a browser what people do with it; skipped where there is none",
        work: Work::Browser },
];

impl Work {
    fn command(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Cargo(arguments) => Some(arguments),
            Self::Preferred {
                subcommand,
                first,
                otherwise,
            } => Some(if shell::cargo_has(subcommand) {
                first
            } else {
                otherwise
            }),
            Self::Tidy | Self::Clients | Self::Browser | Self::Proof => None,
        }
    }

    fn by_hand(&self) -> String {
        match (self, self.command()) {
            (_, Some(arguments)) => format!("cargo {}", arguments.join(" ")),
            (Self::Clients, None) => "cargo xtask clients".to_owned(),
            (Self::Browser, None) => "cargo xtask browser".to_owned(),
            (Self::Proof, None) => "cargo xtask proof --short".to_owned(),
            (_, None) => "cargo xtask tidy".to_owned(),
        }
    }

    /// Whether it holds; what cannot run here holds unless everything has to.
    fn passes(&self, complete: bool, out: &mut dyn Write) -> Result<bool, Trouble> {
        let outcome = match (self, self.command()) {
            (_, Some(arguments)) => return shell::cargo_succeeds(arguments),
            (Self::Clients, None) => clients::run(None, complete, out),
            (Self::Browser, None) => browser::drive(complete, out),
            (Self::Proof, None) => proof::run(&WantedProof::short()),
            (_, None) => tidy::run(false, out),
        };
        outcome.map(|outcome| outcome == Outcome::Held)
    }
}

/// Names the stages.
///
/// # Errors
/// [`Trouble`] when the list cannot be written.
pub fn list(out: &mut dyn Write) -> Task {
    for stage in STAGES {
        writeln!(out, "{:<8}  {}", stage.name, stage.holds)?;
        writeln!(out, "{:<8}  $ {}", "", stage.work.by_hand())?;
    }
    Ok(Outcome::Held)
}

/// Runs every stage, or the one named, up to the first that fails.
///
/// # Errors
/// [`Trouble`] when a stage cannot be run at all.
pub fn run(only: Option<&str>, complete: bool, out: &mut dyn Write) -> Task {
    let stages = chosen(only)?;
    let mut times = Vec::new();
    for stage in &stages {
        writeln!(out, "── {}: {}", stage.name, stage.work.by_hand())?;
        out.flush()?;
        let (time, passed) = shell::timed(|| stage.work.passes(complete, out));
        times.push((stage.name, time));
        if !passed? {
            summary(&times, stages.len(), out)?;
            rerun(stage, out)?;
            return Ok(Outcome::Failed);
        }
    }
    summary(&times, stages.len(), out)?;
    writeln!(out, "Everything that was checked holds.")?;
    Ok(Outcome::Held)
}

fn chosen(only: Option<&str>) -> Result<Vec<&'static Stage>, Trouble> {
    let stages: Vec<&Stage> = STAGES
        .iter()
        .filter(|stage| only.is_none_or(|name| name == stage.name))
        .collect();
    match only {
        Some(name) if stages.is_empty() => Err(Trouble::NoSuchStage {
            name: name.to_owned(),
        }),
        _ => Ok(stages),
    }
}

fn summary(
    times: &[(&str, Duration)],
    stages: usize,
    out: &mut dyn Write,
) -> Result<(), std::io::Error> {
    writeln!(out, "── {} of {stages} stages ran", times.len())?;
    for (name, time) in times {
        writeln!(out, "{name:<8}  {:>7.1} s", time.as_secs_f64())?;
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    writeln!(out, "{:<8}  {:>7.1} s", "together", total.as_secs_f64())
}

fn rerun(stage: &Stage, out: &mut dyn Write) -> Result<(), std::io::Error> {
    writeln!(out, "`{}` failed. To run it alone:", stage.name)?;
    writeln!(out, "    cargo xtask ci --only {}", stage.name)?;
    writeln!(out, "which is")?;
    writeln!(out, "    {}", stage.work.by_hand())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stage_can_be_chosen_by_name() {
        let names = |only| chosen(only).map(|stages| stages.iter().map(|s| s.name).collect());
        assert_eq!(names(Some("clippy")).unwrap(), vec!["clippy"]);
        let all: Vec<&str> = names(None).unwrap();
        assert_eq!(
            all,
            [
                "format", "tidy", "package", "clippy", "test", "features", "doctest", "proof",
                "clients", "browser"
            ]
        );
    }

    #[test]
    fn an_unknown_stage_is_an_error_that_names_the_way_out() {
        let trouble = chosen(Some("lint")).err().unwrap();
        assert!(trouble.to_string().contains("--list"), "{trouble}");
    }

    #[test]
    fn a_failure_says_how_to_run_the_stage_again() {
        let mut said = Vec::new();
        rerun(&STAGES[0], &mut said).unwrap();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("cargo xtask ci --only format"), "{said}");
        assert!(said.contains("cargo fmt --all --check"), "{said}");
    }
}
