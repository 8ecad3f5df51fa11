//! What a client of a server needs of the world beside the server: the time, a pause, and chance.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use testimony_domain::{Clock, Timestamp};

/// The time, a pause, and chance.
pub trait Surroundings: Clock + Send + Sync {
    /// Returns after this time.
    fn pause(&self, time: Duration);

    /// A number from 0 to 1 that nobody foresees, so that clients that failed together do not come back together.
    fn chance(&self) -> f64;
}

/// The surroundings of a running service, with the clock that it was given.
#[derive(Clone, Copy, Debug)]
pub struct SystemSurroundings<C>(pub C);

impl<C: Clock> Clock for SystemSurroundings<C> {
    fn now(&self) -> Timestamp {
        self.0.now()
    }
}

impl<C: Clock + Send + Sync> Surroundings for SystemSurroundings<C> {
    fn pause(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn chance(&self) -> f64 {
        // The keys of a hasher are drawn anew for each.
        let drawn = RandomState::new().build_hasher().finish();
        drawn as f64 / u64::MAX as f64
    }
}
