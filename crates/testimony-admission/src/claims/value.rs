//! The value of a slot: cut where it ends, without what is said in passing, and normalised.

use super::attributes::VALUE_SYNONYMS;
use super::class::*;
use super::clauses::own_subject;
use super::clock_times::time_at;
use super::dates::{DateRole, Found};
use super::noun::{Scene, scope_alone};
use super::quantity::quantity_at;
use super::token::{Shape, Token, lower_case};
use super::words::{Words, any_of};
use crate::work::steps;

/// A clause as the readers of slots see it.
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) dates: &'a [Found],
    pub(crate) scene: &'a Scene,
}

impl<'a> View<'a> {
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.of(self.text))
    }

    pub(crate) fn is(&self, at: usize, classes: Class) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(classes))
    }

    pub(crate) fn word_is(&self, at: usize, words: &Words) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| words.hold(token, self.text))
    }

    /// The date that the token at `at` belongs to.
    pub(crate) fn date_from(&self, at: usize) -> Option<&'a Found> {
        self.dates_behind(at)
            .first()
            .filter(|found| found.first <= at)
    }

    /// The dates that end behind the token at `at`, found by halving: they stand in the order of the text.
    pub(crate) fn dates_behind(&self, at: usize) -> &'a [Found] {
        steps(1);
        let before = self.dates.partition_point(|found| found.behind <= at);
        self.dates.get(before..).unwrap_or_default()
    }

    pub(crate) fn part(&self, from: usize, to: usize) -> &'a [Token] {
        let part = self.tokens.get(from..to).unwrap_or_default();
        steps(part.len());
        part
    }
}

/// A value and what was cut from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) words: String,
    pub(crate) unit: Option<String>,
    pub(crate) scope: String,
    pub(crate) negated: bool,
    /// Whether it is a date or a time.
    pub(crate) dated: bool,
}

/// Circumstances behind a value: the last word, and the scope that it stands for.
#[rustfmt::skip]
const CONDITIONS: &[(&str, &str)] = &[
    ("weekdays", "weekday"), ("workdays", "weekday"), ("weekends", "weekend"), ("weekend", "weekend"), ("mondays", "monday"), ("tuesdays", "tuesday"), ("wednesdays", "wednesday"), ("thursdays", "thursday"),
    ("fridays", "friday"), ("saturdays", "saturday"), ("sundays", "sunday"), ("winter", "winter"), ("summer", "summer"), ("spring", "spring"), ("autumn", "autumn"), ("night", "night"), ("work", "work"), ("home", "home"), ("breakfast", "breakfast"),
    ("lunch", "lunch"), ("dinner", "dinner"), ("holidays", "holiday"), ("mornings", "morning"), ("evenings", "evening"), ("mobile", "mobile"), ("desktop", "desktop"), ("sommer", "summer"), ("verano", "summer"), ("été", "summer"), ("hiver", "winter"), ("invierno", "winter"), ("flights", "flights"), ("trips", "trips"), ("notes", "notes"), ("scripts", "scripts"), ("meetings", "meetings"),
];

/// Where the value that begins at `from` ends.
pub(crate) fn value_end(view: &View<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while at < to {
        let Some(token) = view.tokens.get(at) else {
            return to;
        };
        let role_date = view
            .dates_behind(at)
            .iter()
            .take_while(|found| found.first <= at)
            .any(|found| found.first == at && found.mention.role != DateRole::Event)
            && at > from;
        let word_cut = at > from && token.is(CUT) && view.date_from(at).is_none();
        let paused = token.is_mark(';')
            || token.is_mark('(')
            || token.is_mark('—')
            || token.is_mark('–')
            || (token.is_mark('-') && token.end - token.start == 1 && at > from && at + 1 < to);
        let told_next = || own_subject(view.text, view.tokens, at + 1);
        let joined = at > from
            && token.is(COORDINATOR)
            && (view.is(at + 1, PRONOUN | VERB | POSSESSIVE)
                || view.word_is(at + 2, any_of!["it", "them", "him", "her"]))
            && !view.is(at + 1, ARTICLE)
            || at > from && token.is(COORDINATOR) && told_next();
        let comma = token.is_mark(',')
            && at > from
            && view.date_from(at).is_none()
            && !comma_goes_on(view, at, to);
        if role_date || word_cut || paused || joined || comma {
            return at;
        }
        at += 1;
    }
    to
}

/// A comma that belongs to the value: a list, or a place within a place.
fn comma_goes_on(view: &View<'_>, at: usize, to: usize) -> bool {
    let next = at + 1;
    let Some(token) = view.tokens.get(next).filter(|_| next < to) else {
        return false;
    };
    let clause = token.is(PRONOUN
        | SUBORDINATOR
        | NEGATION
        | COORDINATOR
        | VERB
        | ADVERB
        | POSSESSIVE
        | PREPOSITION)
        || token.is_any_mark()
        || (!token.capital && token.of(view.text).ends_with("ing"));
    !clause
        && (token.capital
            || view.is(at - 1, NUMBER)
            || view.part(next, to).iter().any(|t| t.is(COORDINATOR)))
}

/// Words behind a time of day that tell where, and no more of the time.
const PASSING: &Words = &Words::of(&[
    "from", "at", "in", "with", "aus", "von", "ab", "depuis", "desde",
]);

/// Attributes of where somebody stays or belongs: for how long and as what is said in passing.
const STAYS: &[&str] = &["residence", "employer", "workplace", "membership"];

/// Where what a form of `attribute` takes ends: "Delmar Foods as a quality manager", "Kyoto for three years".
pub(crate) fn stay_end(view: &View<'_>, attribute: &str, from: usize, to: usize) -> usize {
    if !STAYS.contains(&attribute) {
        return to;
    }
    let counts = |at: usize| {
        view.is(at, NUMBER | ARTICLE)
            || view
                .tokens
                .get(at)
                .is_some_and(|token| token.shape == Shape::Number)
    };
    let passing = |at: &usize| {
        let role = view.word_is(*at, any_of!["as", "als", "como", "comme"])
            && view
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.is(ARTICLE | POSSESSIVE | OCCUPATION) || !next.capital);
        let span = view.word_is(
            *at,
            any_of![
                "for", "für", "pour", "por", "since", "seit", "depuis", "desde"
            ],
        ) && (counts(at + 1) && (at + 2..at + 4).any(|unit| view.is(unit, CALENDAR)));
        role || span
    };
    (from + 1..to.min(from + LONGEST_STAY))
        .find(passing)
        .unwrap_or(to)
}

/// Such a value is looked at so far, in tokens.
const LONGEST_STAY: usize = 16;

/// Reads the value between `from` and `to`.
pub(crate) fn value(view: &View<'_>, from: usize, to: usize) -> Value {
    let mut from = from;
    let mut read = Value::default();
    while view
        .tokens
        .get(from)
        .is_some_and(|t| from < to && ((t.is(ADVERB) && !t.is(NUMBER)) || t.is_any_mark()))
    {
        from += 1;
    }
    if view.is(from, NEGATION) {
        let but = view
            .part(from, to)
            .iter()
            .position(|t| matches!(t.of(view.text), "but" | "sondern" | "mais" | "sino"));
        match but {
            Some(place) => from += place + 1,
            None => {
                read.negated = true;
                from += 1;
            }
        }
    }
    if let Some(closer) = view.tokens.get(from.wrapping_sub(1)).and_then(closing) {
        // A quoted value is taken whole.
        if let Some(end) =
            (from..to).find(|at| view.tokens.get(*at).is_some_and(|t| t.is_mark(closer)))
        {
            read.words = words_of(view, from, end);
            return read;
        }
    }
    let mut end = value_end(view, from, to);
    end = without_tail(view, from, end, &mut read);
    read_kind(view, from, end, &mut read);
    read
}

/// The mark that closes a quotation which the token opens.
fn closing(token: &Token) -> Option<char> {
    match token.shape {
        Shape::Mark('"') => Some('"'),
        Shape::Mark('“') => Some('”'),
        Shape::Mark('„') => Some('“'),
        Shape::Mark('«') => Some('»'),
        Shape::Mark(_) | Shape::Word | Shape::Number | Shape::Thing | Shape::Symbol => None,
    }
}

/// The end without marks, adverbs and circumstances behind the value.
fn without_tail(view: &View<'_>, from: usize, end: usize, read: &mut Value) -> usize {
    let mut end = end;
    loop {
        let before = end;
        while end > from + 1
            && view.tokens.get(end - 1).is_some_and(|t| {
                (t.is_any_mark() && !t.is_mark(')'))
                    || t.shape == Shape::Symbol
                    || (t.is(ADVERB) && view.date_from(end - 1).is_none())
            })
        {
            end -= 1;
        }
        if end > from + 2
            && view.word_is(end - 1, any_of!["more", "longer", "well"])
            && view.word_is(end - 2, any_of!["any", "no", "as"])
        {
            end -= 2;
        }
        if end > from + 1
            && view.word_is(
                end - 1,
                any_of!["again", "too", "anymore", "instead", "mehr", "please"],
            )
        {
            end -= 1;
        }
        if end > from + 1
            && view.is(end - 1, PREPOSITION)
            && !view.word_is(end - 1, any_of!["up", "down", "off", "on", "out"])
        {
            end -= 1;
        }
        // A date behind something that is no date is said in passing.
        if let Some(found) = view
            .dates
            .iter()
            .find(|found| found.behind == end && found.first > from)
        {
            let lead = usize::from(
                view.is(found.first.saturating_sub(1), PREPOSITION) && found.first > from + 1,
            );
            if found.first.saturating_sub(lead) > from {
                end = found.first - lead;
            }
        }
        for back in 2..=4 {
            let Some(start) = end.checked_sub(back).filter(|start| *start > from) else {
                break;
            };
            if !view.is(start, PREPOSITION) {
                continue;
            }
            if let Some(scope) = circumstances(view, start + 1, end) {
                read.scope = scope;
                end = start;
                break;
            }
        }
        if end == before {
            return end;
        }
    }
}

fn circumstances(view: &View<'_>, from: usize, to: usize) -> Option<String> {
    let part = view.part(from, to);
    if view.word_is(
        from.wrapping_sub(1),
        any_of!["of", "as", "from", "to", "at"],
    ) && !part.last().is_some_and(|t| {
        matches!(
            t.of(view.text),
            "night" | "work" | "home" | "breakfast" | "lunch" | "dinner"
        )
    }) {
        return None;
    }
    scope_alone(view.text, part).or_else(|| {
        let last = part.last()?.of(view.text).to_lowercase();
        let short = part.iter().filter(|t| !t.is(ARTICLE | POSSESSIVE)).count() == 1;
        CONDITIONS
            .iter()
            .find(|(word, _)| short && *word == last)
            .map(|(_, scope)| (*scope).to_owned())
    })
}

fn read_kind(view: &View<'_>, from: usize, end: usize, read: &mut Value) {
    let mut start = from;
    while start < end
        && (view.is(start, PREPOSITION) && view.date_from(start + 1).is_some()
            || view.is(start, ARTICLE)
                && (view.date_from(start + 1).is_some()
                    || view
                        .tokens
                        .get(start + 1)
                        .is_some_and(|t| t.shape == Shape::Number)))
    {
        start += 1;
    }
    if let Some(found) = view
        .date_from(start)
        .filter(|found| found.first >= from.saturating_sub(2))
    {
        read.words = shown_date(found);
        read.dated = true;
        return;
    }
    let clock = usize::from(view.word_is(start, any_of!["at", "um", "à", "a"])) + start;
    let clock = clock + usize::from(clock > start && view.is(clock, ARTICLE));
    if let Some((time, behind)) =
        time_at(view.text, view.tokens, clock).filter(|(_, behind)| *behind <= end)
    {
        read.words = format!("{:02}:{:02}", time.hour(), time.minute());
        read.dated = true;
        // "Tomorrow", "from Gatwick" are said in passing.
        let passing = |at: &usize| view.is(*at, NEAR_DAY) || view.word_is(*at, PASSING);
        let rest_end = (behind..end).find(passing).unwrap_or(end);
        let rest = words_of(view, behind, rest_end);
        if !rest.is_empty() {
            read.words.push(' ');
            read.words.push_str(&rest);
        }
        return;
    }
    if let Some((shown, unit)) = number_between(view, start, end) {
        read.words = shown;
        read.unit = unit;
        return;
    }
    read.words = normal_value(&words_of(view, start, end));
}

/// Words in front of a number that do not change it.
const BEFORE_NUMBERS: &Words = &Words::of(&[
    "about",
    "around",
    "roughly",
    "approximately",
    "de",
    "von",
    "only",
    "just",
    "exactly",
    "almost",
    "nearly",
    "etwa",
    "rund",
    "environ",
    "a",
    "version",
    "port",
    "v",
    "up",
    "to",
]);

/// A number with its unit, where nothing else is said.
fn number_between(view: &View<'_>, from: usize, end: usize) -> Option<(String, Option<String>)> {
    let mut at = from;
    while view.word_is(at, BEFORE_NUMBERS) && at + 1 < end {
        at += 1;
    }
    let (quantity, behind) =
        quantity_at(view.text, view.tokens, at).filter(|(_, behind)| *behind <= end)?;
    let plain_number = quantity.unit.is_some() || !view.word(at).starts_with('0');
    let rest = words_of(view, behind, end);
    if !plain_number || rest.contains(' ') {
        return None;
    }
    let unit = quantity
        .unit
        .map(str::to_owned)
        .or_else(|| (!rest.is_empty()).then_some(rest));
    Some((quantity.shown(), unit))
}

/// A date as a value: the day, or the first day and the day behind the last.
fn shown_date(found: &Found) -> String {
    let mention = &found.mention;
    let one_day = mention.from.tomorrow().ok() == Some(mention.until);
    let days = if one_day {
        mention.from.to_string()
    } else {
        format!("{}..{}", mention.from, mention.until)
    };
    match mention.time {
        Some(time) => format!("{days} {:02}:{:02}", time.hour(), time.minute()),
        None => days,
    }
}

/// The words between two tokens in lower case, without articles and marks.
pub(crate) fn words_of(view: &View<'_>, from: usize, to: usize) -> String {
    let mut out = String::new();
    for token in view.part(from, to) {
        let dropped = matches!(token.shape, Shape::Mark(_) | Shape::Symbol)
            || token.is(ARTICLE)
            || (token.is(POSSESSIVE) && out.is_empty());
        if dropped {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&lower_case(token.of(view.text)));
    }
    out
}

/// The name that counts for a value.
pub(crate) fn normal_value(words: &str) -> String {
    let trimmed = words.trim_end_matches('/').replace('’', "'");
    let found = VALUE_SYNONYMS.iter().find(|(name, _)| *name == trimmed);
    found.map_or(trimmed, |(_, counts)| (*counts).to_owned())
}
