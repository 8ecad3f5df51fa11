//! The one place of this crate that touches files, the clock and other programs.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Trouble;

/// The folder that holds the workspace.
pub(crate) fn repository_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

fn trouble(path: &Path) -> impl FnOnce(std::io::Error) -> Trouble {
    let path = path.display().to_string();
    |source| Trouble::File { path, source }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the module for files of this crate"
)]
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    std::fs::read(path).map_err(trouble(path))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the module for files of this crate"
)]
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    std::fs::write(path, text).map_err(trouble(path))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the module for files of this crate"
)]
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    std::fs::write(path, bytes).map_err(trouble(path))
}

/// Makes a folder where there is none.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Trouble> {
    std::fs::create_dir_all(folder).map_err(trouble(folder))
}

/// A program by its name, where the system finds one.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

/// The unpacked text of a gzip file.
pub(crate) fn read_gzip(path: &Path) -> Result<String, Trouble> {
    let packed = read(path)?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice())
        .read_to_string(&mut text)
        .map_err(trouble(path))?;
    Ok(text)
}

/// The entries of a folder in the order of their names, links left out.
pub(crate) fn entries(folder: &Path) -> Result<Vec<(PathBuf, bool)>, Trouble> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(trouble(folder))? {
        let entry = entry.map_err(trouble(folder))?;
        let kind = entry.file_type().map_err(trouble(folder))?;
        if !kind.is_symlink() {
            found.push((entry.path(), kind.is_dir()));
        }
    }
    found.sort();
    Ok(found)
}

/// How long `work` takes, and what it gives.
#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures; nothing that is governed reads a clock"
)]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The tools of the toolchain under which this was started, so that `cargo +nightly xtask` stays one toolchain.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(repository_root());
    command
}

/// Runs cargo with its output left on the terminal; `true` when it ends well.
pub(crate) fn cargo_succeeds(arguments: &[&str]) -> Result<bool, Trouble> {
    let status = cargo().args(arguments).status();
    status
        .map(|status| status.success())
        .map_err(|error| no_cargo(&error))
}

/// The same with a variable of the environment.
pub(crate) fn cargo_succeeds_with(
    arguments: &[&str],
    (name, value): (&str, &str),
) -> Result<bool, Trouble> {
    let status = cargo().args(arguments).env(name, value).status();
    status
        .map(|status| status.success())
        .map_err(|error| no_cargo(&error))
}

/// Whether cargo knows the subcommand.
pub(crate) fn cargo_has(subcommand: &str) -> bool {
    let output = cargo().args([subcommand, "--version"]).output();
    output.is_ok_and(|output| output.status.success())
}

/// What cargo prints, when it ends well.
pub(crate) fn cargo_says(arguments: &[&str]) -> Result<String, Trouble> {
    let output = cargo().args(arguments).output();
    let output = output.map_err(|error| no_cargo(&error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Trouble::Program {
        name: format!("cargo {}", arguments.join(" ")),
        what: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The folder that cargo builds into.
pub(crate) fn target_folder() -> Result<PathBuf, Trouble> {
    let mut asked = cargo_metadata::MetadataCommand::new();
    let told = asked.current_dir(repository_root()).no_deps().exec();
    let told = told.map_err(|error| Trouble::Program {
        name: "cargo metadata".to_owned(),
        what: error.to_string(),
    })?;
    Ok(told.target_directory.into_std_path_buf())
}

/// Builds the server with its checks on; `None` where that does not succeed.
///
/// With a target of tests beside it cargo chooses the features that the tests were built with, so that nothing is
/// compiled a second time.
pub(crate) fn checked_server() -> Result<Option<PathBuf>, Trouble> {
    let targets = ["--bin", "testimony", "--test", "proof"];
    let built = cargo_succeeds(&[&["build", "--quiet", "--workspace"], &targets[..]].concat())?;
    let program = target_folder()?.join("debug").join("testimony");
    Ok(built.then_some(program))
}

/// The platform that is built for, by the compiler's name for it.
pub(crate) fn host_platform() -> Result<String, Trouble> {
    let said = cargo_says(&["-vV"])?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Trouble::Program {
        name: "cargo -vV".to_owned(),
        what: "it named no host".to_owned(),
    })
}

fn no_cargo(error: &std::io::Error) -> Trouble {
    Trouble::Program {
        name: "cargo".to_owned(),
        what: error.to_string(),
    }
}

/// Tells why a task could not be carried out.
#[expect(
    clippy::print_stderr,
    reason = "the last word of a command line program"
)]
pub fn say_on_stderr(trouble: &Trouble) {
    eprintln!("error: {trouble}");
}
