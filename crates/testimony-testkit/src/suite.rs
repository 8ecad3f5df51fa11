//! The properties that every stack of gates must have. Each tries many cases and returns the smallest that breaks it.

use proptest::collection::vec;
use testimony_domain::{EvidenceId, Memory, SequentialIds, State, TrustPolicy};
use testimony_recall::gates::{GateVerdict, TrustGate};
use testimony_recall::request::View;

use crate::failure::try_property;
use crate::strategy::memory::{memories, weak_single_origin_memories};
use crate::strategy::request::{Asked, meeting, meetings, verdicts};
use crate::{Failure, Scripted, ServiceStack, Stack};

/// A request and the row that it meets.
pub type Meeting = (Asked, Memory);

/// The result of a suite over requests and rows.
pub type Outcome<T = Meeting> = Result<(), Failure<T>>;

fn decide(stack: &dyn Stack, added: &[&dyn TrustGate], asked: &Asked, row: &Memory) -> GateVerdict {
    stack.decide(added, &asked.context(), row)
}

fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Whatever the stack says is at least as tight as what the service's own gates say, and an added gate never loosens
/// it.
///
/// # Errors
/// [`Failure`] with a request, a row and what the added gate said.
pub fn tightens_only(stack: &dyn Stack) -> Outcome<(Meeting, Option<GateVerdict>)> {
    let inputs = (meetings(), verdicts());
    try_property("tightens_only", &inputs, |((asked, row), scripted)| {
        let service = decide(&ServiceStack, &[], asked, row);
        let alone = decide(stack, &[], asked, row);
        let together = decide(stack, &[&Scripted(*scripted)], asked, row);
        check(alone.tightness() >= service.tightness(), || {
            format!("the service says {service:?} and the stack {alone:?}")
        })?;
        let added = scripted.map_or(3, GateVerdict::tightness);
        check(together.tightness() >= alone.tightness().max(added), || {
            format!("alone it says {alone:?}, with {scripted:?} added {together:?}")
        })
    })
}

/// A row is denied when an added gate fails.
///
/// # Errors
/// [`Failure`] with a request and a row that was let through.
pub fn errors_deny(stack: &dyn Stack) -> Outcome {
    try_property("errors_deny", &meetings(), |(asked, row)| {
        let said = decide(stack, &[&Scripted(None)], asked, row);
        check(matches!(said, GateVerdict::Deny(_)), || {
            format!("a gate failed, and the stack says {said:?}")
        })
    })
}

/// A row that the identity may not see is denied, whatever is asked for.
///
/// # Errors
/// [`Failure`] with a request and a row that was let through.
pub fn nothing_foreign(stack: &dyn Stack) -> Outcome {
    try_property("nothing_foreign", &meetings(), |(asked, row)| {
        let hidden = row.visible_to(&asked.who);
        let said = decide(stack, &[], asked, row);
        check(
            hidden.is_ok() || matches!(said, GateVerdict::Deny(_)),
            || format!("the row is hidden by {hidden:?}, and the stack says {said:?}"),
        )
    })
}

/// What a stack says of a row does not depend on the rows that it saw before.
///
/// # Errors
/// [`Failure`] with a request, a row and the other rows that changed what was said of it.
pub fn non_interference(stack: &dyn Stack) -> Outcome<(Meeting, Vec<Memory>)> {
    let inputs = (meetings(), vec(memories(), 1..6));
    try_property("non_interference", &inputs, |((asked, row), others)| {
        let before = decide(stack, &[], asked, row);
        for other in others {
            decide(stack, &[], asked, other);
        }
        let after = decide(stack, &[], asked, row);
        check(before == after, || {
            format!("first it says {before:?}, after other rows {after:?}")
        })
    })
}

/// A stricter policy never says anything looser.
///
/// # Errors
/// [`Failure`] with a request and a row of which the stricter policy says something looser.
pub fn monotone_in_policy(stack: &dyn Stack) -> Outcome {
    try_property("monotone_in_policy", &meetings(), |(asked, row)| {
        let said = TrustPolicy::ALL.iter().map(|policy| {
            let asked = Asked {
                policy: *policy,
                ..asked.clone()
            };
            decide(stack, &[], &asked, row)
        });
        let said: Vec<GateVerdict> = said.collect();
        check(said.is_sorted_by_key(|verdict| verdict.tightness()), || {
            format!("from the loosest policy to the strictest it says {said:?}")
        })
    })
}

/// What is quarantined, forensic, rejected or erased never passes in the assistant's view.
///
/// # Errors
/// [`Failure`] with a request and a row that was let through.
pub fn sealed_stays_shut(stack: &dyn Stack) -> Outcome {
    try_property("sealed_stays_shut", &meetings(), |(asked, row)| {
        let asked = Asked {
            view: View::Assistant,
            ..asked.clone()
        };
        let said = decide(stack, &[], &asked, row);
        check(
            !is_sealed(row.state) || matches!(said, GateVerdict::Deny(_)),
            || format!("the row is {}, and the stack says {said:?}", row.state),
        )
    })
}

const fn is_sealed(state: State) -> bool {
    match state {
        State::QuarantinedInjection
        | State::QuarantinedSecret
        | State::Forensic
        | State::Rejected
        | State::Erased => true,
        State::Active | State::Pending | State::Superseded | State::Expired => false,
    }
}

/// More evidence from the one origin that a weak row has never loosens anything: neither the same piece again nor other
/// pieces.
///
/// # Errors
/// [`Failure`] with a request, a row and how often it was repeated.
pub fn repetition_changes_nothing(stack: &dyn Stack) -> Outcome<(Meeting, usize)> {
    let inputs = (meeting(weak_single_origin_memories()), 1_usize..12);
    try_property(
        "repetition_changes_nothing",
        &inputs,
        |((asked, row), times)| {
            let once = decide(stack, &[], asked, row);
            let again = row.evidence.first().copied();
            let again = again.into_iter().cycle().take(*times).collect();
            for repetition in [again, fresh_evidence(*times)] {
                let mut repeated = row.clone();
                repeated.evidence.extend(repetition);
                let often = decide(stack, &[], asked, &repeated);
                check(often.tightness() >= once.tightness(), || {
                    format!("said once it is {once:?}, repeated {often:?}")
                })?;
            }
            Ok(())
        },
    )
}

fn fresh_evidence(count: usize) -> Vec<EvidenceId> {
    let ids = SequentialIds::default();
    (0..count).map(|_| EvidenceId::mint(&ids)).collect()
}

/// The stack answers every request about every row, and the same every time.
///
/// # Errors
/// [`Failure`] with a request and a row on which it panics or wavers.
pub fn total(stack: &dyn Stack) -> Outcome {
    try_property("total", &meetings(), |(asked, row)| {
        let (first, second) = (
            decide(stack, &[], asked, row),
            decide(stack, &[], asked, row),
        );
        check(first == second, || {
            format!("it says {first:?} and then {second:?}")
        })
    })
}
