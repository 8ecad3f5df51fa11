//! Every path that a document or a module's header mentions is there, so that no reader is sent to what was moved.

use std::path::Path;

use super::Complaint;
use crate::tree::{File, Tree};

/// Folders of the repository: a word in backticks that begins with one of them is a path.
const TOP_FOLDERS: &[&str] = &[
    "crates", "bins", "fixtures", "docs", "xtask", "fuzz", ".ci", ".cargo",
];
/// A single word in backticks that ends so is a path too.
const DOCUMENT_KINDS: &[&str] = &["md"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in &tree.files {
        for (number, line) in prose(file) {
            for path in quoted_paths(line).chain(linked_paths(line)) {
                if !is_there(tree, file, path) {
                    let what = format!("mentions `{path}`, which is not there");
                    complaints.push(Complaint::at(&file.path, number, what));
                }
            }
        }
    }
    complaints
}

/// The lines that people read: all of a document, the header of a module.
fn prose(file: &File) -> Vec<(usize, &str)> {
    if file.has_extension("md") {
        file.lines().collect()
    } else if file.is_rust() {
        let header = file.lines().filter(|(_, line)| line.starts_with("//!"));
        header.collect()
    } else {
        Vec::new()
    }
}

/// Words in backticks that can only be paths of this repository.
fn quoted_paths(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|word| {
        let first = word.split('/').next().unwrap_or_default();
        let plain = word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
        let names_a_document = DOCUMENT_KINDS.iter().any(|kind| {
            Path::new(word)
                .extension()
                .is_some_and(|found| found == *kind)
        });
        plain && (names_a_document || word.contains('/') && TOP_FOLDERS.contains(&first))
    })
}

/// Targets of links that lead to a file rather than to an address or to a name in the code.
fn linked_paths(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
        let leads_to_a_file =
            !target.is_empty() && !target.contains(':') && target.contains(['/', '.']);
        leads_to_a_file.then_some(target)
    })
}

/// Whether the path is there, seen from the root or from where it is mentioned.
fn is_there(tree: &Tree, mentioned_in: &File, path: &str) -> bool {
    let folder = mentioned_in
        .path
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    [path.to_owned(), format!("{folder}/{path}")]
        .iter()
        .any(|candidate| tree.paths.contains(&plain(candidate)))
}

/// The path without `.`, `..` and a slash at its end.
fn plain(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    fn complaints(path: &str, text: &str) -> usize {
        let tree = sample::files(&[
            (path, text),
            ("docs/here.md", ""),
            ("crates/a/src/lib.rs", ""),
        ]);
        check(&tree).len()
    }

    #[test]
    fn catches_what_is_gone() {
        for (path, text) in [
            ("README.md", "See `docs/gone.md`.\n"),
            ("README.md", "See [this](docs/gone.md#part).\n"),
            ("docs/a.md", "See [this](gone.md) and `docs/here.md`.\n"),
            ("CONTRIBUTING.md", "As in `GONE.md`.\n"),
            ("crates/b/src/lib.rs", "//! As `fixtures/gone/` says.\n"),
        ] {
            assert_eq!(complaints(path, text), 1, "{path} {text}");
        }
    }

    #[test]
    fn is_quiet_about_what_is_there_and_about_what_is_no_path() {
        for (path, text) in [
            (
                "README.md",
                "See `docs/here.md`, `crates/a/`, [it](./docs/here.md) and [up](#up).\n",
            ),
            (
                "docs/a.md",
                "See [it](here.md), [code](../crates/a/src/lib.rs), [site](https://example.org/x.md).\n",
            ),
            (
                "docs/a.md",
                "Send `application/problem+json` to `/api/v2/containers/{tag}/retain`, `fixtures/<topic>/`.\n",
            ),
            (
                "crates/b/src/lib.rs",
                "//! See [`Invalid`](crate::Invalid).\nlet a = \"`docs/gone.md`\";\n",
            ),
        ] {
            assert_eq!(complaints(path, text), 0, "{path} {text}");
        }
    }
}
