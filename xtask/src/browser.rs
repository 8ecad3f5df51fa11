//! `cargo xtask browser` and `cargo xtask screenshots`: the console as people use it, driven in a browser, and pictures of
//! it for the documents.
//!
//! The scripts are in `xtask/browser/`; what they need beside the browser is installed below `target/`, so that nothing of
//! it stands in the tree.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, Task, Trouble, shell};

/// The scripts, and what they name as needed.
const FILES: [&str; 5] = [
    "package.json",
    "package-lock.json",
    "testimony.mjs",
    "drive.mjs",
    "screens.mjs",
];
/// How the browser is called on the systems that have it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Pages of which pictures are kept for the documents, each at every width and in every theme; pictures of others stay
/// below `target/`.
const SHOWN: [&str; 11] = [
    "welcome",
    "login",
    "memories",
    "recall",
    "courtroom",
    "review",
    "connections",
    "activity",
    "operations",
    "people",
    "account",
];
/// Widths and themes, as the pictures are named by them.
const WAYS: [&str; 4] = ["390-light", "390-dark", "1280-light", "1280-dark"];

/// The names of the pictures that are kept.
fn pictures_kept() -> impl Iterator<Item = String> {
    let of_page = |page| WAYS.map(|way| format!("{page}-{way}.png"));
    SHOWN.into_iter().flat_map(of_page)
}

/// What a run needs.
struct Tools {
    node: PathBuf,
    npm: PathBuf,
    browser: PathBuf,
}

impl Tools {
    /// What of it is here; else what is missing.
    fn find() -> Result<Self, Vec<&'static str>> {
        let (node, npm) = (shell::program("node"), shell::program("npm"));
        let browser = BROWSERS.into_iter().find_map(shell::program);
        match (node, npm, browser) {
            (Some(node), Some(npm), Some(browser)) => Ok(Self { node, npm, browser }),
            (node, npm, browser) => {
                let all = [
                    (node.is_none(), "node"),
                    (npm.is_none(), "npm"),
                    (browser.is_none(), "chromium"),
                ];
                let missing = all.into_iter().filter(|(is_missing, _)| *is_missing);
                Err(missing.map(|(_, name)| name).collect())
            }
        }
    }
}

/// Drives the console from the first run on; where a program is missing that fails only if it has to be `complete`.
///
/// # Errors
/// [`Trouble`] when a program cannot be run.
pub fn drive(complete: bool, out: &mut dyn Write) -> Task {
    let missing = if complete {
        Outcome::Failed
    } else {
        Outcome::Held
    };
    with_tools(missing, out, |tools, place, server| {
        run(
            &tools.node,
            place,
            &[Path::new("drive.mjs"), server, &tools.browser],
        )
    })
}

/// Takes pictures of every view, and keeps those that the documents show.
///
/// # Errors
/// [`Trouble`] when a program cannot be run, or a picture cannot be kept.
pub fn screenshots(out: &mut dyn Write) -> Task {
    let root = shell::repository_root();
    with_tools(Outcome::Failed, out, |tools, place, server| {
        let pictures = place.join("images");
        let arguments = [
            Path::new("screens.mjs"),
            server,
            tools.browser.as_path(),
            pictures.as_path(),
        ];
        if run(&tools.node, place, &arguments)? == Outcome::Failed {
            return Ok(Outcome::Failed);
        }
        let shown = root.join("docs/images");
        shell::make_folder(&shown)?;
        for name in pictures_kept() {
            shell::write_bytes(&shown.join(&name), &shell::read(&pictures.join(&name))?)?;
        }
        Ok(Outcome::Held)
    })
}

/// Does work that needs server and browser; where a program is missing it says which, and does nothing.
fn with_tools(
    without: Outcome,
    out: &mut dyn Write,
    work: impl FnOnce(&Tools, &Path, &Path) -> Task,
) -> Task {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(missing) => {
            let missing = missing.join(" and ");
            writeln!(
                out,
                "skipped: {missing} is not here; the console was not driven"
            )?;
            return Ok(without);
        }
    };
    let Some(program) = shell::checked_server()? else {
        return Ok(Outcome::Failed);
    };
    let place = shell::target_folder()?.join("browser");
    if install(&tools, &place)? == Outcome::Failed {
        return Ok(Outcome::Failed);
    }
    work(&tools, &place, &program)
}

/// Puts the scripts beside what they need, which is installed again when the list of it changed.
fn install(tools: &Tools, place: &Path) -> Task {
    let from = shell::repository_root().join("xtask/browser");
    shell::make_folder(place)?;
    let lock = "package-lock.json";
    let is_there = place.join("node_modules").is_dir()
        && shell::read(&place.join(lock)).ok() == Some(shell::read(&from.join(lock))?);
    for name in FILES {
        shell::write_bytes(&place.join(name), &shell::read(&from.join(name))?)?;
    }
    if is_there {
        return Ok(Outcome::Held);
    }
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(&tools.npm, place, &arguments.map(Path::new))
}

fn run(program: &Path, place: &Path, arguments: &[&Path]) -> Task {
    let status = Command::new(program)
        .current_dir(place)
        .args(arguments)
        .status();
    let status = status.map_err(|error| Trouble::Program {
        name: program.display().to_string(),
        what: error.to_string(),
    })?;
    Ok(Outcome::held_if(status.success()))
}
