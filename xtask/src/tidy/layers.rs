//! Dependencies between the crates of the workspace point down only.

use std::collections::BTreeSet;

use super::Complaint;
use crate::tree::Tree;

/// A crate, and the crates that it rests on; it may use those and everything that they rest on.
struct Layer {
    name: &'static str,
    rests_on: &'static [&'static str],
}

/// The order, lowest first. A crate that is not here yet has its place kept.
#[rustfmt::skip]
const LAYERS: &[Layer] = &[
    Layer { name: "testimony-domain", rests_on: &[] },
    Layer { name: "testimony-admission", rests_on: &["testimony-domain"] },
    Layer { name: "testimony-recall", rests_on: &["testimony-domain"] },
    Layer { name: "testimony-courtroom", rests_on: &["testimony-domain"] },
    Layer { name: "testimony-testkit", rests_on: &["testimony-admission", "testimony-recall", "testimony-courtroom"] },
    Layer { name: "testimony-service", rests_on: &["testimony-admission", "testimony-recall", "testimony-courtroom"] },
    Layer { name: "testimony-storage", rests_on: &["testimony-service"] },
    Layer { name: "testimony-embedding", rests_on: &["testimony-service"] },
    Layer { name: "testimony-models", rests_on: &["testimony-service"] },
    Layer { name: "testimony", rests_on: &["testimony-storage", "testimony-embedding", "testimony-models"] },
    Layer { name: "testimony-console", rests_on: &["testimony-domain"] },
    Layer { name: "testimony-transport", rests_on: &["testimony-service", "testimony-console"] },
    Layer { name: "testimony-server", rests_on: &["testimony", "testimony-transport"] },
    Layer { name: "xtask", rests_on: &["testimony", "testimony-transport"] },
];

fn layer(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

/// Everything below a layer.
fn below(layer: &Layer) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open = layer.rests_on.to_vec();
    while let Some(name) = open.pop() {
        if found.insert(name) {
            open.extend(
                self::layer(name)
                    .into_iter()
                    .flat_map(|layer| layer.rests_on),
            );
        }
    }
    found
}

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    tree.crates
        .iter()
        .flat_map(|each| match layer(&each.name) {
            None => vec![Complaint::about(
                &each.name,
                "the order of layers does not know this crate; give it its place in xtask/src/tidy/layers.rs",
            )],
            Some(known) => upward(known, &each.direct),
        })
        .collect()
}

fn upward(layer: &Layer, direct: &BTreeSet<String>) -> Vec<Complaint> {
    let below = below(layer);
    direct
        .iter()
        .filter(|used| self::layer(used).is_some() && !below.contains(used.as_str()))
        .map(|used| {
            let what = format!(
                "depends on `{used}`, which is not below it; move what it needs down, or pass it in"
            );
            Complaint::about(layer.name, what)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_an_arrow_up_an_arrow_aside_and_an_unknown_crate() {
        for (name, uses) in [
            ("testimony-domain", "testimony-admission"),
            ("testimony-recall", "testimony-courtroom"),
            ("testimony-transport", "testimony-storage"),
            ("testimony-service", "testimony-testkit"),
            ("testimony", "xtask"),
            ("testimony-extras", "testimony-domain"),
        ] {
            let tree = sample::crates(&[(name, &[uses], &[])]);
            assert_eq!(check(&tree).len(), 1, "{name} -> {uses}");
        }
    }

    #[test]
    fn is_quiet_about_arrows_down_and_about_foreign_crates() {
        let tree = sample::crates(&[
            ("testimony-server", &["testimony-domain", "clap"], &[]),
            ("testimony-storage", &["testimony-service", "rusqlite"], &[]),
        ]);
        assert_eq!(check(&tree), []);
    }

    #[test]
    fn the_order_itself_points_down() {
        let mut seen = BTreeSet::new();
        for layer in LAYERS {
            assert!(
                layer.rests_on.iter().all(|name| seen.contains(name)),
                "{}",
                layer.name
            );
            assert!(seen.insert(layer.name), "{} stands twice", layer.name);
        }
    }
}
