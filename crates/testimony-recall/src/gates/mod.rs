//! The gates that a row has to pass before anybody asks how relevant it is.
//!
//! The service's own gates are a table ([`GATES`]); an embedding program adds [`TrustGate`]s of its own after them.
//! Verdicts are joined by taking the tighter one, so an added gate can hold a row back and never let one through.
//! A gate that fails denies.

mod stages;
mod trust_gate;

use testimony_domain::{Memory, Reason};

pub(crate) use stages::ended_unsettled;
pub use stages::{GATES, Gate, Stage};
pub use trust_gate::{GateContext, GateError, GateVerdict, TrustGate};

/// What all gates together say of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateOutcome {
    /// The tightest verdict. It is a denial exactly when `stage` is where the row ended.
    pub verdict: GateVerdict,
    /// The gate that gave the verdict; `None` when the row simply passes.
    pub stage: Option<Stage>,
    /// The added gate by name, when an added gate gave it.
    pub added: Option<&'static str>,
}

impl GateOutcome {
    const PASSED: Self = Self {
        verdict: GateVerdict::Pass,
        stage: None,
        added: None,
    };

    /// Whether the row was held back.
    #[must_use]
    pub const fn is_denied(&self) -> bool {
        matches!(self.verdict, GateVerdict::Deny(_))
    }

    /// Whether the row exists for the caller: false when it ended at or before scope.
    #[must_use]
    pub fn is_known_to_caller(&self) -> bool {
        !self.is_denied() || self.stage.is_none_or(Stage::is_known_to_caller)
    }

    fn join(
        self,
        said: Result<GateVerdict, GateError>,
        stage: Stage,
        added: Option<&'static str>,
    ) -> Self {
        let verdict = said.unwrap_or(GateVerdict::Deny(Reason::GateFailed));
        if verdict.tightness() > self.verdict.tightness() {
            Self {
                verdict,
                stage: Some(stage),
                added,
            }
        } else {
            self
        }
    }
}

/// Takes a row through the given gates of the service and the added ones, up to the first that denies.
///
/// [`examine`] calls it with [`GATES`].
#[must_use]
pub fn examine_with(
    own: &[Gate],
    added: &[&dyn TrustGate],
    context: &GateContext<'_>,
    memory: &Memory,
) -> GateOutcome {
    let mut outcome = GateOutcome::PASSED;
    for gate in own {
        outcome = outcome.join((gate.examine)(context, memory), gate.stage, None);
        if outcome.is_denied() {
            return outcome;
        }
    }
    for gate in added {
        let said = gate.examine(context, memory);
        outcome = outcome.join(said, Stage::Added, Some(gate.name()));
        if outcome.is_denied() {
            return outcome;
        }
    }
    outcome
}

/// Takes a row through the service's gates and the added ones.
#[must_use]
pub fn examine(
    added: &[&dyn TrustGate],
    context: &GateContext<'_>,
    memory: &Memory,
) -> GateOutcome {
    examine_with(GATES, added, context, memory)
}
