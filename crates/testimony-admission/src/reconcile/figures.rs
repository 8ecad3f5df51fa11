//! The amounts and hours that a statement names, each in one form: "9 pm" and "21:00", "90 minutes" and "1.5 hours".

use super::marks_tables::{AND_A_HALF, HALVES};
use super::worded::{TABLES, Worded, before, raw, stem};
use crate::claims::{is_time_word, plain_amount, plain_figure, symbol_of_unit};

/// Words behind which a number with "h" is an hour of the day, and not how long something takes.
const AT: &[&str] = &[
    "at", "à", "a", "um", "om", "las", "alle", "às", "from", "until",
];

/// Hours that have a name.
const NAMED_HOURS: &[(&str, u32)] = &[("noon", 720), ("midday", 720), ("midnight", 0)];

/// Words that only lead to a figure.
const LEADING: &[&str] = &[
    "per", "amount", "amounts", "equal", "equals", "total", "totals", "beträgt",
];

/// An amount or an hour.
#[derive(Clone, Debug, PartialEq)]
enum Figure {
    /// Minutes since midnight.
    Hour(u32),
    /// A number of what it measures.
    Amount(f64, &'static str),
}

/// What a statement says in figures, and the words that it says beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    told: Vec<Figure>,
    /// The places of the words that tell them.
    places: Vec<usize>,
    /// The other words that carry something, in order of their letters.
    rest: Vec<String>,
}

impl Figures {
    /// Whether both name the same figures, and some.
    pub(super) fn agree(&self, other: &Self) -> bool {
        let within = |one: &Self, other: &Self| one.told.iter().all(|it| other.told.contains(it));
        !self.told.is_empty()
            && self.told.len() == other.told.len()
            && within(self, other)
            && within(other, self)
    }

    /// Whether both say the same of the same figures.
    pub(super) fn say_the_same(&self, other: &Self) -> bool {
        !self.rest.is_empty() && self.rest == other.rest && self.agree(other)
    }

    /// Whether it names none.
    pub(super) const fn is_bare(&self) -> bool {
        self.told.is_empty()
    }

    /// Whether an amount or an hour is told in front of a place.
    pub(super) fn tell_before(&self, at: usize) -> bool {
        self.places.iter().any(|place| *place < at)
    }

    /// Whether an amount is told in front of a place, and no hour at all. In front of a verb it has to be measured: "14 days",
    /// and not "bus 12".
    pub(super) fn tell_an_amount_before(&self, at: usize, verb: Option<usize>) -> bool {
        let is_hour = |told: &Figure| matches!(told, Figure::Hour(_));
        let is_measured =
            |told: &Figure| matches!(told, Figure::Amount(_, unit) if !unit.is_empty());
        let follows = |place: &usize| *place < at && verb.is_some_and(|verb| *place > verb);
        let measured = self.told.iter().any(is_measured) || self.places.iter().any(follows);
        measured && self.tell_before(at) && !self.told.iter().any(is_hour)
    }

    /// Whether a word stands in a figure.
    pub(super) fn hold(&self, place: usize) -> bool {
        self.places.contains(&place)
    }
}

/// Reads the figures of a statement; one without numbers has none.
pub(super) fn read(said: &Worded) -> Figures {
    let mut found = Figures::default();
    if !said.raw.iter().any(|word| may_be_number(word)) && !has_half(said) {
        return found;
    }
    let mut at = 0;
    while at < said.raw.len() {
        match figure_at(said, at) {
            Some((figure, length)) => {
                found.add(figure);
                found.places.extend(at..at + length);
                at += length;
            }
            None => {
                let word = raw(said, at);
                found.rest.extend(word.split('/').filter_map(plain_word));
                at += 1;
            }
        }
    }
    found.rest.sort_unstable();
    found
}

impl Figures {
    /// "1 hour 15 minutes" is one amount.
    fn add(&mut self, figure: Figure) {
        match (self.told.last_mut(), &figure) {
            (Some(Figure::Amount(sum, of)), Figure::Amount(more, measures))
                if of == measures && *of == "time" =>
            {
                *sum += more;
            }
            _ => self.told.push(figure),
        }
    }
}

fn may_be_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '€' | '£'))
        || TABLES.numbers.contains_key(word)
        || named_hour(word).is_some()
}

fn named_hour(word: &str) -> Option<u32> {
    let mut named = NAMED_HOURS.iter();
    named.find(|(name, _)| *name == word).map(|(_, at)| *at)
}

fn has_half(said: &Worded) -> bool {
    said.raw.iter().any(|word| {
        HALVES.contains(&word.as_str())
            || AND_A_HALF.iter().any(|half| half.ends_with(word.as_str()))
    })
}

fn plain_word(word: &str) -> Option<String> {
    // "Min" is a pronoun elsewhere.
    if let Some(symbol) = symbol_of_unit(word).filter(|_| word.len() > 2) {
        return Some(symbol.to_owned());
    }
    let carries = !TABLES.dropped.contains(word)
        && (!TABLES.placing.contains(word) || is_time_word(word))
        && !LEADING.contains(&word)
        && !word.is_empty();
    carries.then(|| stem(word))
}

pub(super) fn is_unit(word: &str) -> bool {
    symbol_of_unit(word).is_some()
}

fn number(word: &str) -> Option<(f64, Option<&'static str>)> {
    if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '€' | '£')) {
        return plain_figure(word);
    }
    let value = TABLES.numbers.get(word)?;
    value.parse().ok().map(|value| (value, None))
}

/// "Half an hour", "eine halbe Stunde": half of a unit, and how many words tell it.
fn half_of(said: &Worded, at: usize) -> Option<(Figure, usize)> {
    let article = matches!(raw(said, at + 1), "a" | "an");
    let length = match raw(said, at) {
        "half" if article => 3,
        word if HALVES.contains(&word) => 2,
        _ => return None,
    };
    let (factor, measures) = plain_amount("0.5", raw(said, at + length - 1))?;
    Some((Figure::Amount(factor, measures), length))
}

/// The figure that begins at a word, and how many words tell it.
fn figure_at(said: &Worded, at: usize) -> Option<(Figure, usize)> {
    if let Some((minutes, length)) = hour_at(said, at) {
        return Some((Figure::Hour(minutes), length));
    }
    let (word, behind) = (raw(said, at), raw(said, at + 1));
    let article = matches!(word, "an" | "a" | "una" | "une" | "un" | "eine" | "een");
    if let Some((share, length)) = half_of(said, at) {
        return Some((share, length));
    }
    let half = AND_A_HALF.iter().find(|half| {
        let mut words = said.raw.iter().skip(at + 2);
        half.split(' ')
            .all(|word| words.next().is_some_and(|next| next == word))
    });
    if let Some(sum) = sum_behind(word, behind) {
        return Some((sum, 2));
    }
    let (amount, measured) = match number(word) {
        Some(number) => number,
        None if article && half.is_some() && is_unit(behind) => (1.0, None),
        None => return None,
    };
    if let Some(measures) = measured {
        return Some((Figure::Amount(amount, measures), 1));
    }
    // "Two and a half hours": the half stands in front of the unit.
    if behind == "and" && raw(said, at + 3) == "half" {
        let (factor, measures) = plain_amount("1", raw(said, at + 4))?;
        return Some((Figure::Amount((amount + 0.5) * factor, measures), 5));
    }
    match plain_amount("1", behind) {
        Some((factor, measures)) => {
            let halves = half.map_or(0, |half| half.split(' ').count());
            let amount = if halves > 0 { amount + 0.5 } else { amount };
            let base = (amount * factor * 1e9).round() / 1e9;
            Some((Figure::Amount(base, measures), 2 + halves))
        }
        None => Some((Figure::Amount(amount, ""), 1)),
    }
}

/// "EUR 5000": a sum behind its currency.
fn sum_behind(word: &str, behind: &str) -> Option<Figure> {
    let symbol = symbol_of_unit(word)?;
    let is_currency = symbol.len() == 3 && symbol.bytes().all(|byte| byte.is_ascii_uppercase());
    let (sum, None) = plain_figure(behind).filter(|_| is_currency)? else {
        return None;
    };
    let (factor, measures) = plain_amount("1", word)?;
    Some(Figure::Amount(sum * factor, measures))
}

/// "Quarter to seven", "half past six", "noon": an hour that is told in words.
fn spoken_hour(said: &Worded, at: usize) -> Option<(u32, usize)> {
    let word = raw(said, at);
    if let Some(named) = named_hour(word) {
        return Some((named, 1));
    }
    let part = match word {
        "quarter" => 15,
        "half" => 30,
        _ => return None,
    };
    let hour: u32 = TABLES.numbers.get(raw(said, at + 2))?.parse().ok()?;
    let minutes = match raw(said, at + 1) {
        "past" => hour * 60 + part,
        "to" => (hour * 60).checked_sub(part)?,
        _ => return None,
    };
    (hour < 13).then_some((minutes, 3))
}

/// "At ten", "um 10": whether an hour is told for something that happened.
pub(super) fn happened_at_an_hour(said: &Worded) -> bool {
    let mut pairs = said.raw.windows(2);
    pairs.any(|pair| match pair {
        [before, hour] => matches!(before.as_str(), "at" | "um") && may_be_number(hour),
        _ => false,
    })
}

/// An hour of the day in minutes, and how many words tell it.
fn hour_at(said: &Worded, at: usize) -> Option<(u32, usize)> {
    if let Some(spoken) = spoken_hour(said, at) {
        return Some(spoken);
    }
    let word = raw(said, at);
    let (hour, minute) = word.split_once(':').unwrap_or((word, "0"));
    let (hour, minute) = (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?);
    let behind = raw(said, at + 1);
    let before = before(said, at);
    let (hour, length) = match behind {
        "pm" | "p.m" if hour < 12 => (hour + 12, 2),
        "am" | "a.m" if hour == 12 => (0, 2),
        "am" | "pm" | "a.m" | "p.m" | "uhr" | "uur" => (hour, 2),
        "h" | "heures" if AT.contains(&before) => (hour, 2),
        _ if word.contains(':') => (hour, 1),
        _ => return None,
    };
    (hour < 25 && minute < 60).then_some((hour * 60 + minute, length))
}
