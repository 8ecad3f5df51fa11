//! A seed of a failed property is a number alone: the value that it shrank to may look like a real credential, and is
//! made again from the number.

use super::Complaint;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in tree.files.iter().filter(|file| holds_seeds(&file.path)) {
        for (number, line) in file.lines() {
            if line.starts_with("cc ") && line.contains('#') {
                let what =
                    "a seed shows the value that it shrank to; cut the line behind its number";
                complaints.push(Complaint::at(&file.path, number, what));
            }
        }
    }
    complaints
}

fn holds_seeds(path: &str) -> bool {
    path.contains("proptest-regressions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_value_behind_a_seed_and_nothing_else() {
        let text = "# Seeds\ncc 0a1b\ncc 2c3d # shrinks to text = \"…\"\n";
        let tree = sample::files(&[("crates/a/tests/proptest-regressions/b.txt", text)]);
        let lines: Vec<_> = check(&tree)
            .iter()
            .map(|complaint| complaint.line)
            .collect();
        assert_eq!(lines, [Some(3)]);
    }
}
