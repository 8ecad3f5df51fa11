//! What becomes of a job: a function of how often it was tried, what came of it, and the time.

use std::time::Duration;

use testimony_domain::Timestamp;

use crate::ports::ledger::jobs::{Job, JobEnd};

/// What came of working on a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done, or there is nothing left to do.
    Done,
    /// Something of it is done, and there is more.
    Unfinished,
    /// What it needs is not there.
    Waits {
        /// Before when it is of no use to try, where that is known.
        until: Option<Timestamp>,
        /// What it waits for; no content.
        because: String,
    },
    /// It failed, and may go well another time.
    Failed {
        /// Why; no content.
        failure: String,
    },
    /// It can never go well.
    Hopeless {
        /// Why; no content.
        failure: String,
    },
}

/// How long a job rests after each attempt that failed; after the attempt behind the last line it is given up.
const BACK_OFF: &[Duration] = &[
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(2 * 60),
    Duration::from_secs(10 * 60),
    Duration::from_secs(60 * 60),
    Duration::from_secs(6 * 60 * 60),
];

/// How long a job rests that waits for something of which nobody knows when it comes.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// How often a job is tried.
pub const MOST_ATTEMPTS: u32 = BACK_OFF.len() as u32 + 1;

/// What becomes of a job after its attempt with this number, counted from 1.
#[must_use]
pub fn next(attempt: u32, outcome: &Outcome, now: Timestamp) -> JobEnd {
    match outcome {
        Outcome::Done => JobEnd::Done,
        Outcome::Unfinished => JobEnd::Back {
            at: now,
            waits_for: None,
        },
        Outcome::Waits { until, because } => JobEnd::Back {
            at: until.unwrap_or_else(|| later(now, LOOK_AGAIN)).max(now),
            waits_for: Some(because.clone()),
        },
        Outcome::Hopeless { failure } => JobEnd::Dead {
            failure: failure.clone(),
        },
        Outcome::Failed { failure } => match rest_after(attempt) {
            Some(rest) => JobEnd::Retry {
                at: later(now, rest),
                failure: failure.clone(),
            },
            None => JobEnd::Dead {
                failure: format!("{failure} ({attempt} attempts)"),
            },
        },
    }
}

/// A job that is not worked on any more: whoever had it was gone before it ended, as often as it may be tried.
#[must_use]
pub fn given_up(job: &Job) -> Option<JobEnd> {
    (job.attempts > MOST_ATTEMPTS).then(|| JobEnd::Dead {
        failure: format!(
            "nobody who took it came to an end, {MOST_ATTEMPTS} times; whatever it works on may stop the process"
        ),
    })
}

fn rest_after(attempt: u32) -> Option<Duration> {
    let place = usize::try_from(attempt.saturating_sub(1)).ok()?;
    BACK_OFF.get(place).copied()
}

/// An instant after another; at the end of time it stays there.
pub(super) fn later(now: Timestamp, by: Duration) -> Timestamp {
    now.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::constant(1_000 + second, 0)
    }

    fn retry(second: i64) -> JobEnd {
        JobEnd::Retry {
            at: at(second),
            failure: "f".to_owned(),
        }
    }

    fn back(second: i64, waits_for: Option<&str>) -> JobEnd {
        JobEnd::Back {
            at: at(second),
            waits_for: waits_for.map(str::to_owned),
        }
    }

    fn dead(failure: &str) -> JobEnd {
        JobEnd::Dead {
            failure: failure.to_owned(),
        }
    }

    fn waits(until: Option<i64>) -> Outcome {
        Outcome::Waits {
            until: until.map(at),
            because: "w".to_owned(),
        }
    }

    #[test]
    #[rustfmt::skip]
    fn a_job_becomes_what_the_table_says() {
        let failed = Outcome::Failed { failure: "f".to_owned() };
        let hopeless = Outcome::Hopeless { failure: "f".to_owned() };
        let table = [
            (1, Outcome::Done, JobEnd::Done),
            (7, Outcome::Done, JobEnd::Done),
            (1, Outcome::Unfinished, back(0, None)),
            (9, Outcome::Unfinished, back(0, None)),
            (1, waits(None), back(30, Some("w"))),
            (9, waits(Some(90)), back(90, Some("w"))),
            (1, waits(Some(-5)), back(0, Some("w"))),
            (1, hopeless, dead("f")),
            (0, failed.clone(), retry(5)),
            (1, failed.clone(), retry(5)),
            (2, failed.clone(), retry(30)),
            (3, failed.clone(), retry(120)),
            (4, failed.clone(), retry(600)),
            (5, failed.clone(), retry(3_600)),
            (6, failed.clone(), retry(21_600)),
            (7, failed.clone(), dead("f (7 attempts)")),
            (u32::MAX, failed, dead("f (4294967295 attempts)")),
        ];
        for (attempt, outcome, end) in table {
            assert_eq!(next(attempt, &outcome, at(0)), end, "{attempt}: {outcome:?}");
        }
    }

    #[test]
    fn rests_grow() {
        assert!(BACK_OFF.is_sorted());
        assert_eq!(MOST_ATTEMPTS, 7);
    }
}
