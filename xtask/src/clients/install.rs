//! The clients, installed into a folder of their own: once for each state of the lists that pin them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest as _, Sha256};

use super::{By, script};
use crate::served::no_program;
use crate::{Trouble, shell};

/// Something that has to be on the machine, and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing(pub(super) &'static str);

/// What runs the scripts.
pub(super) struct Tools {
    python: PathBuf,
    packages: PathBuf,
    scripts: PathBuf,
}

/// What has to be there, how that is found out, and what it is called.
const NEEDED: [(&str, &[&str], &str); 3] = [
    (
        "python3",
        &["-c", "import ensurepip, venv"],
        "Python 3.10 or newer with venv",
    ),
    ("node", &["--version"], "Node 18 or newer"),
    ("npm", &["--version"], "npm"),
];

/// Installs what is not installed yet; says what is missing where that cannot be done here.
pub(super) fn tools(scripts: &Path, place: &Path) -> Result<Result<Tools, Missing>, Trouble> {
    let missing = NEEDED
        .iter()
        .find(|(program, arguments, _)| !runs(program, arguments));
    if let Some((_, _, what)) = missing {
        return Ok(Err(Missing(what)));
    }
    let (python, node) = (place.join("python"), place.join("node"));
    for_python(scripts, &python)?;
    for_node(scripts, &node)?;
    Ok(Ok(Tools {
        python: python.join("bin/python"),
        packages: node.join("node_modules"),
        scripts: scripts.to_owned(),
    }))
}

fn for_python(scripts: &Path, python: &Path) -> Result<(), Trouble> {
    let list = scripts.join("requirements.txt");
    once(python, std::slice::from_ref(&list), || {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(python))?;
        let quiet = [
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
        ];
        run(Command::new(python.join("bin/pip")).args(quiet).arg(&list))
    })
}

fn for_node(scripts: &Path, node: &Path) -> Result<(), Trouble> {
    let lists = ["package.json", "package-lock.json"].map(|name| scripts.join(name));
    once(node, &lists, || {
        for list in &lists {
            let name = list.file_name().unwrap_or_default();
            shell::write_bytes(&node.join(name), &shell::read(list)?)?;
        }
        let quiet = [
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ];
        run(Command::new("npm").args(quiet).current_dir(node))
    })
}

/// The file that says from which lists a folder was installed.
const STAMP: &str = "installed-from";

/// Installs into a folder unless that was done from the same lists.
fn once(
    folder: &Path,
    lists: &[PathBuf],
    install: impl FnOnce() -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut hash = Sha256::new();
    for list in lists {
        hash.update(shell::read(list)?);
    }
    let wanted: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let stamp = folder.join(STAMP);
    if shell::read(&stamp).is_ok_and(|found| found == wanted.as_bytes()) {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|source| Trouble::File {
        path: folder.display().to_string(),
        source,
    })?;
    install()?;
    shell::write(&stamp, &wanted)
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn run(command: &mut Command) -> Result<(), Trouble> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .map_err(|error| no_program(&name, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Trouble::Program {
        name,
        what: format!("{status}; it installs the clients, for which the network is needed"),
    })
}

impl Tools {
    /// The command that runs a script.
    pub(super) fn command(&self, by: By, name: &str) -> Command {
        let program = match by {
            By::Python => self.python.as_os_str(),
            By::Node => "node".as_ref(),
        };
        let mut command = Command::new(program);
        command
            .arg(script(&self.scripts, name))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("CLIENTS_NODE_PACKAGES", &self.packages);
        command
    }
}
