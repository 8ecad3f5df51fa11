//! Look-alikes: hashes, locks, links, code, prose about credentials, placeholders. None is touched.

use testimony_admission::secrets::scan;

use super::template::lines;

const NEGATIVES: &str = include_str!("../../../../fixtures/secrets/negatives.jsonl");

#[test]
fn look_alikes_are_left_alone() {
    let all = lines(NEGATIVES);
    assert!(all.len() >= 300, "{}", all.len());
    let mut touched = Vec::new();
    for line in all {
        let text = super::expanded(&line);
        let scan = scan(&text, &super::OPEN);
        if scan.redacted.as_str() != text {
            touched.push(format!("{text}\n    {}", scan.redacted));
        }
    }
    assert!(
        touched.is_empty(),
        "{} touched:\n{}",
        touched.len(),
        touched.join("\n")
    );
}
