//! The subject of a clause: whom or what it speaks of, and which attribute the subject itself names.

use super::class::*;
use super::lexicon::{Language, lexicon};
use super::noun::{Noun, UNNAMED_SPEAKER, attribute_name, is_attribute_name, noun};
use super::statuses::{PERSONAL, are_ranks, names_somebody};
use super::token::Token;
use super::value::View;
use super::words::{Words, any_of};

/// A subject is no longer than this, in tokens.
const LONGEST_SUBJECT: usize = 14;

/// The subject of a form, and what stood in its tail.
pub(crate) struct Subject {
    pub(crate) phrase: Noun,
    pub(crate) negated: bool,
    pub(crate) elided: bool,
}

/// Reads the subject between two tokens; `None` where a verb stands in it.
pub(crate) fn subject(view: &View<'_>, from: usize, to: usize) -> Option<Subject> {
    let ended_at = to;
    let mut from = from;
    let (to, negated) = without_tail(view, from, to);
    // Dates in front of the subject say when, not who.
    while let Some(found) = view.date_from(from).filter(|found| found.behind <= to) {
        from = found.behind;
    }
    let (from, to) = between_commas(view, from, to);
    let part = view.part(from, to);
    let blank = to <= from
        || part
            .iter()
            .all(|token| token.is(ADVERB | COORDINATOR) || token.is_any_mark());
    if blank {
        let carried = view
            .scene
            .subject
            .clone()
            .or_else(|| bent_for_speaker(view, ended_at))?;
        let phrase = Noun {
            head: carried,
            resolved: true,
            ..Noun::default()
        };
        return Some(Subject {
            phrase,
            negated,
            elided: true,
        });
    }
    // "Her own struggles": what follows a possessive is a noun.
    let owned = part.last().is_some_and(|token| token.is(POSSESSIVE));
    // "Items like these": only a subject that can like something makes a verb of "like".
    let likens = view.word_is(ended_at, any_of!["like"])
        && !part
            .iter()
            .all(|token| token.is(PRONOUN | FIRST | COORDINATOR) || token.capital);
    if to - from > LONGEST_SUBJECT || holds_a_verb(view, part) || owned || likens {
        return None;
    }
    let phrase = noun(view.text, part, view.scene);
    (!phrase.subject().is_empty()).then_some(Subject {
        phrase,
        negated,
        elided: false,
    })
}

/// Words in the tail of a subject that belong to its verb.
const VERB_WORDS: &Words = &Words::of(&[
    "used", "to", "being", "no", "longer", "who", "that", "which", "going", "nos", "me", "se",
    "m'", "s'", "ne", "n'", "y", "mich", "uns", "le", "les", "ya", "there",
]);

/// Whether words that belong to the verb behind a phrase deny it.
pub(crate) fn denied_behind(view: &View<'_>, from: usize, to: usize) -> bool {
    without_tail(view, from, to).1
}

/// The end of a subject without what belongs to its verb, and whether that denies.
fn without_tail(view: &View<'_>, from: usize, to: usize) -> (usize, bool) {
    let mut to = to;
    let mut negated = false;
    while to > from {
        let Some(token) = view.tokens.get(to - 1) else {
            break;
        };
        let names = token.capital && to - 1 == from && !token.is(PRONOUN | NEGATION | FIRST);
        let verbal = token.is(ADVERB | AUXILIARY | COPULA | PAST_COPULA | NEGATION | LASTING);
        let tail = verbal || token.is_any_mark() || view.word_is(to - 1, VERB_WORDS);
        if names || !tail {
            break;
        }
        let ended = view.word_is(to - 1, any_of!["longer"])
            && view.word_is(to.wrapping_sub(2), any_of!["no"]);
        negated |= token.is(NEGATION) || ended;
        to -= 1;
    }
    (to, negated)
}

/// The subject itself among commas: in front of an apposition, else behind what was said in passing.
fn between_commas(view: &View<'_>, from: usize, to: usize) -> (usize, usize) {
    let mut commas = (from..to).filter(|at| view.tokens.get(*at).is_some_and(|t| t.is_mark(',')));
    let Some(first) = commas.next() else {
        return (from, to);
    };
    let in_passing = commas.next().is_none() && first + 1 < to;
    if in_passing {
        (first + 1, to)
    } else {
        (from, first)
    }
}

/// Whether a clause of its own stands among the tokens, so that they are no subject.
fn holds_a_verb(view: &View<'_>, part: &[Token]) -> bool {
    let led = part
        .first()
        .is_some_and(|token| token.is(ARTICLE | POSSESSIVE));
    let noun_like = |at: usize| {
        let owned = at
            .checked_sub(1)
            .and_then(|before| part.get(before))
            .is_some_and(|before| {
                before.is(ARTICLE | POSSESSIVE)
                    || matches!(before.of(view.text), "'s" | "’s" | "of")
            });
        owned || led && (at + 1 == part.len() || at == 1)
    };
    let verb = part.iter().enumerate().any(|(at, token)| {
        token.is(VERB)
            && !token.is(ATTRIBUTE | ENVIRONMENT | COPULA | NUMBER)
            && !token.capital
            && !noun_like(at)
    });
    let subordinate = part
        .first()
        .is_some_and(|token| token.is(SUBORDINATOR) && !token.is(PRONOUN | ARTICLE));
    let second_subject = part
        .iter()
        .skip(1)
        .any(|t| t.is(PRONOUN) && !t.is(ARTICLE | POSSESSIVE | FUNCTION));
    let joined = part
        .iter()
        .any(|token| token.is(COPULA) && !matches!(token.of(view.text), "'s" | "’s"));
    verb || subordinate || second_subject || joined
}

/// A verb that is bent for the speaker alone stands without a subject: "vivo en Lima", "me mudé".
fn bent_for_speaker(view: &View<'_>, at: usize) -> Option<String> {
    let verb = view.tokens.get(at).filter(|token| {
        token.is(VERB)
            && token
                .lexeme
                .is_some_and(|word| word.classes_in(Language::English) & VERB == 0)
    })?;
    let bent = verb.of(view.text).ends_with(['o', 'é', 'í', 'y'])
        || view.word_is(at.wrapping_sub(1), any_of!["me"]);
    bent.then(|| {
        view.scene
            .speaker
            .clone()
            .unwrap_or_else(|| UNNAMED_SPEAKER.to_owned())
    })
}

/// Whether the subject is somebody rather than something.
pub(crate) fn is_person(subject: &Subject) -> bool {
    let phrase = &subject.phrase;
    let last = phrase.head.rsplit(' ').next().unwrap_or_default();
    let known = lexicon()
        .find(last)
        .is_some_and(|word| word.classes_in_any() & OCCUPATION != 0);
    phrase.named
        || phrase.resolved
        || subject.elided
        || known
        || PERSONAL.contains(&last)
        || matches!(last, "user" | "customer" | "client" | "family")
}

/// Splits a phrase that names an attribute of something: whose, which, and under which circumstances.
pub(crate) fn named_attribute(phrase: &Noun) -> Option<(String, String, String)> {
    let scope = phrase.any_scope();
    if let Some(owner) = &phrase.owner {
        if phrase.head.is_empty() {
            return named_attribute(owner);
        }
        if attribute_name(&phrase.head) == "name"
            && let Some(whose) = owner.owner.as_ref().filter(|_| names_somebody(&owner.head))
        {
            return Some((whose.subject(), attribute_name(&owner.head), scope));
        }
        // "The payment service's API timeout" is the timeout of its API.
        if let Some((rest, last)) = phrase
            .head
            .rsplit_once(' ')
            .filter(|_| phrase.ends_in_attribute && !phrase.head.starts_with("favo"))
            && !is_attribute_name(&phrase.head)
        {
            return Some((
                format!("{} {rest}", owner.subject()),
                attribute_name(last),
                scope,
            ));
        }
        return Some((owner.subject(), attribute_name(&phrase.head), scope));
    }
    if phrase.named || phrase.resolved {
        return None;
    }
    if !phrase.ends_in_attribute {
        return None;
    }
    let whole = attribute_name(&phrase.head);
    match phrase.head.rsplit_once(' ') {
        Some((front, _))
            if is_attribute_name(&phrase.head)
                && !matches!(front, "launch" | "release" | "event")
                || phrase.head.starts_with("favo")
                || are_ranks(front) && names_somebody(&phrase.head) =>
        {
            Some((whole.clone(), whole, scope))
        }
        Some((front, last)) => Some((front.to_owned(), attribute_name(last), scope)),
        None => Some((whole.clone(), whole, scope)),
    }
}
