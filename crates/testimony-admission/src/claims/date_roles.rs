//! What stands around a date: the word that gives it its role, and the time of day behind it.

use jiff::civil::Time;

use super::calendar::{Days, Tense};
use super::class::*;
use super::clock_times::time_at;
use super::date_forms::Reader;
use super::dates::{DateMention, DateRole, Found};
use super::words::any_of;

impl Reader<'_> {
    /// Whether only "to" or its kin stands between a "from" date and this one.
    pub(super) fn joins(&self, behind: usize, at: usize) -> bool {
        let between = at.saturating_sub(behind);
        between <= 2
            && (behind..at).any(|i| {
                self.word_is(
                    i,
                    any_of![
                        "to", "until", "till", "-", "–", "bis", "au", "a", "hasta", "à", "through",
                        "al", "thru",
                    ],
                )
            })
    }

    pub(super) fn finish(&self, at: usize, behind: usize, days: Days, after_since: bool) -> Found {
        let mut behind = behind;
        let lead = self.lead(at);
        let mut first = lead.map_or(at, |(_, from)| from);
        let mut role = if after_since {
            DateRole::Until
        } else {
            lead.map_or(DateRole::Event, |(role, _)| role)
        };
        if self.is(behind, ONLY) && self.is(first, RELATIVE | NEAR_DAY) {
            role = DateRole::Temporary;
            behind += 1;
        } else if let Some(from) = self.restricted(first) {
            role = DateRole::Temporary;
            first = from;
        }
        let ahead = days.from > self.today && self.tense(at) == Tense::Past;
        if role == DateRole::Since && (ahead || self.leaves_day(first, behind)) {
            role = DateRole::Event;
        }
        let (time, behind) = self.time_behind(behind);
        let start = self.tokens.get(first).map_or(0, |token| token.start);
        let end = behind
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map_or(start, |token| token.end);
        let mention = DateMention {
            span: start..end,
            from: days.from,
            until: days.until,
            time,
            role,
        };
        Found {
            mention,
            first,
            behind,
        }
    }

    /// The word before a date that gives it its role, and where it stands.
    fn lead(&self, at: usize) -> Option<(DateRole, usize)> {
        let mut here = at.checked_sub(1)?;
        if self.opens_range(at) {
            return Some((DateRole::Since, here));
        }
        if self.is(here, ARTICLE)
            || self.word_is(
                here,
                any_of![
                    "early", "about", "around", "zum", "au", "on", "at", "le", "sometime",
                ],
            )
        {
            here = here.checked_sub(1)?;
        }
        if self.is(here, UNTIL) {
            return Some((DateRole::Until, here));
        }
        if self.word_is(here, any_of!["of"]) && here > 0 && self.word_is(here - 1, any_of!["as"]) {
            return Some((DateRole::Since, here - 1));
        }
        if self.word_is(here, any_of!["de", "partir"])
            && here > 1
            && self.word_is(here - 1, any_of!["partir"])
        {
            return Some((DateRole::Since, here - 2));
        }
        self.is(here, SINCE).then_some((DateRole::Since, here))
    }

    /// "Only this week", "just for today", "nur diese Woche", "for this week", "solo esta semana".
    fn restricted(&self, first: usize) -> Option<usize> {
        let mut here = first.checked_sub(1)?;
        let for_short = self.word_is(here, any_of!["for", "für", "pour", "por", "during"])
            && self.is(first, RELATIVE | NEAR_DAY);
        if for_short {
            match here.checked_sub(1) {
                Some(before) if self.is(before, ONLY) => here = before,
                _ => return Some(here),
            }
        }
        (self.is(here, ONLY) && self.is(first, RELATIVE | NEAR_DAY)).then_some(here)
    }

    /// A time of day behind a date.
    fn time_behind(&self, behind: usize) -> (Option<Time>, usize) {
        let comma = usize::from(self.tokens.get(behind).is_some_and(|t| t.is_mark(',')));
        let at = behind + comma;
        let at = at + usize::from(self.word_is(at, any_of!["at", "um", "à", "a"]));
        let at = at + usize::from(self.word_is(at, any_of!["las", "la"]));
        match time_at(self.text, self.tokens, at) {
            Some((time, end)) => (Some(time), end),
            None => (None, behind),
        }
    }
}
