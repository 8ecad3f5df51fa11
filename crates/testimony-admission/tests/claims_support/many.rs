//! How many cases a property is tried on.

use proptest::test_runner::Config;

/// 1,024 cases, unless the environment says otherwise.
pub(crate) fn many() -> Config {
    let config = Config::default();
    #[expect(clippy::disallowed_methods, reason = "proptest's own variable decides")]
    let set = std::env::var("PROPTEST_CASES").is_ok();
    if set {
        config
    } else {
        Config {
            cases: 1024,
            ..config
        }
    }
}
