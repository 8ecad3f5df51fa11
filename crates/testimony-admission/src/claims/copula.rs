//! "S is V": which attribute the subject, or else the value, speaks of.

use super::class::*;
use super::clock_times::time_at;
use super::lexicon::{Language, lexicon};
use super::noun::{Noun, attribute_name, noun};
use super::reading::{READ_AHEAD, Read, finish_subject};
use super::statuses::{is_personal, names_somebody, status_group};
use super::subject::{Subject, named_attribute, subject};
use super::token::{Shape, Token};
use super::value::{Value, View, normal_value, value, value_end, words_of};
use super::words::{Words, any_of};

/// Prepositions that say where.
const PLACE_WORDS: &Words = &Words::of(&[
    "in", "at", "near", "on", "im", "à", "en", "chez", "bei", "under", "behind",
]);

/// "S is V".
pub(crate) fn copula(view: &View<'_>, start: usize) -> Option<Read> {
    let at = (start..view.tokens.len().min(start + READ_AHEAD)).find(|at| is_joining(view, *at))?;
    let to = view.tokens.len();
    if at == start && view.scene.subject.is_none() {
        return None;
    }
    let subject = subject(view, start, at)?;
    let (from, negated) = behind_denial(view, at + 1, subject.negated);
    let mut read = value(view, from, to);
    read.negated ^= negated;
    if read.words.is_empty() || read.words.split(' ').count() > 14 {
        return None;
    }
    let by_status = status_of(view, from, to, &read);
    let phrase = &subject.phrase;
    let descriptive = by_status.is_some()
        && !matches!(
            phrase.head.as_str(),
            "status" | "state" | "color" | "colour"
        )
        && !phrase.head.starts_with("favo")
        && !phrase.head.ends_with("status");
    let personal = is_personal(&phrase.head)
        && !view
            .tokens
            .get(value_start(view, from))
            .is_some_and(|t| t.is(TITLE) || t.capital && !is_german_work(t));
    // "The office is in Turin" says where the office is, not which office somebody has.
    let placed = phrase.owner.is_none()
        && view.word_is(from, PLACE_WORDS)
        && !read.dated
        && phrase.head != "location";
    // "Anna's surgery is on 4 July" says when the surgery is.
    let dated = read.dated && !phrase.ends_in_attribute;
    if !descriptive
        && !personal
        && !placed
        && !dated
        && let Some(slot) = named_attribute(phrase)
    {
        let named = is_name(view, from) && names_somebody(&phrase.head);
        return finish_naming(slot, read, &subject, named);
    }
    if let Some((attribute, words)) = by_status {
        read.words = words;
        return finish_subject(
            phrase.subject(),
            attribute.to_owned(),
            phrase.any_scope(),
            read,
            &subject,
        );
    }
    if let Some(read) = relation(view, from, to, &subject, &read) {
        return Some(read);
    }
    if is_role(phrase) && is_name(view, from) {
        return finish_naming(role_slot(phrase), read, &subject, true);
    }
    let attribute = attribute_of_value(view, from, &subject, &mut read);
    finish_subject(
        phrase.subject(),
        attribute,
        phrase.any_scope(),
        read,
        &subject,
    )
}

/// A role that stands for itself: "the treasurer".
fn is_role(phrase: &Noun) -> bool {
    phrase.owner.is_none() && !phrase.named && !phrase.resolved && names_somebody(&phrase.head)
}

/// Whether the value begins like a name.
fn is_name(view: &View<'_>, from: usize) -> bool {
    let start = value_start(view, from);
    let first = view.tokens.get(start);
    start == from && first.is_some_and(|token| token.capital && !token.is(PRONOUN))
}

/// "Meine Frau ist Ärztin": German writes what somebody does for a living as it does a name.
fn is_german_work(token: &Token) -> bool {
    token
        .lexeme
        .is_some_and(|word| word.classes_in(Language::German) & OCCUPATION != 0)
}

/// Where the value begins behind adverbs and denials, and whether the statement is denied; "not X but Y" states Y.
fn behind_denial(view: &View<'_>, from: usize, denied: bool) -> (usize, bool) {
    let corrects = |at: usize| {
        let rest = view.part(at, view.tokens.len());
        rest.iter()
            .any(|t| matches!(t.of(view.text), "but" | "sondern" | "sino"))
    };
    let mut from = from;
    let mut negated = denied;
    while view.is(from, ADVERB | NEGATION)
        || view.word_is(from, any_of!["no"]) && view.word_is(from + 1, any_of!["longer"])
        || view.word_is(from, any_of!["longer", "been"])
    {
        if view.is(from, NEGATION) && corrects(from) {
            return (from, denied);
        }
        negated |= view.is(from, NEGATION) || view.word_is(from, any_of!["longer"]);
        from += 1;
    }
    (from, negated)
}

/// Whether the token joins a subject with what it is.
fn is_joining(view: &View<'_>, at: usize) -> bool {
    let Some(token) = view.tokens.get(at) else {
        return false;
    };
    let others = any_of!["'s", "’s", "been", "became", "becomes", "stays", "wurde"];
    if !token.is(COPULA | PAST_COPULA) && !others.may_hold(token) {
        return false;
    }
    let word = token.of(view.text);
    if matches!(word, "'s" | "’s") {
        // Behind a pronoun it is a verb; behind a noun it mostly says whose.
        let pronoun = at > 0 && view.is(at - 1, PRONOUN);
        // "My number's 0412 …": what is known by an amount owns none.
        let amount = at > 1
            && view.is(at - 1, ATTRIBUTE)
            && view
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.shape == Shape::Number)
            && !view
                .tokens
                .get(at + 2)
                .is_some_and(|next| next.shape == Shape::Word);
        return pronoun
            || amount
            || view.is(at + 1, ARTICLE | NEGATION | PREPOSITION | ADVERB)
            || (view.is(at + 1, STATUS)
                && at + 2
                    >= view.tokens.len()
                        - usize::from(view.tokens.last().is_some_and(Token::is_any_mark)));
    }
    matches!(word, "been" | "became" | "becomes" | "stays" | "wurde")
        || token.is(COPULA | PAST_COPULA)
            && !matches!(
                word,
                "had" | "hatte" | "hatten" | "avait" | "avaient" | "había" | "be"
            )
}

fn value_start(view: &View<'_>, from: usize) -> usize {
    (from..view.tokens.len())
        .find(|at| !view.is(*at, ARTICLE | ADVERB | NEGATION))
        .unwrap_or(from)
}

/// A state of a known group.
fn status_of(
    view: &View<'_>,
    from: usize,
    to: usize,
    read: &Value,
) -> Option<(&'static str, String)> {
    let first = words_of(view, from, value_end(view, from, to));
    let plain = first
        .split(" in ")
        .next()
        .unwrap_or_default()
        .split(" on the ")
        .next()
        .unwrap_or_default();
    let candidates = [read.words.as_str(), plain];
    candidates
        .into_iter()
        .find_map(|words| status_group(words).map(|group| (group, normal_value(words))))
}

/// "Ana is the owner of billing", "Oslo is the capital of Norway", "Ana is our tech lead", "teal is my favourite colour".
fn relation(
    view: &View<'_>,
    from: usize,
    to: usize,
    subject: &Subject,
    read: &Value,
) -> Option<Read> {
    let definite = view.is(from, ARTICLE)
        && !view.word_is(from, any_of!["a", "an", "ein", "eine", "un", "une", "una"]);
    let owned = view.is(from, POSSESSIVE)
        || view
            .part(from, (from + 5).min(to))
            .iter()
            .skip(1)
            .any(|t| matches!(t.of(view.text), "'s" | "’s"));
    if !definite && !owned {
        return None;
    }
    let end = value_end(view, from, to);
    let phrase = noun(view.text, view.part(from, end), view.scene);
    if phrase.head.split(' ').count() > 3 {
        return None;
    }
    let Some(owner) = phrase.owner.as_ref() else {
        return role(&phrase, subject, read).filter(|_| definite);
    };
    if !(phrase.ends_in_attribute || names_somebody(&phrase.head)) {
        return None;
    }
    let attribute = attribute_name(
        phrase
            .head
            .trim_start_matches("current ")
            .trim_start_matches("new "),
    );
    let value = Value {
        words: subject.phrase.subject(),
        negated: read.negated,
        ..Value::default()
    };
    let mut done = finish_subject(
        owner.subject(),
        attribute,
        phrase.any_scope(),
        value,
        subject,
    )?;
    done.subject = Some(subject.phrase.subject());
    Some(done)
}

/// "Ana is the treasurer" says what "the treasurer is Ana" says.
fn role(phrase: &Noun, subject: &Subject, read: &Value) -> Option<Read> {
    if !is_role(phrase) || !subject.phrase.named {
        return None;
    }
    let slot = named_attribute(phrase).unwrap_or_else(|| role_slot(phrase));
    let value = Value {
        words: subject.phrase.subject(),
        negated: read.negated,
        ..Value::default()
    };
    finish_naming(slot, value, subject, true)
}

/// A role that nobody's is: its own attribute.
fn role_slot(phrase: &Noun) -> (String, String, String) {
    let attribute = attribute_name(&phrase.head);
    (phrase.head.clone(), attribute, phrase.any_scope())
}

/// Finishes a slot of whose, what and under which circumstances; where its value is somebody's name, what follows speaks
/// of that one.
fn finish_naming(
    (owner, attribute, scope): (String, String, String),
    read: Value,
    subject: &Subject,
    named: bool,
) -> Option<Read> {
    let name = (named && !read.negated).then(|| read.words.clone());
    let mut done = finish_subject(owner, attribute, scope, read, subject)?;
    if let Some(name) = name {
        done.speaks_of(name);
    }
    Some(done)
}

/// The attribute that a value tells: where, when, how old, what for a living; else just "is".
fn attribute_of_value(view: &View<'_>, from: usize, subject: &Subject, read: &mut Value) -> String {
    if read.dated {
        let clock = read.words.get(2..3) == Some(":");
        return if clock { "time" } else { "date" }.to_owned();
    }
    if let Some(time) = clock_in(view, from) {
        read.words = time;
        return "time".to_owned();
    }
    let place = view.word_is(from, PLACE_WORDS);
    if place && !read.words.is_empty() {
        let words = read
            .words
            .split_once(' ')
            .map_or(read.words.as_str(), |(_, rest)| rest)
            .to_owned();
        let placed = view
            .tokens
            .get(from + 1)
            .is_some_and(|t| t.capital || t.is(ARTICLE | POSSESSIVE) || t.shape == Shape::Thing);
        if placed {
            read.words = words;
            return "location".to_owned();
        }
        return "is".to_owned();
    }
    let last = read.words.rsplit(' ').next().unwrap_or_default();
    let occupation = lexicon()
        .find(last)
        .is_some_and(|word| word.classes_in_any() & OCCUPATION != 0);
    let person = subject.phrase.named
        || subject.phrase.resolved
        || subject.elided
        || is_personal(&subject.phrase.head);
    if occupation && person {
        return "occupation".to_owned();
    }
    let number = read.words.starts_with(|c: char| c.is_ascii_digit());
    if number && person && read.unit.as_deref().is_none_or(|unit| unit == "y") {
        read.unit = None;
        return "age".to_owned();
    }
    if number {
        "value".to_owned()
    } else {
        "is".to_owned()
    }
}

/// A time of day behind "every day at", "on weekdays at".
fn clock_in(view: &View<'_>, from: usize) -> Option<String> {
    let place = (from..view.tokens.len().min(from + 8))
        .find(|at| view.word_is(*at, any_of!["at", "um"]))?;
    let (time, _) = time_at(view.text, view.tokens, place + 1)?;
    Some(format!("{:02}:{:02}", time.hour(), time.minute()))
}
