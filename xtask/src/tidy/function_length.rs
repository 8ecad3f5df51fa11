//! Functions stay short: a ceiling for each, and a recorded count of the long ones that may only fall.

use serde_json::Value;

use super::Complaint;
use super::rust_source::{Function, functions};
use crate::tree::{File, Tree};
use crate::{Trouble, shell};

/// No function outside tests is longer.
const CEILING: usize = 70;
/// A function over this is long, and counted.
const LONG: usize = 40;
/// Where the count is recorded.
const RECORD: &str = "xtask/ratchet.json";
const RECORDED: &str = "functions_over_40_lines";

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut long = Vec::new();
    for file in governed_by_length(tree) {
        match functions(&file.text) {
            Ok(found) => long.extend(found.into_iter().filter(is_long).map(|f| (file, f))),
            Err(error) => complaints.push(Complaint::about(
                &file.path,
                format!("cannot be parsed: {error}"),
            )),
        }
    }
    complaints.extend(
        long.iter()
            .filter_map(|(file, function)| over_ceiling(file, function)),
    );
    complaints.extend(off_the_record(tree, &long));
    complaints
}

fn governed_by_length(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.rust().filter(|file| !file.is_test())
}

fn is_long(function: &Function) -> bool {
    function.lines > LONG
}

fn over_ceiling(file: &File, function: &Function) -> Option<Complaint> {
    let Function { name, line, lines } = function;
    (*lines > CEILING).then(|| {
        let what = format!(
            "`{name}` takes {lines} lines where {CEILING} are allowed; give its parts names"
        );
        Complaint::at(&file.path, *line, what)
    })
}

fn off_the_record(tree: &Tree, long: &[(&File, Function)]) -> Option<Complaint> {
    let count = long.len();
    let what = match recorded(tree) {
        None => format!("says no `{RECORDED}`; write {{\"{RECORDED}\": {count}}}"),
        Some(most) if count > most => {
            let named: Vec<String> = long
                .iter()
                .map(|(file, function)| {
                    format!(
                        "\n    {}:{} {}, {} lines",
                        file.path, function.line, function.name, function.lines
                    )
                })
                .collect();
            format!(
                "{count} functions are over {LONG} lines where {most} were; shorten one of them:{}",
                named.concat()
            )
        }
        Some(most) if count < most => {
            format!(
                "only {count} functions are over {LONG} lines; keep what was won: cargo xtask tidy --tighten"
            )
        }
        Some(_) => return None,
    };
    Some(Complaint::about(RECORD, what))
}

fn recorded(tree: &Tree) -> Option<usize> {
    let record: Value = serde_json::from_str(&tree.file(RECORD)?.text).ok()?;
    usize::try_from(record.get(RECORDED)?.as_u64()?).ok()
}

/// Writes the record down to the present count. It is never written up: that takes a person and a reason.
pub(super) fn tighten(tree: &Tree) -> Result<(), Trouble> {
    let found = governed_by_length(tree).filter_map(|file| functions(&file.text).ok());
    let count = found.flatten().filter(is_long).count();
    if recorded(tree).is_some_and(|most| count < most) {
        let path = shell::repository_root().join(RECORD);
        shell::write(&path, &format!("{{\"{RECORDED}\": {count}}}\n"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    fn complaints(lines: usize, recorded: &str) -> usize {
        let text = format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2));
        let tree = sample::files(&[("crates/a/src/lib.rs", &text), (RECORD, recorded)]);
        check(&tree).len()
    }

    #[test]
    fn catches_a_function_over_the_ceiling() {
        assert_eq!(complaints(71, r#"{"functions_over_40_lines": 1}"#), 1);
        assert_eq!(complaints(70, r#"{"functions_over_40_lines": 1}"#), 0);
    }

    #[test]
    fn catches_a_count_that_rose_or_that_fell_unrecorded() {
        assert_eq!(complaints(41, r#"{"functions_over_40_lines": 0}"#), 1);
        assert_eq!(complaints(40, r#"{"functions_over_40_lines": 1}"#), 1);
        assert_eq!(complaints(40, r#"{"functions_over_40_lines": 0}"#), 0);
    }

    #[test]
    fn catches_a_record_that_says_nothing_and_a_file_that_is_no_rust() {
        assert_eq!(complaints(10, "{}"), 1);
        let tree = sample::files(&[
            ("crates/a/src/lib.rs", "fn ("),
            (RECORD, r#"{"functions_over_40_lines": 0}"#),
        ]);
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn does_not_look_at_test_files() {
        let text = format!("fn long() {{\n{}}}\n", "    step();\n".repeat(90));
        let tree = sample::files(&[
            ("crates/a/tests/b.rs", &text),
            (RECORD, r#"{"functions_over_40_lines": 0}"#),
        ]);
        assert_eq!(check(&tree), []);
    }
}
