//! Sentences that state something and then ask: "I live in Oslo now, what about you?".

use super::class::*;
use super::clauses::{Clause, clauses};
use super::command_words::{Command, OCCASIONS};
use super::kinds::has_verb;
use super::leave_out::{Sight, ends_as_question};
use super::token::Token;
use super::words::any_of;
use crate::work::steps;

/// A label in front of a colon has no more tokens than this.
const LONGEST_LABEL: usize = 3;
/// A question has hardly more commas of its own, and each that is tried is read to the end.
const COMMAS_TRIED: usize = 2;

/// The clauses of a sentence, and whether the last of them asks.
pub(super) fn parts(sight: &Sight<'_>, asks: bool) -> (Vec<Clause>, bool) {
    let parts = clauses(sight.text, sight.tokens);
    if asks {
        return (with_question_apart(sight, parts), true);
    }
    match with_request_apart(sight, &parts) {
        Some(apart) => (apart, true),
        None => (parts, false),
    }
}

/// The clauses of a sentence, where a question that no word joins to what is stated before it is one of its own: "the water
/// is hard, do we need a filter?".
fn with_question_apart(sight: &Sight<'_>, clauses: Vec<Clause>) -> Vec<Clause> {
    match comma_before(sight, asks_something) {
        Some(comma) => cut_at(comma, sight.tokens.len(), clauses),
        None => clauses,
    }
}

/// The same of what a sentence asks the reader for: "I'm vegetarian, suggest a dinner", "we land at nine, so please book a
/// taxi". How something is done is no such request: "the lock sticks, lift the handle".
fn with_request_apart(sight: &Sight<'_>, clauses: &[Clause]) -> Option<Vec<Clause>> {
    let requests = |part: &Sight<'_>| {
        let first = part.first_word();
        let please = usize::from(part.word_is(first, any_of!["please"]));
        let for_us = part.word_is(first + please + 1, any_of!["me", "us"]);
        let verb = part.is(first + please, IMPERATIVE);
        let answered = part.answers_once(first) && !part.word_is(first, any_of!["tell"]);
        verb && (please > 0 || for_us || answered) && part.command() == Some(Command::Once)
    };
    let comma = comma_before(sight, requests)?;
    // "The next time I see Bo, remind me of the book": what stands in front says when.
    let when = |at: usize| sight.word_is(at, OCCASIONS) || at < 2 && sight.is(at, RELATIVE);
    let states = !(0..comma).any(when);
    states.then(|| cut_at(comma, sight.tokens.len(), clauses.to_vec()))
}

fn cut_at(comma: usize, end: usize, clauses: Vec<Clause>) -> Vec<Clause> {
    let before = clauses.into_iter().filter(|clause| clause.from < comma);
    let before = before.map(|clause| Clause {
        to: clause.to.min(comma),
        ..clause
    });
    let asked = Clause {
        from: comma + 1,
        to: end,
        elided: false,
    };
    before.chain(std::iter::once(asked)).collect()
}

/// The comma between what is stated and what is asked, by what stands behind it and a joining word.
fn comma_before(sight: &Sight<'_>, asks: impl Fn(&Sight<'_>) -> bool) -> Option<usize> {
    let tokens = sight.tokens;
    let opens = tokens.first()?;
    // "A customer wants to pay cash, may he?" says what is asked about.
    let sets_up = any_of![
        "a", "an", "somebody", "someone", "it", "this", "that", "there"
    ];
    let other = QUESTION | AUXILIARY | SUBORDINATOR | IMPERATIVE | GREETING;
    let states = !opens.is(other) || opens.is(PRONOUN);
    if !states || sets_up.hold(opens, sight.text) {
        return None;
    }
    let joins = any_of!["so", "and", "but", "then", "also", "now"];
    let behind = |comma: usize| {
        let mut rest = tokens.iter().skip(comma + 1);
        let joined = rest
            .by_ref()
            .take(2)
            .take_while(|t| joins.hold(t, sight.text));
        comma + 1 + joined.count()
    };
    let is_comma = |at: &usize| tokens.get(*at).is_some_and(|token| token.is_mark(','));
    let commas = (1..tokens.len()).rev().filter(is_comma);
    let asked = |at: &usize| asks(&part(sight, behind(*at), tokens.len()));
    let comma = commas.take(COMMAS_TRIED).find(asked)?;
    let front = tokens.get(..comma)?;
    // "My flight lands at nine": a statement whose verb no table knows.
    let worded = opens.is(PRONOUN | POSSESSIVE | ARTICLE)
        && comma >= LEAST_STATED
        && !front.iter().any(Token::is_any_mark);
    (worded || has_verb(sight.text, front)).then_some(comma)
}

/// A subject and so many words with it are a statement.
const LEAST_STATED: usize = 4;

/// Whether a part behind a comma asks, in a sentence that ends with a question mark.
fn asks_something(part: &Sight<'_>) -> bool {
    part.is_worded_as_question() || part.is(part.first_word(), COPULA | PAST_COPULA | AUXILIARY)
}

/// Words in front of a fact that is the reason of a question.
const REASONS: &[&[&str]] = &[
    &["since"],
    &["as"],
    &["because"],
    &["given", "that"],
    &["now", "that"],
    &["seeing", "that"],
];

/// "Since I work nights, when should I sleep?": where the fact begins that a question gives as its reason.
pub(super) fn behind_reason(sight: &Sight<'_>) -> Option<usize> {
    let word = |at: usize, known: &str| sight.word(at).eq_ignore_ascii_case(known);
    let opens = |reason: &&&[&str]| reason.iter().enumerate().all(|(at, it)| word(at, it));
    let from = REASONS.iter().find(opens)?.len();
    if !ends_as_question(sight.tokens) {
        return None;
    }
    let subject = sight.tokens.get(from)?;
    let comma = sight.tokens.iter().position(|token| token.is_mark(','))?;
    let states = (subject.is(PRONOUN | POSSESSIVE | ARTICLE) || subject.capital)
        && !subject.is(QUESTION)
        && has_verb(sight.text, sight.tokens.get(from..comma)?);
    let behind = part(sight, comma + 1, sight.tokens.len());
    let asks = asks_something(&behind) || behind.is(behind.first_word(), QUESTION);
    (states && asks).then_some(from)
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
    let joined = last.word_is(0, any_of!["so", "and", "but", "then"]);
    let behind = part(&last, usize::from(joined), last.tokens.len());
    let asks_last = asks_something(&behind) || opens(&behind, QUESTION);
    asks_last && !first.is_worded_as_question() && !opens(&first, QUESTION | AUXILIARY)
}

/// A part of a sentence, looked at by itself.
fn part<'s>(sight: &Sight<'s>, from: usize, to: usize) -> Sight<'s> {
    let tokens = sight.tokens.get(from..to).unwrap_or_default();
    steps(tokens.len());
    Sight::new(sight.text, tokens, sight.language)
}
