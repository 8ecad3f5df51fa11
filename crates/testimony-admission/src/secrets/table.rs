//! The rule table made ready: every keyword in one index, and each pattern compiled when it is first needed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use super::keywords::Keywords;
use super::rule::{Form, Rule};
use super::rules::FAMILIES;

/// The number of a rule in the table.
pub(super) type RuleIndex = usize;

/// Every rule, ready to be used.
pub(super) struct Table {
    rules: Vec<&'static Rule>,
    patterns: Vec<OnceLock<Option<Regex>>>,
    anchored: Vec<OnceLock<Option<Regex>>>,
    /// What everything that the rule finds is written with at its beginning; empty where that is not known.
    openings: Vec<String>,
    numbers: HashMap<&'static str, RuleIndex>,
    keywords: Keywords,
    /// Rules by keyword, in the order of the index.
    rules_of_keyword: Vec<Vec<Use>>,
}

/// A rule that a keyword belongs to.
#[derive(Clone, Copy, Debug)]
struct Use {
    rule: RuleIndex,
    /// Whether the credential begins with the keyword, so that it can stand nowhere else than at the hit.
    begins: bool,
}

/// The one table. It is built on first use and never changes.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(Table::build);

/// A keyword in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeywordHit {
    pub(super) rule: RuleIndex,
    /// Whether the credential, if it is one, begins right here.
    pub(super) begins: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Table {
    fn build() -> Self {
        let rules: Vec<&'static Rule> = FAMILIES.iter().copied().flatten().collect();
        let mut by_keyword: BTreeMap<&'static str, Vec<Use>> = BTreeMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for keyword in rule.keywords {
                let begins =
                    matches!(rule.form, Form::Shape(pattern) if begins_with(pattern, keyword));
                by_keyword.entry(keyword).or_default().push(Use {
                    rule: index,
                    begins,
                });
            }
        }
        let keywords = Keywords::of(by_keyword.keys().copied());
        let numbers = rules
            .iter()
            .enumerate()
            .map(|(index, rule)| (rule.id, index));
        Self {
            patterns: rules.iter().map(|_| OnceLock::new()).collect(),
            anchored: rules.iter().map(|_| OnceLock::new()).collect(),
            openings: rules.iter().map(|rule| opening(rule)).collect(),
            numbers: numbers.collect(),
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

    /// Whether what stands here could be what the rule finds: keywords are found without case, and most credentials
    /// begin with certain capitals.
    pub(super) fn may_open(&self, index: RuleIndex, text: &[u8]) -> bool {
        let opening = self.openings.get(index);
        opening.is_none_or(|opening| text.starts_with(opening.as_bytes()))
    }

    /// The number of the rule with this id.
    pub(super) fn index_of(&self, id: &str) -> Option<RuleIndex> {
        self.numbers.get(id).copied()
    }

    /// The pattern of a rule; `None` for rules without one.
    pub(super) fn pattern(&self, index: RuleIndex) -> Option<&Regex> {
        let rule = self.rule(index)?;
        let source = match rule.form {
            Form::Shape(pattern) | Form::Block(pattern) => pattern,
            Form::Beside | Form::Word | Form::Sentence => return None,
        };
        let compile = || RegexBuilder::new(source).unicode(false).build().ok();
        self.patterns.get(index)?.get_or_init(compile).as_ref()
    }

    /// The pattern of a rule, to be tried only where a text begins.
    pub(super) fn pattern_at_start(&self, index: RuleIndex) -> Option<&Regex> {
        let Some(Rule {
            form: Form::Shape(source),
            ..
        }) = self.rule(index)
        else {
            return None;
        };
        let compile = || {
            RegexBuilder::new(&format!(r"\A(?:{source})"))
                .unicode(false)
                .build()
                .ok()
        };
        self.anchored.get(index)?.get_or_init(compile).as_ref()
    }

    /// Every keyword in `text`, for every rule that has it, as far as `counts` says that it matters.
    pub(super) fn keyword_hits(
        &self,
        text: &str,
        counts: impl Fn(&KeywordHit) -> bool,
    ) -> Vec<KeywordHit> {
        let mut hits = Vec::new();
        self.keywords.each_in(text, |found| {
            let rules = self.rules_of_keyword.get(found.word);
            let each = rules.into_iter().flatten().map(|used| KeywordHit {
                rule: used.rule,
                begins: used.begins,
                start: found.start,
                end: found.end,
            });
            hits.extend(each.filter(&counts));
        });
        hits
    }
}

/// The letters that a pattern without alternatives begins with.
fn opening(rule: &Rule) -> String {
    match rule.form {
        Form::Shape(pattern) if !pattern.contains('|') && !pattern.contains("(?i") => {
            let inner = pattern.strip_prefix("(?-i:").unwrap_or(pattern);
            plain_prefix(inner)
        }
        Form::Shape(_) | Form::Block(_) | Form::Beside | Form::Word | Form::Sentence => {
            String::new()
        }
    }
}

/// Whether everything that `pattern` finds through `keyword` begins with the keyword.
///
/// Only what can be seen in the pattern at once counts: the keyword itself, or one of the alternatives of a first
/// group, as far as its plain letters go. A pattern that is not recognised is searched for around its keyword.
fn begins_with(pattern: &str, keyword: &str) -> bool {
    let inner = ["(?i)", "(?-i:", "(?:", "(?i:"]
        .iter()
        .fold(pattern, |rest, open| {
            rest.strip_prefix(open).unwrap_or(rest)
        });
    let alternatives = inner
        .split('|')
        .map(|alternative| alternative.trim_start_matches("(?:"));
    let mut known = alternatives.map(|alternative| plain_prefix(alternative).to_ascii_lowercase());
    let agrees = |plain: &String| {
        plain.len() >= 2 && (keyword.starts_with(plain.as_str()) || plain.starts_with(keyword))
    };
    known.any(|plain| agrees(&plain)) && !inner.starts_with('[') && !inner.starts_with('(')
}

/// The letters that a pattern begins with.
fn plain_prefix(pattern: &str) -> String {
    let mut plain = String::new();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        let literal = match character {
            '\\' => match characters.next() {
                Some(escaped) if !escaped.is_ascii_alphanumeric() => escaped,
                _ => break,
            },
            '[' | '(' | ')' | '.' | '+' | '^' | '$' => break,
            '?' | '*' | '{' => {
                plain.pop();
                break;
            }
            other => other,
        };
        plain.push(literal);
    }
    if matches!(characters.peek(), Some('?' | '*' | '{')) {
        plain.pop();
    }
    plain
}
