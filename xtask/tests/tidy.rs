//! The rules of tidy hold for this repository: the same check as `cargo xtask tidy`, as a test.

use xtask::{Outcome, tidy};

#[test]
fn the_repository_is_tidy() {
    let mut said = Vec::new();
    let outcome = tidy::run(false, &mut said).expect("the repository can be read");
    let said = String::from_utf8_lossy(&said);
    assert_eq!(outcome, Outcome::Held, "\n{said}");
}
