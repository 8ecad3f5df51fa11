//! What a row says in another form than a word of the question: a number with its unit for "how deep", a value by its name
//! for which system, an allergy for what somebody does not eat.

use super::row::RowText;
use crate::query::{FocusTerm, QuestionKind, Reading};
use crate::text::{Shape, Word};
use crate::words::{Cue, Set};

/// What is said in another form counts as a word of the same meaning.
const OTHERWISE: f64 = 0.8;
/// A unit stands so close behind its number.
const UNIT_WITHIN: usize = 2;

/// How far a row holds a word of the question by what it says in another form.
pub(super) fn holds(reading: &Reading, row: &RowText, term: &FocusTerm) -> f64 {
    let measures = || {
        term.units
            .is_some_and(|units| measures_in(&row.words, units))
    };
    if is_value_of(reading, row, term)
        || measures()
        || is_in_the_calendar(reading, row, term)
        || is_refused(reading, row, term)
    {
        OTHERWISE
    } else {
        0.0
    }
}

/// "Which CI system": a row that speaks of CI and of something by its name need not say that it is a system.
fn is_value_of(reading: &Reading, row: &RowText, term: &FocusTerm) -> bool {
    let Some(modifier) = &term.modifier else {
        return false;
    };
    let is_name = |word: &Word| word.is_name() || word.shape != Shape::Plain;
    let is_value = |word: &Word| !word.stop && is_name(word) && !reading.asked.hold(word.mark);
    let leads = row.leading_name();
    let says_which = |word: &Word| modifier.is_held_by(word) >= OTHERWISE;
    row.words.iter().any(says_which)
        && (row.words.iter().any(is_value)
            || leads.is_some_and(|name| !reading.asked.hold(name.mark)))
}

/// What a calendar has, and how questions ask for it.
#[rustfmt::skip]
const CALENDAR: [(Cue, &[&str]); 2] = [
    (Cue::Weekday, &["day", "days", "weekday", "weekdays", "tag", "tage", "tagen", "wochentag", "wochentagen", "día", "días", "jour", "jours", "giorno", "giorni", "dag", "dagen"]),
    (Cue::Month, &["month", "months", "monat", "monaten", "mes", "meses", "mois", "mese", "mesi", "maand", "maanden"]),
];
/// Kinds of questions that a day answers by its name.
const ASKING_FOR_ONE: [QuestionKind; 4] = [
    QuestionKind::What,
    QuestionKind::Which,
    QuestionKind::When,
    QuestionKind::List,
];

/// "On which days": a row that says "Tuesdays" need not say that it is a day.
fn is_in_the_calendar(reading: &Reading, row: &RowText, term: &FocusTerm) -> bool {
    let mut calendar = CALENDAR.iter();
    ASKING_FOR_ONE.contains(&reading.kind)
        && calendar.any(|(cue, names)| row.has(*cue) && names.contains(&term.raw.as_str()))
}

/// What somebody does not eat is told by what they are allergic to, and that they are vegan.
fn is_refused(reading: &Reading, row: &RowText, term: &FocusTerm) -> bool {
    reading.asks_what_is_refused && term.is_of_refusing && row.has(Cue::Diet)
}

/// Whether a number stands before one of these units, or with it: "118 m", "3kg".
fn measures_in(words: &[Word], units: &Set) -> bool {
    let is_unit = |word: &Word| units.contains(word.raw.as_str());
    let ends_in_unit = |word: &Word| {
        let number = |c: char| c.is_ascii_digit() || ".,".contains(c);
        units.contains(word.raw.trim_start_matches(number))
    };
    let behind = |at: usize| words.iter().skip(at + 1).take(UNIT_WITHIN);
    let mut numbers = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.is_number());
    numbers.any(|(at, word)| ends_in_unit(word) || behind(at).any(is_unit))
}
