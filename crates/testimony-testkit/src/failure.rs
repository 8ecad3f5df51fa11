//! What a suite returns when a property does not hold, and how hard it tries.

use std::fmt;

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, RngSeed, TestCaseError, TestCaseResult, TestError, TestRunner,
};

/// A property that does not hold, with the smallest input found that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample<T> {
    /// The property, as the suite calls it.
    pub property: &'static str,
    /// What happened instead.
    pub reason: String,
    /// The input.
    pub input: T,
}

/// Why a suite did not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure<T> {
    /// The property does not hold.
    Broken(Box<Counterexample<T>>),
    /// The property could not be tried often enough to say anything.
    NotTried {
        /// The property, as the suite calls it.
        property: &'static str,
        /// Why not.
        reason: String,
    },
}

impl<T: fmt::Debug> fmt::Display for Failure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(found) => {
                let Counterexample {
                    property,
                    reason,
                    input,
                } = found.as_ref();
                write!(f, "`{property}` does not hold: {reason}; with {input:#?}")
            }
            Self::NotTried { property, reason } => {
                write!(f, "`{property}` was not tried: {reason}")
            }
        }
    }
}

impl<T: fmt::Debug> std::error::Error for Failure<T> {}

/// How hard properties are tried: 1,024 cases, unless the environment variable `PROPTEST_CASES` says otherwise.
#[must_use]
pub fn config() -> Config {
    const USUAL_CASES: u32 = 1_024;
    let from_environment = Config::default();
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    Config {
        cases: if is_set {
            from_environment.cases
        } else {
            USUAL_CASES
        },
        failure_persistence: None,
        ..from_environment
    }
}

/// Whether a property breaks on some input, as it has to when what it is asked of is a canary: a twin of the tested
/// thing, broken on purpose.
///
/// The inputs are the same every time and never few, so that whether a canary is caught is no matter of luck and not
/// of how hasty the run is. A panic breaks a property, too.
pub fn breaks<S: Strategy>(inputs: &S, holds: impl Fn(&S::Value) -> bool) -> bool {
    const FEWEST_CASES: u32 = 4_096;
    let usual = config();
    let thorough = Config {
        cases: usual.cases.max(FEWEST_CASES),
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(1),
        ..usual
    };
    let tried = TestRunner::new(thorough).run(inputs, |input| {
        if holds(&input) {
            Ok(())
        } else {
            Err(TestCaseError::fail("broken"))
        }
    });
    matches!(tried, Err(TestError::Fail(..)))
}

/// Tries a property. A panic inside it counts as a counterexample, too.
pub(crate) fn try_property<S: Strategy>(
    property: &'static str,
    inputs: &S,
    holds: impl Fn(&S::Value) -> Result<(), String>,
) -> Result<(), Failure<S::Value>> {
    let tried = TestRunner::new(config()).run(inputs, |input| -> TestCaseResult {
        holds(&input).map_err(TestCaseError::fail)
    });
    tried.map_err(|error| match error {
        TestError::Fail(reason, input) => Failure::Broken(Box::new(Counterexample {
            property,
            reason: reason.message().to_owned(),
            input,
        })),
        TestError::Abort(reason) => Failure::NotTried {
            property,
            reason: reason.message().to_owned(),
        },
    })
}
