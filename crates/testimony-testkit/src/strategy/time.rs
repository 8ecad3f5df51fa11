//! Instants around one noon, in whole hours, so that they coincide often.

use proptest::prelude::Strategy;
use testimony_domain::Timestamp;

/// The noon that stands for the present: 15 June 2025, UTC.
pub const NOON_SECONDS: i64 = 1_749_988_800;
const HOUR_SECONDS: i64 = 3_600;
const A_MONTH_HOURS: i64 = 30 * 24;

/// The instant so many hours after noon.
#[must_use]
pub fn hours_after_noon(hours: i64) -> Timestamp {
    let seconds = hours
        .saturating_mul(HOUR_SECONDS)
        .saturating_add(NOON_SECONDS);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The present.
#[must_use]
pub fn now() -> Timestamp {
    hours_after_noon(0)
}

/// Some instant within a month of noon; often noon itself, where bounds are off by one.
pub fn instants() -> impl Strategy<Value = Timestamp> + Clone {
    proptest::prop_oneof![
        1 => proptest::strategy::Just(now()),
        6 => (-A_MONTH_HOURS..=A_MONTH_HOURS).prop_map(hours_after_noon),
    ]
}
