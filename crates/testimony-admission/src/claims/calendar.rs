//! The calendar: intervals of civil days, and how a bare "Monday" or "May" is placed beside the day of observation.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

/// Days from `from` up to, not including, `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) from: Date,
    pub(crate) until: Date,
}

/// Which way a date without a year points, as the verbs beside it tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tense {
    Past,
    Future,
    Unknown,
}

/// A unit of the calendar, in the order of the vocabulary's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Weekend,
    Decade,
}

impl Unit {
    pub(crate) const fn of(value: i32) -> Option<Self> {
        Some(match value {
            1 => Self::Day,
            2 => Self::Week,
            3 => Self::Month,
            4 => Self::Quarter,
            5 => Self::Year,
            6 => Self::Weekend,
            7 => Self::Decade,
            _ => return None,
        })
    }
}

/// `date` moved by `span`; it stays where it is at the ends of the calendar.
fn moved(date: Date, span: Span) -> Date {
    date.checked_add(span).unwrap_or(date)
}

/// `date` moved by whole days.
pub(crate) fn days_from(date: Date, days: i64) -> Date {
    Span::new()
        .try_days(days)
        .map_or(date, |span| moved(date, span))
}

fn months_from(date: Date, months: i64) -> Date {
    Span::new()
        .try_months(months)
        .map_or(date, |span| moved(date, span))
}

impl Days {
    pub(crate) fn day(date: Date) -> Self {
        Self {
            from: date,
            until: moved(date, 1.day()),
        }
    }

    pub(crate) fn year(year: i16) -> Option<Self> {
        let from = Date::new(year, 1, 1).ok()?;
        Some(Self {
            from,
            until: moved(from, 1.year()),
        })
    }

    /// Ten years from `year` on.
    pub(crate) fn decade(year: i16) -> Option<Self> {
        Self::months(year, 1, 120)
    }

    /// `count` months from the first of `month` on.
    pub(crate) fn months(year: i16, month: i8, count: i64) -> Option<Self> {
        let from = Date::new(year, month, 1).ok()?;
        Some(Self {
            from,
            until: months_from(from, count),
        })
    }

    fn week_of(date: Date) -> Self {
        let back = i64::from(date.weekday().to_monday_zero_offset());
        let from = days_from(date, -back);
        Self {
            from,
            until: days_from(from, 7),
        }
    }

    /// The unit that holds `date`.
    pub(crate) fn unit_of(date: Date, unit: Unit) -> Option<Self> {
        match unit {
            Unit::Day => Some(Self::day(date)),
            Unit::Week => Some(Self::week_of(date)),
            Unit::Weekend => {
                let week = Self::week_of(date);
                Some(Self {
                    from: days_from(week.from, 5),
                    until: week.until,
                })
            }
            Unit::Month => Self::months(date.year(), date.month(), 1),
            Unit::Quarter => Self::months(date.year(), (date.month() - 1) / 3 * 3 + 1, 3),
            Unit::Year => Self::year(date.year()),
            Unit::Decade => Self::decade(date.year() / 10 * 10),
        }
    }

    /// The unit that lies `count` units from `date`.
    pub(crate) fn shifted(date: Date, unit: Unit, count: i64) -> Option<Self> {
        let there = match unit {
            Unit::Day => days_from(date, count),
            Unit::Week | Unit::Weekend => days_from(date, count * 7),
            Unit::Month => months_from(date, count),
            Unit::Quarter => months_from(date, count * 3),
            Unit::Year => months_from(date, count * 12),
            Unit::Decade => months_from(date, count * 120),
        };
        Self::unit_of(there, unit)
    }

    /// The last part of it: the last ten days of a month, the last month of a year, the last day of a week.
    pub(crate) fn end_part(self) -> Self {
        let length = self
            .from
            .until(self.until)
            .map_or(1, |span| span.get_days());
        let from = match length {
            0..=10 => days_from(self.until, -1),
            11..=31 => days_from(self.until, -10),
            _ => months_from(self.until, -1),
        };
        Self { from, ..self }
    }

    /// The first part of it.
    pub(crate) fn first_part(self) -> Self {
        let length = self
            .from
            .until(self.until)
            .map_or(1, |span| span.get_days());
        let until = match length {
            0..=10 => days_from(self.from, 1),
            11..=31 => days_from(self.from, 10),
            _ => months_from(self.from, 1),
        };
        Self { until, ..self }
    }

    /// The middle of it.
    pub(crate) fn middle_part(self) -> Self {
        Self {
            from: self.first_part().until,
            until: self.end_part().from,
        }
    }
}

/// Among the same days of neighbouring years, the one that the tense points to: the last that has begun, the first that
/// has not ended, or the nearest.
pub(crate) fn nearest_year(
    today: Date,
    tense: Tense,
    of_year: impl Fn(i16) -> Option<Days>,
) -> Option<Days> {
    let years = [-1, 0, 1, 2, 3]
        .into_iter()
        .filter_map(|step| of_year(today.year().checked_add(step)?));
    let earlier = [-4, -3, -2]
        .into_iter()
        .filter_map(|step| of_year(today.year().checked_add(step)?));
    let mut candidates: Vec<Days> = earlier.chain(years).collect();
    candidates.sort_by_key(|days| days.from);
    match tense {
        Tense::Past => candidates.into_iter().rfind(|days| days.from <= today),
        Tense::Future => candidates.into_iter().find(|days| days.until > today),
        Tense::Unknown => candidates
            .into_iter()
            .min_by_key(|days| distance(today, *days)),
    }
}

fn distance(today: Date, days: Days) -> i32 {
    let gap = |from: Date, to: Date| from.until(to).map_or(i32::MAX, |span| span.get_days());
    if days.from > today {
        gap(today, days.from)
    } else if days.until <= today {
        gap(days.until, today)
    } else {
        0
    }
}

/// The day of the week `number` (1 for Monday) that a `RELATIVE` word or the tense points to.
pub(crate) fn weekday(today: Date, number: i32, direction: i32) -> Option<Days> {
    let weekday = Weekday::from_monday_one_offset(i8::try_from(number).ok()?).ok()?;
    let ahead = i64::from(today.weekday().until(weekday));
    let date = match direction {
        // "This Monday" lies in the week of the observation.
        0 | 2 => days_from(
            Days::week_of(today).from,
            i64::from(weekday.to_monday_zero_offset()),
        ),
        1.. => days_from(today, if ahead == 0 { 7 } else { ahead }),
        _ => days_from(today, ahead - 7),
    };
    Some(Days::day(date))
}

/// Three months from the first month of a season on.
pub(crate) fn season(year: i16, first_month: i32) -> Option<Days> {
    Days::months(year, i8::try_from(first_month).ok()?, 3)
}
