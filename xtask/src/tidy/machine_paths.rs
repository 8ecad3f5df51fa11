//! No path of somebody's machine stands in the tree: it would tell about the machine and hold on no other.

use super::Complaint;
use super::rust_source::shipped_lines;
use crate::tree::{File, Tree};

/// How such a path begins, in two pieces so that this file does not complain about itself, and whether sample data and
/// tests may hold it all the same: people do write of their home folders.
const BEGINNINGS: &[(&str, bool)] = &[
    (concat!("/ho", "me/"), true),
    (concat!("/Us", "ers/"), true),
    (concat!("/tm", "p/"), true),
    (concat!("/ro", "ot/"), false),
    (concat!("/wo", "rk/"), false),
];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in &tree.files {
        for (beginning, samples_may) in BEGINNINGS {
            let found = if *samples_may {
                first_shipped(file, beginning)
            } else {
                first_anywhere(file, beginning)
            };
            complaints.extend(found.map(|line| {
                Complaint::at(&file.path, line, format!("holds a path of a machine, `{beginning}…`; write it from the root of the repository"))
            }));
        }
    }
    complaints
}

fn first_anywhere(file: &File, beginning: &str) -> Option<usize> {
    let mut lines = file.lines();
    lines.find_map(|(number, line)| begins_a_path(line, beginning).then_some(number))
}

fn first_shipped(file: &File, beginning: &str) -> Option<usize> {
    if file.is_fixture() {
        return None;
    }
    let mut lines = shipped_lines(file).into_iter();
    lines.find_map(|(number, line)| begins_a_path(line, beginning).then_some(number))
}

/// Whether the line holds it where a path begins, rather than in the middle of an address or of a relative path.
fn begins_a_path(line: &str, beginning: &str) -> bool {
    let inside = |before: char| {
        before.is_alphanumeric() || matches!(before, '.' | '_' | '-' | '/' | '~' | '}' | '>' | '*')
    };
    line.match_indices(beginning).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_path_of_a_machine_wherever_it_stands() {
        for path in ["docs/a.md", "crates/a/src/lib.rs", ".ci/run", "Cargo.toml"] {
            for (beginning, _) in BEGINNINGS {
                let tree = sample::files(&[(path, &format!("see `{beginning}x/y`\n"))]);
                assert_eq!(check(&tree).len(), 1, "{path} {beginning}");
            }
        }
    }

    #[test]
    fn is_quiet_about_addresses_relative_paths_and_sample_data() {
        let home = BEGINNINGS[0].0;
        let line = format!("https://example.org{home}page and a{home}b\n");
        let tree = sample::files(&[
            ("docs/a.md", &line),
            (
                "fixtures/claims/a.jsonl",
                &format!("{{\"text\": \"{home}ana\"}}"),
            ),
        ]);
        assert_eq!(check(&tree), []);
    }
}
