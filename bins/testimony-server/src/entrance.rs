//! The entrance of admission, as this command calls it.

use testimony_admission::ruling::{Finding, Route, Ruling};
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{Reason, Redacted, ReviewNeed};

/// Holds everything back and carries nothing.
pub(crate) fn admit(_: &Submission<'_>, _: &Policy<'_>) -> Ruling {
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
