//! Every crate takes the lints of the workspace, so that no crate is held to less than the others.

use super::Complaint;
use crate::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let manifests = tree
        .files
        .iter()
        .filter(|file| is_manifest_of_a_crate(file));
    manifests
        .filter(|file| !takes_the_lints(&file.text))
        .map(|file| Complaint::about(&file.path, "lacks `[lints] workspace = true`"))
        .collect()
}

fn is_manifest_of_a_crate(file: &File) -> bool {
    let is_of_another_workspace = file.text.lines().any(|line| line.trim() == "[workspace]");
    let is_of_a_crate = file.path.ends_with("/Cargo.toml") && file.text.contains("[package]");
    is_of_a_crate && !is_of_another_workspace
}

/// Whether the table `[lints]` says `workspace = true`, or the same stands in one dotted line.
fn takes_the_lints(manifest: &str) -> bool {
    let mut section = "";
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let plain: String = line.split_whitespace().collect();
        section == "[lints]" && plain == "workspace=true" || plain == "lints.workspace=true"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_crate_without_lints_and_one_that_names_them_elsewhere() {
        for text in [
            "[package]\nname = \"a\"\n",
            "[package]\nname = \"a\"\n[dependencies.b]\nworkspace = true\n",
        ] {
            let tree = sample::files(&[("crates/a/Cargo.toml", text)]);
            assert_eq!(check(&tree).len(), 1, "{text}");
        }
    }

    #[test]
    fn is_quiet_about_both_ways_of_writing_it() {
        for text in [
            "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n",
            "[package]\nlints.workspace = true\n",
        ] {
            let tree = sample::files(&[("crates/a/Cargo.toml", text)]);
            assert_eq!(check(&tree), [], "{text}");
        }
    }
}
