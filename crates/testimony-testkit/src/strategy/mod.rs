//! Strategies: everything that a property about trust needs, drawn from small pools so that things meet.

pub mod case;
pub mod identity;
pub mod memory;
pub mod request;
pub mod secret;
pub mod submission;
pub mod text;
pub mod time;

use proptest::prelude::Strategy;
use proptest::sample::select;

/// One word of a closed set.
pub(crate) fn one_of<T: Copy + std::fmt::Debug + 'static>(
    all: &'static [T],
) -> impl Strategy<Value = T> + Clone {
    select(all)
}
