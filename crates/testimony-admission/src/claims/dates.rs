//! Dates in text: a grammar over tokens, resolved against the day of observation into an interval of days.
//!
//! A bare weekday or month is placed by the tense of its sentence.
//! "5/8/2023" is read month first, as the sources that write it so mostly mean it, unless that gives no date;
//! "8.5.2023" and "8-5-2023" are read day first.
//! "Next Friday" is the first Friday after the observation, "last Friday" the last one before it.
//! "Until" includes what it names: "until Friday" ends with Friday.

use std::cell::OnceCell;
use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use testimony_domain::Validity;

use super::calendar::Tense;
use super::class::*;
use super::date_forms::Reader;
use super::lexicon::Language;
use super::token::{Shape, Token, tokens};
use super::words::{Words, any_of};
use crate::work::steps;

testimony_domain::words! {
    /// What a date says of the claim that it stands in.
    pub enum DateRole {
        /// When it happens or happened.
        Event = "event",
        /// From when it holds.
        Since = "since",
        /// Until when it holds.
        Until = "until",
        /// The short time for which alone it holds.
        Temporary = "temporary",
    }
}

/// A date that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateMention {
    /// Where it stands, in bytes, with the word that gives it its role.
    pub span: Range<usize>,
    /// The first day.
    pub from: Date,
    /// The first day that is no longer meant.
    pub until: Date,
    /// The time of day, where one stands beside it.
    pub time: Option<Time>,
    /// What it says of its claim.
    pub role: DateRole,
}

/// The dates in `text`, resolved against the instant at which it was said.
#[must_use]
pub fn dates(text: &str, observed_at: Timestamp) -> Vec<DateMention> {
    let (tokens, language) = tokens(text, 0, text.len());
    find(text, &tokens, language, observed_at)
        .into_iter()
        .map(|found| found.mention)
        .collect()
}

/// When a claim holds, by the dates in it.
#[must_use]
pub fn validity<'d>(mentions: impl IntoIterator<Item = &'d DateMention>) -> Validity {
    let mut held = Validity::default();
    for mention in mentions {
        match mention.role {
            DateRole::Since => held.from = instant(mention.from),
            DateRole::Until => held.until = instant(mention.until),
            DateRole::Temporary => {
                held.from = instant(mention.from);
                held.until = instant(mention.until);
            }
            DateRole::Event => {}
        }
    }
    held
}

/// The first instant of a day in UTC.
fn instant(date: Date) -> Option<Timestamp> {
    date.to_zoned(TimeZone::UTC)
        .ok()
        .map(|zoned| zoned.timestamp())
}

/// A mention with the tokens that it covers.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) mention: DateMention,
    pub(crate) first: usize,
    pub(crate) behind: usize,
}

/// The dates among `tokens` of `text`.
pub(crate) fn find(
    text: &str,
    tokens: &[Token],
    language: Language,
    observed_at: Timestamp,
) -> Vec<Found> {
    let Some(mut hint) = next_hint(text, tokens, 0) else {
        return Vec::new();
    };
    let today = observed_at.to_zoned(TimeZone::UTC).date();
    let reader = Reader {
        text,
        tokens,
        language,
        today,
        told_tenses: OnceCell::new(),
        told_weekly: OnceCell::new(),
    };
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if hint < at {
            let Some(next) = next_hint(text, tokens, at) else {
                break;
            };
            hint = next;
        }
        // No date opens farther from the word that makes it one.
        at = at.max(hint.saturating_sub(LONGEST_LEAD));
        steps(1);
        let read = reader.read(at).or_else(|| {
            let start = found.last()?;
            reader.last_of_month(start, at)
        });
        match read {
            Some((days, behind)) => {
                let start = found.last_mut().filter(|last| {
                    last.mention.role == DateRole::Since && reader.joins(last.behind, at)
                });
                let after_since = start.is_some();
                let days = start.map_or(days, |start| reader.in_order(start, days, (at, behind)));
                let done = reader.finish(at, behind, days, after_since);
                at = done.behind;
                found.push(done);
            }
            None => at += 1,
        }
    }
    found
}

/// A date opens at most so many words before the first that names a day, a number or a unit of the calendar.
const LONGEST_LEAD: usize = 6;

/// The next word from `at` without which there is no date.
fn next_hint(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let names_time = |token: &Token| {
        token.is(MONTH | WEEKDAY | CALENDAR | SEASON | NEAR_DAY | RELATIVE)
            || token.shape == Shape::Number
            // Of addresses, paths and identifiers only "Q3" names a time.
            || token.shape == Shape::Thing && token.of(text).starts_with(['Q', 'q', 'T'])
    };
    let found = tokens.iter().skip(at).position(names_time);
    steps(found.unwrap_or(tokens.len().saturating_sub(at)) + 1);
    found.map(|found| at + found)
}

/// Words that speak of what lies ahead.
const AHEAD: &Words = &Words::of(&[
    "will",
    "'ll",
    "’ll",
    "due",
    "deadline",
    "Deadline",
    "going",
    "wird",
    "by",
    "Due",
    "expires",
    "launches",
    "starts",
    "begins",
    "ends",
    "closes",
    "opens",
    "scheduled",
    "planned",
]);

/// The tense of a sentence, by its verbs.
pub(super) fn tense_of(text: &str, tokens: &[Token]) -> Tense {
    for (at, token) in tokens.iter().enumerate() {
        let word = token.of(text);
        // "We get paid" and "it is opened" are not past.
        if AHEAD.hold_exactly(token, text) {
            return Tense::Future;
        }
        let passive = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| {
                before.is(COPULA) || any_of!["get", "gets"].hold_exactly(before, text)
            });
        if passive {
            continue;
        }
        if token.is(PAST | PAST_COPULA)
            || (token.lexeme.is_none()
                && token.shape == Shape::Word
                && word.len() > 4
                && word.ends_with("ed"))
        {
            return Tense::Past;
        }
    }
    Tense::Unknown
}
