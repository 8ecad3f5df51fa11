//! The verdict table: what a row's class, state and support make of it, and where it may be shown.
//!
//! Recall reads its lanes, the courtroom its verdicts; there is no second place that decides either.

use crate::lifecycle::State;
use crate::{Reason, ReviewNeed, SourceClass};

words! {
    /// How far a row may be relied on, most trusted first: `max` is the stricter.
    pub enum Verdict {
        /// Known.
        Trusted = "trusted",
        /// Usable with care.
        Caution = "caution",
        /// A person has to look first.
        NeedsReview = "needs_review",
        /// Not to be used.
        Rejected = "rejected",
    }
}

impl Verdict {
    /// The stricter of two verdicts.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        self.max(other)
    }

    /// The bucket that callers see.
    #[must_use]
    pub const fn bucket(self) -> TrustBucket {
        match self {
            Self::Trusted => TrustBucket::Trusted,
            Self::Caution | Self::NeedsReview => TrustBucket::NeedsReview,
            Self::Rejected => TrustBucket::Blocked,
        }
    }
}

words! {
    /// The verdict as callers see it.
    pub enum TrustBucket {
        /// Known.
        Trusted = "trusted",
        /// Usable with care, or waiting for a person.
        NeedsReview = "needs_review",
        /// Not to be used.
        Blocked = "blocked",
    }
}

words! {
    /// How strict a reading is, loosest first.
    pub enum TrustPolicy {
        /// Everything that is not held.
        Off = "off",
        /// The same, with what needs care marked.
        Balanced = "balanced",
        /// Only what is trusted.
        Strict = "strict",
    }
}

words! {
    /// Where a row may be shown, most open first.
    pub enum Lane {
        /// Among the results.
        Result = "result",
        /// Among the results, marked, below trusted rows of equal relevance.
        ResultMarked = "result, marked",
        /// In `needs_confirmation`.
        NeedsConfirmation = "needs_confirmation",
        /// Held back and counted.
        Held = "held, counted",
        /// Only for a historical question.
        HistoricalOnly = "only for historical queries",
        /// Never.
        Never = "never",
    }
}

words! {
    /// The rows of the verdict table: every memory falls under exactly one.
    pub enum Standing {
        /// Clean, from an operator or a user.
        CleanPerson = "clean, operator or user statement",
        /// Clean, from a tool.
        CleanTool = "clean, tool result",
        /// Clean, from a weaker class, one origin.
        SingleOrigin = "clean, weaker class, one origin",
        /// Supported by two independent origins, or approved by a person.
        Established = "clean, at least two independent origins, or approved",
        /// Waiting for a person.
        AwaitsReview = "review requested, challenger, or weak injection signals",
        /// One side of an unresolved conflict.
        Contested = "side of an unresolved conflict",
        /// Quarantined.
        Quarantined = "injection or secret",
        /// Forensic.
        Forensic = "test or eval row, lifecycle log, residue, system-generated",
        /// Replaced by a newer claim.
        Superseded = "superseded",
        /// Out of its time.
        Expired = "expired",
        /// Rejected, hidden or retracted.
        Rejected = "rejected, hidden or retracted",
        /// Erased.
        Erased = "erased",
    }
}

/// One row of the verdict table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictRow {
    /// What falls under it.
    pub standing: Standing,
    /// The states that rows of this standing have.
    pub states: &'static [State],
    /// The deterministic verdict.
    pub verdict: Verdict,
    /// The reasons it carries.
    pub reasons: &'static [Reason],
    /// Where it may be shown, by policy: `off`, `balanced`, `strict`.
    pub lanes: [Lane; TrustPolicy::ALL.len()],
}

const OPEN: [Lane; 3] = [Lane::Result, Lane::Result, Lane::Result];
const MARKED: [Lane; 3] = [Lane::Result, Lane::ResultMarked, Lane::Held];
const ASK: [Lane; 3] = [Lane::NeedsConfirmation, Lane::NeedsConfirmation, Lane::Held];
const PAST: [Lane; 3] = [
    Lane::HistoricalOnly,
    Lane::HistoricalOnly,
    Lane::HistoricalOnly,
];
const SHUT: [Lane; 3] = [Lane::Never, Lane::Never, Lane::Never];

/// The verdict table.
#[rustfmt::skip]
pub const VERDICTS: [VerdictRow; Standing::ALL.len()] = [
    VerdictRow { standing: Standing::CleanPerson, states: &[State::Active], verdict: Verdict::Trusted,
        reasons: &[], lanes: OPEN },
    VerdictRow { standing: Standing::CleanTool, states: &[State::Active], verdict: Verdict::Caution,
        reasons: &[Reason::SingleSupport], lanes: MARKED },
    VerdictRow { standing: Standing::SingleOrigin, states: &[State::Pending], verdict: Verdict::Caution,
        reasons: &[Reason::PendingReview, Reason::SingleSupport], lanes: MARKED },
    VerdictRow { standing: Standing::Established, states: &[State::Active], verdict: Verdict::Trusted,
        reasons: &[], lanes: OPEN },
    VerdictRow { standing: Standing::AwaitsReview, states: &[State::Pending], verdict: Verdict::NeedsReview,
        reasons: &[Reason::PendingReview], lanes: ASK },
    VerdictRow { standing: Standing::Contested, states: &[State::Active, State::Pending], verdict: Verdict::NeedsReview,
        reasons: &[Reason::Conflict], lanes: ASK },
    VerdictRow { standing: Standing::Quarantined, states: &[State::QuarantinedInjection, State::QuarantinedSecret],
        verdict: Verdict::Rejected, reasons: &[Reason::Quarantined], lanes: SHUT },
    VerdictRow { standing: Standing::Forensic, states: &[State::Forensic], verdict: Verdict::Rejected,
        reasons: &[Reason::Forensic], lanes: SHUT },
    VerdictRow { standing: Standing::Superseded, states: &[State::Superseded], verdict: Verdict::Rejected,
        reasons: &[Reason::Superseded], lanes: PAST },
    VerdictRow { standing: Standing::Expired, states: &[State::Expired], verdict: Verdict::Rejected,
        reasons: &[Reason::Expired], lanes: PAST },
    VerdictRow { standing: Standing::Rejected, states: &[State::Rejected], verdict: Verdict::Rejected,
        reasons: &[Reason::RejectedByReview], lanes: SHUT },
    VerdictRow { standing: Standing::Erased, states: &[State::Erased], verdict: Verdict::Rejected,
        reasons: &[Reason::ContentErased], lanes: SHUT },
];

impl VerdictRow {
    /// Where a row of this standing may be shown under `policy`.
    #[must_use]
    pub const fn lane(&self, policy: TrustPolicy) -> Lane {
        let [off, balanced, strict] = self.lanes;
        match policy {
            TrustPolicy::Off => off,
            TrustPolicy::Balanced => balanced,
            TrustPolicy::Strict => strict,
        }
    }
}

/// How many independent origins make a claim of a weak class known.
pub const ORIGINS_THAT_ESTABLISH: usize = 2;

impl Standing {
    /// The standing of a row. An open conflict or review outranks everything that speaks for it.
    ///
    /// Two cases can only be a mistake of the caller, and are read cautiously rather than believed: an active row under
    /// an open review stands as if it waited, and an active row of a weak class that nobody vouches for stands as if it
    /// were pending.
    #[must_use]
    pub fn of(
        state: State,
        class: SourceClass,
        approved: bool,
        review: Option<ReviewNeed>,
        contested: bool,
        origins: usize,
    ) -> Self {
        match state {
            State::QuarantinedInjection | State::QuarantinedSecret => Self::Quarantined,
            State::Forensic => Self::Forensic,
            State::Superseded => Self::Superseded,
            State::Expired => Self::Expired,
            State::Rejected => Self::Rejected,
            State::Erased => Self::Erased,
            State::Active | State::Pending if contested => Self::Contested,
            State::Pending if review.is_some() => Self::AwaitsReview,
            State::Pending if class.is_known_at_once() => Self::AwaitsReview,
            State::Pending => Self::SingleOrigin,
            State::Active if review.is_some() && !approved => Self::AwaitsReview,
            State::Active if approved || origins >= ORIGINS_THAT_ESTABLISH => Self::Established,
            State::Active => Self::of_clean_class(class),
        }
    }

    /// An active row that neither a second origin nor a person vouches for; a weak class is then no better than pending.
    const fn of_clean_class(class: SourceClass) -> Self {
        match class {
            SourceClass::Operator | SourceClass::UserStatement => Self::CleanPerson,
            SourceClass::ToolResult => Self::CleanTool,
            SourceClass::AgentObservation
            | SourceClass::ModelInference
            | SourceClass::ExternalDocument => Self::SingleOrigin,
        }
    }

    /// Its row of the verdict table.
    #[must_use]
    pub const fn row(self) -> &'static VerdictRow {
        // Indexing by the declaration order; a test proves that the table stands in that order.
        #[expect(
            clippy::indexing_slicing,
            reason = "the array has one element per variant"
        )]
        &VERDICTS[self as usize]
    }
}

/// Whether a pending row may become active without a person, and if not, why.
///
/// # Errors
/// The [`Reason`] why it waits.
pub const fn may_promote(
    class: SourceClass,
    review: Option<ReviewNeed>,
    contested: bool,
    origins: usize,
) -> Result<(), Reason> {
    if contested {
        Err(Reason::Conflict)
    } else if review.is_some() {
        Err(Reason::PendingReview)
    } else if class.is_known_at_once() || origins >= ORIGINS_THAT_ESTABLISH {
        Ok(())
    } else {
        Err(Reason::SingleSupport)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_standings() {
        let order: Vec<Standing> = VERDICTS.iter().map(|row| row.standing).collect();
        assert_eq!(order, Standing::ALL);
    }

    #[test]
    fn the_looser_policy_never_hides_what_the_stricter_shows() {
        let open = |lane| matches!(lane, Lane::Result | Lane::ResultMarked);
        for row in &VERDICTS {
            let [off, balanced, strict] = row.lanes.map(open);
            assert!(off >= balanced && balanced >= strict, "{}", row.standing);
        }
    }
}
