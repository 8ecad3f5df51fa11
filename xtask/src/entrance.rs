//! What is measured: the entrance of admission, and how rows come together in the block that a model reads.

use testimony_admission::ruling::{Finding, Route, Ruling};
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{Reason, Redacted, ReviewNeed};

use crate::eval::{Entrance, submission};

/// The entrance that `cargo xtask eval` measures.
pub const ENTRANCE: Entrance = Entrance { admit, compose };

/// Holds everything back and carries nothing.
fn admit(_: &Submission<'_>, _: &Policy<'_>) -> Ruling {
    let finding = Finding {
        reason: Reason::PendingReview,
        rule: "held",
        span: 0..0,
        field: None,
        fingerprint: None,
    };
    Ruling {
        route: Route::Review(ReviewNeed::Requested),
        findings: vec![finding],
        text: Redacted::default(),
        fields: Vec::new(),
        claims: Vec::new(),
    }
}

/// Rows one under the other, read once more as a whole before they leave.
fn compose(rows: &[Redacted], policy: &Policy<'_>) -> Redacted {
    let lines: Vec<&str> = rows.iter().map(Redacted::as_str).collect();
    admit(&submission(&lines.join("\n")), policy).text
}
