//! The second stage: every credential is found, whatever disguise it wears, and taken out before anything is kept.
//!
//! [`scan`] reads a text through every view of [`crate::normalise`].
//! One pass that finds the keywords of the whole table comes first; only the rules whose
//! keyword stands in the text run, and only near it; then entropy and placeholders decide.
//! A value is replaced by `[REDACTED:rule]`: no prefix and no suffix of it survives, also not where the same value
//! stands once more, in part or encoded.
//!
//! Five kinds of rules stand in one table ([`rules()`]): credentials with a shape of their own, credentials that are
//! found beside their provider's name, values beside a credential word in any of several languages, numbers that a
//! sentence says to open something, and plain words that it says to be a password.
//! Identifiers of the service, digests, commits, integrity hashes, versions and links are no secrets unless something
//! assigns them to a credential word.
//!
//! What a sentence or a key states in words (`the PIN for the vault is …`) is a secret however weak it is; what only
//! speaks about a credential is none.
//! A plain word that is a password goes where it is stated, and stays where it stands as a word.
//! So is what a table names, by the header of a column or by the cell to the left.
//! Texts of one submission that lie side by side are also read together, for a secret that was split over them.
//!
//! What an operator allows stays in place and is reported as exempted: a rule by its id, where no other rule finds the
//! same value; a value by its keyed fingerprint, for every rule.

mod cells;
mod chance;
mod context;
mod find;
mod keywords;
mod led;
mod line;
#[cfg(test)]
mod linear_tests;
mod lock_words;
mod locks;
mod map;
mod name;
mod nouns;
mod phrase;
mod plain;
mod plain_words;
mod published;
mod redact;
mod reference;
mod rule;
mod rules;
mod split;
mod stated;
mod stated_words;
mod table;
mod token;
mod typed;
mod value;
mod words;

use std::ops::Range;

use testimony_domain::Redacted;

use self::find::Match;
use self::phrase::Phrases;
use self::redact::{Judged, Windows};
use self::table::TABLE;
use crate::normalise::Reading;
use crate::ruling::Finding;
use crate::submission::{Field, Policy};

pub use map::{Label, OffsetMap};
pub use rule::{Check, Form, Rule};
pub use split::{SplitSecret, split_across};

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The text that is left.
    pub redacted: Redacted,
    /// What was found, with spans in the text as it was sent.
    pub findings: Vec<Finding>,
    /// From the redacted text back to the text as it was sent.
    pub map: OffsetMap,
}

/// A text and its fields without their secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionScan {
    /// The content.
    pub content: Scan,
    /// The fields, by name; a name that held a secret is redacted like any text.
    pub fields: Vec<(String, Redacted)>,
    /// What was found in the fields.
    pub field_findings: Vec<Finding>,
}

/// Every rule of the table.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    TABLE.rules().iter().copied()
}

/// Takes every secret out of `text`.
#[must_use]
pub fn scan(text: &str, policy: &Policy<'_>) -> Scan {
    scan_submission(text, &[], policy).content
}

/// Takes every secret out of `text` and `fields`; a value found in one of them is taken out of all.
#[must_use]
pub fn scan_submission(text: &str, fields: &[Field<'_>], policy: &Policy<'_>) -> SubmissionScan {
    scan_and_read(text, fields, policy).0
}

/// How the texts of a submission were read, for the stages after this one.
pub(crate) struct Readings<'a> {
    /// The content, where nothing was taken out of it.
    pub(crate) content: Option<Reading<'a>>,
    /// The fields, in their order, where nothing was taken out of them.
    pub(crate) fields: Vec<Option<Reading<'a>>>,
    /// Whether all of them were read to their end.
    pub(crate) complete: bool,
}

/// The same, and hands on what was read.
pub(crate) fn scan_and_read<'a>(
    text: &'a str,
    fields: &[Field<'a>],
    policy: &Policy<'_>,
) -> (SubmissionScan, Readings<'a>) {
    let mut content = Part::judge(text, Vec::new(), policy);
    let mut names: Vec<Part<'_>> = Vec::new();
    let mut texts: Vec<Part<'_>> = Vec::new();
    for field in fields {
        names.push(Part::judge(field.name, Vec::new(), policy));
        texts.push(Part::judge(field.text, named_by_field(field), policy));
    }
    join_neighbours(&mut content, &mut names, &mut texts, policy);
    let parts = || std::iter::once(&content).chain(&names).chain(&texts);
    let complete = parts().all(|part| part.reading.is_complete());
    let rule = parts()
        .find_map(|part| part.judged.cuts.first())
        .map(|cut| cut.rule);
    if let Some(rule) = rule {
        let values = parts().flat_map(|part| part.judged.values.iter().map(String::as_str));
        let windows = Windows::of(values);
        let phrases = parts().flat_map(|part| part.judged.phrases.iter().map(String::as_str));
        let phrases = Phrases::of(phrases);
        let all = std::iter::once(&mut content)
            .chain(&mut names)
            .chain(&mut texts);
        all.for_each(|part| part.take_echoes(&windows, &phrases, rule));
    }
    let (content, reading) = content.finish(None);
    let mut readings = Readings {
        content: reading,
        fields: Vec::new(),
        complete,
    };
    let mut scanned = SubmissionScan {
        content,
        fields: Vec::new(),
        field_findings: Vec::new(),
    };
    for (name, text) in names.into_iter().zip(texts) {
        let (name, _) = name.finish(Some(""));
        let shown = name.redacted.as_str().to_owned();
        let (text, reading) = text.finish(Some(&shown));
        readings.fields.push(reading);
        let renamed = name.findings.into_iter().map(|finding| Finding {
            field: Some(shown.clone()),
            ..finding
        });
        scanned.field_findings.extend(renamed);
        scanned.field_findings.extend(text.findings);
        scanned.fields.push((shown, text.redacted));
    }
    (scanned, readings)
}

/// So many fields are read together with the content.
const FIELDS_BESIDE_CONTENT: usize = 64;

/// Takes out what two texts that lie side by side show only together: the content and a field, a field and the next
/// one, a field's name and its text. The pairs are as many as the fields.
fn join_neighbours<'a>(
    content: &mut Part<'a>,
    names: &mut [Part<'a>],
    texts: &mut [Part<'a>],
    policy: &Policy<'_>,
) {
    let count = texts.len();
    if count == 0 {
        return;
    }
    let (name, text) = (|at: usize| 1 + at, |at: usize| 1 + count + at);
    let beside =
        (0..count.min(FIELDS_BESIDE_CONTENT)).flat_map(|at| [(0, text(at)), (text(at), 0)]);
    let next = (1..count).flat_map(|at| [(text(at - 1), text(at)), (text(at), text(at - 1))]);
    let named = (0..count).map(|at| (name(at), text(at)));
    let mut parts: Vec<&mut Part<'a>> =
        std::iter::once(content).chain(names).chain(texts).collect();
    let joined = {
        let raw: Vec<&str> = parts.iter().map(|part| part.reading.raw()).collect();
        let taken = |at: usize, span: &Range<usize>| {
            parts.get(at).is_some_and(|part| part.judged.touches(span))
        };
        split::across_neighbours(&raw, beside.chain(next).chain(named), taken, policy)
    };
    for secret in &joined {
        for (at, span) in [&secret.first, &secret.second] {
            if let Some(part) = parts.get_mut(*at) {
                redact::add_half(&mut part.judged, span.clone(), secret);
            }
        }
    }
}

/// One text on its way through the stage.
struct Part<'a> {
    reading: Reading<'a>,
    judged: Judged,
}

impl<'a> Part<'a> {
    fn judge(text: &'a str, extra: Vec<Match>, policy: &Policy<'_>) -> Self {
        let reading = Reading::of(text);
        let found = find::matches_of(&reading).chain(extra).collect();
        let judged = redact::judge(found, policy);
        Self { reading, judged }
    }

    fn take_echoes(&mut self, windows: &Windows, phrases: &Phrases, rule: &'static str) {
        let mut spans = windows.found_in(&self.reading);
        spans.extend(phrases.found_in(&self.reading));
        redact::add_echoes(&mut self.judged, windows, spans, rule);
    }

    /// What is left of the text; how it was read still holds if that is all of it.
    fn finish(self, field: Option<&str>) -> (Scan, Option<Reading<'a>>) {
        let (redacted, map) = redact::write(self.reading.raw(), &self.judged.cuts);
        let scan = Scan {
            redacted,
            findings: redact::findings(&self.judged, field),
            map,
        };
        let untouched = self.judged.cuts.is_empty();
        (scan, untouched.then_some(self.reading))
    }
}

/// A field whose name is a credential word holds nothing but a credential.
fn named_by_field(field: &Field<'_>) -> Vec<Match> {
    let value = field.text.trim();
    let start = field.text.len() - field.text.trim_start().len();
    let rule = context::rule_of_field(field.name, value).and_then(|rule| TABLE.index_of(rule));
    rule.map(|rule| Match {
        rule,
        span: start..start + value.len(),
        value: value.to_owned(),
    })
    .into_iter()
    .collect()
}
