//! Packages come from the public registry: no mirror, no private host, nothing that holds on one machine only.

use super::Complaint;
use crate::tree::{File, Tree};

const PUBLIC_REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What turns a tool to another registry.
const REDIRECTIONS: &[&str] = &[
    "replace-with",
    "[source.",
    "[registries",
    " registry =",
    "index =",
    "index-url",
    "sparse+http",
    "npm_config_registry",
    "CARGO_REGISTRIES",
    "GOPROXY",
];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in tree.files.iter().filter(|file| steers_a_tool(file)) {
        for (number, line) in file.lines() {
            // A blank in front tells `registry` from what forbids an `unknown-registry`.
            let told = format!(" {line}");
            let redirects = REDIRECTIONS.iter().any(|mark| told.contains(mark));
            if redirects || comes_from_elsewhere(file, line) {
                let what = "names a registry; packages come from the public one, and mirrors belong into a user's own settings";
                complaints.push(Complaint::at(&file.path, number, what));
            }
        }
    }
    complaints
}

fn steers_a_tool(file: &File) -> bool {
    let settings = ["toml", "lock", "yml", "yaml", "sh", "cfg", "ini", "npmrc"];
    let folder = file.path.split('/').next().unwrap_or_default();
    !file.is_fixture()
        && (matches!(folder, ".ci" | ".cargo")
            || settings.iter().any(|kind| file.has_extension(kind)))
}

fn comes_from_elsewhere(file: &File, line: &str) -> bool {
    let source = line.trim().strip_prefix("source = \"");
    file.path.ends_with("Cargo.lock")
        && source.is_some_and(|source| source.trim_end_matches('"') != PUBLIC_REGISTRY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_mirror_in_settings_and_a_foreign_source_in_the_lock_file() {
        for (path, text) in [
            (".cargo/config.toml", "[source.crates-io]\n"),
            (
                "Cargo.lock",
                "source = \"registry+https://mirror.example/index\"\n",
            ),
            ("Cargo.lock", "source = \"git+https://example.org/a#b\"\n"),
            (
                ".ci/run",
                "pip install --index-url https://mirror.example a\n",
            ),
        ] {
            assert_eq!(
                check(&sample::files(&[(path, text)])).len(),
                1,
                "{path} {text}"
            );
        }
    }

    #[test]
    fn is_quiet_about_the_public_registry() {
        let lock = format!("source = \"{PUBLIC_REGISTRY}\"\n");
        let tree = sample::files(&[("Cargo.lock", &lock), ("Cargo.toml", "[workspace]\n")]);
        assert_eq!(check(&tree), []);
    }
}
