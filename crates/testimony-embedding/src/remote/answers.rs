//! What the status of an answer means, how long a wait is, and how a server says that it wants to be left alone.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::fmt::rfc2822;
use testimony_domain::Timestamp;

/// What a status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The vectors come with it.
    Good,
    /// The same question may be answered later.
    Again,
    /// These texts are refused; others may be answered.
    Refused,
    /// Every question will be answered so, until somebody changes the configuration.
    Misconfigured {
        because: &'static str,
        remedy: &'static str,
    },
}

/// What each status means; the first line that holds it counts, and what no line holds is asked again.
#[rustfmt::skip]
const STATUSES: &[(RangeInclusive<u16>, Meaning)] = &[
    (200..=299, Meaning::Good),
    (300..=399, Meaning::Misconfigured {
        because: "the server says that it has moved, and a credential is sent nowhere else",
        remedy: "configure the address that it has moved to",
    }),
    (401..=403, Meaning::Misconfigured {
        because: "the server does not accept the credential",
        remedy: "configure a key that may use this model, and see whether the account is in order",
    }),
    (404..=405, Meaning::Misconfigured {
        because: "the server knows no such model, or answers nothing at this address",
        remedy: "check `base` and `model` against what the server offers",
    }),
    (408..=408, Meaning::Again),
    (410..=410, Meaning::Misconfigured {
        because: "the server no longer offers this model",
        remedy: "name another model, which has every container embedded again",
    }),
    (425..=425, Meaning::Again),
    (429..=429, Meaning::Again),
    (400..=499, Meaning::Refused),
];

pub(super) fn meaning(status: u16) -> Meaning {
    let line = STATUSES.iter().find(|(range, _)| range.contains(&status));
    line.map_or(Meaning::Again, |(_, meaning)| *meaning)
}

/// The wait before another attempt: longer each time, and never the same for two clients.
pub(super) fn wait(attempts_so_far: u32, chance: f64, longest: Duration) -> Duration {
    const FIRST: Duration = Duration::from_millis(250);
    let doublings = attempts_so_far.saturating_sub(1).min(16);
    let whole = FIRST.saturating_mul(1 << doublings).min(longest);
    whole.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0))
}

/// How long a server wants to be left alone by its `Retry-After`: seconds, or a date.
pub(super) fn retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    // The zone of such dates is always `GMT`, which is read as an offset of zero.
    let date = rfc2822::DateTimeParser::new()
        .parse_timestamp(header)
        .ok()?;
    Duration::try_from(date.duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_mean_what_the_table_says() {
        for status in [200, 201] {
            assert_eq!(meaning(status), Meaning::Good, "{status}");
        }
        for status in [100, 408, 425, 429, 500, 502, 503, 504, 529, 999] {
            assert_eq!(meaning(status), Meaning::Again, "{status}");
        }
        for status in [400, 413, 422, 451] {
            assert_eq!(meaning(status), Meaning::Refused, "{status}");
        }
        for status in [301, 401, 402, 403, 404, 405, 410] {
            assert!(
                matches!(meaning(status), Meaning::Misconfigured { .. }),
                "{status}"
            );
        }
    }

    #[test]
    fn waits_grow_to_a_bound_and_chance_halves_them_at_most() {
        let longest = Duration::from_secs(1);
        let millis = |attempts, chance| wait(attempts, chance, longest).as_millis();
        let most: Vec<u128> = (1..5).map(|attempts| millis(attempts, 1.0)).collect();
        assert_eq!(most, [250, 500, 1_000, 1_000]);
        assert_eq!(millis(1, 0.0), 125);
        assert_eq!(millis(u32::MAX, 0.0), 500);
    }

    #[test]
    fn a_server_says_in_seconds_or_by_date_how_long_it_wants_to_be_left_alone() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let table = [
            ("0", Some(0)),
            (" 17 ", Some(17)),
            ("Sun, 01 Mar 2026 12:00:30 GMT", Some(30)),
            ("Sun, 01 Mar 2026 11:00:00 GMT", None),
            ("soon", None),
            ("-5", None),
            ("", None),
        ];
        for (header, seconds) in table {
            let expected = seconds.map(Duration::from_secs);
            assert_eq!(retry_after(header, now), expected, "{header:?}");
        }
    }
}
