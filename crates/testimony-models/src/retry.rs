//! When a model is asked again: only where nothing of an answer has come and the question did no harm, after a pause
//! that nobody foresees.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// How often, and how long between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryRules {
    /// How often a question is sent before it is given up.
    pub attempts: u32,
    /// The first pause; each further one is twice as long.
    pub pause: Duration,
    /// The longest pause; who asks for a longer one is not asked again.
    pub longest_pause: Duration,
}

impl Default for RetryRules {
    fn default() -> Self {
        Self {
            attempts: 3,
            pause: Duration::from_millis(200),
            longest_pause: Duration::from_secs(2),
        }
    }
}

/// Statuses after which the same question may be asked again.
const PASSING: [u16; 3] = [502, 503, 504];

/// What came of an attempt, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// Nobody was reached, so nothing was asked.
    NotReached,
    /// An answer with this status, and when to come back.
    Status(u16, Option<Duration>),
    /// Anything after which asking again might ask twice.
    Final,
}

impl RetryRules {
    /// How long to wait before asking again after the attempt of this number; `None` for never.
    pub(crate) fn pause_after(
        &self,
        number: u32,
        attempt: Attempt,
        chance: f64,
    ) -> Option<Duration> {
        if number >= self.attempts {
            return None;
        }
        let told = match attempt {
            Attempt::NotReached => None,
            // Who is asked too often and does not say when to come back is not pressed.
            Attempt::Status(429, told) => Some(told?),
            Attempt::Status(status, told) if PASSING.contains(&status) => told,
            Attempt::Status(..) | Attempt::Final => return None,
        };
        match told {
            Some(told) => (told <= self.longest_pause).then_some(told + self.pause.mul_f64(chance)),
            None => Some(self.spread(number, chance)),
        }
    }

    /// Half to one and a half of the pause of this number, so that those who failed together come back apart.
    fn spread(&self, number: u32, chance: f64) -> Duration {
        let doubled = self
            .pause
            .saturating_mul(1 << number.saturating_sub(1).min(16));
        doubled.min(self.longest_pause).mul_f64(0.5 + chance)
    }
}

/// A number from 0 to 1 that nobody foresees.
pub(crate) fn chance() -> f64 {
    // The keys of a hasher are drawn anew for each.
    let drawn = RandomState::new().build_hasher().finish();
    #[expect(clippy::cast_precision_loss, reason = "a share of the whole is wanted")]
    let share = drawn as f64 / u64::MAX as f64;
    share
}

/// The longest time that anybody is believed who asks to be left alone.
const LONGEST_BELIEVED: u64 = 24 * 60 * 60;

/// When to come back, as an answer says it: in seconds, or as a date, which counts from the answer's own.
pub(crate) fn told_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let Ok(seconds) = text.parse::<f64>() else {
        return until(httpdate::parse_http_date(text).ok()?, headers);
    };
    let is_time = seconds.is_finite() && seconds >= 0.0;
    #[expect(clippy::cast_precision_loss, reason = "a day has few seconds")]
    is_time.then(|| Duration::from_secs_f64(seconds.min(LONGEST_BELIEVED as f64)))
}

/// How long it is until a date, by the clock that wrote it; only an answer that does not tell its own time is held
/// against the clock of this machine. A date that has passed means now.
fn until(date: SystemTime, headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &HeaderName| headers.get(name)?.to_str().ok();
    let written = text(&DATE).and_then(|text| httpdate::parse_http_date(text).ok());
    #[expect(
        clippy::disallowed_methods,
        reason = "a date that another machine wrote is held against the wall clock"
    )]
    let written = written.unwrap_or_else(SystemTime::now);
    let wait = date.duration_since(written).unwrap_or_default();
    Some(wait.min(Duration::from_secs(LONGEST_BELIEVED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: RetryRules = RetryRules {
        attempts: 4,
        pause: Duration::from_millis(100),
        longest_pause: Duration::from_millis(300),
    };

    fn millis(count: u64) -> Option<Duration> {
        Some(Duration::from_millis(count))
    }

    #[test]
    #[rustfmt::skip]
    fn what_is_asked_again_and_when() {
        use Attempt::{Final, NotReached, Status};
        let table = [
            (1, NotReached, millis(100)),
            (2, NotReached, millis(200)),
            (3, NotReached, millis(300)),
            (4, NotReached, None),
            (1, Status(429, None), None),
            (1, Status(429, millis(200)), millis(250)),
            (1, Status(429, millis(400)), None),
            (1, Status(503, None), millis(100)),
            (1, Status(502, millis(0)), millis(50)),
            (1, Status(504, millis(9_000)), None),
            (1, Status(500, None), None),
            (1, Status(400, None), None),
            (1, Status(200, None), None),
            (1, Final, None),
        ];
        for (number, attempt, pause) in table {
            assert_eq!(RULES.pause_after(number, attempt, 0.5), pause, "{number} {attempt:?}");
        }
    }

    #[test]
    fn a_wait_is_read_in_seconds_and_never_past_a_day() {
        let told = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            told_wait(&headers)
        };
        assert_eq!(told("7"), Some(Duration::from_secs(7)));
        assert_eq!(told("0.5"), millis(500));
        assert_eq!(told("1e300"), Some(Duration::from_hours(24)));
        for wrong in ["-1", "soon", "NaN", "inf", ""] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_date_counts_from_the_time_of_the_answer() {
        let told = |written: Option<&str>, until: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, until.parse().unwrap());
            if let Some(written) = written {
                headers.insert(DATE, written.parse().unwrap());
            }
            told_wait(&headers)
        };
        let noon = Some("Sun, 06 Nov 1994 12:00:00 GMT");
        let seconds = |count| Some(Duration::from_secs(count));
        assert_eq!(told(noon, "Sun, 06 Nov 1994 12:00:07 GMT"), seconds(7));
        assert_eq!(told(noon, "Sunday, 06-Nov-94 12:01:00 GMT"), seconds(60));
        assert_eq!(told(noon, "Sun, 06 Nov 1994 11:00:00 GMT"), seconds(0));
        assert_eq!(told(noon, "Sat, 06 Nov 2094 12:00:00 GMT"), seconds(86_400));
        // Without a time of its own, or with one that is none, it is held against the clock: long ago is now.
        assert_eq!(told(None, "Sun, 06 Nov 1994 12:00:07 GMT"), seconds(0));
        assert_eq!(
            told(Some("soon"), "Sun, 06 Nov 1994 12:00:07 GMT"),
            seconds(0)
        );
        assert_eq!(told(noon, "Sun, 06 Nov"), None);
    }

    #[test]
    fn chance_is_a_share() {
        assert!((0..100).all(|_| (0.0..=1.0).contains(&chance())));
    }
}
