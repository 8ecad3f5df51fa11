//! Secrets in one view: shapes near their keywords, and values beside names.

use std::collections::HashMap;
use std::ops::Range;

use regex::bytes::{Captures, Regex};

use super::context::up_to_strangers;
use super::locks::{LOCK_RULE, is_before_a_number, is_behind_a_number};
use super::rule::{Check, Form, Rule};
use super::table::{KeywordHit, RuleIndex, TABLE, Table};
use super::value::{could_go_on, entropy, is_masked_shape, is_placeholder};
use super::{cells, context, stated};
use crate::normalise::{Layer, Reading, View};
use crate::work::steps;

/// A secret that a rule found.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) rule: RuleIndex,
    /// What is taken out, in the text as it was sent.
    pub(super) span: Range<usize>,
    /// The value in the clear.
    pub(super) value: String,
}

impl Match {
    /// What stands at `value` in `view`, by the rule of this id. What was decoded may have been put together from several
    /// lines.
    pub(super) fn in_view(view: &View<'_>, rule: &str, value: &Range<usize>) -> Option<Self> {
        let value = value.start..up_to_strangers(view, value);
        Some(Self {
            rule: TABLE.index_of(rule)?,
            span: view.original(value.clone()),
            value: view.text().get(value)?.to_owned(),
        })
    }
}

/// A secret, and where its value stands in the view.
struct Claimed {
    at: Range<usize>,
    secret: Match,
}

/// How far a shape may stand before its keyword.
const REACH_BACK: usize = 200;
/// How far it may run behind it.
const REACH_AHEAD: usize = 1_000;
/// How far a block may run behind its keyword.
const BLOCK_REACH: usize = 24_000;

/// Every secret in a text, in whichever way it is read.
pub(super) fn matches_of(reading: &Reading<'_>) -> impl Iterator<Item = Match> {
    let views = reading.views();
    let found = views.flat_map(|view| {
        let found = matches_in(view, false).into_iter();
        found.map(|found| (view.depth(), found))
    });
    without_misread_ends(reading.raw(), found.collect())
}

/// Without what a deeper reading takes over the end of a line at which a plainer one ended the same value: by chance a
/// part of a value reads as something shorter, and what a fixed length then lacks the next line would have to give.
fn without_misread_ends(raw: &str, found: Vec<(u8, Match)>) -> impl Iterator<Item = Match> {
    // Plainer readings come first.
    let mut plainly: HashMap<(RuleIndex, usize), (u8, usize)> = HashMap::new();
    for (depth, secret) in &found {
        let begins = (secret.rule, secret.span.start);
        let (plainest, end) = plainly.entry(begins).or_insert((*depth, 0));
        if plainest == depth {
            *end = secret.span.end.max(*end);
        }
    }
    let ends_line = |end: usize| {
        let behind = raw.get(end..).unwrap_or_default();
        behind
            .trim_start_matches([' ', '\t', '\r'])
            .starts_with('\n')
    };
    let misread = move |(depth, secret): &(u8, Match)| {
        let begun = plainly.get(&(secret.rule, secret.span.start));
        begun.is_some_and(|(plainest, end)| {
            depth > plainest && secret.span.end > *end && ends_line(*end)
        })
    };
    let kept = found.into_iter().filter(move |found| !misread(found));
    kept.map(|(_, secret)| secret)
}

/// Every secret in `view`.
pub(super) fn matches_in(view: &View<'_>, shapes_only: bool) -> Vec<Match> {
    let table = &*TABLE;
    let mut hits = table.keyword_hits(view.text(), |hit| {
        !hit.begins || may_begin(table, view, hit)
    });
    if hits.is_empty() {
        return Vec::new();
    }
    let mut named = Vec::new();
    hits.retain(|hit| match table.rule(hit.rule).map(|rule| rule.form) {
        Some(Form::Beside | Form::Word | Form::Sentence) => {
            if may_name(table, view, hit) {
                named.push(*hit);
            }
            false
        }
        Some(Form::Shape(_) | Form::Block(_)) => true,
        None => false,
    });
    let mut found = shapes(table, view, hits);
    if !shapes_only && !named.is_empty() && view.is_certain() {
        found.extend(stated::in_sentences(view, &named));
        found.extend(cells::in_cells(view, &named));
        named.retain(|hit| !is_sentence(table, hit));
        found.extend(context::beside_names(view, &named));
    }
    found
}

fn is_sentence(table: &Table, hit: &KeywordHit) -> bool {
    let form = table.rule(hit.rule).map(|rule| rule.form);
    matches!(form, Some(Form::Sentence))
}

/// Whether a credential that begins with its keyword may begin here.
fn may_begin(table: &Table, view: &View<'_>, hit: &KeywordHit) -> bool {
    let rest = view.text().as_bytes().get(hit.start..);
    begins_word(view, hit.start) && table.may_open(hit.rule, rest.unwrap_or_default())
}

/// Whether a word may lead to a value here: the words for locks are common, and a number stands beside few of them.
fn may_name(table: &Table, view: &View<'_>, hit: &KeywordHit) -> bool {
    let locks = table
        .rule(hit.rule)
        .is_some_and(|rule| rule.id == LOCK_RULE);
    !locks || is_before_a_number(view.text(), hit.end) || is_behind_a_number(view.text(), hit.start)
}

fn shapes(table: &Table, view: &View<'_>, mut hits: Vec<KeywordHit>) -> Vec<Match> {
    hits.sort_unstable();
    let mut found = Vec::new();
    let (begun, around): (Vec<KeywordHit>, Vec<KeywordHit>) =
        hits.iter().partition(|hit| hit.begins);
    hits = around;
    let mut done: (RuleIndex, usize) = (RuleIndex::MAX, 0);
    for hit in begun {
        if done.0 == hit.rule && hit.start < done.1 {
            continue;
        }
        if let Some(end) = at_hit(table, view, hit, &mut found) {
            done = (hit.rule, end);
        }
    }
    let mut pending: Option<(RuleIndex, Range<usize>)> = None;
    for hit in hits {
        let reach = reach_of(table, hit, view.text().len());
        match &mut pending {
            Some((rule, window)) if *rule == hit.rule && reach.start <= window.end => {
                window.end = window.end.max(reach.end);
            }
            _ => {
                if let Some((rule, window)) = pending.replace((hit.rule, reach)) {
                    search(table, view, rule, &window, &mut found);
                }
            }
        }
    }
    if let Some((rule, window)) = pending {
        search(table, view, rule, &window, &mut found);
    }
    without_run_ons(view, found)
}

/// Without what begins inside a value and runs on over the end of it into the next line: by chance a part of one value
/// looks like the beginning of another, which would take the first words of the next line with it.
fn without_run_ons(view: &View<'_>, mut found: Vec<Claimed>) -> Vec<Match> {
    found.sort_by_key(|claimed| claimed.at.start);
    // The furthest end of what began before, and of what begins at the same place.
    let (mut end, mut start, mut end_here) = (0, 0, 0);
    found.retain(|claimed| {
        if claimed.at.start > start {
            (start, end) = (claimed.at.start, end.max(end_here));
        }
        let runs_on = claimed.at.start < end && end < claimed.at.end;
        let kept = !(runs_on && view.breaks_in(&claimed.at).contains(&end));
        if kept {
            end_here = end_here.max(claimed.at.end);
        }
        kept
    });
    found.into_iter().map(|claimed| claimed.secret).collect()
}

fn reach_of(table: &Table, hit: KeywordHit, len: usize) -> Range<usize> {
    let block = matches!(
        table.rule(hit.rule),
        Some(Rule {
            form: Form::Block(_),
            ..
        })
    );
    let ahead = if block { BLOCK_REACH } else { REACH_AHEAD };
    hit.start.saturating_sub(REACH_BACK)..hit.end.saturating_add(ahead).min(len)
}

/// Tries one rule at the very place of its keyword; the end of what it found there.
fn at_hit(
    table: &Table,
    view: &View<'_>,
    hit: KeywordHit,
    found: &mut Vec<Claimed>,
) -> Option<usize> {
    let row = table.rule(hit.rule)?;
    let pattern = table.pattern_at_start(hit.rule)?;
    let bytes = view.text().as_bytes();
    let window_end = hit.end.saturating_add(REACH_AHEAD).min(bytes.len());
    let haystack = bytes.get(hit.start..window_end)?;
    steps(1);
    let parts = next_match(row, pattern, haystack, 0, &|_| true)?.shifted(hit.start);
    let parts = run_on(bytes, window_end, parts);
    take(table, view, hit.rule, parts, found)
}

/// Where a pattern stands.
struct Parts {
    /// All that it found.
    whole: Range<usize>,
    /// What is to be taken out.
    cut: Range<usize>,
    value: Range<usize>,
}

impl Parts {
    fn shifted(self, by: usize) -> Self {
        let shift = |range: Range<usize>| range.start + by..range.end + by;
        Self {
            whole: shift(self.whole),
            cut: shift(self.cut),
            value: shift(self.value),
        }
    }
}

/// Keeps a value that passes the checks of its rule; where it ends.
fn take(
    table: &Table,
    view: &View<'_>,
    rule: RuleIndex,
    parts: Parts,
    found: &mut Vec<Claimed>,
) -> Option<usize> {
    let Parts { cut, value, .. } = up_to_its_last_break(table, view, rule, parts)?;
    let end = value.end;
    let value_text = text_at(view.text(), &value).to_owned();
    found.push(Claimed {
        at: value,
        secret: Match {
            rule,
            span: view.original(cut),
            value: value_text,
        },
    });
    Some(end)
}

/// So many of the last breaks are tried as the end of a value.
const MOST_BREAKS: usize = 8;

/// What was found, without the next line where that is none of it. A pattern without an upper bound runs on into
/// whatever the next line begins with, and where that is no part of any value it would hide the value before it.
fn up_to_its_last_break(
    table: &Table,
    view: &View<'_>,
    rule: RuleIndex,
    parts: Parts,
) -> Option<Parts> {
    let (row, pattern) = (table.rule(rule)?, table.pattern(rule)?);
    let breaks = view.breaks_in(&parts.value);
    let start = parts.whole.start;
    let mut best = passes(row, view, &parts).then_some(parts);
    for end in breaks.iter().rev().take(MOST_BREAKS) {
        let behind = view.behind_break(*end);
        if best.is_some() && could_go_on(behind) && !begins_anew(row, behind) {
            break;
        }
        let before = view.text().as_bytes().get(..*end).unwrap_or_default();
        let shorter = parts_of(pattern, before, start)
            .filter(|shorter| shorter.whole.start == start && shorter.value.end == *end)
            .filter(|shorter| passes(row, view, shorter));
        if shorter.is_none() && best.is_some() {
            break;
        }
        best = shorter;
    }
    best
}

/// Whether a line begins with another value of the same rule.
fn begins_anew(row: &Rule, line: &str) -> bool {
    let begins = |keyword: &&str| {
        let start = line.get(..keyword.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(keyword))
    };
    row.keywords.iter().any(begins)
}

fn passes(row: &Rule, view: &View<'_>, parts: &Parts) -> bool {
    let value = &parts.value;
    let ends_word = || apart(row, view.text().as_bytes(), value) || view.is_seam(value.end);
    accepted(row, text_at(view.text(), value)) && ends_word()
}

/// Runs one rule over one window.
fn search(
    table: &Table,
    view: &View<'_>,
    rule: RuleIndex,
    window: &Range<usize>,
    found: &mut Vec<Claimed>,
) {
    let (Some(row), Some(pattern)) = (table.rule(rule), table.pattern(rule)) else {
        return;
    };
    let bytes = view.text().as_bytes();
    let haystack = bytes.get(..window.end).unwrap_or_default();
    let near = bytes.get(window.clone()).unwrap_or_default();
    if row.needs.is_some_and(|byte| !near.contains(&byte)) {
        return;
    }
    steps(window.len());
    let mut from = window.start;
    while let Some(parts) = next_match(row, pattern, haystack, from, &|at| begins_word(view, at)) {
        let whole = parts.whole.clone();
        let parts = run_on(bytes, window.end, parts);
        let end = take(table, view, rule, parts, found);
        from = end.unwrap_or(whole.end).max(whole.start + 1);
    }
}

/// The next match from `from` on that may begin where it does.
fn next_match(
    row: &Rule,
    pattern: &Regex,
    haystack: &[u8],
    from: usize,
    at_word: &dyn Fn(usize) -> bool,
) -> Option<Parts> {
    let mut from = from;
    loop {
        let parts = parts_of(pattern, haystack, from)?;
        let start = parts.whole.start;
        let begins_word =
            parts.value.start != start || matches!(row.form, Form::Block(_)) || at_word(start);
        if begins_word {
            return Some(parts);
        }
        from = start + 1;
    }
}

/// The next match, the value in it, and what to cut. Most searches find nothing and many patterns have no groups, so
/// groups are asked for last: they cost a list.
fn parts_of(pattern: &Regex, haystack: &[u8], from: usize) -> Option<Parts> {
    let whole = pattern.find_at(haystack, from)?.range();
    steps(whole.end - from);
    if pattern.captures_len() == 1 {
        return Some(Parts {
            value: whole.clone(),
            cut: whole.clone(),
            whole,
        });
    }
    let captures: Captures<'_> = pattern.captures_at(haystack, from)?;
    let value = captures
        .name("v")
        .or_else(|| captures.get(1))
        .map_or_else(|| whole.clone(), |group| group.range());
    let cut = captures
        .name("cut")
        .map_or_else(|| value.clone(), |group| group.range());
    Some(Parts { whole, cut, value })
}

/// Whether no letter or digit touches the byte at `at` from before, or only one that a line break kept apart.
fn begins_word(view: &View<'_>, at: usize) -> bool {
    let before = byte_before(view.text().as_bytes(), at);
    !before.is_some_and(|b| b.is_ascii_alphanumeric()) || view.is_seam(at)
}

fn byte_before(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1)
        .and_then(|before| bytes.get(before))
        .copied()
}

/// A value that reaches the end of its window goes on to the end of its token.
fn run_on(bytes: &[u8], window_end: usize, mut parts: Parts) -> Parts {
    if parts.value.end != window_end || window_end == bytes.len() {
        return parts;
    }
    let rest = bytes.get(window_end..).unwrap_or_default();
    let more = rest
        .iter()
        .take_while(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+' | b'/' | b'=')
        })
        .count();
    parts.value.end += more;
    parts.cut.end = parts.cut.end.max(parts.value.end);
    parts
}

/// The value as text; a range that a byte pattern cut inside a character is widened.
fn text_at<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    let start = text.floor_char_boundary(range.start);
    let end = text.ceil_char_boundary(range.end);
    text.get(start..end).unwrap_or_default()
}

/// Letters and digits do not go on behind the value: a longer word is another thing.
fn apart(row: &Rule, bytes: &[u8], value: &Range<usize>) -> bool {
    let rest = bytes.get(value.end..).unwrap_or_default();
    let next = match rest {
        [b'_', next, ..] | [next, ..] => *next,
        [] => b' ',
    };
    matches!(row.form, Form::Block(_)) || !next.is_ascii_alphanumeric()
}

fn accepted(row: &Rule, value: &str) -> bool {
    if entropy(value) < row.entropy {
        return false;
    }
    let letters = value.bytes().any(|b| b.is_ascii_alphabetic());
    let digits = value.bytes().any(|b| b.is_ascii_digit());
    match (row.form, row.check) {
        (Form::Block(_), _) => entropy(value) > 3.0 && value.len() > 40,
        (_, Check::Exact) => true,
        (_, Check::Card) => is_card_number(value),
        (_, Check::Shape) => !is_masked_shape(value),
        (_, Check::Chosen) => !is_placeholder(value) && !value.contains(['{', '}', '<', '>']),
        (_, Check::LettersAndDigits) => {
            letters && digits && super::value::classify(value) > super::value::Class::Word
                || mixes_case(value)
        }
        (_, Check::Base64Text) => decodes_to_text(value),
    }
}

/// Whether digits, with blanks or bars between, are the number of a card by the sum that its last digit makes up.
fn is_card_number(value: &str) -> bool {
    let digits: Vec<u32> = value.chars().filter_map(|c| c.to_digit(10)).collect();
    let doubled = |digit: u32| digit * 2 / 10 + digit * 2 % 10;
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 0 { *digit } else { doubled(*digit) })
        .sum();
    let first = digits.first().copied().unwrap_or_default();
    let varied = digits.iter().any(|digit| *digit != first);
    (13..=19).contains(&digits.len())
        && (2..=6).contains(&first)
        && varied
        && sum.is_multiple_of(10)
}

/// Whether capitals and small letters alternate as nobody writes: what one random draw in a hundred looks like that
/// happened to bring no digit.
fn mixes_case(value: &str) -> bool {
    let letters = || value.chars().filter(char::is_ascii_alphabetic);
    let turns = letters().zip(letters().skip(1));
    let turns = turns.filter(|(one, next)| one.is_ascii_lowercase() != next.is_ascii_lowercase());
    let count = letters().count();
    count >= 20 && count == value.len() && turns.count() * 4 >= count
}

/// Whether base64 holds text rather than bytes that mean nothing.
fn decodes_to_text(value: &str) -> bool {
    let reading = Reading::of(value);
    value.len() >= 12 && reading.views().any(|view| view.layer() == Layer::Decoded)
        || value.ends_with('=')
}
