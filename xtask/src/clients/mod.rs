//! `cargo xtask clients`: a real server on loopback, and clients that nobody here wrote talking to it.
//!
//! What they are, and in which versions, stands in `xtask/clients`; they are installed into a folder of their own under
//! `target/`. Each runs a script beside them, which says what it did line by line and ends with a status.

mod install;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::Value;

use crate::served::{Served, no_program};
use crate::{Outcome, Task, Trouble, shell};
use install::{Missing, Tools};

/// A client.
struct Client {
    name: &'static str,
    /// Its script in `xtask/clients`.
    script: &'static str,
    by: By,
}

/// By what a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// Python, with its packages.
    Python,
    /// Node, with its packages.
    Node,
}

/// The clients. One more is one line, a script, and its package in the pinned lists.
#[rustfmt::skip]
const CLIENTS: &[Client] = &[
    Client { name: "mcp-python", script: "mcp_python.py", by: By::Python },
    Client { name: "mcp-typescript", script: "mcp_typescript.mjs", by: By::Node },
    Client { name: "mcp-inspector", script: "mcp_inspector.mjs", by: By::Node },
    Client { name: "models-python", script: "models_python.py", by: By::Python },
    Client { name: "openai-python", script: "openai_python.py", by: By::Python },
];

/// Longer no script runs.
const LONGEST: Duration = Duration::from_secs(60);

/// The keys that scripts use, beside that of the first agent: what each is called there, and what it may do.
const KEYS: &[(&str, &str)] = &[
    ("CLIENTS_READER_KEY", "memory.recall,mcp.tools"),
    ("CLIENTS_CLOSED_KEY", "memory.recall"),
];

/// Builds the server, installs the clients, and has each of them, or the one named, talk to it. Where their languages
/// are not there, that is a failure or a word about it.
///
/// # Errors
/// [`Trouble`] when server or clients cannot be had.
pub fn run(only: Option<&str>, required: bool, out: &mut dyn Write) -> Task {
    let root = shell::repository_root();
    let place = shell::target_folder()?.join("clients");
    let tools = match install::tools(&root.join("xtask/clients"), &place)? {
        Ok(tools) => tools,
        Err(Missing(what)) if required => {
            writeln!(
                out,
                "the clients need {what}, which is not here; install it"
            )?;
            return Ok(Outcome::Failed);
        }
        Err(Missing(what)) => {
            writeln!(out, "skipped: the clients need {what}, which is not here")?;
            return Ok(Outcome::Held);
        }
    };
    let Some(program) = shell::checked_server()? else {
        return Ok(Outcome::Failed);
    };
    let mut held = true;
    for client in CLIENTS
        .iter()
        .filter(|it| only.is_none_or(|name| name == it.name))
    {
        let (took, passed) = shell::timed(|| passes(client, &tools, &program, &place, out));
        let passed = passed?;
        let word = if passed { "held" } else { "FAILED" };
        writeln!(
            out,
            "{:<16} {word}  {:.1} s",
            client.name,
            took.as_secs_f64()
        )?;
        held &= passed;
    }
    Ok(Outcome::held_if(held))
}

/// Has a client talk to a server of its own.
fn passes(
    client: &Client,
    tools: &Tools,
    program: &Path,
    place: &Path,
    out: &mut dyn Write,
) -> Result<bool, Trouble> {
    let room = place.join(client.name);
    // What an earlier run left says nothing about this one.
    drop(std::fs::remove_dir_all(&room));
    std::fs::create_dir_all(&room).map_err(|source| Trouble::File {
        path: room.display().to_string(),
        source,
    })?;
    let folder = room.join("memory");
    let served = Served::start(program, &folder)?;
    writeln!(out, "{} at {}", client.name, served.url)?;
    out.flush()?;
    let mut command = tools.command(client.by, client.script);
    command
        .current_dir(&room)
        .env("CLIENTS_URL", &served.url)
        .env("CLIENTS_KEY", &served.key)
        .env("CLIENTS_PROGRAM", program);
    for (name, capabilities) in KEYS {
        command.env(name, key(program, &folder, capabilities)?);
    }
    let child = command.spawn();
    let child = child.map_err(|error| no_program(client.script, &error))?;
    ended(child, out)
}

/// Whether a script ends well, and in time.
fn ended(mut child: Child, out: &mut dyn Write) -> Result<bool, Trouble> {
    const STEP: Duration = Duration::from_millis(50);
    let mut waited = Duration::ZERO;
    while waited < LONGEST {
        let ended = child.try_wait();
        let ended = ended.map_err(|error| no_program("a client", &error))?;
        if let Some(status) = ended {
            return Ok(status.success());
        }
        std::thread::sleep(STEP);
        waited += STEP;
    }
    writeln!(out, "it did not end in {} s", LONGEST.as_secs())?;
    drop(child.kill());
    drop(child.wait());
    Ok(false)
}

/// A key that may do this, made through the socket of the server that runs.
fn key(program: &Path, folder: &Path, capabilities: &str) -> Result<String, Trouble> {
    let made = Command::new(program)
        .args([
            "key",
            "create",
            "--json",
            "--container",
            "workspace",
            "--agent",
            "visitor",
        ])
        .args(["--capability", capabilities, "--data"])
        .arg(folder)
        .output()
        .map_err(|error| no_program("testimony key create", &error))?;
    let made: Option<Value> = serde_json::from_slice(&made.stdout).ok();
    let key = made.and_then(|made| Some(made.get("key")?.as_str()?.to_owned()));
    key.ok_or_else(|| Trouble::Program {
        name: "testimony key create".to_owned(),
        what: "it made no key".to_owned(),
    })
}

/// Where the scripts are.
pub(crate) fn script(scripts: &Path, name: &str) -> PathBuf {
    scripts.join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_is_there() {
        let scripts = shell::repository_root().join("xtask/clients");
        for client in CLIENTS {
            assert!(script(&scripts, client.script).is_file(), "{}", client.name);
        }
    }
}
