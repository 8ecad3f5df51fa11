//! Clauses of whose subject only the clause before says whose it is: "Raul left Kestrel, the new contact is Simone".

use testimony_domain::Slot;

use super::class::*;
use super::clauses::Clause;
use super::correcting::corrects;
use super::token::{Shape, Token, lower_case};
use super::words::{Words, any_of};

/// What is somebody's or something's, and says nothing where it is not told whose.
#[rustfmt::skip]
const SOMEBODYS: &Words = &Words::of(&[
    "replacement", "successor", "predecessor", "deputy", "substitute", "stand-in", "contact", "owner", "supplier", "provider", "vendor", "chair", "lead", "head", "boss", "landlord", "tenant", "address", "number", "code", "name", "deadline", "price", "version", "model", "warranty", "guarantee", "manual", "receipt", "serial", "filter", "battery", "licence", "license", "password", "pin", "port", "extension", "login", "username", "postcode",
]);

/// What is told to have changed with the clause before.
const NEW: &Words = &Words::of(&[
    "new", "next", "current", "old", "former", "previous", "interim",
]);

/// Behind these stands whose it is.
const WHOSE: &Words = &Words::of(&["of", "at", "for", "in", "from", "on"]);

/// Whether a clause begins so that it may lean on the one before: with an article or with a pronoun for somebody else, and
/// joined by nothing but a comma or a dash. A joining word or a semicolon sets it beside that, and "I was wrong, …" in front.
pub(super) fn may_lean(text: &str, tokens: &[Token], clause: Clause) -> bool {
    let Some((before, behind)) = tokens.split_at_checked(clause.from) else {
        return false;
    };
    let is_pause = |token: &Token| matches!(token.shape, Shape::Mark(',' | '-' | '–' | '—'));
    let Some((_, before)) = before.split_last().filter(|(mark, _)| is_pause(mark)) else {
        return false;
    };
    let aside = |token: &&Token| token.is_any_mark() || token.is(COORDINATOR | ADVERB);
    let opens = behind.iter().find(|token| !aside(token));
    let last = before.rsplit(is_pause).next().unwrap_or_default();
    opens.is_some_and(|token| token.is(ARTICLE | THIRD)) && !corrects(text, last)
}

/// "… and Jonas Weil runs it": somebody is named, and what they do it to stands in the clause before.
pub(super) fn ends_with_it(text: &str, tokens: &[Token], clause: Clause) -> bool {
    let part = tokens.get(clause.from..clause.to).unwrap_or_default();
    let words: Vec<&Token> = part
        .iter()
        .rev()
        .filter(|t| !t.is_any_mark())
        .take(2)
        .collect();
    let named = part
        .iter()
        .find(|t| !t.is_any_mark() && !t.is(COORDINATOR | ADVERB));
    clause.from > 0
        && named.is_some_and(|t| t.capital && !t.is(PRONOUN | POSSESSIVE))
        && matches!(words.as_slice(), [it, verb] if any_of!["it", "them"].hold(it, text) && verb.is(VERB))
}

/// Whether it speaks of something that is somebody's, and does not say whose.
pub(super) fn leans(text: &str, tokens: &[Token], slot: Option<&Slot>) -> bool {
    let the = any_of!["the"];
    let Some(at) = tokens.iter().take(3).position(|t| the.hold(t, text)) else {
        return false;
    };
    let is = |at: usize, words: &Words| tokens.get(at).is_some_and(|t| words.hold(t, text));
    let new = is(at + 1, NEW);
    // "The warranty runs five years": a verb that says of it what a table would.
    let runs = any_of![
        "runs", "ran", "ends", "ended", "lasts", "expires", "expired", "starts", "started",
        "covers", "costs", "changed", "changes"
    ];
    let verb = tokens
        .iter()
        .position(|t| t.is(COPULA | PAST_COPULA) || runs.hold(t, text));
    let Some(verb) = verb.filter(|verb| *verb > at + 1) else {
        return false;
    };
    let told_whose = (at + 1..verb).any(|place| is(place, WHOSE));
    let of_itself = slot.is_some_and(|slot| slot.key.subject == slot.key.attribute);
    !told_whose && (new || of_itself || is(verb - 1, SOMEBODYS))
}

/// "The clinic moved, the new address is Elm Row 9": an answer to a question about something that is somebody's, where only
/// the words before it say whose.
pub(super) fn is_nobodys(slot: &Slot, text: &str, tokens: &[Token]) -> bool {
    let comma = tokens.iter().position(|token| token.is_mark(','));
    let subject = slot.key.subject.split(' ').next().unwrap_or_default();
    let named = |token: &Token| lower_case(token.of(text)) == subject;
    slot.key.subject == slot.key.attribute
        && comma.is_some_and(|comma| {
            let (front, behind) = tokens.split_at_checked(comma).unwrap_or_default();
            let anew = behind.iter().skip(1).take(2).any(|token| token.is(ARTICLE));
            let states = front
                .iter()
                .any(|token| token.is(VERB) && !token.is(RELATIVE));
            anew && states && !front.iter().any(named) && !corrects(text, front)
        })
}
