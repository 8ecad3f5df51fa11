//! So that nobody takes all the room there is: of what is worked on at a time, one credential has a share at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use testimony_domain::KeyId;

use crate::problem::{Code, Problem};

/// How much each credential has taken of some room.
#[derive(Debug)]
pub(crate) struct Shares {
    /// So much one has at most.
    most: usize,
    taken: Mutex<HashMap<KeyId, usize>>,
}

impl Shares {
    /// Shares of a room, in percent of it; even the smallest has place for one.
    pub(crate) fn of(room: usize, percent: u8) -> Arc<Self> {
        let percent = usize::from(percent.min(100));
        Arc::new(Self {
            most: (room.saturating_mul(percent) / 100).max(1),
            taken: Mutex::default(),
        })
    }

    /// Takes a place for a credential, or says that it has its share.
    pub(crate) fn take(self: &Arc<Self>, key: KeyId) -> Result<Place, Problem> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(key).or_default();
        if *count >= self.most {
            let detail = format!(
                "This credential has {} requests under way, which is as many as one may have; try again when some are answered.",
                self.most
            );
            return Err(Problem::new(Code::Overloaded, detail));
        }
        *count += 1;
        drop(taken);
        let shares = Arc::clone(self);
        Ok(Place { shares, key })
    }
}

/// A place that is given back when it goes.
#[derive(Debug)]
pub(crate) struct Place {
    shares: Arc<Shares>,
    key: KeyId,
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = self.shares.taken.lock();
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.key) {
            Some(count) if *count > 1 => *count -= 1,
            // Whoever has nothing is not kept in mind.
            Some(_) | None => {
                taken.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> KeyId {
        format!("key_{number:032x}").parse().unwrap()
    }

    #[test]
    fn a_share_is_counted_for_each_credential_and_given_back() {
        let shares = Shares::of(4, 50);
        let held = [shares.take(key(1)).unwrap(), shares.take(key(1)).unwrap()];
        let refused = shares.take(key(1)).unwrap_err();
        assert_eq!(
            (refused.code, refused.retry_after()),
            (Code::Overloaded, Some(1))
        );
        let other = shares.take(key(2)).unwrap();
        drop(held);
        drop(shares.take(key(1)).unwrap());
        drop(other);
        assert!(shares.taken.lock().unwrap().is_empty());
    }

    #[test]
    fn even_the_smallest_share_has_place_for_one() {
        for (room, percent, most) in [
            (0, 50, 1),
            (1, 50, 1),
            (256, 50, 128),
            (9, 255, 9),
            (9, 0, 1),
        ] {
            assert_eq!(Shares::of(room, percent).most, most);
        }
    }
}
