//! What a write answers: every item comes back, as memory, as skipped, or as an error.

use std::sync::Arc;

use testimony_admission::reconcile::{Cue, Relation};
use testimony_domain::{
    CaseId, DroppedClaim, EffectiveIdentity, EvidenceId, Invalid, Memory, MemoryId, Reason,
    Redacted, SlotKey, words,
};

use super::item::Place;
use crate::access::Visitor;
use crate::ports::ledger::jobs::JobKind;

words! {
    /// What a caller can do about a row.
    pub enum NextAction {
        /// Nothing: it is known.
        None = "none",
        /// Wait for a second independent source, or have a person look.
        Review = "review",
        /// Decide which side of a conflict holds.
        Resolve = "resolve_conflict",
        /// Nothing: it will not become memory.
        Discard = "discard",
        /// Take the secret out of the source, and send the rest again if it is still needed.
        RotateSecret = "rotate_secret",
    }
}

words! {
    /// How a repetition of a request would be known.
    pub enum Idempotency {
        /// It would not: the request has no id.
        Missing = "request_id_missing",
        /// By its id.
        Recorded = "request_id_recorded",
        /// This is a repetition; the first answer is sent again.
        Replayed = "replayed",
        /// The id was used for another body before, so this one was carried out as well.
        Reused = "request_id_reused",
    }
}

/// A memory that a write made.
#[derive(Clone, Debug, PartialEq)]
pub struct Retained {
    /// Where its item stands.
    pub place: Place,
    /// The memory as it is now.
    pub memory: Arc<Memory>,
    /// The evidence that it was drawn from.
    pub evidence: EvidenceId,
    /// What its caller can do.
    pub next_action: NextAction,
    /// Why it is what it is.
    pub reasons: Vec<Reason>,
    /// The review case that was opened about it.
    pub case: Option<CaseId>,
}

/// A text of which no new memory was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipped {
    /// Where its item stands.
    pub place: Place,
    /// What it says, redacted.
    pub content: Redacted,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The evidence that was kept.
    pub evidence: Option<EvidenceId>,
    /// The memory that it now supports.
    pub existing: Option<MemoryId>,
}

/// How a claim stands to what was known.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Where its item stands.
    pub place: Place,
    /// What it says.
    pub content: Redacted,
    /// How it stands; `None` where nothing known speaks of the same.
    pub relation: Option<Relation>,
    /// What decided.
    pub cue: Cue,
    /// Why.
    pub reason: Reason,
    /// The memory that was made.
    pub memory: Option<MemoryId>,
    /// The memory that was met.
    pub existing: Option<MemoryId>,
    /// The slot over which they meet.
    pub slot: Option<SlotKey>,
}

/// An item that met a conflict. Evidence, challenger and case are kept all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflicting {
    /// Where the item stands.
    pub place: Place,
    /// Why it does not count.
    pub reason: Reason,
    /// The memory that waits.
    pub challenger: MemoryId,
    /// The memories that it stands against, as far as the caller may know of them.
    pub incumbents: Vec<MemoryId>,
    /// The case about it.
    pub case: Option<CaseId>,
}

/// An item that cannot be what it claims, and of which nothing was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable {
    /// Where the item stands.
    pub place: Place,
    /// What is wrong with it.
    pub problems: Vec<Invalid>,
}

/// What a write answers.
#[derive(Clone, Debug)]
pub struct WriteAnswer {
    /// Under which identity it was written.
    pub identity: EffectiveIdentity,
    /// What the request claimed in vain.
    pub dropped: Vec<DroppedClaim>,
    /// The memories that were made.
    pub retained: Vec<Retained>,
    /// The texts of which none was made.
    pub skipped: Vec<Skipped>,
    /// How each claim stands to what was known.
    pub decisions: Vec<Decision>,
    /// Items that met a conflict.
    pub conflicts: Vec<Conflicting>,
    /// Items that cannot be what they claim, and of which nothing was kept.
    pub invalid: Vec<Unreadable>,
    /// What is still to be done.
    pub pending_jobs: Vec<JobKind>,
    /// How a repetition would be known.
    pub idempotency: Idempotency,
    /// The name under which the audit trail knows the write.
    pub trail: String,
    /// Whether one item alone came.
    pub is_single: bool,
}

impl WriteAnswer {
    /// An answer with nothing in it yet.
    pub(super) fn to(visitor: &Visitor) -> Self {
        Self {
            identity: visitor.identity.clone(),
            dropped: visitor.dropped.clone(),
            retained: Vec::new(),
            skipped: Vec::new(),
            decisions: Vec::new(),
            conflicts: Vec::new(),
            invalid: Vec::new(),
            pending_jobs: Vec::new(),
            idempotency: Idempotency::Missing,
            trail: String::new(),
            is_single: false,
        }
    }

    /// Whether the conflict of its one item is the whole answer.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        self.is_single && !self.conflicts.is_empty()
    }

    /// How many memories are known now or wait.
    #[must_use]
    pub fn saved(&self) -> usize {
        let counts = |row: &&Retained| {
            matches!(
                row.memory.state,
                testimony_domain::State::Active | testimony_domain::State::Pending
            )
        };
        self.retained.iter().filter(counts).count()
    }
}

/// What came of a write.
#[derive(Debug)]
pub enum Written {
    /// It was carried out.
    Done(Box<WriteAnswer>),
    /// It had been carried out before.
    Replayed(Replay),
}

/// The answer that a request got when it first came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The answer as it was sent; `None` when something that it speaks of was erased since.
    pub response: Option<String>,
    /// The memories that it speaks of and that are still there.
    pub memories: Vec<MemoryId>,
}
