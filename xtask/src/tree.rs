//! The repository as the rules see it: its text files, and its crates with what they depend on.

use std::collections::BTreeSet;
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::{Trouble, shell};

/// Folders that are no part of the repository: what a build or a tool leaves behind.
const LEFT_BEHIND: &[&str] = &[".git", "target", "mutants.out", "mutants.out.old"];
/// Hidden folders that are part of it.
const HIDDEN_BUT_OURS: &[&str] = &[".ci", ".cargo", ".config"];

/// A text file.
pub(crate) struct File {
    /// Its path from the root, with `/` between the parts.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|found| found.eq_ignore_ascii_case(extension))
    }

    /// Whether the whole file is test code, or an example or bench that ships to nobody.
    pub(crate) fn is_test(&self) -> bool {
        let mut parts = self.path.split('/');
        let in_folder = parts.any(|part| matches!(part, "tests" | "benches" | "examples"));
        in_folder || self.path.ends_with("/tests.rs")
    }

    /// Whether it is sample data: texts as people, programs and attackers write them.
    pub(crate) fn is_fixture(&self) -> bool {
        self.path.split('/').any(|part| part == "fixtures")
    }

    /// Its lines, counted from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

/// A crate of the workspace.
#[derive(Default)]
pub(crate) struct Crate {
    /// Its name.
    pub(crate) name: String,
    /// What it names under `[dependencies]` and `[build-dependencies]`.
    pub(crate) direct: BTreeSet<String>,
    /// What that brings along, on this platform.
    pub(crate) reached: BTreeSet<String>,
    /// The folder of its manifest, from the root.
    pub(crate) folder: String,
    /// What its code calls everything that it names, also for tests.
    pub(crate) called: BTreeSet<String>,
}

/// A crate that `Cargo.lock` brings from elsewhere.
#[derive(Default)]
pub(crate) struct Brought {
    /// Its name and version.
    pub(crate) name: String,
    /// The expression of its licence.
    pub(crate) licence: String,
}

/// The repository.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    pub(crate) crates: Vec<Crate>,
    pub(crate) brought: Vec<Brought>,
    /// Every folder and file, also those that hold no text.
    pub(crate) paths: BTreeSet<String>,
}

impl Tree {
    /// Reads the repository.
    pub(crate) fn open() -> Result<Self, Trouble> {
        let root = shell::repository_root();
        let mut tree = Self {
            crates: crates(&root)?,
            brought: brought(&root)?,
            ..Self::default()
        };
        tree.walk(&root, &root)?;
        Ok(tree)
    }

    fn walk(&mut self, root: &Path, folder: &Path) -> Result<(), Trouble> {
        for (path, is_folder) in shell::entries(folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let hidden = is_folder && name.starts_with('.');
            if LEFT_BEHIND.contains(&&*name) || hidden && !HIDDEN_BUT_OURS.contains(&&*name) {
                continue;
            }
            self.paths.insert(relative(root, &path));
            if is_folder {
                self.walk(root, &path)?;
            } else if let Ok(text) = String::from_utf8(shell::read(&path)?) {
                let path = relative(root, &path);
                self.files.push(File { path, text });
            }
        }
        Ok(())
    }

    /// The Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_rust())
    }

    /// The file at `path`.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn crates(root: &Path) -> Result<Vec<Crate>, Trouble> {
    let host = shell::host_platform()?;
    let mut own = MetadataCommand::new();
    own.no_deps();
    let metadata = metadata(root, own)?;
    let members = metadata.workspace_packages().into_iter().map(|package| {
        let direct = package.dependencies.iter();
        Ok(Crate {
            name: package.name.to_string(),
            direct: direct
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| dependency.name.clone())
                .collect(),
            reached: reached(&package.name, &host)?,
            folder: relative(
                root,
                package
                    .manifest_path
                    .parent()
                    .unwrap_or_else(|| "".into())
                    .as_std_path(),
            ),
            called: called(package),
        })
    });
    members.collect()
}

/// What its code has to call everything that it names, but for what its manifest gives a reason to leave out.
fn called(package: &Package) -> BTreeSet<String> {
    let left_out = package.metadata.pointer("/cargo-machete/ignored");
    let is_left_out = |name: &str| {
        let names = left_out.and_then(serde_json::Value::as_array);
        let mut names = names.into_iter().flatten();
        names.any(|each| each.as_str() == Some(name))
    };
    let named = package.dependencies.iter().map(|dependency| {
        let name = dependency.rename.as_ref();
        name.unwrap_or(&dependency.name)
    });
    named
        .filter(|name| !is_left_out(name))
        .map(|name| name.replace('-', "_"))
        .collect()
}

/// What comes from elsewhere, on any platform.
fn brought(root: &Path) -> Result<Vec<Brought>, Trouble> {
    let metadata = metadata(root, MetadataCommand::new())?;
    let packages = metadata.packages.into_iter();
    let foreign = packages.filter(|package| package.source.is_some());
    let brought = foreign.map(|package| Brought {
        name: format!("{} {}", package.name, package.version),
        licence: package.license.unwrap_or_default(),
    });
    Ok(brought.collect())
}

/// What cargo knows of the workspace.
fn metadata(root: &Path, mut command: MetadataCommand) -> Result<Metadata, Trouble> {
    command.manifest_path(root.join("Cargo.toml"));
    command.exec().map_err(|error| Trouble::Program {
        name: "cargo metadata".to_owned(),
        what: error.to_string(),
    })
}

/// What a crate brings along by itself, on this platform.
///
/// Each crate is asked about alone: in the workspace as a whole, a feature that a shell switches on would seem to be
/// everybody's.
fn reached(name: &str, host: &str) -> Result<BTreeSet<String>, Trouble> {
    let tree = shell::cargo_says(&[
        "tree",
        "--package",
        name,
        "--target",
        host,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
    ])?;
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let others = names.filter(|other| !other.is_empty() && *other != name);
    Ok(others.map(ToOwned::to_owned).collect())
}

/// Small trees for the tests of the rules.
#[cfg(test)]
pub(crate) mod sample {
    use super::{BTreeSet, Crate, File, Tree};

    /// A tree of these files, with every folder above them.
    pub(crate) fn files(files: &[(&str, &str)]) -> Tree {
        let mut paths = BTreeSet::new();
        for (path, _) in files {
            let ends = path.match_indices('/').map(|(end, _)| end);
            paths.extend(
                ends.chain([path.len()])
                    .map(|end| path.get(..end).unwrap_or_default().to_owned()),
            );
        }
        let files = files.iter().map(|(path, text)| File {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        Tree {
            files: files.collect(),
            paths,
            ..Tree::default()
        }
    }

    /// A tree of these crates, each with its direct dependencies and what they bring along.
    pub(crate) fn crates(crates: &[(&str, &[&str], &[&str])]) -> Tree {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let crates = crates.iter().map(|(name, direct, reached)| Crate {
            name: (*name).to_owned(),
            direct: set(direct),
            reached: set(reached),
            ..Crate::default()
        });
        Tree {
            crates: crates.collect(),
            ..Tree::default()
        }
    }
}
