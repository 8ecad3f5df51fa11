//! The world as it is: the system's clock and randomness, behind the traits that the core takes.

use std::sync::{Mutex, PoisonError};

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

/// Ids of the present instant and the system's randomness: `UUIDv7`, each greater than the one before.
///
/// So rows that came in together, at one instant, stand in the order in which they came wherever ids decide.
#[derive(Debug, Default)]
pub struct SystemIds {
    last: Mutex<Ascending>,
}

impl Ids for SystemIds {
    fn next_uuid(&self) -> uuid::Uuid {
        let now = SystemClock.now().as_millisecond();
        let now = u64::try_from(now).unwrap_or_default();
        let mut chance = [0_u8; 16];
        // A system without randomness gives ids of its clock alone, one up for each.
        let _ = getrandom::fill(&mut chance);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = last.next(now, u128::from_le_bytes(chance));
        last.uuid()
    }
}

/// What a `UUIDv7` says beside its version and variant: 48 bits of milliseconds, and 74 of chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Ascending(u128);

impl Ascending {
    const CHANCE_BITS: u32 = 74;
    /// A step within a millisecond goes so far at most: nobody can count from two ids how many lie in between, and
    /// there is room for eight thousand million of them.
    const STEP_BITS: u32 = 40;

    /// One of this millisecond; one further up where there is one of it, or of a later one, already.
    fn next(self, now: u64, chance: u128) -> Self {
        let low = |bits: u32| chance & ((1 << bits) - 1);
        // Chance begins in the lower half, so that there is room above it.
        let fresh = Self((u128::from(now) << Self::CHANCE_BITS) | low(Self::CHANCE_BITS - 1));
        if fresh.millisecond() > self.millisecond() {
            fresh
        } else {
            Self(self.0 + 1 + low(Self::STEP_BITS))
        }
    }

    const fn millisecond(self) -> u128 {
        self.0 >> Self::CHANCE_BITS
    }

    fn uuid(self) -> uuid::Uuid {
        const LOWER_BITS: u32 = 62;
        let upper = (self.0 >> LOWER_BITS) & 0xfff;
        let lower = self.0 & ((1 << LOWER_BITS) - 1);
        // Where version and variant go, there is nothing.
        let laid_out = (self.millisecond() << 80) | (upper << 64) | lower;
        let bytes = uuid::Builder::from_bytes(laid_out.to_be_bytes());
        bytes
            .with_version(uuid::Version::SortRand)
            .with_variant(uuid::Variant::RFC4122)
            .into_uuid()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_within_a_millisecond_and_while_the_clock_is_set_back() {
        let times = [5, 5, 5, 4, 4, 6, 6];
        let chances = [u128::MAX, 0, 7, u128::MAX, 1, 0, u128::MAX];
        let mut last = Ascending::default();
        for (now, chance) in times.into_iter().zip(chances) {
            let next = last.next(now, chance);
            assert!(next > last && next.uuid() > last.uuid(), "{now} {chance}");
            last = next;
        }
        assert_eq!(last.millisecond(), 6);
    }

    #[test]
    fn ids_are_of_the_seventh_version_and_say_when() {
        let id = Ascending::default()
            .next(1_700_000_000_000, u128::MAX)
            .uuid();
        assert_eq!(id.get_version_num(), 7);
        assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        let said = id.get_timestamp().map(|it| it.to_unix());
        assert_eq!(said, Some((1_700_000_000, 0)));
    }

    #[test]
    fn a_thousand_ids_ascend() {
        let ids = SystemIds::default();
        let minted: Vec<_> = (0..1000).map(|_| ids.next_uuid()).collect();
        assert!(minted.is_sorted_by(|one, next| one < next));
    }
}
