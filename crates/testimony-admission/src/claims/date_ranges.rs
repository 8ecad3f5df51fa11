//! Stretches of days: "from 3 to 10 May", "May 3–10", "from Monday to Thursday".

use jiff::ToSpan;
use jiff::civil::Date;

use super::calendar::{Days, Tense};
use super::class::*;
use super::date_forms::Reader;
use super::dates::{DateRole, Found};
use super::token::{Shape, Token};
use super::words::{Words, any_of};

/// Words between the first day and the last.
pub(super) const TO: &Words = &Words::of(&[
    "to", "until", "till", "through", "thru", "-", "–", "bis", "au", "al", "a", "à", "hasta",
]);

/// Words in front of a first day, from which something holds.
pub(super) const FROM: &Words = &Words::of(&["from", "vom", "von", "du", "del", "de", "desde"]);

/// Words by which something is said to be so every week.
#[rustfmt::skip]
const WEEKLY: &Words = &Words::of(&[
    "open", "opens", "closed", "closes", "works", "work", "working", "available", "hours", "weekly", "runs", "served", "usually", "always", "normally", "geöffnet", "offen", "arbeitet", "arbeite", "immer", "ouvert", "ouverte", "travaille", "toujours", "abierto", "abierta", "abren", "abre", "trabaja", "trabajo", "siempre",
]);

/// Days that lie so far apart were placed in different years by the words beside them.
const NEARLY_A_YEAR: i64 = 330;

impl Reader<'_> {
    /// "3 to 10 May", "3–10 May": the days, or where a word says from when it holds the first day alone; its last day
    /// says until when.
    pub(super) fn days_to_day(&self, at: usize) -> Option<(Days, usize)> {
        let (first, last, behind) = self.days_in_one(at).or_else(|| self.days_apart(at))?;
        let opens = self.before_is(at, FROM) && last > at;
        let month = self.dated(last.max(at))?;
        let last = Date::new(month.0.from.year(), month.0.from.month(), first).ok();
        let from = last.and_then(|date| {
            if date < month.0.until {
                Some(date)
            } else {
                date.checked_sub(1.month()).ok()
            }
        })?;
        if opens {
            return Some((Days::day(from), behind));
        }
        let until = month.0.until;
        Some((Days { from, until }, month.1))
    }

    /// The first day of "3 to 10 May", where the last day stands, and the token behind the first.
    fn days_apart(&self, at: usize) -> Option<(i8, usize, usize)> {
        let first = self.day_number(at)?;
        let point =
            |place: usize| usize::from(self.tokens.get(place).is_some_and(|t| t.is_mark('.')));
        let joint = at + 1 + point(at + 1);
        let between = self.before_is(at, any_of!["between", "zwischen", "entre"]);
        let joined = self.word_is(joint, TO)
            || self
                .tokens
                .get(joint)
                .is_some_and(|t| t.is_mark('-') || t.is_mark('–'))
            || between && self.word_is(joint, any_of!["and", "und", "et", "y"]);
        let last = joint + 1 + usize::from(self.word_is(joint + 1, any_of!["the"]));
        (joined && self.day_number(last).is_some()).then_some((first, last, at + 1))
    }

    /// The same of "3-10 May", where both days are one word.
    fn days_in_one(&self, at: usize) -> Option<(i8, usize, usize)> {
        let word = self.tokens.get(at)?.of(self.text);
        let (first, last) = word.split_once(['-', '–'])?;
        let day = |part: &str| part.parse().ok().filter(|day| (1..=31).contains(day));
        let (first, _): (i8, i8) = (day(first)?, day(last)?);
        Some((first, at, at + 1))
    }

    /// The day that is named with its month at `at`, which may be the second half of "3-10".
    fn dated(&self, at: usize) -> Option<(Days, usize)> {
        let token = self.tokens.get(at)?;
        let word = token.of(self.text);
        let day: i8 = match word.split_once(['-', '–']) {
            Some((_, last)) => last.parse().ok()?,
            None => self.day_number(at)?,
        };
        let point = usize::from(self.tokens.get(at + 1).is_some_and(|t| t.is_mark('.')));
        let of = usize::from(self.word_is(at + 1, any_of!["of", "de"]));
        let month_at = at + 1 + point.max(of);
        let month = self
            .tokens
            .get(month_at)
            .map(Token::month)
            .filter(|month| *month > 0)?;
        let year = self.year_behind(month_at + 1);
        let behind = year.map_or(month_at + 1, |(_, behind)| behind);
        let days = self.on_day(at, day, month, year.map(|(year, _)| year))?;
        Some((days, behind))
    }

    /// "May 3 to 10", "May 3–10": the days, where no word says from when.
    pub(super) fn month_to_day(&self, at: usize) -> Option<(Days, usize)> {
        if self.before_is(at, FROM) {
            return None;
        }
        let month = self.month_number(at)?;
        let (first, last, _) = self
            .days_apart(at + 1)
            .or_else(|| self.days_in_one(at + 1))?;
        let last_day = match self.word(last).split_once(['-', '–']) {
            Some((_, day)) => day.parse().ok()?,
            None => self.day_number(last)?,
        };
        let ends = self.tokens.get(last + 1).is_none_or(|next| {
            next.is_any_mark() || next.is(PREPOSITION | COORDINATOR) || next.shape == Shape::Number
        });
        let year = self.year_behind(last + 1);
        let behind = year.map_or(last + 1, |(_, behind)| behind);
        let year = year.map(|(year, _)| year);
        let until = self.on_day(at, last_day, month, year)?.until;
        let from = self.on_day(at, first, month, year)?.from;
        (ends && from < until).then_some((Days { from, until }, behind))
    }

    /// "From May 3 to 10": the last day, of the month of the first.
    pub(super) fn last_of_month(&self, start: &Found, at: usize) -> Option<(Days, usize)> {
        let opens =
            start.mention.role == DateRole::Since || self.leaves_day(start.first, start.behind);
        let led = opens && self.joins(start.behind, at);
        let day = self.day_number(at).filter(|_| led)?;
        let counts = self.tokens.get(at + 1).is_some_and(|next| {
            next.shape == Shape::Word && !next.is(PREPOSITION | COORDINATOR | PRONOUN | VERB)
                || next.is_mark(':')
        });
        let from = start.mention.from;
        let date = Date::new(from.year(), from.month(), day).ok()?;
        let date = if date < from {
            date.checked_add(1.month()).ok()?
        } else {
            date
        };
        (!counts).then(|| (Days::day(date), at + 1))
    }

    /// What lasts from one day to another ends behind its beginning: the last day is moved on, or of what is past the
    /// first one back.
    pub(super) fn in_order(
        &self,
        start: &mut Found,
        days: Days,
        (at, behind): (usize, usize),
    ) -> Days {
        let part = self.tokens.get(at..behind).unwrap_or_default();
        if part.iter().any(|token| token.is(WEEKDAY)) {
            return self.weekday_behind(start, days);
        }
        let far = start.mention.from.checked_add(NEARLY_A_YEAR.days()).ok();
        if days.until > start.mention.from && far.is_none_or(|far| days.from < far) {
            return days;
        }
        let dated = (at..behind).any(|place| self.year_number(place).is_some())
            || part
                .iter()
                .any(|token| token.of(self.text).len() > 5 && token.shape == Shape::Number);
        if dated {
            return days;
        }
        let step = 1.year();
        let back = |date: Date| date.checked_sub(step).unwrap_or(date);
        if days.from > start.mention.from {
            return Days {
                from: back(days.from),
                until: back(days.until),
            };
        }
        if self.tense(at) == Tense::Past {
            start.mention.from = back(start.mention.from);
            start.mention.until = back(start.mention.until);
            return days;
        }
        let on = |date: Date| date.checked_add(step).unwrap_or(date);
        Days {
            from: on(days.from),
            until: on(days.until),
        }
    }

    /// The first such day of the week behind the beginning; of what is past, both in a week that is over.
    fn weekday_behind(&self, start: &mut Found, days: Days) -> Days {
        let moved = |date: Date, weeks: i64| date.checked_add(weeks.weeks()).unwrap_or(date);
        let apart = start.mention.from.duration_until(days.from).as_hours() / 24;
        let mut weeks = -apart.div_euclid(7);
        if self.tense(start.behind) == Tense::Past && moved(days.from, weeks) > self.today {
            weeks -= 1;
            start.mention.from = moved(start.mention.from, -1);
            start.mention.until = moved(start.mention.until, -1);
        }
        Days {
            from: moved(days.from, weeks),
            until: moved(days.until, weeks),
        }
    }

    /// "Open from Monday to Friday": every week, and no date at all.
    pub(super) fn is_of_every_week(&self, at: usize) -> bool {
        let day = |place: Option<usize>| place.is_some_and(|place| self.is(place, WEEKDAY));
        let joint = |place: Option<usize>| {
            place.is_some_and(|place| {
                self.word_is(place, TO)
                    || self
                        .tokens
                        .get(place)
                        .is_some_and(|t| t.is_mark('-') || t.is_mark('–'))
            })
        };
        let paired = joint(at.checked_sub(1)) && day(at.checked_sub(2))
            || joint(Some(at + 1)) && day(Some(at + 2));
        paired && self.is_told_weekly(at)
    }

    fn is_told_weekly(&self, at: usize) -> bool {
        *self.told_weekly.get_or_init(|| {
            self.tense(at) == Tense::Unknown
                && self
                    .tokens
                    .iter()
                    .any(|token| WEEKLY.hold(token, self.text))
        })
    }

    /// Whether a word in front of a range of days says from when it holds.
    pub(super) fn opens_range(&self, at: usize) -> bool {
        self.before_is(at, FROM)
            && self
                .days_apart(at)
                .is_some_and(|(_, last, _)| self.dated(last).is_some())
    }
}
