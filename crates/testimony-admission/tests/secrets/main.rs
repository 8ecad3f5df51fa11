//! The secrets stage against its fixtures and its properties.

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
