//! Secrets that no row shows and that rows show together.

use std::cell::OnceCell;
use std::ops::Range;

use super::find::{self, Match};
use super::redact::fingerprint;
use super::rule::Form;
use super::table::TABLE;
use super::value::could_be_word;
use crate::normalise::Reading;
use crate::submission::Policy;

/// Halves shorter than this are not tried.
const SHORTEST_HALF: usize = 6;
/// Longer tokens are no halves of anything that is issued, and pairing them would cost more than the rows themselves.
const LONGEST_HALF: usize = 512;
/// So many halves of one row are tried at most, and its last one.
const HALVES_PER_ROW: usize = 4;
/// So many pairs are tried at most, so that the work stays in proportion to the rows.
const MAX_PAIRS: usize = 4_096;

/// A secret whose halves stand in two rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitSecret {
    /// The rule that finds it once it is whole.
    pub rule: &'static str,
    /// The row of its first half, and where the half stands in it.
    pub first: (usize, Range<usize>),
    /// The row of its second half, and where the half stands in it.
    pub second: (usize, Range<usize>),
}

/// Which rows, shown together, would show a secret that none of them shows alone.
///
/// Rows that are each clean may still be halves of a credential; whoever puts rows side by side drops one of each pair.
/// What `policy` exempts or allows is no secret here either.
#[must_use]
pub fn split_across(rows: &[&str], policy: &Policy<'_>) -> Vec<SplitSecret> {
    let halves: Vec<Half<'_>> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, text)| halves_of(row, text))
        .collect();
    let heads: Vec<&Half<'_>> = halves
        .iter()
        .filter(|half| holds_keyword(half.text))
        .collect();
    let pairs = heads
        .iter()
        .flat_map(|head| halves.iter().map(move |tail| (*head, tail)))
        .filter(|(head, tail)| head.row != tail.row);
    let joined = pairs
        .take(MAX_PAIRS)
        .filter_map(|(head, tail)| together(head, tail, policy));
    joined
        .filter(|joined| !joined.permitted)
        .map(|joined| SplitSecret {
            rule: joined.rule,
            first: joined.first,
            second: joined.second,
        })
        .collect()
}

/// A secret that two texts show together.
pub(super) struct Joined {
    pub(super) rule: &'static str,
    /// The credential as a whole.
    pub(super) value: String,
    pub(super) fingerprint: Option<String>,
    /// Whether an operator has exempted its rule or allowed the value.
    pub(super) permitted: bool,
    pub(super) first: (usize, Range<usize>),
    pub(super) second: (usize, Range<usize>),
}

/// What the neighbours among `texts` show together: `pairs` names which text goes before which.
///
/// `taken` says what of a text is no half of anything, because it was found alone.
pub(super) fn across_neighbours(
    texts: &[&str],
    pairs: impl Iterator<Item = (usize, usize)>,
    taken: impl Fn(usize, &Range<usize>) -> bool,
    policy: &Policy<'_>,
) -> Vec<Joined> {
    let halves: Vec<OnceCell<Vec<Half<'_>>>> = texts.iter().map(|_| OnceCell::new()).collect();
    let cut = |row: usize, text| -> Vec<Half<'_>> {
        let halves = halves_of(row, text);
        halves.filter(|half| !taken(row, &half.range)).collect()
    };
    let halves_at = |at: usize| -> &[Half<'_>] {
        let place = halves.get(at).zip(texts.get(at));
        place.map_or(&[], |(halves, text)| halves.get_or_init(|| cut(at, text)))
    };
    let len = |at: usize| texts.get(at).map_or(0, |text| text.len());
    // The shorter one is asked first: a name or a tag has no half most of the time, and no long text is cut for it then.
    let shorter = |(before, behind): (usize, usize)| {
        if len(before) <= len(behind) {
            before
        } else {
            behind
        }
    };
    let may_join = pairs.filter(|pair| !halves_at(shorter(*pair)).is_empty());
    let tried = may_join.flat_map(|(before, behind)| {
        let heads = halves_at(before).iter();
        heads.flat_map(move |head| halves_at(behind).iter().map(move |tail| (head, tail)))
    });
    tried
        .filter_map(|(head, tail)| together(head, tail, policy))
        .collect()
}

/// Whether a keyword of a credential with a shape of its own stands in `text`.
fn holds_keyword(text: &str) -> bool {
    let shaped = |rule| {
        matches!(
            TABLE.rule(rule).map(|rule| rule.form),
            Some(Form::Shape(_) | Form::Block(_))
        )
    };
    let hits = TABLE.keyword_hits(text, |hit| shaped(hit.rule));
    !hits.is_empty()
}

/// A token of a row that could be half of something.
struct Half<'a> {
    row: usize,
    range: Range<usize>,
    text: &'a str,
}

fn halves_of(row: usize, text: &str) -> impl Iterator<Item = Half<'_>> {
    let mut at = 0;
    let tokens = text.split_inclusive(ends_token).map(move |piece| {
        let start = at;
        at += piece.len();
        let token = piece
            .trim_end_matches(ends_token)
            .trim_end_matches(['.', ':', '!', '?']);
        Half {
            row,
            range: start..start + token.len(),
            text: token,
        }
    });
    let mut halves: Vec<Half<'_>> = Vec::new();
    let is_all = |half: &Half<'_>| half.text.len() == text.trim().len();
    let fits = |half: &Half<'_>| (SHORTEST_HALF..=LONGEST_HALF).contains(&half.text.len());
    for half in tokens.filter(|half| fits(half) && (is_all(half) || half.is_no_word())) {
        // A long row keeps its first halves and its last, which is the one that a next row would go on from.
        if halves.len() > HALVES_PER_ROW {
            halves.pop();
        }
        halves.push(half);
    }
    halves.into_iter()
}

impl Half<'_> {
    /// Words of a sentence are no halves; what else a row is all of may be one.
    fn is_no_word(&self) -> bool {
        let mut bytes = self.text.bytes();
        bytes.any(|b| b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'/'))
            || !could_be_word(self.text)
    }
}

fn ends_token(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ';' | '…'
        )
}

fn together(head: &Half<'_>, tail: &Half<'_>, policy: &Policy<'_>) -> Option<Joined> {
    let whole = format!("{}{}", head.text, tail.text);
    if !holds_keyword(&whole) {
        return None;
    }
    let seam = head.text.len();
    let across = |found: &Match| found.span.start < seam && found.span.end > seam;
    let reading = Reading::of(&whole);
    let found = reading
        .views()
        .flat_map(|view| find::matches_in(view, true))
        .find(across)?;
    let rule = TABLE.rule(found.rule)?.id;
    let fingerprint = fingerprint(rule, &found.value, policy.fingerprint_key);
    let allowed = |known: &str| policy.allowed_fingerprints.contains(&known);
    let permitted =
        policy.exempt_rules.contains(&rule) || fingerprint.as_deref().is_some_and(allowed);
    let end = tail.range.start + found.span.end - seam;
    Some(Joined {
        rule,
        value: found.value,
        fingerprint,
        permitted,
        first: (
            head.row,
            head.range.start + found.span.start..head.range.end,
        ),
        second: (tail.row, tail.range.start..end),
    })
}

#[cfg(test)]
mod tests;
