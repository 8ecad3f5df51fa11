//! `cargo xtask fuzz-http`: a real server, asked all sorts of things that its descriptions allow and forbid.
//!
//! The asking is done by schemathesis, which reads the descriptions that the server gives of itself: the public one with
//! the key of an agent, and that for operators with the key of one. What it must never see is a failure of the server, a
//! status that is not described, or an answer that is not as described.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::served::{Served, no_program};
use crate::{Outcome, Task, Trouble, shell};

/// The version of the program that asks.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// What has to hold of every answer. That everything is accepted which the description allows is not among them: the form
/// of a date, and what only goes together with something else, are said in words there and checked by the server.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,negative_data_rejection,missing_required_header,unsupported_method,ignored_auth";
const PYTHON: &str = "python3";

/// A description, and with whose key its routes are asked.
struct Description {
    name: &'static str,
    key: fn(&Served) -> &str,
    /// What is not asked.
    without: &'static [&'static str],
}

const DESCRIPTIONS: &[Description] = &[
    Description {
        name: "public",
        key: |served| &served.key,
        // A model answers there, and this server has none; `cargo xtask clients` asks one that has.
        without: &["/v1/chat/completions", "/v1/responses"],
    },
    Description {
        name: "operator",
        key: |served| &served.operator,
        // It writes to whatever place it is told.
        without: &["/api/v1/admin/backups"],
    },
];

/// Builds the server, starts it on a folder of its own, and has it asked for about so many seconds by each description.
///
/// # Errors
/// [`Trouble`] when the server or the program that asks cannot be had.
pub fn run(seconds: u32, seed: Option<u64>, out: &mut dyn Write) -> Task {
    let root = shell::repository_root();
    let Some(program) = shell::checked_server()? else {
        return Ok(Outcome::Failed);
    };
    let place = root.join("target/fuzz-http");
    let asker = asker(&place)?;
    let mut held = true;
    for description in DESCRIPTIONS {
        let folder = place.join("data").join(description.name);
        // What an earlier run left says nothing about this one.
        drop(std::fs::remove_dir_all(&folder));
        let served = Served::start(&program, &folder)?;
        let name = description.name;
        writeln!(
            out,
            "asking {} for {seconds} seconds by its {name} description",
            served.url
        )?;
        out.flush()?;
        let mut command = Command::new(&asker);
        // What it remembers of a run belongs to nobody.
        command.current_dir(&place);
        command.args(description.words(&served, seconds));
        if let Some(seed) = seed {
            command.args(["--seed", &seed.to_string()]);
        }
        let status = command
            .status()
            .map_err(|error| no_program("schemathesis", &error))?;
        held &= status.success();
    }
    Ok(Outcome::held_if(held))
}

impl Description {
    /// What schemathesis is told.
    fn words(&self, served: &Served, seconds: u32) -> Vec<String> {
        let url = format!("{}/openapi.{}.json", served.url, self.name);
        let bearer = format!("Authorization: Bearer {}", (self.key)(served));
        let seconds = seconds.to_string();
        let without = self.without.iter();
        let without = without.flat_map(|path| ["--exclude-path", path]);
        ["run", &url, "--header", &bearer]
            .into_iter()
            .chain(["--phases", "examples,coverage,fuzzing"])
            .chain(["--checks", CHECKS, "--max-time", &seconds])
            .chain(["--generation-database", "none", "--no-color"])
            .chain(without)
            .map(str::to_owned)
            .collect()
    }
}

/// The program that asks, in an environment of its own.
fn asker(environment: &Path) -> Result<PathBuf, Trouble> {
    let asker = environment.join("bin/schemathesis");
    if !asker.exists() {
        let run = |program: &Path, arguments: &[&str]| {
            let name = program.display().to_string();
            let status = Command::new(program).args(arguments).status();
            match status.map_err(|error| no_program(&name, &error))? {
                status if status.success() => Ok(()),
                status => Err(Trouble::Program {
                    name,
                    what: status.to_string(),
                }),
            }
        };
        let place = environment.display().to_string();
        run(Path::new(PYTHON), &["-m", "venv", &place])?;
        run(
            &environment.join("bin/pip"),
            &["install", "--quiet", SCHEMATHESIS],
        )?;
    }
    Ok(asker)
}
