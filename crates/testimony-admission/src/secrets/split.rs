//! Secrets that no row shows and that rows show together.

use std::ops::Range;

use super::find::{self, Match};
use super::table::TABLE;
use crate::normalise::Reading;
use crate::submission::Policy;

/// Halves shorter than this are not tried.
const SHORTEST_HALF: usize = 6;
/// So many halves of one row are tried at most.
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
#[must_use]
pub fn split_across(rows: &[&str], policy: &Policy<'_>) -> Vec<SplitSecret> {
    let halves: Vec<Half<'_>> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, text)| halves_of(row, text))
        .collect();
    let begins = |half: &&Half<'_>| !TABLE.keyword_hits(half.text).is_empty();
    let heads: Vec<&Half<'_>> = halves.iter().filter(begins).collect();
    let pairs = heads
        .iter()
        .flat_map(|head| halves.iter().map(move |tail| (*head, tail)))
        .filter(|(head, tail)| head.row != tail.row);
    pairs
        .take(MAX_PAIRS)
        .filter_map(|(head, tail)| together(head, tail, policy))
        .collect()
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
    let could_be_half = |half: &Half<'_>| {
        let signs = half
            .text
            .bytes()
            .any(|b| b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'/'));
        half.text.len() >= SHORTEST_HALF && signs
    };
    tokens.filter(could_be_half).take(HALVES_PER_ROW)
}

fn ends_token(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ';' | '…'
        )
}

fn together(head: &Half<'_>, tail: &Half<'_>, policy: &Policy<'_>) -> Option<SplitSecret> {
    let whole = format!("{}{}", head.text, tail.text);
    let across =
        |found: &Match| found.span.start < head.text.len() && found.span.end > head.text.len();
    let reading = Reading::of(&whole);
    let found = reading
        .views()
        .flat_map(|view| find::matches_in(view, true))
        .find(across)?;
    let rule = TABLE.rule(found.rule)?.id;
    let exempt = policy.exempt_rules.contains(&rule);
    (!exempt).then(|| SplitSecret {
        rule,
        first: (head.row, head.range.clone()),
        second: (tail.row, tail.range.clone()),
    })
}
