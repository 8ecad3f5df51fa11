//! Stacks that are wrong on purpose, each in one way that real ones have been. Every one is caught by the suite that
//! its documentation names.

use std::cell::Cell;
use std::collections::BTreeSet;

use testimony_domain::{EvidenceId, Memory, Reason, State, TrustPolicy};
use testimony_recall::gates::{
    GATES, Gate, GateContext, GateVerdict, Stage, TrustGate, examine_with,
};

use crate::{ServiceStack, Stack};

/// The service's gates without those that `dropped` names.
fn without(
    dropped: &[Stage],
    added: &[&dyn TrustGate],
    context: &GateContext<'_>,
    memory: &Memory,
) -> GateVerdict {
    let kept: Vec<Gate> = GATES
        .iter()
        .copied()
        .filter(|gate| !dropped.contains(&gate.stage))
        .collect();
    examine_with(&kept, added, context, memory).verdict
}

/// Looks into every container: it filters by label and owner, and forgets that the container comes first.
/// Caught by `nothing_foreign`.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpensForeignContainer;

impl Stack for OpensForeignContainer {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        without(&[Stage::Identity, Stage::Scope], added, context, memory)
    }
}

/// Shows what is quarantined to whoever asks. Caught by `sealed_stays_shut`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForgetsQuarantine;

impl Stack for ForgetsQuarantine {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        without(&[Stage::View], added, context, memory)
    }
}

/// Takes a row that was said often for a row that many said. Caught by `repetition_changes_nothing`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrustsRepetition;

impl Stack for TrustsRepetition {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        ServiceStack.decide(added, context, &believed_of(memory, memory.evidence.len()))
    }
}

/// Takes several pieces of evidence for several origins. Caught by `repetition_changes_nothing`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakesPiecesForOrigins;

impl Stack for TakesPiecesForOrigins {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let pieces: BTreeSet<EvidenceId> = memory.evidence.iter().copied().collect();
        ServiceStack.decide(added, context, &believed_of(memory, pieces.len()))
    }
}

/// The row, established where it waits for so many origins.
fn believed_of(memory: &Memory, origins: usize) -> Memory {
    let mut believed = memory.clone();
    if origins >= 3 && believed.state == State::Pending {
        believed.state = State::Active;
        believed.origins = origins;
    }
    believed
}

/// Lets a row pass when a gate fails, to stay available. Caught by `errors_deny`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitsOnError;

impl Stack for AdmitsOnError {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let own = ServiceStack.decide(&[], context, memory);
        let said = added
            .iter()
            .map(|gate| gate.examine(context, memory).unwrap_or(GateVerdict::Pass));
        said.fold(own, GateVerdict::tighter)
    }
}

/// Lets the last gate have the last word. Caught by `tightens_only`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastGateWins;

impl Stack for LastGateWins {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let failed = GateVerdict::Deny(Reason::GateFailed);
        added.last().map_or_else(
            || ServiceStack.decide(&[], context, memory),
            |gate| gate.examine(context, memory).unwrap_or(failed),
        )
    }
}

/// Reads the policies the wrong way round. Caught by `monotone_in_policy`.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrictIsLoose;

impl Stack for StrictIsLoose {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let turned = match context.policy {
            TrustPolicy::Off => TrustPolicy::Strict,
            TrustPolicy::Balanced => TrustPolicy::Balanced,
            TrustPolicy::Strict => TrustPolicy::Off,
        };
        let context = GateContext {
            policy: turned,
            ..*context
        };
        ServiceStack.decide(added, &context, memory)
    }
}

/// Counts the rows that pass by and holds back every fourth, visible or not, so that how many others there are can be told
/// from what one's own row meets. Caught by `non_interference`.
#[derive(Clone, Debug, Default)]
pub struct CountsWhatItMayNotTell {
    seen: Cell<usize>,
}

impl Stack for CountsWhatItMayNotTell {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let seen = self.seen.get() + 1;
        self.seen.set(seen);
        let own = ServiceStack.decide(added, context, memory);
        if seen.is_multiple_of(4) {
            own.tighter(GateVerdict::Deny(Reason::OverLimit))
        } else {
            own
        }
    }
}

/// Cuts the text in the middle of a character. Caught by `total`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CutsCharacters;

impl Stack for CutsCharacters {
    #[expect(
        clippy::string_slice,
        reason = "it is wrong on purpose: the suite has to catch the panic"
    )]
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let text = memory.content.as_str();
        let looks_like_a_draft = text.len() > 5 && text[..5].eq_ignore_ascii_case("draft");
        let own = ServiceStack.decide(added, context, memory);
        if looks_like_a_draft {
            own.tighter(GateVerdict::Mark(Reason::Hedged))
        } else {
            own
        }
    }
}
