//! Time comes in as an argument: the core never asks what time it is.

use crate::Timestamp;

/// Where the time comes from. The shell passes a wall clock, tests a fixed one.
pub trait Clock {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// A clock that always says the same.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}
