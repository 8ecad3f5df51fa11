//! One statement read on its own: its slot, its cues, and the words by which it is compared.

use testimony_domain::{Slot, Timestamp, Validity};

use super::called::called;
use super::class::*;
use super::clauses::{Clause, clauses};
use super::dates::{DateMention, DateRole, Found, find, validity};
use super::leave_out::Sight;
use super::lexicon::Language;
use super::noun::Scene;
use super::phrases::Sense;
use super::reading::{Read, read, remember};
use super::referents;
use super::token::{Shape, Token, tokens};
use super::value::View;

/// What a text says when it is read as one statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The question that it answers, with the answer.
    pub slot: Option<Slot>,
    /// When it holds, as far as it says.
    pub validity: Validity,
    /// Who is said to have said it.
    pub attributed_to: Option<String>,
    pub(crate) cues: Cues,
    /// The words by which it is compared with another.
    pub(crate) words: Vec<Compared>,
    /// Whether "I" stands in it, so that it says something else in another's mouth.
    pub(crate) first_person: bool,
    /// The days that it names, so that "yesterday" means another day when it is said again.
    pub(crate) days: Vec<jiff::civil::Date>,
    /// The dates that it names, where they stand.
    pub(crate) mentions: Vec<DateMention>,
}

/// What a statement says about how it stands to others, by the phrases in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cues {
    pub(crate) update: bool,
    pub(crate) correction: bool,
    pub(crate) ended: bool,
    pub(crate) past: bool,
    pub(crate) temporary: bool,
    /// The first instant of which it speaks, where it says since when it holds.
    pub(crate) since: Option<Timestamp>,
}

/// A word as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Compared {
    pub(crate) stem: String,
    pub(crate) role: WordRole,
}

/// What a difference in a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordRole {
    /// Another word.
    Content,
    /// A number, a date, a day: another value of the same.
    Value,
    /// A name, an environment: something else is spoken of.
    Naming,
    /// It denies.
    Negation,
}

impl Statement {
    /// Reads `text` as said by `speaker` at `observed_at`.
    #[must_use]
    pub fn read(text: &str, speaker: Option<&str>, observed_at: Timestamp) -> Self {
        let (tokens, language) = tokens(text, 0, text.len());
        let dates = find(text, &tokens, language, observed_at);
        let scene = Scene {
            speaker: speaker.map(str::to_lowercase),
            ..Scene::default()
        };
        let sight = Sight::new(text, &tokens, language);
        let named = sight.names_the_speaker().then(|| called(&sight, &scene));
        let Read {
            slot,
            attributed_to,
            ..
        } = telling_clause(text, &tokens, &dates, language, scene);
        Self {
            slot: slot
                .or_else(|| named.flatten())
                .filter(|_| !sight.holds_in_a_case_only()),
            validity: validity(dates.iter().map(|found| &found.mention)),
            attributed_to,
            cues: cues(&sight, &dates),
            words: compared(text, &tokens, &sight),
            first_person: tokens.iter().any(|token| token.is(FIRST)),
            days: dates.iter().map(|found| found.mention.from).collect(),
            mentions: dates.into_iter().map(|found| found.mention).collect(),
        }
    }
}

/// The clause that tells how things stand: the last one with a slot that says that something changed, else the first
/// with a slot.
fn telling_clause(
    text: &str,
    tokens: &[Token],
    dates: &[Found],
    language: Language,
    scene: Scene,
) -> Read {
    let mut scene = scene;
    let mut told: Option<Read> = None;
    let parts = clauses(text, tokens);
    scene.referents.listens = parts.len() > 1;
    for Clause { from, to, .. } in parts {
        let part = tokens.get(from..to).unwrap_or_default();
        let inside = dates
            .iter()
            .filter(|found| found.first >= from && found.behind <= to);
        let held: Vec<Found> = inside
            .cloned()
            .map(|found| Found {
                first: found.first - from,
                behind: found.behind - from,
                ..found
            })
            .collect();
        let leaning = referents::begin(text, part, &mut scene);
        let found = read(&View {
            text,
            tokens: part,
            dates: &held,
            scene: &scene,
        });
        remember(&mut scene, &found);
        referents::end(text, part, &leaning, &mut scene);
        let changes = Sight::new(text, part, language).has(Sense::Update);
        if found.slot.is_some() && (told.is_none() || changes) {
            told = Some(found);
        }
    }
    told.unwrap_or_default()
}

fn cues(sight: &Sight<'_>, dates: &[Found]) -> Cues {
    let held = validity(dates.iter().map(|found| &found.mention));
    let temporary = dates
        .iter()
        .any(|found| found.mention.role == DateRole::Temporary);
    // "On 24 December only" is one day.
    let one_day = dates.iter().any(|found| {
        let single = found.mention.from.tomorrow().ok() == Some(found.mention.until);
        let only = |at: Option<usize>| {
            at.and_then(|at| sight.tokens.get(at))
                .is_some_and(|token| token.is(ONLY))
        };
        single
            && (only(Some(found.behind))
                || only(found.first.checked_sub(1))
                || only(found.first.checked_sub(2)))
    });
    // A capital inside a sentence belongs to a name: "New York".
    let is_name = |from: usize, to: usize| {
        let token = sight.tokens.get(from);
        from > 0 && to == from + 1 && token.is_some_and(|token| token.capital)
    };
    let has = |sense| {
        let mut told = sight.phrases.iter().filter(|found| found.sense == sense);
        told.any(|found| !is_name(found.from, found.to))
    };
    Cues {
        update: has(Sense::Update),
        correction: has(Sense::Correction),
        ended: has(Sense::Ended),
        past: has(Sense::Past),
        temporary: temporary || one_day || has(Sense::Temporary),
        since: held.from,
    }
}

/// The words of a statement that carry content, in order.
pub(super) fn compared(text: &str, tokens: &[Token], sight: &Sight<'_>) -> Vec<Compared> {
    let mut ended = vec![false; tokens.len()];
    for found in sight
        .phrases
        .iter()
        .filter(|found| found.sense == Sense::Ended)
    {
        ended
            .iter_mut()
            .take(found.to)
            .skip(found.from)
            .for_each(|at| *at = true);
    }
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = token.of(text).to_lowercase().replace('’', "'");
        let role = if token.is(NEGATION)
            || word == "no"
            || (ended.get(at) == Some(&true) && !token.is(FIRST | THIRD))
        {
            WordRole::Negation
        } else if matches!(token.shape, Shape::Number)
            || token.is(MONTH | WEEKDAY | NEAR_DAY | NUMBER)
        {
            WordRole::Value
        } else if matches!(token.shape, Shape::Thing)
            || token.is(ENVIRONMENT | REGION)
            || (token.capital && at > 0 && !token.is(PRONOUN | FIRST))
            || (at == 0 && token.capital && token.lexeme.is_none())
        {
            WordRole::Naming
        } else {
            WordRole::Content
        };
        let dropped = matches!(token.shape, Shape::Mark(_) | Shape::Symbol)
            || (token.is(FUNCTION | ARTICLE | POSSESSIVE | ADVERB | AUXILIARY)
                && role == WordRole::Content)
            || (token.is(FUNCTION) && role == WordRole::Naming && token.is(PREPOSITION | COPULA));
        if !dropped {
            let stem = if role == WordRole::Negation {
                "not".to_owned()
            } else {
                stem(&word)
            };
            out.push(Compared { stem, role });
        }
    }
    out
}

/// A word without the endings that mark number and person.
fn stem(word: &str) -> String {
    for (ending, instead) in [
        ("ies", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ] {
        if let Some(head) = word
            .strip_suffix(ending)
            .filter(|head| head.chars().count() >= 3 && !head.ends_with('s'))
        {
            return format!("{head}{instead}");
        }
    }
    word.to_owned()
}
