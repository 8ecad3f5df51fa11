//! The circuit breaker: whether somebody outside who failed is asked again. A value, moved by what was seen and by the
//! time, for whoever fills a port over a network; by which clock is theirs to say.

use std::time::{Duration, Instant};

use testimony_domain::Timestamp;

/// A point in time of some clock.
pub trait Moment: Copy + Ord {
    /// One that is so much later; at the end of its time it stays there.
    #[must_use]
    fn later(self, by: Duration) -> Self;
}

impl Moment for Timestamp {
    fn later(self, by: Duration) -> Self {
        self.checked_add(by).unwrap_or(Self::MAX)
    }
}

impl Moment for Instant {
    fn later(self, by: Duration) -> Self {
        /// The clock of the machine has an end that nobody can name; a century is as good as it.
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let later = self.checked_add(by.min(CENTURY));
        later.unwrap_or(self)
    }
}

/// When the breaker opens, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerRules {
    /// After how many failures in a row nothing is asked any more.
    pub failures: u32,
    /// For how long the first time; each time that the one question afterwards fails as well, twice as long.
    pub rest: Duration,
    /// For how long at most.
    pub longest_rest: Duration,
}

impl Default for BreakerRules {
    fn default() -> Self {
        Self {
            failures: 5,
            rest: Duration::from_secs(10),
            longest_rest: Duration::from_secs(120),
        }
    }
}

/// How the way to whoever is asked stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaker<M> {
    /// Everything is asked.
    Closed {
        /// How many failures in a row there were.
        failures: u32,
    },
    /// Nothing is asked.
    Open {
        /// Until when.
        until: M,
        /// How often in a row it opened.
        times: u32,
    },
    /// One question is under way that decides.
    HalfOpen {
        /// When it is given up, so that a question whose asker is gone does not close the way for ever.
        until: M,
        /// How often in a row it was open.
        times: u32,
    },
}

/// Whether a question may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission<M> {
    /// It may.
    Go,
    /// Not before this instant.
    Wait(M),
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen<M> {
    /// An answer, be it that the texts are refused: the server works.
    Answered,
    /// No answer, or none that can be used; the next one may be.
    Failed,
    /// It asked to be left alone until an instant.
    Busy(M),
    /// An answer that will be the same for every question.
    Hopeless,
}

impl<M: Moment> Breaker<M> {
    /// As it stands before anything was asked.
    pub const NEW: Self = Self::Closed { failures: 0 };

    /// Asks to ask.
    #[must_use]
    pub fn ask(self, now: M, rules: &BreakerRules) -> (Self, Admission<M>) {
        match self {
            Self::Closed { .. } => (self, Admission::Go),
            Self::Open { until, .. } | Self::HalfOpen { until, .. } if now < until => {
                (self, Admission::Wait(until))
            }
            Self::Open { times, .. } | Self::HalfOpen { times, .. } => {
                let until = now.later(rules.rest);
                (Self::HalfOpen { until, times }, Admission::Go)
            }
        }
    }

    /// Takes in what came of a question.
    #[must_use]
    pub fn saw(self, seen: Seen<M>, now: M, rules: &BreakerRules) -> Self {
        match (self, seen) {
            // What was asked before it opened says nothing about now.
            (Self::Open { .. }, Seen::Answered | Seen::Failed) => self,
            (Self::Closed { .. } | Self::HalfOpen { .. }, Seen::Answered) => Self::NEW,
            (Self::Closed { failures }, Seen::Failed) if failures + 1 < rules.failures => {
                let failures = failures + 1;
                Self::Closed { failures }
            }
            (Self::Closed { .. } | Self::HalfOpen { .. }, Seen::Failed)
            | (Self::Closed { .. } | Self::HalfOpen { .. } | Self::Open { .. }, Seen::Hopeless) => {
                self.opened(now, rules)
            }
            (
                Self::Closed { .. } | Self::HalfOpen { .. } | Self::Open { .. },
                Seen::Busy(until),
            ) => {
                let until = self.or_closed_until(until);
                let times = self.times();
                Self::Open { until, times }
            }
        }
    }

    /// Until when nothing is asked, where that is so.
    #[must_use]
    pub const fn rests_until(self) -> Option<M> {
        match self {
            Self::Closed { .. } => None,
            Self::Open { until, .. } | Self::HalfOpen { until, .. } => Some(until),
        }
    }

    fn opened(self, now: M, rules: &BreakerRules) -> Self {
        let times = self.times();
        let rest = rules.rest.saturating_mul(1 << times.min(16));
        let until = self.or_closed_until(now.later(rest.min(rules.longest_rest)));
        let times = times.saturating_add(1);
        Self::Open { until, times }
    }

    const fn times(self) -> u32 {
        match self {
            Self::Closed { .. } => 0,
            Self::Open { times, .. } | Self::HalfOpen { times, .. } => times,
        }
    }

    /// An instant, or until when it is open where that is later.
    fn or_closed_until(self, until: M) -> M {
        match self {
            Self::Closed { .. } | Self::HalfOpen { .. } => until,
            Self::Open { until: open, .. } => until.max(open),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: BreakerRules = BreakerRules {
        failures: 3,
        rest: Duration::from_secs(10),
        longest_rest: Duration::from_secs(25),
    };

    fn at(second: i64) -> Timestamp {
        Timestamp::constant(second, 0)
    }

    fn closed(failures: u32) -> Breaker<Timestamp> {
        Breaker::Closed { failures }
    }

    fn open(until: i64, times: u32) -> Breaker<Timestamp> {
        let until = at(until);
        Breaker::Open { until, times }
    }

    fn half(until: i64, times: u32) -> Breaker<Timestamp> {
        let until = at(until);
        Breaker::HalfOpen { until, times }
    }

    #[test]
    #[rustfmt::skip]
    fn asking_as_the_table_says() {
        use Admission::{Go, Wait};
        let table = [
            // before, when, after, admission
            (closed(0), 5, closed(0), Go),
            (closed(2), 5, closed(2), Go),
            (open(10, 1), 9, open(10, 1), Wait(at(10))),
            (open(10, 1), 10, half(20, 1), Go),
            (open(10, 4), 99, half(109, 4), Go),
            (half(20, 1), 11, half(20, 1), Wait(at(20))),
            (half(20, 1), 20, half(30, 1), Go),
        ];
        for (before, now, after, admission) in table {
            assert_eq!(before.ask(at(now), &RULES), (after, admission), "{before:?} at {now}");
        }
    }

    #[test]
    #[rustfmt::skip]
    fn seeing_as_the_table_says() {
        use Seen::{Answered, Busy, Failed, Hopeless};
        let table = [
            // before, what was seen at 100, after
            (closed(0), Answered, closed(0)),
            (closed(2), Answered, closed(0)),
            (closed(0), Failed, closed(1)),
            (closed(1), Failed, closed(2)),
            (closed(2), Failed, open(110, 1)),
            (closed(0), Hopeless, open(110, 1)),
            (closed(0), Busy(at(140)), open(140, 0)),
            (half(105, 1), Answered, closed(0)),
            (half(105, 1), Failed, open(120, 2)),
            (half(105, 2), Failed, open(125, 3)),
            (half(105, 40), Failed, open(125, 41)),
            (half(105, 1), Hopeless, open(120, 2)),
            (half(105, 1), Busy(at(103)), open(103, 1)),
            (open(130, 1), Answered, open(130, 1)),
            (open(130, 1), Failed, open(130, 1)),
            (open(105, 1), Hopeless, open(120, 2)),
            (open(150, 1), Hopeless, open(150, 2)),
            (open(150, 1), Busy(at(140)), open(150, 1)),
            (open(130, 1), Busy(at(140)), open(140, 1)),
        ];
        for (before, seen, after) in table {
            assert_eq!(before.saw(seen, at(100), &RULES), after, "{before:?} saw {seen:?}");
        }
    }

    #[test]
    fn at_the_end_of_time_nothing_overflows() {
        let rules = BreakerRules {
            rest: Duration::MAX,
            longest_rest: Duration::MAX,
            ..RULES
        };
        let open = closed(2).saw(Seen::Failed, Timestamp::MAX, &rules);
        assert_eq!(open.rests_until(), Some(Timestamp::MAX));
        #[expect(
            clippy::disallowed_methods,
            reason = "the clock of the machine is tried"
        )]
        let now = Instant::now();
        assert!(now.later(Duration::MAX) > now);
    }
}
