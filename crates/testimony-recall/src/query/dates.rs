//! Dates in a question, and how far the time of a row agrees with them.

use jiff::civil::Date;
use testimony_domain::{Memory, Timestamp};

use crate::text::Word;

/// The months by name, in the languages that are read; an entry begins the names of one month.
#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "janvier", "enero", "gennaio", "janeiro", "januari"],
    &["february", "feb", "februar", "février", "febrero", "febbraio", "fevereiro", "februari"],
    &["march", "mar", "märz", "mars", "marzo", "março", "maart"],
    &["april", "apr", "avril", "abril", "aprile"],
    &["may", "mai", "mayo", "maggio", "maio", "mei"],
    &["june", "jun", "juni", "juin", "junio", "giugno", "junho"],
    &["july", "jul", "juli", "juillet", "julio", "luglio", "julho"],
    &["august", "aug", "août", "agosto", "augustus"],
    &["september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro"],
    &["october", "oct", "oktober", "octobre", "octubre", "ottobre", "outubro"],
    &["november", "nov", "novembre", "noviembre", "novembro"],
    &["december", "dec", "dezember", "décembre", "diciembre", "dicembre", "dezembro"],
];

/// How much agrees when a row was said on the day, soon after it, in the month, in the month after it, in the year.
const ON_THE_DAY: f64 = 1.0;
const SOON_AFTER: f64 = 0.8;
const IN_THE_MONTH: f64 = 1.0;
const OF_THE_DAYS_MONTH: f64 = 0.6;
const THE_MONTH_AFTER: f64 = 0.25;
const IN_THE_YEAR: f64 = 0.4;
/// The row says the date itself.
const SAID: f64 = 1.0;
/// What happened is spoken of for so many days.
const SOON_DAYS: i32 = 10;

/// A date as far as a question says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AskedDate {
    pub(crate) year: Option<i16>,
    pub(crate) month: Option<i8>,
    pub(crate) day: Option<i8>,
    /// The last month of the part of the year that is meant: "in spring 2024".
    pub(crate) until: Option<i8>,
}

/// Parts of a year, each with its last month.
#[rustfmt::skip]
const PARTS: &[(&[&str], i8)] = &[
    (&["beginning", "start", "anfang", "principios", "début"], 3),
    (&["early"], 4),
    (&["spring", "frühjahr", "frühling", "primavera", "printemps"], 5),
    (&["summer", "sommer", "verano", "été", "mid", "middle", "mitte"], 8),
    (&["autumn", "fall", "herbst", "otoño", "automne"], 11),
    (&["winter", "invierno", "hiver", "late", "end", "ende", "finales", "fin"], 12),
];

/// Which part of a year is said right before it, and where: "early 2025", "the summer of 2023".
fn part_before(words: &[&Word], year: usize) -> Option<(usize, i8)> {
    let named = |at: usize| {
        let word = words.get(at)?;
        let mut parts = PARTS.iter();
        let part = parts.find(|(names, _)| names.contains(&word.raw.as_str()))?;
        Some((at, part.1))
    };
    let near = (1..=2).filter_map(|back| year.checked_sub(back));
    near.into_iter().find_map(named)
}

/// The dates that these words say.
pub(crate) fn asked(words: &[Word]) -> Vec<AskedDate> {
    said(words, month_of)
}

/// The same where a date is sure to stand, so that a month needs no capital: "as of march 2025".
pub(crate) fn said_for_sure(words: &[Word]) -> Vec<AskedDate> {
    said(words, month_named)
}

fn said(words: &[Word], month_of: fn(&Word) -> Option<i8>) -> Vec<AskedDate> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let in_figures = words.iter().filter_map(|word| figures(&word.raw));
    let mut found: Vec<AskedDate> = in_figures.collect();
    for (at, word) in spoken.iter().enumerate() {
        let Some(month) = month_of(word) else {
            continue;
        };
        let beside = |back: usize, ahead: usize| {
            let before = at.checked_sub(back).and_then(|at| spoken.get(at));
            [before, spoken.get(at + ahead)].map(Option::<&&Word>::copied)
        };
        let day = day_beside(&spoken, at);
        let year = [beside(1, 1), beside(2, 2)].into_iter().flatten();
        let year = year.flatten().find_map(year_of);
        found.push(AskedDate {
            year,
            month: Some(month),
            day,
            until: None,
        });
    }
    if found.is_empty() {
        let years = spoken
            .iter()
            .enumerate()
            .filter_map(|(at, word)| Some((at, year_of(word)?)));
        found.extend(years.map(|(at, year)| AskedDate {
            year: Some(year),
            month: None,
            day: None,
            until: part_before(&spoken, at).map(|(_, month)| month),
        }));
    }
    found
}

/// The day beside a month: "1 July", "July 1st", "the 1st of July".
fn day_beside(words: &[&Word], month: usize) -> Option<i8> {
    let before = |back: usize| month.checked_sub(back).and_then(|at| words.get(at));
    let is_joined = before(1).is_some_and(|word| OF.contains(&word.raw.as_str()));
    let day = before(if is_joined { 2 } else { 1 });
    let mut beside = day.into_iter().chain(words.get(month + 1));
    beside.find_map(|word| day_of(word))
}

/// What stands between a day and its month.
const OF: &[&str] = &["of", "de", "di"];

/// "2024-03-15", or "15.03.2024".
fn figures(written: &str) -> Option<AskedDate> {
    let day_first = || {
        let mut parts = written.split('.');
        let day = parts.next()?.parse().ok()?;
        let month = parts.next()?.parse().ok()?;
        let year = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
        let date = Date::new(year, month, day).ok()?;
        parts.next().is_none().then_some(date)
    };
    let date = written.parse::<Date>().ok().or_else(day_first)?;
    Some(AskedDate {
        year: Some(date.year()),
        month: Some(date.month()),
        day: Some(date.day()),
        until: None,
    })
}

/// The words by which a date is said: its month, its year, and the day beside its month.
pub(crate) fn words_of_dates(words: &[Word]) -> Vec<String> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let is_month = |at: Option<usize>| {
        let word = at.and_then(|at| spoken.get(at));
        word.is_some_and(|word| month_of(word).is_some())
    };
    let says_date = |(at, word): &(usize, &&Word)| {
        let is_joined = || {
            spoken
                .get(at + 1)
                .is_some_and(|it| OF.contains(&it.raw.as_str()))
        };
        let beside = || {
            is_month(at.checked_sub(1))
                || is_month(Some(at + 1))
                || is_joined() && is_month(Some(at + 2))
        };
        is_month(Some(*at)) || year_of(word).is_some() || day_of(word).is_some() && beside()
    };
    let dated = spoken.iter().enumerate().filter(says_date);
    let years = spoken
        .iter()
        .enumerate()
        .filter(|(_, word)| year_of(word).is_some());
    let parts = years
        .filter_map(|(at, _)| part_before(&spoken, at))
        .filter_map(|(at, _)| spoken.get(at));
    dated
        .map(|(_, word)| word)
        .chain(parts)
        .map(|word| word.raw.clone())
        .collect()
}

/// The month that a word names. "May" and "March" are verbs too, and then they have no capital.
fn month_of(word: &Word) -> Option<i8> {
    let doubtful = matches!(word.raw.as_str(), "may" | "march" | "mar" | "mei" | "mai");
    if doubtful && !word.capital {
        return None;
    }
    month_named(word)
}

/// The month of which a word may be the name.
pub(super) fn month_named(word: &Word) -> Option<i8> {
    let numbered = (1_i8..).zip(MONTHS);
    let named = numbered
        .into_iter()
        .find(|(_, names)| names.contains(&word.raw.as_str()));
    named.map(|(number, _)| number)
}

fn day_of(word: &Word) -> Option<i8> {
    let digits = word.raw.trim_end_matches(|c: char| c.is_alphabetic());
    let day = digits.parse::<i8>().ok()?;
    (1..=31).contains(&day).then_some(day)
}

fn year_of(word: &Word) -> Option<i16> {
    let year = word.raw.parse::<i16>().ok()?;
    (1900..2200).contains(&year).then_some(year)
}

/// How far a row agrees with the dates of a question: by what it says, or by when it was said. 0 where none is asked.
pub(crate) fn agreement(asked: &[AskedDate], memory: &Memory, words: &[Word]) -> f64 {
    if asked.is_empty() {
        return 0.0;
    }
    let instants = [Some(memory.observed_at), memory.validity.from];
    let by_time = |date: &AskedDate| {
        let agreed = instants.into_iter().flatten().map(|at| by_time(date, at));
        agreed.fold(0.0, f64::max)
    };
    let each = asked
        .iter()
        .map(|date| by_time(date).max(by_words(date, words)));
    each.fold(0.0, f64::max)
}

fn by_time(asked: &AskedDate, at: Timestamp) -> f64 {
    let said = at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let Some(month) = asked.month else {
        let same = asked.year.is_none_or(|year| year == said.year());
        return if same { IN_THE_YEAR } else { 0.0 };
    };
    // The last such month up to then, where no year is asked for.
    let last = if month > said.month() {
        said.year() - 1
    } else {
        said.year()
    };
    let year = asked.year.unwrap_or(last);
    let months = (i32::from(said.year()) - i32::from(year)) * 12 + i32::from(said.month())
        - i32::from(month);
    let Some(day) = asked.day else {
        return match months {
            0 => IN_THE_MONTH,
            1 => THE_MONTH_AFTER,
            _ => 0.0,
        };
    };
    let meant = Date::new(year, month, day);
    match meant.map(|meant| (said - meant).get_days()) {
        Ok(0) => ON_THE_DAY,
        Ok(1..=SOON_DAYS) => SOON_AFTER,
        _ if months == 0 => OF_THE_DAYS_MONTH,
        _ => 0.0,
    }
}

fn by_words(asked: &AskedDate, words: &[Word]) -> f64 {
    let says_year = |year: i16| words.iter().any(|word| year_of(word) == Some(year));
    let says_month = |month: i8| words.iter().any(|word| month_of(word) == Some(month));
    let says_day = |day: i8| words.iter().any(|word| day_of(word) == Some(day));
    match (asked.month, asked.year) {
        (Some(month), _) if says_month(month) && asked.day.is_none_or(says_day) => SAID,
        (None, Some(year)) if says_year(year) => SAID,
        _ => 0.0,
    }
}

/// The last day of what a question says, where it says a year.
pub(crate) fn end_of(asked: &AskedDate) -> Option<Date> {
    let month = asked.month.or(asked.until).unwrap_or(12);
    match asked.day {
        Some(day) => Date::new(asked.year?, month, day).ok(),
        None => Some(Date::new(asked.year?, month, 1).ok()?.last_of_month()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn dates_are_read_however_they_are_written() {
        for (said, year, month, day) in [
            (
                "What was the rent on 2024-03-15?",
                Some(2024),
                Some(3),
                Some(15),
            ),
            (
                "Wie hoch war die Miete am 15.03.2024?",
                Some(2024),
                Some(3),
                Some(15),
            ),
            (
                "the rent on the 1st of July 2024",
                Some(2024),
                Some(7),
                Some(1),
            ),
            ("the rent on July 1st, 2024", Some(2024), Some(7), Some(1)),
            ("the rent in March 2024", Some(2024), Some(3), None),
            ("the rent in 2024", Some(2024), None, None),
        ] {
            let wanted = AskedDate {
                year,
                month,
                day,
                until: None,
            };
            assert_eq!(asked(&text::read(said)), [wanted], "{said}");
        }
    }

    #[test]
    fn the_words_of_a_date_are_those_that_say_it() {
        for (said, words) in [
            (
                "the rent on the 1st of July 2024",
                vec!["1st", "july", "2024"],
            ),
            ("the 3 flats of June", vec!["june"]),
            ("the rent on July 1st", vec!["july", "1st"]),
            ("the rent on 1 July", vec!["1", "july"]),
            ("3 of the flats in 2024", vec!["2024"]),
            ("early 2025", vec!["2025", "early"]),
        ] {
            assert_eq!(words_of_dates(&text::read(said)), words, "{said}");
        }
    }

    #[test]
    fn days_are_counted_across_the_ends_of_months_and_years() {
        let agrees = |asked: &str, said: &str| {
            let at: Timestamp = format!("{said}T12:00:00Z").parse().unwrap();
            let dates = super::asked(&text::read(asked));
            by_time(&dates[0], at)
        };
        for (asked, said, agreement) in [
            ("on 30 December 2024", "2025-01-02", SOON_AFTER),
            ("on 28 November 2024", "2024-12-02", SOON_AFTER),
            ("on 31 March 2024", "2024-04-01", SOON_AFTER),
            ("on 31 March 2024", "2024-03-31", ON_THE_DAY),
            ("on 31 March 2024", "2024-03-05", OF_THE_DAYS_MONTH),
            ("in December 2024", "2025-01-20", THE_MONTH_AFTER),
            ("in December", "2025-01-20", THE_MONTH_AFTER),
            ("in December 2024", "2023-12-20", 0.0),
            ("on 30 December 2024", "2026-01-02", 0.0),
        ] {
            assert_eq!(agrees(asked, said), agreement, "{asked} {said}");
        }
    }
}
