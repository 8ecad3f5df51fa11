//! Every rule is caught by a line of its own, also when no other rule helps.

use std::collections::HashSet;

use testimony_admission::secrets::{rules, scan};
use testimony_admission::submission::Policy;

use super::template::lines;

const POSITIVES: &str = include_str!("../../../../fixtures/secrets/positives.jsonl");

#[test]
fn rule_ids_are_unique_and_plain() {
    let mut seen = HashSet::new();
    for rule in rules() {
        assert!(seen.insert(rule.id), "{} stands twice", rule.id);
        assert!(!rule.keywords.is_empty(), "{} has no keyword", rule.id);
        assert!(
            rule.id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        );
    }
}

#[test]
fn the_table_speaks_for_well_over_two_hundred_providers() {
    let providers: HashSet<&str> = rules().map(|rule| rule.provider).collect();
    assert!(providers.len() > 400, "{}", providers.len());
}

#[test]
fn every_rule_finds_its_own_line_alone() {
    let ids: Vec<&'static str> = rules().map(|rule| rule.id).collect();
    let mut covered = HashSet::new();
    let mut missed = Vec::new();
    for line in lines(POSITIVES) {
        let others: Vec<&str> = ids.iter().copied().filter(|id| *id != line.rule).collect();
        let policy = Policy {
            exempt_rules: &others,
            ..super::OPEN
        };
        let text = super::expanded(&line);
        let scan = scan(&text, &policy);
        let cut = scan.redacted.as_str() != text;
        if cut {
            covered.insert(line.rule);
        } else {
            missed.push(format!("{}: {text}", line.rule));
        }
    }
    let uncovered: Vec<&&str> = ids.iter().filter(|id| !covered.contains(**id)).collect();
    assert!(
        missed.is_empty(),
        "{} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(uncovered.is_empty(), "rules without a line: {uncovered:?}");
}
