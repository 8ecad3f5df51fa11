//! How often somebody may try a password: by name, by address, and by both.
//!
//! Names and addresses are the caller's, so there are as many as it likes; the buckets are a fixed number of them, and
//! which belongs to whom is a keyed hash that nobody outside can steer.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use testimony_domain::Timestamp;

use super::bucket::{Bucket, Rate};
use crate::keyring::Keyring;

/// By what attempts are counted, and how many there may be.
const COUNTED: &[(Counted, Rate)] = &[
    // Whoever mistypes has five attempts at once.
    (Counted::Both, Rate::new(5, 300)),
    // One address against many names.
    (Counted::Address, Rate::new(120, 600)),
    // Many addresses against one name.
    (Counted::Name, Rate::new(60, 3_600)),
];

#[derive(Clone, Copy)]
enum Counted {
    Both,
    Name,
    Address,
}

/// So many buckets there are for each.
const BUCKETS: usize = 1 << 12;

/// The buckets.
pub(crate) struct Throttle(Mutex<Vec<Bucket>>);

impl Default for Throttle {
    fn default() -> Self {
        Self(Mutex::new(vec![Bucket::default(); BUCKETS * COUNTED.len()]))
    }
}

/// By what an attempt is counted: what was tried, and whence.
#[derive(Clone, Copy)]
pub(crate) struct Attempt<'a> {
    pub(crate) name: &'a str,
    pub(crate) from: Option<IpAddr>,
}

impl Attempt<'_> {
    fn text(self, counted: Counted) -> String {
        let from = self.from.map(prefix);
        let address = from.map_or_else(String::new, |from| from.to_string());
        match counted {
            Counted::Both => format!("{address}\n{}", self.name),
            Counted::Name => self.name.to_owned(),
            Counted::Address => address,
        }
    }
}

impl Throttle {
    /// Counts an attempt before it is known what comes of it; after how long to come again, where there were too many.
    pub(crate) fn attempt(
        &self,
        keyring: &Keyring,
        attempt: Attempt<'_>,
        now: Timestamp,
    ) -> Option<Duration> {
        // What one refuses the others do not count: whoever is refused by its address shuts nobody out by name.
        self.each(keyring, attempt, |bucket, rate| bucket.take(rate, now).wait)
    }

    /// Gives back what an attempt took that was none at guessing. No more than that: whoever knows one password must not
    /// be able to wipe out what the same address tried on another name.
    pub(crate) fn give_back(&self, keyring: &Keyring, attempt: Attempt<'_>) {
        self.each(keyring, attempt, |bucket, rate| {
            bucket.give_back(rate);
            None::<()>
        });
    }

    /// Goes through the buckets of an attempt until one has something to say.
    fn each<T>(
        &self,
        keyring: &Keyring,
        attempt: Attempt<'_>,
        mut then: impl FnMut(&mut Bucket, Rate) -> Option<T>,
    ) -> Option<T> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shelves = COUNTED.iter().zip(buckets.chunks_mut(BUCKETS));
        shelves.find_map(|((counted, rate), shelf)| {
            let place = keyring.place_of(&attempt.text(*counted), shelf.len());
            then(shelf.get_mut(place)?, *rate)
        })
    }
}

/// An address, or the network of one: whoever has one address of IPv6 has 2^64 of them.
fn prefix(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyring::ServiceSecret;

    #[test]
    fn attempts_on_a_name_from_an_address_run_out_and_come_back() {
        let keyring = Keyring::of(&ServiceSecret::new([4; 32]));
        let throttle = Throttle::default();
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let attempt = |name: &str, from: &str, seconds| {
            let from = from.parse().ok();
            throttle.attempt(&keyring, Attempt { name, from }, at(seconds))
        };
        for _ in 0..5 {
            assert_eq!(attempt("mara", "192.0.2.1", 0), None);
        }
        assert_eq!(
            attempt("mara", "192.0.2.1", 0),
            Some(Duration::from_secs(60))
        );
        assert_eq!(attempt("mara", "192.0.2.2", 0), None);
        assert_eq!(attempt("olaf", "192.0.2.1", 0), None);
        assert_eq!(attempt("mara", "192.0.2.1", 60), None);
    }

    #[test]
    fn what_is_given_back_wipes_out_no_attempt_before_it() {
        let keyring = Keyring::of(&ServiceSecret::new([4; 32]));
        let (throttle, now) = (Throttle::default(), Timestamp::UNIX_EPOCH);
        let (name, from) = ("mara", "192.0.2.1".parse().ok());
        let attempt = Attempt { name, from };
        for _ in 0..4 {
            assert_eq!(throttle.attempt(&keyring, attempt, now), None);
        }
        for _ in 0..200 {
            assert_eq!(throttle.attempt(&keyring, attempt, now), None);
            throttle.give_back(&keyring, attempt);
        }
        assert_eq!(throttle.attempt(&keyring, attempt, now), None);
        assert!(throttle.attempt(&keyring, attempt, now).is_some());
    }

    #[test]
    fn one_address_shuts_nobody_out_elsewhere() {
        let keyring = Keyring::of(&ServiceSecret::new([4; 32]));
        let (throttle, now) = (Throttle::default(), Timestamp::UNIX_EPOCH);
        let attempt = |from: &str| {
            let (name, from) = ("mara", from.parse().ok());
            throttle.attempt(&keyring, Attempt { name, from }, now)
        };
        for _ in 0..500 {
            attempt("192.0.2.1");
        }
        assert_eq!(attempt("192.0.2.2"), None);
    }

    #[test]
    fn neither_many_addresses_nor_many_names_help() {
        let keyring = Keyring::of(&ServiceSecret::new([4; 32]));
        let now = Timestamp::UNIX_EPOCH;
        let by_address = Throttle::default();
        let many = (0..200_u8).filter(|last| {
            let (name, from) = ("mara", Some(IpAddr::from([192, 0, 2, *last])));
            let attempt = Attempt { name, from };
            by_address.attempt(&keyring, attempt, now).is_none()
        });
        assert_eq!(many.count(), 60);
        let by_name = Throttle::default();
        let many = (0..300).filter(|name| {
            // Every address of one network of IPv6 counts as one.
            let from = Some(IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, *name]));
            let name = &name.to_string();
            by_name
                .attempt(&keyring, Attempt { name, from }, now)
                .is_none()
        });
        assert!(many.count() <= 120);
    }
}
