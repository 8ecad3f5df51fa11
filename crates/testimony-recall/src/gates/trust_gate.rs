//! The gate that anybody can write: it reads a row and a context, and can only tighten what the service's own gates say.

use testimony_domain::{EffectiveIdentity, Memory, Reason, Timestamp, TrustPolicy};

use crate::request::{Filters, TimeIntent, View};

/// What a gate knows beside the row: who asks, for what time, in which view, how strictly, and when.
#[derive(Clone, Copy, Debug)]
pub struct GateContext<'a> {
    /// Who asks, by credential.
    pub who: &'a EffectiveIdentity,
    /// Which rows the request wants.
    pub filters: &'a Filters,
    /// The time that the question is about.
    pub time: TimeIntent,
    /// The view that was asked for; [`GateContext::granted_view`] is the one that counts.
    pub view: View,
    /// How strict the request is.
    pub policy: TrustPolicy,
    /// The present instant.
    pub now: Timestamp,
}

/// What a gate says of a row, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateVerdict {
    /// The row may go on.
    Pass,
    /// The row may go on and ranks below unmarked rows of equal relevance.
    Mark(Reason),
    /// The row is shown only as something to be confirmed.
    Confirm(Reason),
    /// The row is held back.
    Deny(Reason),
}

impl GateVerdict {
    /// The tighter of two verdicts; of two that are equally tight the first, so that the first gate names the reason.
    #[must_use]
    pub const fn tighter(self, other: Self) -> Self {
        if other.tightness() > self.tightness() {
            other
        } else {
            self
        }
    }

    /// How tight it is, from 0 for a pass to 3 for a denial.
    #[must_use]
    pub const fn tightness(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Mark(_) => 1,
            Self::Confirm(_) => 2,
            Self::Deny(_) => 3,
        }
    }

    /// Why the row does not simply pass.
    #[must_use]
    pub const fn reason(self) -> Option<Reason> {
        match self {
            Self::Pass => None,
            Self::Mark(reason) | Self::Confirm(reason) | Self::Deny(reason) => Some(reason),
        }
    }
}

/// A gate that could not decide. The row is then denied with [`Reason::GateFailed`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("gate `{gate}` failed: {problem}; the row is held back until the gate works again")]
pub struct GateError {
    /// The gate.
    pub gate: &'static str,
    /// What went wrong, without anything of the row's content.
    pub problem: String,
}

/// A gate of one's own, examined after the service's own gates and unable to undo what they decided.
///
/// An implementation is pure: the same context and row give the same answer, and nothing else is read or written.
pub trait TrustGate {
    /// Its name, as it appears in diagnostics.
    fn name(&self) -> &'static str;

    /// What it says of a row.
    ///
    /// # Errors
    /// [`GateError`] when it cannot decide; the row is then denied.
    fn examine(&self, context: &GateContext<'_>, memory: &Memory)
    -> Result<GateVerdict, GateError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_verdict_wins_and_of_equals_the_first() {
        use GateVerdict::{Confirm, Deny, Mark, Pass};
        let rising = [
            Pass,
            Mark(Reason::Hedged),
            Confirm(Reason::Hedged),
            Deny(Reason::Hedged),
        ];
        for (at, one) in rising.iter().enumerate() {
            for (other_at, other) in rising.iter().enumerate() {
                let tighter = rising[at.max(other_at)];
                assert_eq!(one.tighter(*other), tighter, "{one:?} and {other:?}");
            }
        }
        let first = Deny(Reason::Expired);
        assert_eq!(first.tighter(Deny(Reason::Conflict)), first);
    }
}
