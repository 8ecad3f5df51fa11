//! Who or what is meant, put where a claim only says "she" or leaves it to the words before it: whoever reads the claim
//! alone has nothing else to tell it by.

use super::class::*;
use super::clauses::says_whose;
use super::drawn::Instead;
use super::token::{Shape, Token, lower_case};
use super::words::{Words, any_of};

/// Pronouns of a subject. The others may be an object ("lui"), stand for two ("zij"), or for nothing ("es regnet").
const SUBJECTS: &Words = &Words::of(&[
    "he", "she", "they", "er", "sie", "il", "ils", "elle", "elles", "él", "ella", "ellos", "ellas",
    "ele", "ela", "eles", "elas", "hij",
]);

/// English pronouns of an owner.
const OWNERS: &Words = &Words::of(&["his", "her", "its", "their"]);

/// Verbs behind an "it" that is nothing: "it seems", "it rains", "it takes an hour".
const OF_NOTHING: &Words = &Words::of(&[
    "seems", "seemed", "appears", "turns", "turned", "rains", "rained", "snows", "snowed", "takes",
    "took", "looks", "looked", "feels", "felt", "makes", "made", "happens", "happened", "helps",
    "depends", "means", "meant", "matters", "sounds",
]);

/// Words behind an "it is" that is nothing: "it is clear that", "it was too late to", "it's raining".
const OF_NOTHING_IT_IS: &Words = &Words::of(&[
    "that", "to", "who", "how", "why", "whether", "when", "if", "raining", "snowing", "cold",
    "warm", "hot", "late", "early", "dark", "time", "sunny", "windy",
]);

/// Put in the place of the pronoun at `at`.
pub(super) fn of_pronoun(text: &str, tokens: &[Token], at: usize, said: &str) -> Option<Instead> {
    let (pronoun, next) = (tokens.get(at)?, tokens.get(at + 1)?);
    let opens = tokens
        .iter()
        .take(at)
        .all(|token| token.is_any_mark() || token.is(COORDINATOR | ADVERB));
    let behind = tokens.get(at + 1..).unwrap_or_default();
    // "In May he raised the rent."
    let leads = any_of!["he", "she", "they"].hold(pronoun, text) && next.is(VERB);
    let is_subject = leads
        || SUBJECTS.hold(pronoun, text)
        || any_of!["it"].hold(pronoun, text) && stands_for_something(text, behind);
    let owns = OWNERS.hold(pronoun, text)
        && next.shape == Shape::Word
        && !next.is(PREPOSITION | AUXILIARY | COPULA | PAST_COPULA);
    let words = match (is_subject, owns) {
        _ if !opens && !leads => return None,
        (true, _) => said.to_owned(),
        (_, true) if said.ends_with('s') => format!("{said}’"),
        (_, true) => format!("{said}’s"),
        (false, false) => return None,
    };
    instead(pronoun.start, pronoun.end, words)
}

/// Put in front of a clause that leaves its subject to the clause before. What that one denies, or only may or will be,
/// may hold for both, so nothing is put there.
pub(super) fn of_left_out(
    text: &str,
    before: &[Token],
    start: usize,
    said: Option<&str>,
) -> Option<Instead> {
    if before.iter().any(|token| token.is(NEGATION | AUXILIARY)) {
        return None;
    }
    let own = || {
        let opens = |token: &&Token| !token.is_any_mark() && !token.is(COORDINATOR | ADVERB);
        let first = before.iter().find(opens)?;
        let speaks = first.is(FIRST) && first.is(PRONOUN) && !first.is(POSSESSIVE);
        speaks.then(|| first.of(text))
    };
    let words = match said.or_else(own) {
        Some(words) => words.to_owned(),
        None => subject_phrase(text, before)?,
    };
    instead(start, start, words)
}

/// "Dr. Amari's website", "the boiler in the cellar": all that stands in front of the first verb.
fn subject_phrase(text: &str, before: &[Token]) -> Option<String> {
    let begins = before
        .iter()
        .position(|token| !token.is_any_mark() && !token.is(COORDINATOR | ADVERB))?;
    let verb = |at: usize| {
        before
            .get(at)
            .is_some_and(|token| token.is(VERB | COPULA | PAST_COPULA))
            && !says_whose(text, before, at)
    };
    let ends = (begins + 1..before.len().min(begins + 1 + LONGEST_SUBJECT)).find(|at| verb(*at))?;
    let phrase = before.get(begins..ends)?;
    let (first, last) = (phrase.first()?, phrase.last()?);
    if !names_something(text, phrase, first) {
        return None;
    }
    let said = text.get(first.start..last.end)?;
    let small = first.is(ARTICLE | POSSESSIVE) && first.shape == Shape::Word;
    Some(if small {
        let word = lower_case(first.of(text));
        format!("{word}{}", text.get(first.end..last.end)?)
    } else {
        said.to_owned()
    })
}

/// Whether a phrase that opens with `first` names somebody or something by itself.
fn names_something(text: &str, phrase: &[Token], first: &Token) -> bool {
    // "Ana's moving" is no phrase of whose something is.
    let moves = |pair: &[Token]| {
        matches!(pair, [is, next] if matches!(is.of(text), "'s" | "’s")
            && next.of(text).ends_with("ing")
            && !next.is(ATTRIBUTE))
    };
    let names = first.capital || first.is(ARTICLE | POSSESSIVE);
    let refers = |token: &Token| token.is(THIRD | ADVERB | SUBORDINATOR | QUESTION | NEGATION);
    let denied = |token: &Token| any_of!["no", "longer", "never"].hold(token, text);
    let pronoun = first.is(PRONOUN) && !first.is(ARTICLE | POSSESSIVE);
    let broken = |token: &Token| matches!(token.shape, Shape::Mark(',' | ';' | ':' | '—' | '–'));
    let mut words = phrase.iter();
    let spoilt = words.any(|token| refers(token) || broken(token) || denied(token));
    names && !pronoun && !spoilt && !phrase.windows(2).any(moves)
}

/// "The printer" is told as "the printer on the third floor" where the clause `before` calls it so.
pub(super) fn widened(instead: Instead, text: &str, before: &[Token]) -> Instead {
    let phrase = subject_phrase(text, before);
    let Instead { at, words } = instead;
    let owner = words.strip_suffix("’s").or_else(|| words.strip_suffix('’'));
    let name = owner.unwrap_or(&words);
    let wider = phrase.filter(|phrase| {
        phrase.strip_prefix(name).is_some_and(|rest| {
            rest.starts_with(' ') || at.is_empty() && rest.starts_with(['\'', '’'])
        })
    });
    let words = match wider {
        Some(phrase) if owner.is_none() => phrase,
        Some(phrase) if phrase.ends_with('s') => format!("{phrase}’"),
        Some(phrase) => format!("{phrase}’s"),
        None => words,
    };
    Instead { at, words }
}

/// A subject that is put in front of a clause has so many words and marks at most.
const LONGEST_SUBJECT: usize = 8;

/// How a noun is spoken of again: by whose it is, or as the one that was spoken of.
pub(super) fn again(text: &str, determiner: &Token, name: &str) -> Option<String> {
    let word = lower_case(determiner.of(text));
    if determiner.is(THIRD) {
        None
    } else if determiner.is(POSSESSIVE) {
        Some(format!("{word} {name}"))
    } else {
        matches!(&*word, "a" | "an" | "the").then(|| format!("the {name}"))
    }
}

fn instead(from: usize, to: usize, words: String) -> Option<Instead> {
    let plain = !words.contains(['[', ']', '\n']);
    plain.then_some(Instead {
        at: from..to,
        words,
    })
}

/// Whether an "it" in front of these words stands for something.
fn stands_for_something(text: &str, behind: &[Token]) -> bool {
    let Some(verb) = behind.first() else {
        return false;
    };
    let is_or_was = verb.is(COPULA | PAST_COPULA);
    let of_nothing = |token: &Token| {
        OF_NOTHING_IT_IS.hold(token, text) || token.is(CALENDAR) || token.shape == Shape::Number
    };
    !(OF_NOTHING.hold(verb, text) || is_or_was && behind.iter().any(of_nothing))
}
