//! What comes from elsewhere may be given to anybody.
//!
//! What is allowed stands in `deny.toml`, which `cargo deny` reads as well; here it holds without that being installed.

use spdx::{Expression, ParseMode};

use super::Complaint;
use crate::tree::{Brought, Tree};

const ALLOWED: &str = "deny.toml";

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let Some(file) = tree.file(ALLOWED) else {
        let missing = Complaint::about(ALLOWED, "is not there; it says which licences are allowed");
        return vec![missing];
    };
    let allowed = allowed(&file.text);
    let brought = tree.brought.iter();
    brought
        .filter_map(|each| complaint(each, &allowed))
        .collect()
}

/// The names in the list that is called `allow`.
fn allowed(text: &str) -> Vec<&str> {
    let list = text.split_once("allow = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    let quoted = list.split('"').skip(1).step_by(2);
    quoted.collect()
}

fn complaint(brought: &Brought, allowed: &[&str]) -> Option<Complaint> {
    let may = Expression::parse_mode(&brought.licence, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|needed| {
            let id = needed.license.id();
            id.is_some_and(|id| needed.addition.is_none() && allowed.contains(&id.name))
        })
    });
    let what = format!(
        "`{}` is under `{}`, which {ALLOWED} does not allow; find another, or add a permissive licence there",
        brought.name, brought.licence
    );
    (!may).then(|| Complaint::about("Cargo.lock", what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    fn with(licence: &str) -> Tree {
        let mut tree = sample::files(&[(ALLOWED, "allow = [\n    \"MIT\",\n    \"ISC\",\n]\n")]);
        tree.brought.push(Brought {
            name: "some 1.0.0".to_owned(),
            licence: licence.to_owned(),
        });
        tree
    }

    #[test]
    fn catches_licences_that_bind() {
        for licence in ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "", "Proprietary"] {
            assert_eq!(check(&with(licence)).len(), 1, "{licence}");
        }
    }

    #[test]
    fn is_quiet_where_one_of_the_choices_is_allowed() {
        for licence in [
            "MIT",
            "MIT OR GPL-3.0-only",
            "MIT/Apache-2.0",
            "ISC AND MIT",
        ] {
            assert_eq!(check(&with(licence)), [], "{licence}");
        }
    }
}
