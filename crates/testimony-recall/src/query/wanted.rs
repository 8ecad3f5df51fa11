//! What an answer has to hold, where a question says so more closely than by its kind: a span of time for "how long", a
//! colour for "what colour".

use testimony_domain::words;

use super::kind::{QuestionKind, spoken};
use crate::mark::Marks;
use crate::text::{Shape, Word};
use crate::words::{Cue, WANTED};

words! {
    /// What a question asks for, where it can be told from how an answer looks.
    pub enum Wanted {
        /// How many years somebody has lived.
        Age = "age",
        /// A span of time.
        Duration = "duration",
        /// A span of time, or how much there is of something: "how long may the chapter be".
        Length = "length",
        /// So much money.
        Amount = "amount",
        /// What numbers something: "the policy number".
        Number = "number",
        /// A sum, or how much of something there is.
        Quantity = "quantity",
        /// How often something happens.
        Frequency = "frequency",
        /// A colour.
        Colour = "colour",
        /// The number of a telephone.
        Phone = "phone",
        /// An address for mail.
        Email = "email",
        /// More of somebody's name.
        Surname = "surname",
    }
}

/// So many digits make the number of a telephone.
const DIGITS_OF_A_PHONE: usize = 6;
/// A number within a name is short: "Windows 11"; behind a name "310 an hour" is none of it.
const LONGEST_IN_A_NAME: usize = 2;
/// A unit stands so close behind its number.
const UNIT_WITHIN: usize = 2;

/// What the words of a question ask for.
pub(super) fn wanted(words: &[Word], kind: QuestionKind) -> Option<Wanted> {
    let spoken = spoken(words);
    let named = (0..spoken.len()).find_map(|at| WANTED.at(spoken.get(at..)?));
    let Some((_, name)) = named else {
        return by_noun(words, kind);
    };
    Wanted::ALL
        .iter()
        .find(|wanted| wanted.as_str() == name)
        .copied()
}

/// "How much does it cost", "the policy number".
fn by_noun(words: &[Word], kind: QuestionKind) -> Option<Wanted> {
    let of_money = kind == QuestionKind::HowMuch && words.iter().any(|word| word.is(Cue::Money));
    let is_number = |word: &Word| word.raw == "number" || word.raw.ends_with("nummer");
    if of_money {
        Some(Wanted::Amount)
    } else {
        let how_much = is_how_much_it_is(words, kind).then_some(Wanted::Quantity);
        how_much.or_else(|| words.iter().any(is_number).then_some(Wanted::Number))
    }
}

/// "How much is the lease", and not "how much milk": a year is no answer.
fn is_how_much_it_is(words: &[Word], kind: QuestionKind) -> bool {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let is = |(much, verb): (&Word, &Word)| {
        much.raw == "much" && matches!(verb.raw.as_str(), "is" | "are" | "was" | "were")
    };
    kind == QuestionKind::HowMuch && pairs.any(is)
}

impl Wanted {
    /// Whether it stands among the words of a row.
    pub(crate) fn is_in(self, words: &[Word]) -> bool {
        let any = |cue: Cue| words.iter().any(|word| word.is(cue));
        match self {
            Self::Age => tells_age(words),
            Self::Duration => tells_duration(words),
            Self::Length => tells_duration(words) || numbers_before(words, Cue::Extent),
            Self::Amount => {
                any(Cue::Currency) || bare_numbers(words).any(|at| !counts_things(words, at))
            }
            Self::Number => bare_numbers(words).next().is_some(),
            Self::Quantity => any(Cue::Currency) || bare_numbers(words).next().is_some(),
            Self::Frequency => any(Cue::Frequency),
            Self::Colour => any(Cue::Colour),
            Self::Phone => longest_run_of_digits(words) >= DIGITS_OF_A_PHONE,
            Self::Email => words.iter().any(|word| word.raw.contains('@')),
            Self::Surname => names_side_by_side(words),
        }
    }
}

/// "She is four", "aged 9", "turned 40", "seven years old", "born in 1990".
fn tells_age(words: &[Word]) -> bool {
    let numbered = words.iter().any(Word::is_number);
    let of_age = words.iter().any(|word| word.is(Cue::Age));
    let behind = words.iter().skip(1).map(Some).chain([None]);
    let after = words.iter().skip(2).map(Some).chain([None, None]);
    let mut stated = words.iter().zip(behind.zip(after));
    numbered && of_age
        || stated.any(|(word, (number, next))| {
            word.is(Cue::OfOne)
                && number.is_some_and(Word::is_number)
                && next.is_none_or(|next| next.stop || next.first)
        })
}

fn tells_duration(words: &[Word]) -> bool {
    words.iter().any(|word| word.is(Cue::Span)) || numbers_before(words, Cue::TimeUnit)
}

/// Where numbers stand that are no date, no time of day and no part of a name.
fn bare_numbers(words: &[Word]) -> impl Iterator<Item = usize> {
    numbers(words).filter(|at| {
        let name = at.checked_sub(1).and_then(|at| words.get(at));
        let number = words.get(*at).map_or(0, |word| word.raw.len());
        number > LONGEST_IN_A_NAME || !name.is_some_and(Word::is_name)
    })
}

/// Where numbers stand that are no date and no time of day.
fn numbers(words: &[Word]) -> impl Iterator<Item = usize> {
    let calendar = |word: &Word| word.is(Cue::Month) || word.is(Cue::Weekday);
    let numbers = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.is_number());
    numbers.filter_map(move |(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let after = words.get(at + 1);
        let dated = before.is_some_and(calendar) || after.is_some_and(calendar);
        let timed =
            words.iter().skip(at).take(4).any(|whole| {
                whole.whole && whole.raw.contains(':') && whole.raw.contains(&word.raw)
            });
        let year =
            word.raw.len() == 4 && (word.raw.starts_with("19") || word.raw.starts_with("20"));
        (!dated && !timed && !year).then_some(at)
    })
}

/// Whether a number counts things and does not measure a time, a sum or a length, unless that is `asked`: of "15 minutes"
/// nobody learns how many vans there are.
pub(crate) fn counts_something(words: &[Word], asked: &Marks) -> bool {
    let is_unit = |word: &Word| UNITS.iter().any(|unit| word.is(*unit)) && !asked.hold(word.mark);
    let measures = |at: usize| words.iter().skip(at + 1).take(UNIT_WITHIN).any(is_unit);
    let ends = |at: usize| words.get(at).is_some_and(ends_in_unit);
    numbers(words).any(|at| !measures(at) && !ends(at))
}

/// What numbers stand before that measure something.
const UNITS: [Cue; 3] = [Cue::TimeUnit, Cue::Currency, Cue::Extent];

/// "12 vans" is no sum; "12 a month" is one.
fn counts_things(words: &[Word], number: usize) -> bool {
    let next = words.get(number + 1);
    next.is_some_and(|next| {
        !next.stop && !next.first && !next.is_number() && !next.is(Cue::TimeUnit)
    })
}

/// Whether a number stands before a word of the list: "six days", "20-minute".
fn numbers_before(words: &[Word], unit: Cue) -> bool {
    let is_one = |word: &Word| {
        word.is_number()
            || matches!(
                word.raw.as_str(),
                "a" | "an" | "ein" | "eine" | "einen" | "une" | "un" | "una" | "several" | "few"
            )
    };
    words.iter().enumerate().any(|(at, word)| {
        let units = words.iter().skip(at + 1).take(UNIT_WITHIN);
        is_one(word) && units.into_iter().any(|next| next.is(unit))
            || word.is_number() && ends_in_unit(word)
    })
}

/// "24h", "90min", "3d".
fn ends_in_unit(word: &Word) -> bool {
    let unit = word
        .raw
        .trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
    unit.len() < word.raw.len() && ["h", "min", "mins", "s", "d", "ms", "hrs"].contains(&unit)
}

fn longest_run_of_digits(words: &[Word]) -> usize {
    let (mut longest, mut run) = (0, 0);
    for word in words
        .iter()
        .filter(|word| !word.whole || word.shape == Shape::Number)
    {
        let digits = word.raw.chars().filter(char::is_ascii_digit).count();
        run = if word.shape == Shape::Number {
            run + digits
        } else {
            0
        };
        longest = longest.max(run).max(digits);
    }
    longest
}

fn names_side_by_side(words: &[Word]) -> bool {
    let is_name = |word: &Word| word.is_name() || word.first && word.capital && !word.stop;
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs
        .into_iter()
        .any(|(one, other)| is_name(one) && other.is_name() && !one.possessive)
}
