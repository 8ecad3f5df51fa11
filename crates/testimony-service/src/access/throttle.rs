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

impl Throttle {
    /// Counts an attempt; after how long to come again, where there were too many.
    pub(crate) fn attempt(
        &self,
        keyring: &Keyring,
        name: &str,
        from: Option<IpAddr>,
        now: Timestamp,
    ) -> Option<Duration> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let address = from.map_or_else(String::new, |from| prefix(from).to_string());
        let mut waits = COUNTED.iter().zip(buckets.chunks_mut(BUCKETS));
        // What one refuses the others do not count: whoever is refused by its address shuts nobody out by name.
        waits.find_map(|((counted, rate), shelf)| {
            let text = match counted {
                Counted::Both => format!("{address}\n{name}"),
                Counted::Name => name.to_owned(),
                Counted::Address => address.clone(),
            };
            let place = keyring.place_of(&text, shelf.len());
            shelf.get_mut(place)?.take(*rate, now).wait
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
            throttle.attempt(&keyring, name, from.parse().ok(), at(seconds))
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
    fn one_address_shuts_nobody_out_elsewhere() {
        let keyring = Keyring::of(&ServiceSecret::new([4; 32]));
        let (throttle, now) = (Throttle::default(), Timestamp::UNIX_EPOCH);
        let attempt = |from: &str| throttle.attempt(&keyring, "mara", from.parse().ok(), now);
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
            let from = IpAddr::from([192, 0, 2, *last]);
            by_address
                .attempt(&keyring, "mara", Some(from), now)
                .is_none()
        });
        assert_eq!(many.count(), 60);
        let by_name = Throttle::default();
        let many = (0..300).filter(|name| {
            // Every address of one network of IPv6 counts as one.
            let from = IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, *name]);
            by_name
                .attempt(&keyring, &name.to_string(), Some(from), now)
                .is_none()
        });
        assert!(many.count() <= 120);
    }
}
