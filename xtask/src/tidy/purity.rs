//! The governed crates are pure functions of values, which their dependencies show.
//!
//! Two lists, because two things are true.
//! What a governed crate names itself must not serialise, wait, store, or read clock or chance.
//! What its dependencies bring along must not either, with one exception: `jiff` and `uuid` always bring `serde_core`,
//! which holds traits and no code that runs, so the longer reach is checked without it.

use std::collections::BTreeSet;

use super::Complaint;
use crate::tree::{Crate, Tree};

const GOVERNED: &[&str] = &[
    "testimony-domain",
    "testimony-admission",
    "testimony-recall",
    "testimony-courtroom",
];

/// What no governed crate may have, not even through others.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    // Serialising.
    "serde", "serde_json", "toml", "bincode", "postcard", "rmp-serde", "ciborium", "schemars", "prost",
    // Waiting.
    "tokio", "tokio-util", "async-trait", "async-std", "async-channel", "smol", "futures", "futures-util", "rayon",
    // Network and storage.
    "hyper", "hyper-util", "http", "reqwest", "rustls", "rusqlite", "sqlx", "tantivy", "memmap2", "tempfile", "walkdir",
    // Clock, chance and surroundings.
    "chrono", "time", "rand", "rand_core", "getrandom", "fastrand", "dotenvy", "config",
    // Saying things aside.
    "tracing", "tracing-subscriber", "env_logger",
];

/// What no governed crate may name itself.
const NEVER_BY_NAME: &[&str] = &["serde_core", "serde_derive", "log", "anyhow"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let governed = tree
        .crates
        .iter()
        .filter(|each| GOVERNED.contains(&each.name.as_str()));
    governed.flat_map(impurities).collect()
}

fn impurities(governed: &Crate) -> Vec<Complaint> {
    let named = forbidden(&governed.direct, NEVER_BY_NAME)
        .map(|name| format!("names `{name}` as a dependency"));
    let brought = governed.direct.union(&governed.reached).cloned().collect();
    let carried =
        forbidden(&brought, NEVER).map(|name| format!("has `{name}` among its dependencies"));
    named
        .chain(carried)
        .map(|what| {
            let remedy = "a governed crate is a pure function of values; do it in a layer above";
            Complaint::about(&governed.name, format!("{what}; {remedy}"))
        })
        .collect()
}

fn forbidden<'a>(names: &BTreeSet<String>, list: &'a [&str]) -> impl Iterator<Item = &'a str> {
    list.iter().copied().filter(|name| names.contains(*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_what_is_named_and_what_is_brought_along() {
        for (direct, reached) in [
            ("tokio", "mio"),
            ("regex", "serde"),
            ("serde_core", "serde_core"),
            ("uuid", "getrandom"),
        ] {
            let tree = sample::crates(&[("testimony-recall", &[direct], &[reached])]);
            assert_eq!(check(&tree).len(), 1, "{direct} -> {reached}");
        }
    }

    #[test]
    fn is_quiet_about_pure_text_and_about_the_shell() {
        let tree = sample::crates(&[
            (
                "testimony-admission",
                &["regex", "jiff"],
                &["memchr", "serde_core"],
            ),
            ("testimony-server", &["serde_json", "tokio"], &["mio"]),
        ]);
        assert_eq!(check(&tree), []);
    }
}
