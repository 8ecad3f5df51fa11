//! When something was said, as callers write it: RFC 3339, a date, or a usual written form with or without a time.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use testimony_domain::{Invalid, Problem};

use super::clock_times::time_at;
use super::dates::dates;
use super::token::{Shape, tokens};

/// What is expected, as a person would write it.
const EXPECTED: &str = "2023-05-08T13:56:00Z, 2023-05-08, 8 May 2023, or 1:56 pm on 8 May, 2023";

/// No written form of an instant is longer, in bytes.
const LONGEST: usize = 64;

/// Reads `text`, as sent in `observed_at`; a form without a zone is in UTC, a date without a time its first instant.
///
/// # Errors
/// [`Invalid`] when it is empty, names no complete date, or says more than a date and a time.
pub fn parse_observed_at(text: &str) -> Result<Timestamp, Invalid> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Invalid::new("observed_at", Problem::Empty));
    }
    let malformed = || Invalid::new("observed_at", Problem::Malformed { expected: EXPECTED });
    if text.len() > LONGEST {
        return Err(malformed());
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Ok(timestamp);
    }
    if let Ok(civil) = text.parse::<jiff::civil::DateTime>() {
        return civil
            .to_zoned(TimeZone::UTC)
            .map(|zoned| zoned.timestamp())
            .map_err(|_| malformed());
    }
    written(text).ok_or_else(malformed)
}

/// A written form: one day with its year, perhaps a time before or behind it, and nothing else but small words.
fn written(text: &str) -> Option<Timestamp> {
    // Two observation days that share no year: only a form that says its year reads the same against both.
    let early = Timestamp::UNIX_EPOCH;
    let late: Timestamp = "2040-06-15T00:00:00Z".parse().ok()?;
    let found = dates(text, early);
    let [mention] = found.as_slice() else {
        return None;
    };
    if dates(text, late).first().map(|m| m.from) != Some(mention.from) {
        return None;
    }
    let one_day = mention.from.tomorrow().ok() == Some(mention.until);
    if !one_day {
        return None;
    }
    let time = match mention.time {
        Some(time) => time,
        None => time_elsewhere(text, mention.span.start, mention.span.end)?,
    };
    let instant = mention
        .from
        .to_datetime(time)
        .to_zoned(TimeZone::UTC)
        .ok()?;
    Some(instant.timestamp())
}

/// Words that may stand beside a date and a time and say nothing.
const SMALL_WORDS: &[&str] = &[
    "on",
    "at",
    "the",
    "am",
    "um",
    "uhr",
    "of",
    "le",
    "el",
    "à",
    "a",
    "las",
    "utc",
    "gmt",
    "z",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
];

/// The time that stands before or behind the date; midnight where there is none, `None` where something else stands there.
fn time_elsewhere(text: &str, start: usize, end: usize) -> Option<Time> {
    let (all, _) = tokens(text, 0, text.len());
    let mut time = None;
    let mut at = 0;
    while let Some(token) = all.get(at) {
        let inside = token.start >= start && token.end <= end;
        let small =
            token.is_any_mark() || SMALL_WORDS.contains(&token.of(text).to_lowercase().as_str());
        if let Some((found, behind)) = time_at(text, &all, at).filter(|_| !inside) {
            if time.replace(found).is_some() {
                return None;
            }
            at = behind;
            continue;
        }
        if !inside && (!small || token.shape == Shape::Number) {
            return None;
        }
        at += 1;
    }
    Some(time.unwrap_or_else(Time::midnight))
}
