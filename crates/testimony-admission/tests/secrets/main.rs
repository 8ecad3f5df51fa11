//! The secrets stage against its fixtures and its properties.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

mod negatives;
mod positives;
mod property;
mod stage;
mod template;
#[path = "../../../testimony-testkit/src/transform.rs"]
pub mod transform;

use testimony_admission::submission::Policy;

/// A container without exemptions.
const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[9; 32],
};
