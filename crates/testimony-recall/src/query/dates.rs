//! Dates in a question, and how far the time of a row agrees with them.

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
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let mut found: Vec<AskedDate> = Vec::new();
    for (at, word) in spoken.iter().enumerate() {
        let Some(month) = month_of(word) else {
            continue;
        };
        let beside = |back: usize, ahead: usize| {
            let before = at.checked_sub(back).and_then(|at| spoken.get(at));
            [before, spoken.get(at + ahead)].map(Option::<&&Word>::copied)
        };
        let day = beside(1, 1).into_iter().flatten().find_map(day_of);
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

/// The words by which a date is said: its month, its year, and the day beside its month.
pub(crate) fn words_of_dates(words: &[Word]) -> Vec<String> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let is_month = |at: Option<usize>| {
        let word = at.and_then(|at| spoken.get(at));
        word.is_some_and(|word| month_of(word).is_some())
    };
    let says_date = |(at, word): &(usize, &&Word)| {
        let beside = || is_month(at.checked_sub(1)) || is_month(Some(at + 1));
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
    if asked.year.is_some_and(|year| year != said.year()) {
        return 0.0;
    }
    let Some(month) = asked.month else {
        return IN_THE_YEAR;
    };
    let after = (i32::from(said.month()) - i32::from(month)).rem_euclid(12);
    match (asked.day, after) {
        (None, 0) => IN_THE_MONTH,
        (None, 1) => THE_MONTH_AFTER,
        (Some(day), 0 | 1) => {
            let days = after * 30 + i32::from(said.day()) - i32::from(day);
            match days {
                0 => ON_THE_DAY,
                1..=SOON_DAYS => SOON_AFTER,
                _ if after == 0 => OF_THE_DAYS_MONTH,
                _ => 0.0,
            }
        }
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
pub(crate) fn end_of(asked: &AskedDate) -> Option<jiff::civil::Date> {
    let month = asked.month.or(asked.until).unwrap_or(12);
    match asked.day {
        Some(day) => jiff::civil::Date::new(asked.year?, month, day).ok(),
        None => Some(
            jiff::civil::Date::new(asked.year?, month, 1)
                .ok()?
                .last_of_month(),
        ),
    }
}
