//! When a token holds, by its own claims and a clock that is passed in.

use std::time::Duration;

use serde_json::{Map, Value};
use testimony_domain::Timestamp;
use testimony_service::access::NoEntry;

/// The times that a token names, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    ends: f64,
    begins: Option<f64>,
    made: Option<f64>,
}

impl Times {
    /// What a token says; `None` where a time is no number, or where it does not say when it ends.
    pub(super) fn of(claims: &Map<String, Value>) -> Option<Self> {
        let number = |name: &str| match claims.get(name) {
            None => Some(None),
            Some(value) => value.as_f64().filter(|it| it.is_finite()).map(Some),
        };
        Some(Self {
            ends: number("exp")??,
            begins: number("nbf")?,
            made: number("iat")?,
        })
    }

    /// Until when it holds, if it holds now.
    pub(super) fn check(
        self,
        leeway: Duration,
        longest_life: Option<Duration>,
        now: Timestamp,
    ) -> Result<Timestamp, NoEntry> {
        let (now, leeway) = (now.as_duration().as_secs_f64(), leeway.as_secs_f64());
        let ends = self.ends + leeway;
        if ends <= now {
            return Err(NoEntry::Expired);
        }
        let is_early = |time: Option<f64>| time.is_some_and(|time| time > now + leeway);
        let is_long = longest_life.is_some_and(|longest| {
            self.made
                .is_none_or(|made| self.ends - made > longest.as_secs_f64())
        });
        if is_early(self.begins) || is_early(self.made) || is_long {
            return Err(NoEntry::Unknown);
        }
        Ok(instant(ends))
    }
}

/// An instant; one that is beyond what there is, is the last.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a number that is too large gives the largest"
)]
fn instant(seconds: f64) -> Timestamp {
    Timestamp::from_second(seconds as i64).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(claims: Value, longest: Option<u64>) -> Option<Result<i64, NoEntry>> {
        let Value::Object(claims) = claims else {
            return None;
        };
        let now = Timestamp::from_second(1_000).unwrap();
        let longest = longest.map(Duration::from_secs);
        let until = Times::of(&claims)?.check(Duration::from_secs(60), longest, now);
        Some(until.map(Timestamp::as_second))
    }

    #[test]
    fn a_token_holds_between_its_times_and_a_little_beyond() {
        let (late, early) = (Some(Err(NoEntry::Expired)), Some(Err(NoEntry::Unknown)));
        for (claims, longest, expected) in [
            (json!({ "exp": 1_100 }), None, Some(Ok(1_160))),
            (json!({ "exp": 941 }), None, Some(Ok(1_001))),
            (json!({ "exp": 940 }), None, late),
            (json!({ "exp": -5 }), None, late),
            (
                json!({ "exp": 1e300 }),
                None,
                Some(Ok(Timestamp::MAX.as_second())),
            ),
            (json!({ "exp": "1100" }), None, None),
            (json!({ "exp": null }), None, None),
            (json!({}), None, None),
            (json!({ "exp": 1_100, "nbf": 1_060 }), None, Some(Ok(1_160))),
            (json!({ "exp": 1_100, "nbf": 1_061 }), None, early),
            (json!({ "exp": 1_100, "nbf": "0" }), None, None),
            (json!({ "exp": 1_100, "iat": 1_061 }), None, early),
            (
                json!({ "exp": 1_100, "iat": 900 }),
                Some(200),
                Some(Ok(1_160)),
            ),
            (json!({ "exp": 1_101, "iat": 900 }), Some(200), early),
            (json!({ "exp": 1_100 }), Some(200), early),
        ] {
            assert_eq!(check(claims.clone(), longest), expected, "{claims}");
        }
    }
}
