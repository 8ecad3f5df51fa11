//! How dates are said: one function a form, each reading from one token on.

use std::cell::OnceCell;

use jiff::civil::Date;

use super::calendar::{Days, Tense, Unit, days_from, nearest_year, season, weekday};
use super::class::*;
use super::date_tense::{Tenses, tenses};
use super::lexicon::Language;
use super::token::{Shape, Token};
use super::words::{Words, any_of};

/// What stands behind a street's name.
const STREETS: &Words = &Words::of(&[
    "street", "st", "avenue", "ave", "road", "rd", "lane", "drive", "way", "square", "place",
]);

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) language: Language,
    pub(super) today: Date,
    /// Told when it is first asked for: most numbers are no dates.
    pub(super) told_tenses: OnceCell<Tenses>,
    /// The same of whether it tells what is so every week.
    pub(super) told_weekly: OnceCell<bool>,
}

/// Days, and the token behind the last that says so.
type Read = Option<(Days, usize)>;

impl Reader<'_> {
    /// The tense of the sentence around `at`, by its verbs.
    pub(super) fn tense(&self, at: usize) -> Tense {
        self.told_tenses
            .get_or_init(|| tenses(self.text, self.tokens))
            .at(at)
    }

    pub(super) fn is(&self, at: usize, classes: Class) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(classes))
    }

    pub(super) fn value(&self, at: usize) -> i32 {
        self.tokens.get(at).map_or(0, Token::value)
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.of(self.text))
    }

    pub(super) fn word_is(&self, at: usize, words: &Words) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        let in_lower_case = || {
            let lower = token.of(self.text).to_lowercase();
            words.iter().any(|word| word == lower)
        };
        words.hold(token, self.text) || token.beyond_ascii && in_lower_case()
    }

    pub(super) fn before_is(&self, at: usize, words: &Words) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.word_is(before, words))
    }

    pub(super) fn capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.capital)
    }

    /// A date that begins at `at`.
    pub(super) fn read(&self, at: usize) -> Read {
        let token = self.tokens.get(at)?;
        match token.shape {
            Shape::Number => self.number_first(at),
            Shape::Thing => self.quarter(at),
            Shape::Word => self.word_first(at),
            Shape::Mark(_) | Shape::Symbol => None,
        }
    }

    fn word_first(&self, at: usize) -> Read {
        let token = self.tokens.get(at)?;
        let known = token.is(MONTH
            | WEEKDAY
            | SEASON
            | NEAR_DAY
            | RELATIVE
            | NUMBER
            | CALENDAR
            | ARTICLE
            | AGO
            | PREPOSITION
            | DATE_PART);
        if !known {
            return None;
        }
        if token.is(ARTICLE)
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.shape == Shape::Number)
        {
            return if self.word_is(at, any_of!["the"]) {
                self.day_first(at + 1)
            } else {
                None
            };
        }
        self.part(at)
            .or_else(|| self.far_day(at))
            .or_else(|| self.relative(at))
            .or_else(|| self.near_day(at))
            .or_else(|| self.counted(at))
            .or_else(|| self.month_to_day(at))
            .or_else(|| self.month_first(at))
            .or_else(|| self.weekday_alone(at))
            .or_else(|| self.season_alone(at))
            .or_else(|| self.noun_first(at))
            .or_else(|| self.bare_ordinal(at))
    }

    /// "The day before yesterday", "the day after tomorrow", "the week before last".
    fn far_day(&self, at: usize) -> Read {
        let at = if self.is(at, ARTICLE) { at + 1 } else { at };
        if !self.word_is(at, any_of!["day", "week"])
            || !self.word_is(at + 1, any_of!["before", "after"])
        {
            return None;
        }
        let sign = if self.word_is(at + 1, any_of!["before"]) {
            -1
        } else {
            1
        };
        if self.word_is(at, any_of!["day"])
            && self.word_is(at + 2, any_of!["yesterday", "tomorrow"])
        {
            return Some((Days::day(days_from(self.today, sign * 2)), at + 3));
        }
        let last =
            self.word_is(at, any_of!["week"]) && self.word_is(at + 2, any_of!["last", "next"]);
        last.then(|| Days::shifted(self.today, Unit::Week, sign * 2))
            .flatten()
            .map(|days| (days, at + 3))
    }

    /// "The end of June", "early May", "Ende Juni".
    fn part(&self, at: usize) -> Read {
        let at = if self.is(at, ARTICLE) { at + 1 } else { at };
        if !self.is(at, DATE_PART) {
            return None;
        }
        let mut inner = at + 1;
        let which = self.word(at).to_lowercase();
        let kind = match which.as_str() {
            "end" | "late" | "ende" | "fin" | "finales" => 2,
            "beginning" | "start" | "early" | "anfang" | "début" | "principios" => 0,
            "mid" | "middle" | "mitte" => 1,
            _ => return None,
        };
        if self.word_is(inner, any_of!["of", "de", "des"]) || self.word_is(inner, any_of!["-"]) {
            inner += 1;
        }
        if self.is(inner, ARTICLE) {
            inner += 1;
        }
        let bare_unit = self.is(inner, CALENDAR) && !self.is(inner, RELATIVE);
        let (days, behind) = if bare_unit {
            let days = Days::unit_of(self.today, Unit::of(self.value(inner))?)?;
            (days, inner + 1)
        } else {
            let allowed = self.is(inner, MONTH | RELATIVE | SEASON)
                || self
                    .tokens
                    .get(inner)
                    .is_some_and(|t| matches!(t.shape, Shape::Number | Shape::Thing));
            allowed
                .then(|| {
                    self.month_any(inner)
                        .or_else(|| self.relative(inner))
                        .or_else(|| self.quarter(inner))
                        .or_else(|| self.year_at(inner))
                })
                .flatten()?
        };
        let days = match kind {
            0 => days.first_part(),
            1 => days.middle_part(),
            _ => days.end_part(),
        };
        Some((days, behind))
    }

    /// "Last Friday", "next week", "this summer", "last May".
    fn relative(&self, at: usize) -> Read {
        if !self.is(at, RELATIVE) {
            return None;
        }
        let direction = self.value(at);
        let noun = at + 1;
        let step = if direction == 2 {
            0
        } else {
            i64::from(direction)
        };
        if self.word_is(noun, any_of!["night", "evening", "morning", "afternoon"]) {
            return Some((Days::day(days_from(self.today, step)), noun + 1));
        }
        self.pointed(noun, direction)
            .map(|days| (days, noun + 1))
            .or_else(|| {
                // "The last two weeks", "the next three months".
                let count = self.count_at(noun)?;
                let unit =
                    Unit::of(self.value(noun + 1)).filter(|_| self.is(noun + 1, CALENDAR))?;
                let edge = self.distant(unit, step * count)?;
                let span = if step < 0 {
                    Days {
                        from: edge.from,
                        until: self.today,
                    }
                } else {
                    Days {
                        from: self.today,
                        until: edge.until,
                    }
                };
                (step != 0).then_some((span, noun + 2))
            })
    }

    /// The noun at `at`, pointed at by "last", "this" or "next".
    fn pointed(&self, at: usize, direction: i32) -> Option<Days> {
        let token = self.tokens.get(at)?;
        let step = if direction == 2 {
            0
        } else {
            i64::from(direction)
        };
        if token.is(CALENDAR) && !self.word(at).ends_with("days") {
            let unit = Unit::of(token.value())?;
            if unit == Unit::Weekend && direction < 0 {
                let this = Days::unit_of(self.today, unit)?;
                return if this.until <= self.today {
                    Some(this)
                } else {
                    Days::shifted(self.today, unit, -1)
                };
            }
            return Days::shifted(self.today, unit, step);
        }
        if token.is(WEEKDAY) {
            return weekday(self.today, token.value(), direction);
        }
        let of_year: &dyn Fn(i16) -> Option<Days> = if token.is(SEASON) {
            &|year| season(year, token.value())
        } else if token.is(MONTH) && token.capital {
            &|year| Days::months(year, token.month(), 1)
        } else {
            return None;
        };
        match direction {
            2 => of_year(self.today.year()),
            1 => nearest_year(self.today, Tense::Future, |year| {
                of_year(year).filter(|days| days.from > self.today)
            }),
            _ => nearest_year(self.today, Tense::Past, |year| {
                of_year(year).filter(|days| days.until <= self.today)
            }),
        }
    }

    fn near_day(&self, at: usize) -> Read {
        if !self.is(at, NEAR_DAY) {
            return None;
        }
        // "Guten Morgen" is a greeting, "Morgen" with a capital a part of the day.
        let morning = self.language == Language::German && self.capital(at) && at > 0;
        let spanish_morning = self.before_is(at, any_of!["la", "cada", "esta", "buenas"]);
        let offset = match self.value(at) {
            9 => 0,
            other => i64::from(other),
        };
        let mut behind = at + 1;
        if self.word_is(
            behind,
            any_of![
                "morning",
                "evening",
                "night",
                "afternoon",
                "abend",
                "früh",
                "soir",
                "matin",
            ],
        ) {
            behind += 1;
        }
        (!morning && !spanish_morning).then(|| (Days::day(days_from(self.today, offset)), behind))
    }

    /// A number in digits or words, "a", "a few".
    fn count_at(&self, at: usize) -> Option<i64> {
        let token = self.tokens.get(at)?;
        if token.shape == Shape::Number {
            return token
                .of(self.text)
                .parse()
                .ok()
                .filter(|count| (0..10_000).contains(count));
        }
        if token.is(NUMBER) {
            return Some(i64::from(token.value()));
        }
        if self.word_is(at + 1, any_of!["few", "couple"]) {
            return Some(i64::from(self.value(at + 1)));
        }
        self.word_is(at, any_of!["a", "an", "un", "une", "una", "einem", "einer"])
            .then_some(1)
    }

    /// "Two weeks ago", "in three days", "vor zwei Wochen", "il y a deux ans", "hace un mes".
    fn counted(&self, at: usize) -> Read {
        let lead = self.is(at, AGO) && self.word_is(at, any_of!["vor", "hace"]);
        let il_y_a = self.word_is(at, any_of!["il"])
            && self.word_is(at + 1, any_of!["y"])
            && self.word_is(at + 2, any_of!["a"]);
        let ahead = self.word_is(at, any_of!["in", "within", "dans"])
            || (self.language == Language::Spanish && self.word_is(at, any_of!["en"]));
        let mut here = if il_y_a {
            at + 3
        } else {
            at + usize::from(lead || ahead)
        };
        if self.word_is(
            here,
            any_of![
                "about", "around", "roughly", "over", "almost", "nearly", "just", "etwa",
                "environ", "unos",
            ],
        ) {
            here += 1;
        }
        let count = self.count_at(here)?;
        here += 1;
        if self.word_is(here, any_of!["of"]) || self.word_is(here, any_of!["few", "couple"]) {
            here += 1;
        }
        if self.word_is(here, any_of!["of"]) {
            here += 1;
        }
        let unit = Unit::of(self.value(here)).filter(|_| self.is(here, CALENDAR))?;
        here += 1;
        let ago = self.word_is(here, any_of!["ago", "earlier", "back"]);
        let later =
            self.word_is(here, any_of!["from"]) && self.word_is(here + 1, any_of!["now", "today"]);
        if ago || lead || il_y_a {
            let days = self.distant(unit, -count)?;
            return Some((days, here + usize::from(ago)));
        }
        (ahead || later)
            .then(|| self.distant(unit, count))
            .flatten()
            .map(|days| (days, here + if later { 2 } else { 0 }))
    }

    /// Days and weeks are counted to a day, months and years to the month and year.
    fn distant(&self, unit: Unit, count: i64) -> Option<Days> {
        match unit {
            Unit::Week => Days::shifted(self.today, Unit::Day, count * 7),
            Unit::Day | Unit::Month | Unit::Quarter | Unit::Year | Unit::Weekend | Unit::Decade => {
                Days::shifted(self.today, unit, count)
            }
        }
    }

    /// A month as a word: capitals and neighbours tell "May" and "March" from the verbs.
    pub(super) fn month_number(&self, at: usize) -> Option<i8> {
        let token = self.tokens.get(at).filter(|token| token.is(MONTH))?;
        let verb_like = self.word_is(
            at,
            any_of![
                "may", "march", "mar", "jan", "dec", "sep", "mars", "avril", "abril", "mayo",
                "ago",
            ],
        );
        let romance = matches!(self.language, Language::French | Language::Spanish);
        let usable = token.capital || !verb_like || romance;
        usable.then(|| token.month())
    }

    pub(super) fn year_number(&self, at: usize) -> Option<i16> {
        let token = self
            .tokens
            .get(at)
            .filter(|token| token.shape == Shape::Number)?;
        let word = token.of(self.text);
        (word.len() == 4)
            .then(|| word.parse().ok())
            .flatten()
            .filter(|year| (1000..3000).contains(year))
    }

    /// A year behind a month, over a comma or a "de".
    pub(super) fn year_behind(&self, at: usize) -> Option<(i16, usize)> {
        if let Some(year) = self.year_number(at) {
            return Some((year, at + 1));
        }
        let joined = self
            .tokens
            .get(at)
            .is_some_and(|t| t.is_mark(',') || t.is_mark('.'))
            || self.word_is(at, any_of!["of", "de", "del"]);
        joined
            .then(|| self.year_number(at + 1))
            .flatten()
            .map(|year| (year, at + 2))
    }

    pub(super) fn day_number(&self, at: usize) -> Option<i8> {
        let token = self
            .tokens
            .get(at)
            .filter(|token| token.shape == Shape::Number)?;
        let word = token.of(self.text);
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let suffix = word.get(digits.len()..)?;
        let ordinal = ["", "st", "nd", "rd", "th", "er", "º", "."].contains(&suffix);
        digits
            .parse()
            .ok()
            .filter(|day| ordinal && (1..=31).contains(day))
    }

    fn is_ordinal(&self, at: usize) -> bool {
        self.word(at).ends_with(|c: char| c.is_ascii_alphabetic())
    }

    pub(super) fn on_day(&self, at: usize, day: i8, month: i8, year: Option<i16>) -> Option<Days> {
        let of_year = |year| Date::new(year, month, day).ok().map(Days::day);
        year.map_or_else(
            || nearest_year(self.today, self.tense_at(at), of_year),
            of_year,
        )
    }

    /// "May 8th, 2023", "May 2023", "in March".
    fn month_first(&self, at: usize) -> Read {
        let month = self.month_number(at)?;
        let day_at = at + 1 + usize::from(self.word_is(at + 1, any_of!["the"]));
        // "Mai 2023" has no day, "May 8" has one; "Sept. 5" has a point between.
        let day_at = day_at
            + usize::from(
                self.tokens.get(day_at).is_some_and(|t| t.is_mark('.'))
                    && self.day_number(day_at + 1).is_some(),
            );
        if let Some(day) = self
            .day_number(day_at)
            .filter(|_| !self.unit_behind(day_at))
        {
            let mut behind = day_at + 1;
            let year = self
                .year_behind(behind)
                .inspect(|(_, end)| behind = *end)
                .map(|(year, _)| year);
            return self.on_day(at, day, month, year).map(|days| (days, behind));
        }
        self.month_any(at).filter(|_| self.month_is_meant(at))
    }

    /// Whether a number at `at` counts something ("May 8 people").
    fn unit_behind(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|t| t.of(self.text).contains([':', '%', '$', '€']))
    }

    fn month_any(&self, at: usize) -> Read {
        let month = self.month_number(at)?;
        let of_year = |year| Days::months(year, month, 1);
        match self.year_behind(at + 1) {
            Some((year, behind)) => of_year(year).map(|days| (days, behind)),
            None => nearest_year(self.today, self.tense_at(at), of_year).map(|days| (days, at + 1)),
        }
    }

    /// A bare month counts behind a word that asks for one, or where it cannot be anything else.
    fn month_is_meant(&self, at: usize) -> bool {
        let led = self.before_is(
            at,
            any_of![
                "in", "since", "until", "till", "of", "by", "to", "from", "through", "for",
                "before", "after", "during", "early", "late", "mid", "im", "seit", "bis", "ab",
                "en", "depuis", "desde", "hasta", "and", "or", "between", "der", "dès", "jusqu'en",
                "is", "on", ":", "de", "around", "this",
            ],
        );
        let clear = !self.word_is(
            at,
            any_of![
                "may", "march", "mar", "mars", "jan", "dec", "sep", "april", "june", "august",
                "avril", "sept", "oct", "nov", "apr", "jul", "jun", "feb", "aug", "juin",
            ],
        );
        let dated = self.year_behind(at + 1).is_some();
        led || clear || dated
    }

    fn number_first(&self, at: usize) -> Read {
        self.digits_date(at)
            .or_else(|| self.days_to_day(at))
            .or_else(|| self.day_first(at))
            .or_else(|| self.counted(at))
            .or_else(|| self.decade(at))
            .or_else(|| {
                let led = self.before_is(
                    at,
                    any_of![
                        "in", "since", "until", "till", "from", "en", "seit", "bis", "depuis",
                        "desde", "hasta", "by", "year", "to", "early", "late", "jahr", "année",
                        "año", "im", "of", "before", "after", "during", "through", "and", "ab",
                        "summer", "spring",
                    ],
                );
                let month_led = at > 0 && self.is(at - 1, MONTH | SEASON);
                led.then(|| self.year_at(at))
                    .flatten()
                    .filter(|_| !month_led && !self.counts_something(at))
            })
    }

    /// "In the 1990s", "seit den 1980er Jahren".
    fn decade(&self, at: usize) -> Read {
        let word = self.word(at);
        let digits = word.strip_suffix('s').or_else(|| word.strip_suffix("er"))?;
        let year = digits.parse().ok().filter(|year| year % 10 == 0)?;
        let led = self.before_is(at, any_of!["the", "die", "den", "der", "early", "late"]);
        let usual = led && digits.len() == 4 && (1900..2100).contains(&year);
        let days = Days::decade(year).filter(|_| usual)?;
        Some((days, at + 1))
    }

    /// "In 2000 cases" is no year.
    fn counts_something(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| {
            next.shape == Shape::Word
                && !next.is(PREPOSITION
                    | COORDINATOR
                    | SUBORDINATOR
                    | PRONOUN
                    | ARTICLE
                    | VERB
                    | ADVERB
                    | POSSESSIVE
                    | FUNCTION)
        })
    }

    fn year_at(&self, at: usize) -> Read {
        let year = self
            .year_number(at)
            .filter(|year| (1900..2100).contains(year))?;
        Days::year(year).map(|days| (days, at + 1))
    }

    /// "8 May 2023", "8. Mai", "the 8th of May", "8 de mayo de 2023".
    fn day_first(&self, at: usize) -> Read {
        let day = self.day_number(at)?;
        let mut here = at + 1;
        if self.tokens.get(here).is_some_and(|t| t.is_mark('.'))
            || self.word_is(here, any_of!["of", "de"])
        {
            here += 1;
        }
        let Some(month) = self
            .tokens
            .get(here)
            .map(Token::month)
            .filter(|month| *month > 0 && !self.word_is(here + 1, STREETS))
        else {
            return self.bare_ordinal(at);
        };
        let mut behind = here + 1;
        if self.tokens.get(behind).is_some_and(|t| t.is_mark('.'))
            && self.year_number(behind + 1).is_some()
        {
            behind += 1;
        }
        let year = self
            .year_behind(behind)
            .inspect(|(_, end)| behind = *end)
            .map(|(year, _)| year);
        self.on_day(at, day, month, year).map(|days| (days, behind))
    }

    /// "On the 5th".
    fn bare_ordinal(&self, at: usize) -> Read {
        let number = at + usize::from(self.word_is(at, any_of!["the"]));
        let led = number > at || self.before_is(at, any_of!["the"]);
        let day = self
            .day_number(number)
            .filter(|_| led && self.is_ordinal(number))?;
        let prepared = at
            .checked_sub(if number > at { 1 } else { 2 })
            .is_some_and(|i| self.word_is(i, any_of!["on", "by", "until", "since", "for", "to"]));
        let ends = self
            .tokens
            .get(number + 1)
            .is_none_or(|next| next.is_any_mark() || next.is(PREPOSITION | COORDINATOR | PRONOUN));
        if !prepared || !ends {
            return None;
        }
        let months = match self.tense(at) {
            Tense::Past => [0, -1],
            Tense::Future | Tense::Unknown => [0, 1],
        };
        let candidate = |step: i64| {
            let month = Days::shifted(self.today, Unit::Month, step)?;
            Date::new(month.from.year(), month.from.month(), day).ok()
        };
        let fits = |date: &Date| {
            if self.tense(at) == Tense::Past {
                *date <= self.today
            } else {
                *date >= self.today
            }
        };
        months
            .into_iter()
            .filter_map(candidate)
            .find(fits)
            .map(|date| (Days::day(date), number + 1))
    }

    /// "2023-05-08", "2023/5/8", "5/8/2023", "8.5.2023", "8-5-2023", "08.05.", "2023-05".
    pub(super) fn digits_date(&self, at: usize) -> Read {
        let word = self.tokens.get(at)?.of(self.text);
        let head = word
            .get(..10)
            .filter(|_| word.len() > 10 && word.get(10..11).is_some_and(|c| c == "T"))
            .unwrap_or(word);
        let separator = head.chars().find(|c| matches!(c, '-' | '/' | '.'))?;
        let mut parts = head.split(separator);
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        if parts.next().is_some() || first.is_empty() || first.len() > 4 {
            return None;
        }
        let number = |part: &str| {
            part.parse::<i16>()
                .ok()
                .filter(|_| part.bytes().all(|b| b.is_ascii_digit()))
        };
        let (a, b) = (number(first)?, number(second)?);
        let small = |n: i16| i8::try_from(n).ok();
        let date = match third {
            Some(day) if first.len() == 4 => Date::new(a, small(b)?, small(number(day)?)?).ok()?,
            Some(year) => {
                let year = match year.len() {
                    4 => number(year)?,
                    2 if separator != '-' => 2000 + number(year)?,
                    _ => return None,
                };
                let by_month = || Date::new(year, small(a)?, small(b)?).ok();
                let month_first = (separator == '/').then(by_month).flatten();
                month_first.or_else(|| Date::new(year, small(b)?, small(a)?).ok())?
            }
            None if first.len() == 4 && separator == '-' && second.len() == 2 => {
                return Days::months(a, small(b)?, 1).map(|days| (days, at + 1));
            }
            None => return None,
        };
        Some((Days::day(date), at + 1))
    }

    fn quarter(&self, at: usize) -> Read {
        let word = self.word(at);
        let number: i8 = word
            .strip_prefix(['Q', 'q', 'T'])?
            .parse()
            .ok()
            .filter(|n| (1..=4).contains(n))?;
        let of_year = |year| Days::months(year, number * 3 - 2, 3);
        match self.year_behind(at + 1) {
            Some((year, behind)) => of_year(year).map(|days| (days, behind)),
            None => nearest_year(self.today, self.tense(at), of_year).map(|days| (days, at + 1)),
        }
    }

    fn weekday_alone(&self, at: usize) -> Read {
        let token = self.tokens.get(at).filter(|token| token.is(WEEKDAY))?;
        let word = self.word(at);
        let plural = word.ends_with("days")
            || (self.language == Language::German && word.starts_with(char::is_lowercase));
        let repeated = self.before_is(
            at,
            any_of!["every", "each", "jeden", "chaque", "cada", "los", "per"],
        );
        let short = word.len() <= 5
            && !word.ends_with("day")
            && !(token.capital
                && word.len() >= 3
                && (self.before_is(at, any_of!["on", "by", "until", "am", "since", "is", ":"])
                    || self.tokens.get(at + 1).is_some_and(|t| t.is_mark(','))));
        if plural
            || repeated
            || self.is_of_every_week(at)
            || (short && self.language == Language::English)
        {
            return None;
        }
        // French and Spanish say the direction behind the noun.
        if self.is(at + 1, RELATIVE) && self.language != Language::English {
            return weekday(self.today, token.value(), self.value(at + 1))
                .map(|days| (days, at + 2));
        }
        // "Monday, 8 May" is the eighth of May.
        let comma = usize::from(
            self.tokens
                .get(at + 1)
                .is_some_and(|t| t.is_mark(',') || t.is_mark('.')),
        );
        let next = at + 1 + comma;
        if self
            .tokens
            .get(next)
            .is_some_and(|t| t.shape == Shape::Number || t.is(MONTH))
            && (self.digits_date(next).is_some()
                || self.day_first(next).is_some()
                || self.month_first(next).is_some())
        {
            return None;
        }
        let direction = if self.tense_at(at) == Tense::Past
            || self.before_is(at, any_of!["since", "seit", "depuis", "desde"])
        {
            -1
        } else {
            1
        };
        let mut behind = at + 1;
        if self.word_is(behind, any_of!["morning", "evening", "night", "afternoon"]) {
            behind += 1;
        }
        weekday(self.today, token.value(), direction).map(|days| (days, behind))
    }

    /// "Summer 2022", "in the summer of 2022".
    fn season_alone(&self, at: usize) -> Read {
        let token = self.tokens.get(at).filter(|token| token.is(SEASON))?;
        let (year, behind) = self.year_behind(at + 1)?;
        season(year, token.value()).map(|days| (days, behind))
    }

    /// "La semaine dernière", "el mes pasado", "l'année prochaine".
    fn noun_first(&self, at: usize) -> Read {
        let romance = matches!(self.language, Language::French | Language::Spanish);
        let noun = at + usize::from(self.is(at, ARTICLE));
        if !romance
            || !self.is(noun, CALENDAR | MONTH | SEASON)
            || !self.is(noun + 1, RELATIVE)
            || self.value(noun + 1) == 2
        {
            return None;
        }
        let direction = self.value(noun + 1);
        self.pointed(noun, direction).map(|days| (days, noun + 2))
    }
}
