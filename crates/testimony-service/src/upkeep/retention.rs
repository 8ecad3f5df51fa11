//! For how long what is kept: the numbers, in one place.

use std::time::Duration;

use testimony_domain::Timestamp;

/// For how long what is kept that ends by itself.
///
/// Memories end by their own times and by the policy of their container, evidence by the policy of its container
/// alone: it is kept for ever unless an operator says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Receipts of writes: for so long the same write sent again is carried out once.
    pub receipts: Duration,
    /// The journal of what was handed out: for so long an echo of it is known.
    pub handed_out: Duration,
    /// One row for every request that read; statistics by the hour stay.
    pub reads: Duration,
    /// Jobs that are done. Those that failed for good stay until somebody has looked at them.
    pub done_jobs: Duration,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Default for Retention {
    fn default() -> Self {
        Self {
            receipts: DAY.saturating_mul(7),
            handed_out: DAY.saturating_mul(7),
            reads: DAY.saturating_mul(90),
            done_jobs: DAY.saturating_mul(7),
        }
    }
}

impl Retention {
    /// Until when a receipt is kept that is made now.
    #[must_use]
    pub fn receipt_until(&self, now: Timestamp) -> Timestamp {
        now.checked_add(self.receipts).unwrap_or(Timestamp::MAX)
    }

    /// Until when it is remembered what is handed out now.
    #[must_use]
    pub fn handed_out_until(&self, now: Timestamp) -> Timestamp {
        now.checked_add(self.handed_out).unwrap_or(Timestamp::MAX)
    }
}

/// An instant before another; at the beginning of time it stays there.
pub(super) fn before(now: Timestamp, by: Duration) -> Timestamp {
    now.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// So many days before.
pub(super) fn days_before(now: Timestamp, days: u32) -> Timestamp {
    before(now, DAY.saturating_mul(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receipts_are_kept_for_seven_days_and_no_number_overflows() {
        let retention = Retention::default();
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(
            retention.receipt_until(now),
            "2026-03-08T12:00:00Z".parse().unwrap()
        );
        assert_eq!(retention.handed_out_until(Timestamp::MAX), Timestamp::MAX);
        assert_eq!(days_before(now, u32::MAX), Timestamp::MIN);
    }
}
