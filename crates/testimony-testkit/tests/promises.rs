//! The table of what the core promises names tests and canaries that are there, for every promise.

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    const PAGE: &str = include_str!("../../../docs/testkit.md");
    /// How many promises there are.
    const PROMISES: usize = 11;

    /// A test that a cell names: its file and its name.
    type Named = (String, String);

    /// The tests that a cell names: a path in backticks, then names in backticks, then perhaps another path.
    fn named(cell: &str) -> Vec<Named> {
        let mut file = String::new();
        let mut found = Vec::new();
        for word in cell.split('`').skip(1).step_by(2) {
            if word.ends_with(".rs") {
                word.clone_into(&mut file);
            } else {
                found.push((file.clone(), word.to_owned()));
            }
        }
        found
    }

    /// The lines of the table: the number of a promise, its tests and its canaries.
    fn promises(page: &str) -> Vec<(usize, Vec<Named>, Vec<Named>)> {
        let lines = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [number, _, tests, canaries] = cells.as_slice() else {
                return None;
            };
            Some((number.parse().ok()?, named(tests), named(canaries)))
        });
        lines.collect()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the test looks into the other tests of the repository"
    )]
    fn text_of(file: &str) -> Option<String> {
        let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).ok()
    }

    /// What is named and is not there, and what a promise lacks.
    fn complaints(page: &str) -> Vec<String> {
        let promises = promises(page);
        let mut complaints = Vec::new();
        for (number, tests, canaries) in &promises {
            for (what, list) in [("test", tests), ("canary", canaries)] {
                if list.is_empty() {
                    complaints.push(format!("promise {number} names no {what}"));
                }
            }
            for (file, name) in tests.iter().chain(canaries) {
                let there = text_of(file).is_some_and(|text| text.contains(&format!("fn {name}(")));
                if !there {
                    complaints.push(format!(
                        "promise {number}: there is no `{name}` in `{file}`"
                    ));
                }
            }
        }
        let numbers: BTreeSet<usize> = promises.iter().map(|(number, ..)| *number).collect();
        let lacking = (1..=PROMISES).filter(|number| !numbers.contains(number));
        complaints.extend(lacking.map(|number| format!("promise {number} is not listed")));
        complaints
    }

    #[test]
    fn every_promise_names_tests_and_canaries_that_are_there() {
        assert_eq!(complaints(PAGE), Vec::<String>::new());
    }

    #[test]
    fn canary_a_test_that_is_gone_a_file_that_is_gone_and_a_lack_are_missed() {
        let table =
            |tests: &str, canaries: &str| format!("| 1 | it holds | {tests} | {canaries} |");
        let here = "`crates/testimony-testkit/tests/promises.rs`: `promises`";
        let of_first = |page: &str| complaints(page).len() + 1 - PROMISES;
        assert_eq!(of_first(&table(here, here)), 0);
        assert_eq!(of_first(&table(here, "")), 1);
        let gone = here.replace("`promises`", "`nowhere_to_be_found`");
        assert_eq!(of_first(&table(&gone, here)), 1);
        let moved = here.replace("promises.rs", "moved.rs");
        assert_eq!(of_first(&table(&moved, here)), 1);
    }
}
