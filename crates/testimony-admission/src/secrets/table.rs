//! The rule table made ready: one automaton over every keyword, and each pattern compiled when it is first needed.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Regex, RegexBuilder};

use super::rule::{Form, Rule};
use super::rules::FAMILIES;

/// The number of a rule in the table.
pub(super) type RuleIndex = usize;

/// Every rule, ready to be used.
pub(super) struct Table {
    rules: Vec<&'static Rule>,
    patterns: Vec<OnceLock<Option<Regex>>>,
    keywords: Option<AhoCorasick>,
    /// Rules by keyword, in the order of the automaton's patterns.
    rules_of_keyword: Vec<Vec<RuleIndex>>,
}

/// The one table. It is built on first use and never changes.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(Table::build);

/// A keyword in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeywordHit {
    pub(super) rule: RuleIndex,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Table {
    fn build() -> Self {
        let rules: Vec<&'static Rule> = FAMILIES.iter().copied().flatten().collect();
        let mut by_keyword: BTreeMap<&'static str, Vec<RuleIndex>> = BTreeMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for keyword in rule.keywords {
                by_keyword.entry(keyword).or_default().push(index);
            }
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(by_keyword.keys())
            .ok();
        Self {
            patterns: rules.iter().map(|_| OnceLock::new()).collect(),
            rules,
            keywords,
            rules_of_keyword: by_keyword.into_values().collect(),
        }
    }

    /// Every rule, in order.
    pub(super) fn rules(&self) -> &[&'static Rule] {
        &self.rules
    }

    /// The rule of a number.
    pub(super) fn rule(&self, index: RuleIndex) -> Option<&'static Rule> {
        self.rules.get(index).copied()
    }

    /// The number of the rule with this id.
    pub(super) fn index_of(&self, id: &str) -> Option<RuleIndex> {
        self.rules.iter().position(|rule| rule.id == id)
    }

    /// The pattern of a rule; `None` for rules without one.
    pub(super) fn pattern(&self, index: RuleIndex) -> Option<&Regex> {
        let rule = self.rule(index)?;
        let source = match rule.form {
            Form::Shape(pattern) | Form::Block(pattern) => pattern,
            Form::Beside | Form::Word => return None,
        };
        let compile = || RegexBuilder::new(source).unicode(false).build().ok();
        self.patterns.get(index)?.get_or_init(compile).as_ref()
    }

    /// Every keyword in `text`, for every rule that has it.
    pub(super) fn keyword_hits(&self, text: &str) -> Vec<KeywordHit> {
        let mut hits = Vec::new();
        let Some(keywords) = &self.keywords else {
            return hits;
        };
        for found in keywords.find_overlapping_iter(text) {
            let rules = self.rules_of_keyword.get(found.pattern().as_usize());
            for rule in rules.into_iter().flatten() {
                hits.push(KeywordHit {
                    rule: *rule,
                    start: found.start(),
                    end: found.end(),
                });
            }
        }
        hits
    }
}
