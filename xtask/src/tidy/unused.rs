//! Nothing is named as a dependency that no code calls: it would cost everybody who builds, and be trusted for nothing.
//!
//! What is named for its features alone stands under `[package.metadata.cargo-machete]`, which `cargo machete` reads too.

use super::Complaint;
use crate::tree::{Crate, File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    tree.crates
        .iter()
        .flat_map(|each| {
            let files = files(tree, each);
            let is_called = move |name: &str| files.iter().any(|file| calls(&file.text, name));
            let unused = each.called.iter().filter(move |name| !is_called(name));
            unused.map(|name| {
                let what =
                    format!("names `{name}` as a dependency and calls it nowhere; take it out");
                Complaint::about(&each.name, what)
            })
        })
        .collect()
}

fn files<'a>(tree: &'a Tree, each: &Crate) -> Vec<&'a File> {
    let inside = format!("{}/", each.folder);
    tree.rust()
        .filter(|file| file.path.starts_with(&inside))
        .collect()
}

/// Whether a word of the text is this name.
fn calls(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).any(|(start, _)| {
        let (before, from) = text.split_at(start);
        let after = from.get(name.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    fn with(called: &str, text: &str) -> Tree {
        let mut tree = sample::files(&[("crates/one/src/lib.rs", text)]);
        tree.crates.push(Crate {
            name: "one".to_owned(),
            folder: "crates/one".to_owned(),
            called: [called.to_owned()].into(),
            ..Crate::default()
        });
        tree
    }

    #[test]
    fn catches_what_is_named_and_not_called() {
        assert_eq!(check(&with("serde", "use serde_json::Value;")).len(), 1);
        assert_eq!(check(&with("bytes", "fn kilobytes() {}")).len(), 1);
    }

    #[test]
    fn is_quiet_about_what_is_called() {
        assert_eq!(check(&with("serde", "use serde::Serialize;")), []);
        assert_eq!(check(&with("bytes", "let all: ::bytes::Bytes;")), []);
    }
}
