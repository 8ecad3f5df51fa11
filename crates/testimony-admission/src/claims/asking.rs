//! Sentences that state something and then ask: "I live in Oslo now, what about you?".

use super::class::*;
use super::clauses::Clause;
use super::kinds::has_verb;
use super::leave_out::Sight;
use super::token::Token;
use super::words::any_of;
use crate::work::steps;

/// A label in front of a colon has no more tokens than this.
const LONGEST_LABEL: usize = 3;
/// A question has hardly more commas of its own, and each that is tried is read to the end.
const COMMAS_TRIED: usize = 2;

/// The clauses of a sentence, where a question that no word joins to what is stated before it is one of its own: "the water
/// is hard, do we need a filter?".
pub(super) fn with_question_apart(sight: &Sight<'_>, clauses: Vec<Clause>) -> Vec<Clause> {
    let one = clauses.len() < 2;
    let Some(comma) = one.then(|| comma_before_question(sight)).flatten() else {
        return clauses;
    };
    let clause = |from, to| Clause {
        from,
        to,
        elided: false,
    };
    vec![clause(0, comma), clause(comma + 1, sight.tokens.len())]
}

fn comma_before_question(sight: &Sight<'_>) -> Option<usize> {
    let tokens = sight.tokens;
    let opens = tokens.first()?;
    // "A customer wants to pay cash, may he?" says what is asked about.
    let sets_up = any_of![
        "a", "an", "somebody", "someone", "it", "this", "that", "there"
    ];
    if opens.is(QUESTION | AUXILIARY | SUBORDINATOR) || sets_up.hold(opens, sight.text) {
        return None;
    }
    let is_comma = |at: &usize| tokens.get(*at).is_some_and(|token| token.is_mark(','));
    let commas = (1..tokens.len()).rev().filter(is_comma);
    let asks = |at: &usize| part(sight, at + 1, tokens.len()).is_worded_as_question();
    let comma = commas.take(COMMAS_TRIED).find(asks)?;
    has_verb(sight.text, tokens.get(..comma)?).then_some(comma)
}

/// Whether the first clause states something before the last one asks.
pub(super) fn states_before_asking(sight: &Sight<'_>, clauses: &[Clause]) -> bool {
    let [first, .., last] = clauses else {
        return false;
    };
    // "Open question: who pays?"
    let mark = sight.tokens.get(first.to);
    if mark.is_some_and(|mark| mark.is_mark(':')) && first.to <= LONGEST_LABEL {
        return false;
    }
    let (first, last) = (
        part(sight, first.from, first.to),
        part(sight, last.from, last.to),
    );
    let opens =
        |sight: &Sight<'_>, classes| sight.tokens.first().is_some_and(|t: &Token| t.is(classes));
    let asks_last = last.is_worded_as_question() || opens(&last, QUESTION);
    asks_last && !first.is_worded_as_question() && !opens(&first, QUESTION | AUXILIARY)
}

/// A part of a sentence, looked at by itself.
fn part<'s>(sight: &Sight<'s>, from: usize, to: usize) -> Sight<'s> {
    let tokens = sight.tokens.get(from..to).unwrap_or_default();
    steps(tokens.len());
    Sight::new(sight.text, tokens, sight.language)
}
