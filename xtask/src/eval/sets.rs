//! The sets, how each is judged, and the bar that it has to clear.

use std::path::Path;

use testimony_domain::SourceClass;

use super::carried::{elsewhere, is_left, secrets, texts};
use super::corpus::{self, Row};
use super::{Entrance, routes};
use crate::Trouble;

/// What the share of counted rows has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bar {
    AtLeast(f64),
    AtMost(f64),
    /// Reported, and held to nothing.
    None,
}

impl Bar {
    /// Whether a share clears it.
    pub(super) fn holds(self, share: f64) -> bool {
        match self {
            Self::AtLeast(bar) => share >= bar,
            Self::AtMost(bar) => share <= bar,
            Self::None => true,
        }
    }
}

/// A set of labelled rows.
pub(super) struct Set {
    pub(super) name: &'static str,
    file: &'static str,
    /// Which of the file's rows belong to it.
    holds: fn(&Row) -> bool,
    /// What is counted, as one word.
    pub(super) counted: &'static str,
    counts: fn(Entrance, &Row) -> bool,
    pub(super) bar: Bar,
    /// Rows with a value of this file, or one of the form of another rule's values there, do not belong to it: what one
    /// rule's set calls harmless may be a true credential of another rule.
    no_value_of: Option<&'static str>,
}

/// The one count that should be low.
const TOUCHED: &str = "touched";

const GITLEAKS: &str = "secrets/gitleaks-positives.jsonl.gz";
const IN_PROSE: &str = "secrets/in-prose-positives.jsonl.gz";
const KINGFISHER: &str = "secrets/kingfisher-positives.jsonl.gz";
const OBFUSCATED: &str = "secrets/obfuscated-positives.jsonl.gz";

/// Every set.
#[rustfmt::skip]
pub(super) const SETS: &[Set] = &[
    Set { name: "gitleaks positives", file: GITLEAKS, holds: all, counted: "caught", counts: caught, bar: Bar::AtLeast(0.98), no_value_of: None },
    Set { name: "in prose", file: IN_PROSE, holds: all, counted: "caught", counts: caught, bar: Bar::AtLeast(0.98), no_value_of: None },
    Set { name: "in prose, to the letter", file: IN_PROSE, holds: all, counted: "caught", counts: caught_to_the_letter, bar: Bar::None, no_value_of: None },
    Set { name: "kingfisher positives", file: KINGFISHER, holds: all, counted: "caught", counts: caught, bar: Bar::AtLeast(0.95), no_value_of: None },
    Set { name: "kingfisher, to the letter", file: KINGFISHER, holds: all, counted: "caught", counts: caught_to_the_letter, bar: Bar::None, no_value_of: None },
    Set { name: "obfuscated, tier 1", file: OBFUSCATED, holds: |row| row.tier() == Some(1), counted: "caught", counts: caught, bar: Bar::AtLeast(1.0), no_value_of: None },
    Set { name: "obfuscated, tier 2", file: OBFUSCATED, holds: |row| row.tier() == Some(2), counted: "caught", counts: caught, bar: Bar::AtLeast(0.94), no_value_of: None },
    Set { name: "obfuscated, tier 3", file: OBFUSCATED, holds: |row| row.tier() == Some(3), counted: "caught", counts: caught, bar: Bar::None, no_value_of: None },
    Set { name: "benign lines", file: "benign/lines.jsonl.gz", holds: all, counted: TOUCHED, counts: touched, bar: Bar::AtMost(0.0), no_value_of: None },
    Set { name: "placeholders", file: "benign/placeholders.jsonl.gz", holds: all, counted: TOUCHED, counts: touched, bar: Bar::None, no_value_of: None },
    Set { name: "gitleaks negatives", file: "secrets/gitleaks-negatives.jsonl.gz", holds: all, counted: TOUCHED, counts: touched, bar: Bar::AtMost(0.02), no_value_of: None },
    Set { name: "gitleaks negatives, no rule's", file: "secrets/gitleaks-negatives.jsonl.gz", holds: all, counted: TOUCHED, counts: touched, bar: Bar::None, no_value_of: Some(GITLEAKS) },
    Set { name: "clean e-mails", file: "injection/clean-emails.jsonl.gz", holds: all, counted: "admitted", counts: admitted, bar: Bar::AtLeast(0.98), no_value_of: None },
];

/// What a set came to.
pub(super) struct Figure {
    pub(super) set: &'static Set,
    pub(super) rows: usize,
    pub(super) hits: usize,
    /// The rows that speak against it, by line and label.
    pub(super) against: Vec<(usize, String)>,
}

impl Figure {
    #[expect(
        clippy::cast_precision_loss,
        reason = "sets have thousands of rows, not quadrillions"
    )]
    pub(super) fn share(&self) -> f64 {
        self.hits as f64 / self.rows.max(1) as f64
    }

    pub(super) fn holds(&self) -> bool {
        self.rows > 0 && self.set.bar.holds(self.share())
    }
}

impl Set {
    /// Judges every row.
    pub(super) fn measure(
        &'static self,
        data: &Path,
        entrance: Entrance,
    ) -> Result<Figure, Trouble> {
        let rows = corpus::rows(data, self.file)?;
        let others = self.no_value_of.map(|file| corpus::rows(data, file));
        let others = others.transpose()?.unwrap_or_default();
        let wanted = self.counted != TOUCHED;
        let mut figure = Figure {
            set: self,
            rows: 0,
            hits: 0,
            against: Vec::new(),
        };
        let others_values: Vec<_> = others
            .iter()
            .map(|row| (row.label(), values(row)))
            .collect();
        let is_anothers =
            |row: &Row| repeats_a_value(row, &others) || looks_like_anothers(row, &others_values);
        let belongs = |row: &&Row| (self.holds)(row) && !is_anothers(row);
        for row in rows.iter().filter(belongs) {
            let counts = (self.counts)(entrance, row);
            figure.rows += 1;
            figure.hits += usize::from(counts);
            if counts != wanted {
                figure.against.push((row.line, row.label()));
            }
        }
        Ok(figure)
    }
}

/// A shorter stretch of signs is no value that two rows share only because one repeats the other.
const LEAST_VALUE: usize = 16;

/// Whether a stretch of the row that could be a value stands in one of `others` too.
fn repeats_a_value(row: &Row, others: &[Row]) -> bool {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '=');
    let values = row.text().split(ends);
    let mut telling = values.filter(|value| {
        value.len() >= LEAST_VALUE && value.bytes().any(|byte| byte.is_ascii_digit())
    });
    telling.any(|value| others.iter().any(|other| other.text().contains(value)))
}

/// A stretch of signs that could be a value, and the words on its line before it.
struct Value {
    signs: String,
    beside: Vec<String>,
}

/// So many bytes before a value name it.
const NAMING: usize = 48;

/// What could be a value in a row.
fn values(row: &Row) -> Vec<Value> {
    let text = row.text();
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '=' | '<' | '>' | ':'
            )
    };
    let tells =
        |signs: &&str| signs.len() >= LEAST_VALUE && signs.bytes().any(|b| b.is_ascii_digit());
    let found = text.split(ends).filter(tells).map(|signs| {
        let at = (signs.as_ptr().addr()).saturating_sub(text.as_ptr().addr());
        let from = text.ceil_char_boundary(at.saturating_sub(NAMING));
        Value {
            signs: signs.to_owned(),
            beside: words(text.get(from..at).unwrap_or_default()),
        }
    });
    found.collect()
}

/// The words of names, also of such as `apiKey` and `API_KEY`, in small letters.
fn words(text: &str) -> Vec<String> {
    let mut apart = String::with_capacity(text.len() * 2);
    let mut before = ' ';
    for c in text.chars() {
        let begins = !c.is_alphabetic() || before.is_lowercase() && c.is_uppercase();
        if begins {
            apart.push(' ');
        }
        if c.is_alphabetic() {
            apart.extend(c.to_lowercase());
        }
        before = c;
    }
    let words = apart.split_whitespace().filter(|word| word.len() >= 3);
    words.map(str::to_owned).collect()
}

/// Whether a value of the row has the form of one that stands beside the same word, or begins as it does, among those
/// of another rule.
fn looks_like_anothers(row: &Row, others: &[(String, Vec<Value>)]) -> bool {
    let own = row.label();
    let of_others = || {
        let others = others.iter().filter(|(rule, _)| *rule != own);
        others.flat_map(|(_, values)| values)
    };
    let is_like = |one: &Value, other: &Value| {
        one.signs.len() == other.signs.len()
            && (is_led_alike(one, other)
                || alphabet(one) == alphabet(other)
                    && one.beside.iter().any(|word| other.beside.contains(word)))
    };
    values(row)
        .iter()
        .any(|one| of_others().any(|other| is_like(one, other)))
}

/// Whether two values begin with the same mark of their kind, such as `abc_`.
fn is_led_alike(one: &Value, other: &Value) -> bool {
    let mark = |value: &Value| {
        let end = value.signs.find(['-', '_']).filter(|end| *end >= 2)?;
        let mark = value.signs.get(..=end)?.to_owned();
        mark.starts_with(|c: char| c.is_ascii_alphabetic())
            .then_some(mark)
    };
    mark(one).is_some_and(|led| mark(other) == Some(led))
}

/// How many kinds of signs a value is drawn from: digits and the first letters, all small letters, all letters, more.
fn alphabet(value: &Value) -> u8 {
    let all = |is_of: fn(u8) -> bool| value.signs.bytes().all(is_of);
    if all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f')) {
        0
    } else if all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()) {
        1
    } else if all(|b| b.is_ascii_alphanumeric()) {
        2
    } else {
        3
    }
}

const fn all(_: &Row) -> bool {
    true
}

/// Found, and nothing of it left that does not also stand elsewhere in the text.
fn caught(entrance: Entrance, row: &Row) -> bool {
    let around = row.secret().map(|secret| elsewhere(row.text(), secret));
    is_caught(entrance, row, &around.unwrap_or_default())
}

/// Found, and no window of it left at all, not even one that the sentence around it holds too.
fn caught_to_the_letter(entrance: Entrance, row: &Row) -> bool {
    is_caught(entrance, row, "")
}

fn is_caught(entrance: Entrance, row: &Row, around: &str) -> bool {
    let ruling = entrance.rule(row.text());
    let carried = texts(&ruling);
    match row.secret() {
        Some(secret) => secrets(&ruling).next().is_some() && !is_left(secret, &carried, around),
        // The set does not say which part is the value, so what was found has to be gone.
        None => {
            let found: Vec<&str> = secrets(&ruling)
                .filter_map(|finding| row.text().get(finding.span.clone()))
                .filter(|value| !value.trim().is_empty())
                .collect();
            let gone = |value: &&str| !is_left(value, &carried, &elsewhere(row.text(), value));
            !found.is_empty() && found.iter().all(gone)
        }
    }
}

/// Taken for a secret, or changed.
fn touched(entrance: Entrance, row: &Row) -> bool {
    let ruling = entrance.rule(row.text());
    secrets(&ruling).next().is_some() || ruling.text.as_str() != row.text()
}

/// Let in, although anybody may have written it.
fn admitted(entrance: Entrance, row: &Row) -> bool {
    routes::is_admitted(&entrance.rule_as(row.text(), SourceClass::ExternalDocument))
}

#[cfg(test)]
mod tests {
    use testimony_admission::ruling::{Finding, Route, Ruling};
    use testimony_admission::submission::{Policy, Submission};
    use testimony_domain::{Reason, Redacted};

    use super::super::corpus::row;
    use super::*;

    /// Rulings of an entrance that takes whatever stands between angle brackets for a secret.
    fn ruling(submission: &Submission<'_>, redacted: bool) -> Ruling {
        let text = submission.text;
        let span = text
            .find('<')
            .zip(text.find('>'))
            .map(|(start, end)| start + 1..end);
        let found = span.clone().map(|span| Finding {
            reason: Reason::SecretFound,
            rule: "bracketed",
            span,
            field: None,
            fingerprint: None,
        });
        let kept = span.filter(|_| redacted).map_or_else(
            || text.to_owned(),
            |span| text.replace(text.get(span).unwrap(), "[REDACTED:bracketed]"),
        );
        Ruling {
            route: Route::Admit,
            findings: found.into_iter().collect(),
            text: Redacted::attest(kept),
            fields: Vec::new(),
            claims: Vec::new(),
        }
    }

    fn redacts(submission: &Submission<'_>, _: &Policy<'_>) -> Ruling {
        ruling(submission, true)
    }

    fn forgets_to_redact(submission: &Submission<'_>, _: &Policy<'_>) -> Ruling {
        ruling(submission, false)
    }

    fn compose(_: &[Redacted], _: &Policy<'_>) -> Redacted {
        Redacted::default()
    }

    const GOOD: Entrance = Entrance {
        admit: redacts,
        compose,
    };
    const BROKEN: Entrance = Entrance {
        admit: forgets_to_redact,
        compose,
    };

    #[test]
    fn only_what_was_found_and_is_gone_is_caught() {
        for json in [
            r#"{"text": "it is <heron-blue-4217>", "secret": "heron-blue-4217"}"#,
            r#"{"text": "it is <heron-blue-4217>"}"#,
        ] {
            assert!(caught(GOOD, &row(json)), "{json}");
            assert!(!caught(BROKEN, &row(json)), "{json}");
        }
        let missed = row(r#"{"text": "it is heron-blue-4217", "secret": "heron-blue-4217"}"#);
        assert!(!caught(GOOD, &missed));
    }

    #[test]
    fn a_value_of_another_rule_is_known_again_and_a_common_word_is_not() {
        let others = [row(r#"{"text": "OTHER_KEY: 5f0a61c2d7e84b93aa10"}"#)];
        let repeated = row(r#"{"text": "this_key = \"5f0a61c2d7e84b93aa10\""}"#);
        assert!(repeats_a_value(&repeated, &others));
        assert!(!repeats_a_value(
            &row(r#"{"text": "OTHER_KEY: none"}"#),
            &others
        ));
    }

    #[test]
    fn a_value_of_the_form_of_another_rules_is_known_and_one_of_the_same_rule_is_not_asked() {
        let of =
            |rule: &str, text: &str| row(&format!(r#"{{"rule": "{rule}", "text": "{text}"}}"#));
        let known = of("one-key", "ACME_GLOBAL_KEY: 5f0a61c2d7e84b93aa10");
        let known = [(known.label(), values(&known))];
        let is_anothers = |rule: &str, text: &str| looks_like_anothers(&of(rule, text), &known);
        assert!(is_anothers("other-key", "acmeKey = 77aa61c2d7e84b93bb31"));
        assert!(!is_anothers("one-key", "acmeKey = 77aa61c2d7e84b93bb31"));
        assert!(!is_anothers("other-key", "commit 77aa61c2d7e84b93bb31"));
        assert!(!is_anothers("other-key", "acmeKey = 77AA61c2d7e84b93bb31"));
        assert!(!is_anothers(
            "other-key",
            "acmeKey = 77aa61c2d7e84b93bb31cc"
        ));
    }

    #[test]
    fn to_the_letter_a_name_in_the_sentence_counts_too() {
        let named =
            row(r#"{"text": "launchpad: <launchpad-77aa88bb>", "secret": "launchpad-77aa88bb"}"#);
        assert!(caught(GOOD, &named));
        assert!(!caught_to_the_letter(GOOD, &named));
    }

    #[test]
    fn what_is_taken_for_a_secret_is_touched_even_where_the_text_stays() {
        let text = row(r#"{"text": "a <b> c"}"#);
        assert!(touched(GOOD, &text) && touched(BROKEN, &text));
        assert!(!touched(GOOD, &row(r#"{"text": "nothing here"}"#)));
    }

    #[test]
    fn bars_are_inclusive_and_an_empty_set_clears_none() {
        assert!(Bar::AtLeast(0.98).holds(0.98) && !Bar::AtLeast(0.98).holds(0.979));
        assert!(Bar::AtMost(0.0).holds(0.0) && !Bar::AtMost(0.0).holds(0.001));
        let empty = Figure {
            set: &SETS[0],
            rows: 0,
            hits: 0,
            against: Vec::new(),
        };
        assert!(!empty.holds());
    }
}
