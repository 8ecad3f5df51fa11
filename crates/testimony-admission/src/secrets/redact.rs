//! From matches to a redacted text: what is exempt, what overlaps, what stands elsewhere too.

use std::collections::HashSet;
use std::ops::Range;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use testimony_domain::{Reason, Redacted};

use super::find::Match;
use super::map::OffsetMap;
use super::plain::PLAIN_RULE;
use super::published::is_published;
use super::rule::Form;
use super::split::Joined;
use super::table::TABLE;
use super::value::{Class, classify};
use crate::normalise::Reading;
use crate::ruling::Finding;
use crate::submission::Policy;
use crate::work::steps;

/// So many bytes of a value in a row give it away.
pub(super) const WINDOW: usize = 8;
/// So many hexadecimal digits of the keyed hash name a secret.
const FINGERPRINT_DIGITS: usize = 32;

/// The keyed fingerprint of a value that a rule found.
pub(super) fn fingerprint(rule: &str, value: &str, key: &[u8; 32]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(rule.as_bytes());
    mac.update(&[0]);
    mac.update(canonical(value).as_bytes());
    let digest = mac.finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.get(..FINGERPRINT_DIGITS)
        .map(|digits| format!("fp_{digits}"))
}

/// The value without the line breaks that its notation gave it.
fn canonical(value: &str) -> String {
    value.replace("\\n", "").split_whitespace().collect()
}

/// The matches of one text, judged by the policy.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What has to go, sorted and apart.
    pub(super) cuts: Vec<Cut>,
    /// What an operator has allowed, and nothing else found.
    pub(super) exempted: Vec<Cut>,
    /// The values that have to go.
    pub(super) values: Vec<String>,
    /// Those of them that are made of words.
    pub(super) phrases: Vec<String>,
}

impl Judged {
    /// Whether something in `span` was found alone.
    pub(super) fn touches(&self, span: &Range<usize>) -> bool {
        reaches(&self.cuts, span) || reaches(&self.exempted, span)
    }
}

/// A stretch of the original text, and the rule that speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) span: Range<usize>,
    pub(super) rule: &'static str,
    pub(super) fingerprint: Option<String>,
}

/// A match that counts, and how its rule recognised it.
struct Live {
    cut: Cut,
    value: String,
    form: Form,
}

impl Live {
    /// Whether the value is several words that somebody chose.
    fn is_phrase(&self) -> bool {
        matches!(self.form, Form::Word) && self.value.split_whitespace().nth(1).is_some()
    }
}

/// Judges the matches in a text by `policy`.
pub(super) fn judge(mut matches: Vec<Match>, policy: &Policy<'_>) -> Judged {
    let mut judged = Judged::default();
    if matches.is_empty() {
        return judged;
    }
    matches.retain(|found| !is_published(&found.value));
    let mut live: Vec<Live> = Vec::new();
    let mut allowed: Vec<Range<usize>> = Vec::new();
    for found in ranked(matches) {
        let Some(rule) = TABLE.rule(found.rule) else {
            continue;
        };
        let fingerprint = fingerprint(rule.id, &found.value, policy.fingerprint_key);
        let is_allowed = fingerprint
            .as_deref()
            .is_some_and(|known| policy.allowed_fingerprints.contains(&known));
        let cut = Cut {
            span: found.span,
            rule: rule.id,
            fingerprint,
        };
        if is_allowed {
            allowed.push(cut.span.clone());
        }
        if is_allowed || policy.exempt_rules.contains(&rule.id) {
            judged.exempted.push(cut);
        } else {
            let (value, form) = (found.value, rule.form);
            live.push(Live { cut, value, form });
        }
    }
    keep_what_counts(&mut live, allowed);
    let phrases = live.iter().filter(|live| live.is_phrase());
    judged.phrases = phrases.map(|live| live.value.clone()).collect();
    judged.values = live.iter().flat_map(telling_parts).collect();
    judged.cuts = merged(live.into_iter().map(|live| live.cut).collect());
    drop_what_is_cut(&mut judged);
    judged.exempted = merged(std::mem::take(&mut judged.exempted));
    judged
}

/// An allowance names the value, so it holds for every rule that sees the same value or a part of it.
fn keep_what_counts(live: &mut Vec<Live>, allowed: Vec<Range<usize>>) {
    let allowed = Cover::of(allowed);
    live.retain(|live| !allowed.holds(&live.cut.span));
    drop_parts_of_shapes(live);
}

/// An exemption says nothing about what another rule takes out.
fn drop_what_is_cut(judged: &mut Judged) {
    let cuts = &judged.cuts;
    judged.exempted.retain(|exempt| {
        steps(1);
        !reaches(cuts, &exempt.span)
    });
}

/// Whether one of `cuts` overlaps a stretch. Cuts stand apart and in order, so of those that end behind its beginning
/// only the first can reach it.
fn reaches(cuts: &[Cut], span: &Range<usize>) -> bool {
    let behind = cuts.partition_point(|cut| cut.span.end <= span.start);
    let next = cuts.get(behind);
    next.is_some_and(|cut| overlap(&cut.span, span))
}

/// Stretches of a text, and whether one of them holds another stretch.
struct Cover {
    /// By beginning, each with the furthest end of any that begins no later.
    furthest: Vec<(usize, usize)>,
}

impl Cover {
    fn of(mut spans: Vec<Range<usize>>) -> Self {
        spans.sort_unstable_by_key(|span| span.start);
        let reach = |end: &mut usize, span: Range<usize>| {
            *end = span.end.max(*end);
            Some((span.start, *end))
        };
        let furthest = spans.into_iter().scan(0, reach).collect();
        Self { furthest }
    }

    fn holds(&self, span: &Range<usize>) -> bool {
        steps(1);
        let later = self
            .furthest
            .partition_point(|(start, _)| *start <= span.start);
        let last = later.checked_sub(1).and_then(|at| self.furthest.get(at));
        last.is_some_and(|(_, end)| *end >= span.end)
    }
}

/// What of a value must stand nowhere else: all of it, but of a block only what is not its notation.
fn telling_parts(live: &Live) -> Vec<String> {
    if live.cut.rule == PLAIN_RULE {
        // A plain word is everybody's, and nobody learns from it elsewhere that it was the password.
        return Vec::new();
    }
    if live.is_phrase() {
        // The words of a passphrase are everybody's words; all of it is looked for as a whole.
        let words = live.value.split_whitespace();
        let telling = words.filter(|word| classify(word) >= Class::Mixed);
        return telling.map(str::to_owned).collect();
    }
    if !matches!(live.form, Form::Block(_)) {
        return vec![live.value.clone()];
    }
    live.value
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
        .filter(|part| part.len() >= 2 * WINDOW && classify(part) >= Class::Digest)
        .map(str::to_owned)
        .collect()
}

/// What was found beside a name inside of what has a shape of its own says nothing more.
fn drop_parts_of_shapes(live: &mut Vec<Live>) {
    let shaped = |live: &Live| matches!(live.form, Form::Shape(_) | Form::Block(_));
    let shapes = live.iter().filter(|live| shaped(live));
    let shapes = Cover::of(shapes.map(|live| live.cut.span.clone()).collect());
    live.retain(|live| shaped(live) || !shapes.holds(&live.cut.span));
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The rule that says most about a value first.
fn ranked(mut matches: Vec<Match>) -> Vec<Match> {
    let rank = |found: &Match| match TABLE.rule(found.rule).map(|rule| rule.form) {
        Some(Form::Block(_)) => 0,
        Some(Form::Shape(_)) => 1,
        Some(Form::Beside) => 2,
        Some(Form::Word | Form::Sentence) | None => 3,
    };
    matches.sort_by_key(|found| (rank(found), found.rule, found.span.start));
    matches
}

/// Overlapping cuts become one, in the name of the first, which says most.
fn merged(cuts: Vec<Cut>) -> Vec<Cut> {
    let mut order: Vec<(usize, Cut)> = cuts.into_iter().enumerate().collect();
    order.sort_by_key(|(rank, cut)| (cut.span.start, *rank));
    let mut apart: Vec<(usize, Cut)> = Vec::new();
    for (rank, cut) in order {
        match apart.last_mut() {
            Some((best, last)) if cut.span.start < last.span.end => {
                let end = last.span.end.max(cut.span.end);
                let start = last.span.start;
                if rank < *best {
                    *best = rank;
                    *last = cut;
                }
                last.span = start..end;
            }
            _ => apart.push((rank, cut)),
        }
    }
    apart.into_iter().map(|(_, cut)| cut).collect()
}

/// Every window of every value that has to go.
#[derive(Debug, Default)]
pub(super) struct Windows(HashSet<[u8; WINDOW]>);

impl Windows {
    pub(super) fn of<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let mut windows = HashSet::new();
        for value in values {
            steps(value.len());
            for piece in value.split_whitespace() {
                windows.extend(piece.as_bytes().array_windows::<WINDOW>().copied());
            }
        }
        Self(windows)
    }

    /// Whether a text that the service writes itself would show a window.
    fn shown_by(&self, text: &str) -> bool {
        text.as_bytes()
            .array_windows::<WINDOW>()
            .any(|window| self.0.contains(window))
    }

    /// Where a window stands in any view of a text, in the text as it was sent.
    pub(super) fn found_in(&self, reading: &Reading<'_>) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        if self.0.is_empty() {
            return spans;
        }
        for view in reading.views() {
            steps(view.text().len());
            let mut open: Option<Range<usize>> = None;
            for (at, window) in view.text().as_bytes().array_windows::<WINDOW>().enumerate() {
                if !self.0.contains(window) {
                    continue;
                }
                match &mut open {
                    Some(span) if at < span.end => span.end = at + WINDOW,
                    _ => {
                        let done = open.replace(at..at + WINDOW);
                        spans.extend(done.map(|span| view.original(span)));
                    }
                }
            }
            spans.extend(open.map(|span| view.original(span)));
        }
        spans
    }
}

/// The name of a rule where the rule's own id would repeat a part of the value.
const NEUTRAL: &str = "secret";

/// Adds half of a secret that two texts show together, and its value to those that have to go.
pub(super) fn add_half(judged: &mut Judged, span: Range<usize>, joined: &Joined) {
    let cut = Cut {
        span,
        rule: joined.rule,
        fingerprint: joined.fingerprint.clone(),
    };
    let cuts = if joined.permitted {
        &mut judged.exempted
    } else {
        judged.values.push(joined.value.clone());
        &mut judged.cuts
    };
    cuts.push(cut);
    *cuts = merged(std::mem::take(cuts));
}

/// Adds the places where a value stands outside of what its rule found.
pub(super) fn add_echoes(
    judged: &mut Judged,
    windows: &Windows,
    spans: Vec<Range<usize>>,
    rule: &'static str,
) {
    let mut cuts = std::mem::take(&mut judged.cuts);
    cuts.extend(spans.into_iter().map(|span| Cut {
        span,
        rule,
        fingerprint: None,
    }));
    judged.cuts = merged(cuts);
    for cut in judged.cuts.iter_mut().chain(&mut judged.exempted) {
        if windows.shown_by(cut.rule) {
            cut.rule = NEUTRAL;
        }
    }
    drop_what_is_cut(judged);
}

/// Writes the text without its cuts.
pub(super) fn write(text: &str, cuts: &[Cut]) -> (Redacted, OffsetMap) {
    let mut written = String::with_capacity(text.len());
    let mut map = OffsetMap::default();
    let mut kept_from = 0;
    for cut in cuts {
        let kept = text.get(kept_from..cut.span.start).unwrap_or_default();
        map.keep(written.len(), kept_from, kept.len());
        written.push_str(kept);
        let label = format!("[REDACTED:{}]", cut.rule);
        map.replace(written.len(), label.len(), cut.span.clone());
        written.push_str(&label);
        kept_from = cut.span.end;
    }
    let kept = text.get(kept_from..).unwrap_or_default();
    map.keep(written.len(), kept_from, kept.len());
    written.push_str(kept);
    (Redacted::attest(written), map)
}

/// The findings on one text.
pub(super) fn findings(judged: &Judged, field: Option<&str>) -> Vec<Finding> {
    let reason = if field.is_some() {
        Reason::SecretInMetadata
    } else {
        Reason::SecretFound
    };
    let finding = |cut: &Cut, reason: Reason| Finding {
        reason,
        rule: cut.rule,
        span: cut.span.clone(),
        field: field.map(str::to_owned),
        fingerprint: cut.fingerprint.clone(),
    };
    let found = judged.cuts.iter().map(|cut| finding(cut, reason));
    let exempt = judged
        .exempted
        .iter()
        .map(|cut| finding(cut, Reason::SecretExempted));
    let mut all: Vec<Finding> = found.chain(exempt).collect();
    all.sort_by_key(|finding| finding.span.start);
    all
}

#[cfg(test)]
mod tests;
