//! The secrets stage against its fixtures and its properties.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

mod negatives;
mod neighbours;
mod offsets;
mod positives;
mod property;
mod stage;
mod stated;
mod tables;
mod template;
#[path = "../../../testimony-testkit/src/transform.rs"]
pub mod transform;
#[path = "../cases/many.rs"]
mod tries;
mod wraps;

use testimony_admission::submission::Policy;

/// A container without exemptions.
const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[9; 32],
};

/// Checks that nothing went wrong, and names all that did.
fn none(what: &str, wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} {what}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The text of a fixture line, drawn from a seed of its own, so that a line means the same wherever it stands.
fn expanded(line: &template::Line) -> String {
    let bytes = line.text.iter().flat_map(|part| part.bytes());
    let seed = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    template::expand(&line.text, seed)
}
