//! Entities: names of what a clause speaks of, as they stand in it.

use std::borrow::Cow;

use super::class::*;
use super::quantity::is_bare_unit;
use super::token::{Shape, Token};
use crate::work::steps;

/// At most so many names are kept of one claim.
const MOST_ENTITIES: usize = 16;
/// How the label begins that stands where a secret stood; it ends with its only colon.
const REDACTION_LABEL: &str = "REDACTED:";
/// Small words inside a name.
const INSIDE_NAMES: &[&str] = &[
    "of", "de", "van", "von", "der", "den", "del", "la", "da", "di", "und", "&", "al", "van", "le",
];

/// The names among the tokens of a clause: runs of capitals, and things such as addresses, paths, versions, identifiers.
pub(crate) fn entities(text: &str, tokens: &[Token]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let first_word = tokens.iter().position(|token| !token.is_any_mark());
    let first_word = first_word.unwrap_or(tokens.len());
    steps(first_word);
    let mut at = 0;
    while at < tokens.len() && out.len() < MOST_ENTITIES {
        let behind = name_end(text, tokens, at, at <= first_word);
        steps(1 + behind.saturating_sub(at));
        if behind > at
            && let (Some(first), Some(last)) = (tokens.get(at), tokens.get(behind - 1))
        {
            let name = text.get(first.start..last.end).unwrap_or_default().trim();
            let is_name =
                name.chars().nth(1).is_some() && !is_bare_unit(name) && !is_redacted(name);
            let name = on_one_line(name);
            if is_name && !out.iter().any(|known| *known == name) {
                steps(name.len());
                out.push(name.into_owned());
            }
        }
        at = behind.max(at + 1);
    }
    out
}

/// A name that is wrapped over lines is the name that it is on one; hardly any is.
fn on_one_line(name: &str) -> Cow<'_, str> {
    let wrapped = |c: char| c.is_whitespace() && c != ' ';
    if name.contains(wrapped) || name.contains("  ") {
        Cow::Owned(name.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(name)
    }
}

/// Where the name that begins at `at` ends; `at` where none begins. A word that opens the sentence has a capital anyway.
pub(super) fn name_end(text: &str, tokens: &[Token], at: usize, opens_sentence: bool) -> usize {
    let Some(token) = tokens.get(at) else {
        return at;
    };
    let bracketed = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.is_mark('['));
    if is_redacted(token.of(text)) || bracketed && token.of(text) == "REDACTED" {
        // The label is passed over to its closing bracket, so that no part of it counts as a name.
        let label = tokens.iter().skip(at).take(LONGEST_LABEL);
        let closed = label.into_iter().position(|token| token.is_mark(']'));
        return at + closed.unwrap_or(1);
    }
    match token.shape {
        Shape::Thing => return at + 1,
        Shape::Number => return at + usize::from(is_identifier(token.of(text))),
        Shape::Mark(_) | Shape::Symbol => return at,
        Shape::Word => {}
    }
    if !opens_name(text, tokens, at, opens_sentence) {
        return at;
    }
    let mut end = at + 1;
    while let Some(next) = tokens.get(end) {
        let point = next.is_mark('.')
            && tokens
                .get(end - 1)
                .is_some_and(|t| t.is(TITLE) || t.end - t.start == 1)
            && tokens.get(end + 1).is_some_and(|t| t.capital);
        let joined = next.shape == Shape::Word && next.capital && !next.is(PRONOUN)
            || (next.shape == Shape::Number
                && !next.of(text).contains([':', '/', '$'])
                && next.of(text).len() <= 2
                && !next.is(MONTH));
        let inside = INSIDE_NAMES.contains(&next.of(text))
            && tokens
                .get(end + 1)
                .is_some_and(|t| t.capital && t.shape == Shape::Word && !t.is(CALENDAR_NAME));
        if !(point || joined || inside) || next.is(CALENDAR_NAME) {
            break;
        }
        end += 1;
    }
    end
}

/// A redaction label has no more tokens than this.
const LONGEST_LABEL: usize = 16;

/// Whether a redaction label, or what begins one, stands in `words`, whatever their case.
pub(crate) fn is_redacted(words: &str) -> bool {
    let label = REDACTION_LABEL.as_bytes();
    // Nearly every word is too short or has no colon where the label would end, and that is all that it costs.
    let colon_may_stand = words.as_bytes().get(label.len() - 1..);
    if !colon_may_stand.is_some_and(|rest| rest.contains(&b':')) {
        return false;
    }
    words.match_indices(':').any(|(at, _)| {
        let end = words.as_bytes().get(..=at).unwrap_or_default();
        let last = end.len().checked_sub(label.len());
        let last = last.and_then(|from| end.get(from..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(label))
    })
}

/// Days and months are dates, not names.
const CALENDAR_NAME: Class = MONTH | WEEKDAY;

fn opens_name(text: &str, tokens: &[Token], at: usize, opens_sentence: bool) -> bool {
    let Some(token) = tokens.get(at).filter(|token| token.capital) else {
        return false;
    };
    let person = token.is(MONTH)
        && (tokens.get(at + 1).is_some_and(|t| t.is(VERB))
            || at
                .checked_sub(1)
                .and_then(|before| tokens.get(before))
                .is_some_and(|t| t.is(ATTRIBUTE)));
    if person {
        return true;
    }
    if token.is(CALENDAR_NAME) && tokens.get(at + 1).is_none_or(|next| !next.capital)
        || token.is(PRONOUN
            | POSSESSIVE
            | ARTICLE
            | NEAR_DAY
            | GREETING
            | THANKS
            | ACKNOWLEDGEMENT
            | QUESTION
            | SUBORDINATOR
            | COORDINATOR)
    {
        return false;
    }
    if !opens_sentence {
        return true;
    }
    // A capital that any first word would have: it is a name unless the tables know it as a word.
    let word = token.of(text);
    let acronym = word.len() > 1 && word.chars().all(char::is_uppercase);
    let unknown = token
        .lexeme
        .is_none_or(|lexeme| lexeme.classes_in_any() == 0);
    let verb_follows = tokens.get(at + 1).is_some_and(|next| {
        next.is(VERB | AUXILIARY)
            || next.capital
            || next.of(text) == "'s"
            || next.is_mark(',')
            || next.is(COORDINATOR | ADVERB | NEGATION)
            || is_bent_in_the_past(text, next)
                && !["ly", "ed"].iter().any(|end| word.ends_with(end))
            || INSIDE_NAMES.contains(&next.of(text))
    });
    acronym || token.is(TITLE) || (unknown && (verb_follows || tokens.len() <= 3))
}

/// "Wanda handed the keys over": a word of no table that is bent like a verb.
fn is_bent_in_the_past(text: &str, token: &Token) -> bool {
    let word = token.of(text);
    token.shape == Shape::Word
        && token.lexeme.is_none()
        && !token.capital
        && word.len() > 4
        && word.ends_with("ed")
}

/// Versions, addresses and identifiers among what begins with a digit.
fn is_identifier(word: &str) -> bool {
    word.matches('.').count() >= 2
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
}
