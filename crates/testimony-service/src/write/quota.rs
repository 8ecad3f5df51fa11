//! How many items a key may hand in on a day. They are counted where they are kept, within the piece of work that keeps
//! more, so that no start forgets them and no two writes spend the same.

use testimony_domain::{KeyId, Timestamp};

use super::repetition::Known;
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::{LedgerError, Writer};
use crate::service::Service;

const SECONDS_OF_A_DAY: i64 = 24 * 60 * 60;

/// What a key may hand in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    key: KeyId,
    items_per_day: u32,
}

impl Service {
    /// What the key of a visitor may hand in, where that has an end.
    pub(super) fn quota_of(&self, visitor: &Visitor) -> Result<Option<Quota>, ServiceError> {
        let key = visitor.identity.key();
        let record = self.at_hand.key(self.ledger.as_ref(), key)?;
        let items_per_day = record.and_then(|record| record.allowance.items_per_day);
        Ok(items_per_day.map(|items_per_day| Quota { key, items_per_day }))
    }
}

impl Quota {
    /// Why so many items more are too many, where they are.
    pub(super) fn spent_by(
        self,
        writer: &dyn Writer,
        items: usize,
    ) -> Result<Option<Known>, LedgerError> {
        let now = writer.act().at;
        let today = day_of(now);
        let kept = writer.handed_in(self.key, today)?;
        let left = u64::from(self.items_per_day).saturating_sub(kept);
        if items as u64 <= left {
            return Ok(None);
        }
        let passed = now.as_second() - today.as_second();
        let rest = SECONDS_OF_A_DAY.saturating_sub(passed);
        Ok(Some(Known::QuotaSpent {
            items_per_day: self.items_per_day,
            left,
            wait: std::time::Duration::from_secs(rest.unsigned_abs()),
        }))
    }
}

/// When the day of an instant began, in UTC.
fn day_of(now: Timestamp) -> Timestamp {
    let second = now.as_second();
    let began = second - second.rem_euclid(SECONDS_OF_A_DAY);
    Timestamp::from_second(began).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_of_utc() {
        for (now, began) in [
            ("2026-05-04T13:07:09.5Z", "2026-05-04T00:00:00Z"),
            ("2026-05-04T00:00:00Z", "2026-05-04T00:00:00Z"),
            ("1969-12-31T23:59:59Z", "1969-12-31T00:00:00Z"),
        ] {
            assert_eq!(day_of(now.parse().unwrap()), began.parse().unwrap());
        }
    }
}
