//! Two texts of a case, and how the new one stands to the known one.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

use serde_json::Value;
use testimony_admission::reconcile::{Challenger, Neighbour, Reconciliation, reconcile};
use testimony_domain::{MemoryId, SequentialIds, SourceClass, Validity};

pub(crate) const EARLIER: &str = "2023-05-20T12:00:00Z";

/// The class that a field of a case names; a user's statement where it names none.
pub(crate) fn class(case: &Value, field: &str) -> SourceClass {
    let class = case[field].as_str();
    class.map_or(SourceClass::UserStatement, |class| {
        SourceClass::parse(field, class).unwrap()
    })
}

/// How `new` stands to `known`, with what the case says of their speakers, classes and times.
pub(crate) fn judge(case: &Value, known: &str, new: &str) -> Reconciliation {
    let when = match case["when"].as_str() {
        Some("later") => "2023-06-20T12:00:00Z",
        Some("older") => "2023-01-01T12:00:00Z",
        _ => EARLIER,
    };
    let neighbour = Neighbour {
        id: MemoryId::mint(&SequentialIds::default()),
        text: known,
        speaker: case["known_speaker"].as_str(),
        slot: None,
        class: class(case, "known_class"),
        approved: case["approved"].as_bool().unwrap_or(false),
        established: case["established"].as_bool().unwrap_or(false),
        observed_at: EARLIER.parse().unwrap(),
        validity: Validity::default(),
    };
    let challenger = Challenger {
        text: new,
        speaker: case["speaker"].as_str(),
        slot: None,
        class: class(case, "class"),
        observed_at: when.parse().unwrap(),
        validity: Validity::default(),
        supersedes: &[],
        retracts: &[],
        reader: None,
    };
    reconcile(&challenger, &[neighbour])
}
