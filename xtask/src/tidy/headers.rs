//! Every Rust file opens with `//!` and a sentence: what it holds.

use super::Complaint;
use crate::tree::Tree;

/// Shorter than this says nothing.
const LEAST_CHARACTERS: usize = 20;

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    tree.rust()
        .filter(|file| !opens_with_a_header(&file.text))
        .map(|file| {
            let what = "does not open with `//!`; say in a sentence what this file holds";
            Complaint::at(&file.path, 1, what)
        })
        .collect()
}

fn opens_with_a_header(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let header = first.strip_prefix("//!").map(str::trim);
    header.is_some_and(|header| header.chars().count() >= LEAST_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_missing_a_late_and_an_empty_header() {
        for text in [
            "fn a() {}\n",
            "use b;\n//! Late, and too late to be read.\n",
            "//! Things.\n",
            "",
        ] {
            let tree = sample::files(&[("crates/a/src/lib.rs", text)]);
            assert_eq!(check(&tree).len(), 1, "{text}");
        }
    }

    #[test]
    fn is_quiet_about_a_header_that_says_something() {
        let tree = sample::files(&[(
            "crates/a/src/lib.rs",
            "//! What comes in, and what is known about it.\n",
        )]);
        assert_eq!(check(&tree), []);
    }
}
