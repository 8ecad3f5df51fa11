//! Stacks: everything that stands between a row and an answer, the service's own or one to be tested.

use testimony_domain::Memory;
use testimony_recall::gates::{self, GateContext, GateError, GateVerdict, TrustGate};

/// All gates that a row passes, with room for added ones behind them.
pub trait Stack {
    /// What the gates of the stack and the added ones together say of a row.
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict;
}

/// The service's own gates: what every other stack is measured against.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServiceStack;

impl Stack for ServiceStack {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        gates::examine(added, context, memory).verdict
    }
}

/// A gate of one's own behind the service's: the way in which a gate is meant to be used.
#[derive(Clone, Copy)]
pub struct Behind<'a>(pub &'a dyn TrustGate);

impl Stack for Behind<'_> {
    fn decide(
        &self,
        added: &[&dyn TrustGate],
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> GateVerdict {
        let all: Vec<&dyn TrustGate> = std::iter::once(self.0)
            .chain(added.iter().copied())
            .collect();
        ServiceStack.decide(&all, context, memory)
    }
}

/// A gate that always says the same; `None` fails.
#[derive(Clone, Copy, Debug)]
pub struct Scripted(pub Option<GateVerdict>);

impl TrustGate for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn examine(&self, _: &GateContext<'_>, _: &Memory) -> Result<GateVerdict, GateError> {
        self.0.ok_or_else(|| GateError {
            gate: self.name(),
            problem: "it was told to fail".to_owned(),
        })
    }
}
