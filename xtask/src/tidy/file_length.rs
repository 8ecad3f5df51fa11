//! Files stay readable in one sitting; only tables of data may be longer, each named with its reason.

use super::Complaint;
use crate::tree::Tree;

/// No Rust file is longer.
const CEILING: usize = 800;

/// Tables of data, and why each is one piece.
const TABLES: &[(&str, &str)] = &[(
    "crates/testimony-admission/src/secrets/rules/named.rs",
    "one line for each provider whose keys have no shape of their own",
)];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    check_with(tree, TABLES)
}

fn check_with(tree: &Tree, tables: &[(&str, &str)]) -> Vec<Complaint> {
    let long = tree.rust().filter_map(|file| {
        let lines = file.text.lines().count();
        let over = lines > CEILING && !tables.iter().any(|(path, _)| *path == file.path);
        over.then(|| {
            let what =
                format!("has {lines} lines where {CEILING} are allowed; split it by what it holds");
            Complaint::about(&file.path, what)
        })
    });
    let gone = tables.iter().filter(|(path, _)| tree.file(path).is_none());
    long.chain(
        gone.map(|(path, _)| {
            Complaint::about(path, "is named as a table of data and is not there")
        }),
    )
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_long_file_and_an_exemption_without_a_file() {
        let tree = sample::files(&[("crates/a/src/lib.rs", &"//\n".repeat(801))]);
        assert_eq!(check_with(&tree, &[]).len(), 1);
        assert_eq!(check_with(&tree, &[("crates/a/src/lib.rs", "a table")]), []);
        assert_eq!(
            check_with(&sample::files(&[]), &[("crates/b.rs", "gone")]).len(),
            1
        );
    }
}
