//! When a claim holds, and whether it holds now.

use crate::{State, Timestamp};

/// From when until when a claim holds; an open end is unknown, not eternal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Validity {
    /// The first instant at which it holds.
    pub from: Option<Timestamp>,
    /// The first instant at which it holds no longer.
    pub until: Option<Timestamp>,
}

impl Validity {
    /// Whether the claim holds at `instant`.
    #[must_use]
    pub fn holds_at(&self, instant: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= instant)
            && self.until.is_none_or(|until| instant < until)
    }
}

words! {
    /// Whether a claim speaks about the present.
    pub enum TemporalState {
        /// It holds now.
        Current = "current",
        /// Its time ran out without a successor.
        Stale = "stale",
        /// A newer claim took its place.
        Superseded = "superseded",
        /// It does not hold now: not yet, no longer, or it never counted.
        NonCurrent = "non_current",
    }
}

impl TemporalState {
    /// Reads the temporal state from lifecycle and validity.
    #[must_use]
    pub fn of(
        state: State,
        validity: &Validity,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        match state {
            State::Superseded => Self::Superseded,
            State::Expired => Self::Stale,
            State::QuarantinedInjection
            | State::QuarantinedSecret
            | State::Forensic
            | State::Rejected
            | State::Erased => Self::NonCurrent,
            State::Active | State::Pending => {
                if expires_at.is_some_and(|end| end <= now) {
                    Self::Stale
                } else if validity.holds_at(now) {
                    Self::Current
                } else {
                    Self::NonCurrent
                }
            }
        }
    }
}
