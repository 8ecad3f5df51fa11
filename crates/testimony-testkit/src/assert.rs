//! The suites as assertions, for tests that want to say it in one line.

use std::fmt::Debug;

use crate::{Failure, Stack, suite};

#[expect(clippy::panic, reason = "an assertion of a test ends the test")]
#[track_caller]
fn pass<T: Debug>(outcome: Result<(), Failure<T>>) {
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

macro_rules! assertions {
    ($($name:ident => $suite:ident;)+) => {
        $(
            #[doc = concat!("Asserts [`suite::", stringify!($suite), "`].")]
            ///
            /// # Panics
            /// With the smallest counterexample found, when the property does not hold.
            #[track_caller]
            pub fn $name(stack: &dyn Stack) {
                pass(suite::$suite(stack));
            }
        )+

        /// Asserts every property of [`suite`].
        ///
        /// # Panics
        /// With the smallest counterexample found, at the first property that does not hold.
        #[track_caller]
        pub fn assert_all(stack: &dyn Stack) {
            $($name(stack);)+
        }
    };
}

assertions! {
    assert_total => total;
    assert_nothing_foreign => nothing_foreign;
    assert_sealed_stays_shut => sealed_stays_shut;
    assert_errors_deny => errors_deny;
    assert_tightens_only => tightens_only;
    assert_non_interference => non_interference;
    assert_monotone_in_policy => monotone_in_policy;
    assert_repetition_changes_nothing => repetition_changes_nothing;
}
