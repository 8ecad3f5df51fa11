//! Who has asked how much: a bucket for each credential that has a limit.
//!
//! Only credentials that are known have one, so that whoever shows unknown ones fills nothing; and there are only so
//! many at a time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use testimony_domain::{KeyId, Timestamp};

use super::bucket::{Bucket, Rate, Standing};

/// So many buckets are kept at a time.
const MOST: usize = 1 << 16;

/// The buckets of credentials, in memory: who waits is let in after a start, and no request waits for a disk.
#[derive(Default)]
pub(crate) struct Meter(Mutex<HashMap<KeyId, Bucket>>);

impl Meter {
    /// Counts a request of a credential.
    pub(crate) fn count(&self, key: KeyId, rate: Rate, now: Timestamp) -> Standing {
        // A bucket is whole whenever the lock is free, so somebody's panic does not matter.
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(&key) {
            make_room(&mut buckets, now);
        }
        buckets.entry(key).or_default().take(rate, now)
    }
}

/// A bucket that is full says nothing. Where none is, half of them go: a credential that comes back starts anew.
fn make_room(buckets: &mut HashMap<KeyId, Bucket>, now: Timestamp) {
    buckets.retain(|_, bucket| !bucket.is_full(now));
    if buckets.len() >= MOST {
        let mut nth = 0_usize;
        buckets.retain(|_, _| {
            nth += 1;
            nth.is_multiple_of(2)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testimony_domain::SequentialIds;

    #[test]
    fn each_has_a_bucket_of_its_own_and_there_are_only_so_many() {
        let ids = SequentialIds::default();
        let (meter, now) = (Meter::default(), Timestamp::UNIX_EPOCH);
        let rate = Rate::per_minute(1);
        let first = KeyId::mint(&ids);
        assert_eq!(meter.count(first, rate, now).wait, None);
        assert!(meter.count(first, rate, now).wait.is_some());
        for _ in 0..MOST + 10 {
            assert_eq!(meter.count(KeyId::mint(&ids), rate, now).wait, None);
        }
        assert!(meter.0.lock().unwrap().len() <= MOST);
    }
}
