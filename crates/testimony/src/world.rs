//! The world as it is: the system's clock and randomness, behind the traits that the core takes.

use testimony_domain::{Clock, Ids, Timestamp};
use testimony_service::ports::chance::{Chance, NoChance};

/// The system's clock, to the microsecond, which is what the ledger keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "here the clock comes in")]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

/// Ids of the present instant and the system's randomness: `UUIDv7`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn next_uuid(&self) -> uuid::Uuid {
        let now = SystemClock.now().as_millisecond();
        let mut tail = [0_u8; 10];
        // A system without randomness gives ids of its clock alone, which the ledger refuses where they are not new.
        let _ = getrandom::fill(&mut tail);
        let now = u64::try_from(now).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(now, &tail).into_uuid()
    }
}

/// The system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
        getrandom::fill(bytes).map_err(|_| NoChance)
    }
}
