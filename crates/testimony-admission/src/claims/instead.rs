//! Who or what is meant, put where a claim only says "she" or leaves it to the words before it: whoever reads the claim
//! alone has nothing else to tell it by.

use super::class::*;
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
    let words = said.or_else(own)?;
    instead(start, start, words.to_owned())
}

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
