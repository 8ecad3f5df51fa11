//! `cargo xtask openapi`: the committed descriptions of the interface, written anew from the routes, or only checked.

use crate::{Outcome, Task, shell};

/// Writes the descriptions and their examples anew; with `check`, only says whether they are as they should be.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot run.
pub fn run(check: bool) -> Task {
    // Examples stand in the descriptions, so they come first.
    let tests = ["the_examples_are", "the_committed_descriptions"];
    for test in tests {
        let arguments = [
            "test",
            "--package",
            "testimony-transport",
            "--test",
            "http",
            test,
        ];
        let held = if check {
            shell::cargo_succeeds(&arguments)?
        } else {
            shell::cargo_succeeds_with(&arguments, ("UPDATE_EXPECT", "1"))?
        };
        if !held {
            return Ok(Outcome::Failed);
        }
    }
    Ok(Outcome::Held)
}
