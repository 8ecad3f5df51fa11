//! The entrance as a whole: what no ruling may carry, what every ruling says, and how much work one costs.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

mod flood;
mod neighbours;
mod routes;
mod secrecy;
#[path = "../secrets/template.rs"]
mod template;
mod total;
#[path = "../../../testimony-testkit/src/transform.rs"]
pub mod transform;
#[path = "../cases/many.rs"]
mod tries;
mod unseen;

use proptest::test_runner::Config;
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{EvidenceChannel, SourceClass, Timestamp};
use tries::many;

/// A container without exemptions.
const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[9; 32],
};

/// A text of a user, with nothing beside it.
fn submission(text: &str) -> Submission<'_> {
    Submission {
        text,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        kind: None,
        speaker: None,
        observed_at: Timestamp::constant(1_767_225_600, 0),
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: None,
        handed_out: &[],
    }
}

/// A failing case is remembered beside this file.
fn config() -> Config {
    Config {
        source_file: Some(file!()),
        ..many()
    }
}
