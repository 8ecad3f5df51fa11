//! How many cases a property is tried on.

use proptest::test_runner::Config;

/// 1,024 cases, unless the environment says otherwise.
pub(crate) fn many() -> Config {
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let from_environment = Config::default();
    Config {
        cases: if is_set {
            from_environment.cases
        } else {
            1_024
        },
        ..from_environment
    }
}

/// For a broken twin, which has to be caught however hasty a run is: the first case that breaks it ends the search.
pub(crate) fn canary() -> Config {
    Config {
        cases: 1_024,
        max_shrink_iters: 0,
        failure_persistence: None,
        ..Config::default()
    }
}
