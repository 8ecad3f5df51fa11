//! The circuit breaker: whether a provider that failed is asked again. A value, moved by what was seen and by the time.

use std::time::Duration;

use tokio::time::Instant;

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

/// How the way to a provider stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaker {
    /// Everything is asked.
    Closed {
        /// How many failures in a row there were.
        failures: u32,
    },
    /// Nothing is asked until then.
    Open {
        /// Until when.
        until: Instant,
        /// How often in a row it opened.
        times: u32,
    },
    /// One question is under way that decides.
    HalfOpen {
        /// When it is given up, so that a question whose asker left does not close the way for ever.
        until: Instant,
        /// How often in a row it was open.
        times: u32,
    },
}

impl Breaker {
    /// As it stands before anything was asked.
    pub(crate) const NEW: Self = Self::Closed { failures: 0 };

    /// Asks to ask: how the way stands then, and for how long it is shut.
    pub(crate) fn ask(self, now: Instant, rules: &BreakerRules) -> (Self, Option<Duration>) {
        match self {
            Self::Closed { .. } => (self, None),
            Self::Open { until, .. } | Self::HalfOpen { until, .. } if now < until => {
                (self, Some(until.duration_since(now)))
            }
            Self::Open { times, .. } | Self::HalfOpen { times, .. } => {
                let until = later(now, rules.rest);
                (Self::HalfOpen { until, times }, None)
            }
        }
    }

    /// Takes in whether a question was answered.
    #[must_use]
    pub(crate) fn saw(self, answered: bool, now: Instant, rules: &BreakerRules) -> Self {
        match (self, answered) {
            // What was asked before it opened says nothing about now.
            (Self::Open { .. }, _) => self,
            (Self::Closed { .. } | Self::HalfOpen { .. }, true) => Self::NEW,
            (Self::Closed { failures }, false) if failures + 1 < rules.failures => Self::Closed {
                failures: failures + 1,
            },
            (Self::Closed { .. }, false) => opened(now, 0, rules),
            (Self::HalfOpen { times, .. }, false) => opened(now, times, rules),
        }
    }

    /// For how long nothing is asked, where that is so.
    pub(crate) fn rests_for(self, now: Instant) -> Option<Duration> {
        match self {
            Self::Closed { .. } | Self::HalfOpen { .. } => None,
            Self::Open { until, .. } => Some(until.saturating_duration_since(now)),
        }
    }
}

fn opened(now: Instant, times: u32, rules: &BreakerRules) -> Breaker {
    let rest = rules.rest.saturating_mul(1 << times.min(16));
    Breaker::Open {
        until: later(now, rest.min(rules.longest_rest)),
        times: times.saturating_add(1),
    }
}

/// An instant after another; one that is too far away stays where it is.
fn later(now: Instant, by: Duration) -> Instant {
    now.checked_add(by).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: BreakerRules = BreakerRules {
        failures: 3,
        rest: Duration::from_secs(10),
        longest_rest: Duration::from_secs(25),
    };

    #[test]
    #[rustfmt::skip]
    fn asking_and_seeing_as_the_tables_say() {
        let start = Instant::now();
        let at = |second: u64| start + Duration::from_secs(second);
        let closed = |failures| Breaker::Closed { failures };
        let open = |until, times| Breaker::Open { until: at(until), times };
        let half = |until, times| Breaker::HalfOpen { until: at(until), times };
        let wait = |seconds| Some(Duration::from_secs(seconds));
        for (before, now, after, shut) in [
            (closed(0), 5, closed(0), None),
            (closed(2), 5, closed(2), None),
            (open(10, 1), 9, open(10, 1), wait(1)),
            (open(10, 1), 10, half(20, 1), None),
            (half(20, 1), 11, half(20, 1), wait(9)),
            (half(20, 1), 20, half(30, 1), None),
        ] {
            assert_eq!(before.ask(at(now), &RULES), (after, shut), "{before:?} at {now}");
        }
        for (before, answered, after) in [
            (closed(0), true, closed(0)),
            (closed(2), true, closed(0)),
            (closed(0), false, closed(1)),
            (closed(2), false, open(110, 1)),
            (half(105, 1), true, closed(0)),
            (half(105, 1), false, open(120, 2)),
            (half(105, 2), false, open(125, 3)),
            (half(105, 40), false, open(125, 41)),
            (open(130, 1), true, open(130, 1)),
            (open(130, 1), false, open(130, 1)),
        ] {
            assert_eq!(before.saw(answered, at(100), &RULES), after, "{before:?} saw {answered}");
        }
    }
}
