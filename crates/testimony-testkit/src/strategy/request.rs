//! Requests as a gate sees them.

use proptest::option;
use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof};
use testimony_domain::{
    EffectiveIdentity, Memory, MemoryKind, MemoryScope, Partition, Plane, Reason, Timestamp,
    TrustPolicy,
};
use testimony_recall::gates::{GateContext, GateVerdict};
use testimony_recall::request::{Filters, TimeIntent, View};

use super::identity::identities;
use super::memory::memories;
use super::one_of;
use super::time::{instants, now};

/// A request that owns what a [`GateContext`] borrows.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Who asks.
    pub who: EffectiveIdentity,
    /// Which rows are wanted.
    pub filters: Filters,
    /// The time that the question is about.
    pub time: TimeIntent,
    /// The view that is asked for.
    pub view: View,
    /// How strict the request is.
    pub policy: TrustPolicy,
    /// The present.
    pub now: Timestamp,
}

impl Asked {
    /// The request as a gate sees it.
    #[must_use]
    pub const fn context(&self) -> GateContext<'_> {
        GateContext {
            who: &self.who,
            filters: &self.filters,
            time: self.time,
            view: self.view,
            policy: self.policy,
            now: self.now,
        }
    }
}

/// The time that a question may be about.
pub fn time_intents() -> impl Strategy<Value = TimeIntent> + Clone {
    prop_oneof![
        Just(TimeIntent::Current),
        Just(TimeIntent::Historical),
        Just(TimeIntent::Any),
        instants().prop_map(TimeIntent::AsOf),
    ]
}

/// Filters, most of them absent.
pub fn filters() -> impl Strategy<Value = Filters> + Clone {
    let rarely = 0.1;
    let place = (
        option::weighted(rarely, one_of(Plane::ALL)),
        option::weighted(rarely, one_of(MemoryScope::ALL)),
    );
    let kept = (
        option::weighted(rarely, instants()),
        option::weighted(rarely, instants()),
    );
    let kind = option::weighted(rarely, one_of(MemoryKind::ALL));
    (place, kept, kind).prop_map(|((plane, scope), (created_after, created_before), kind)| {
        Filters {
            plane,
            scope,
            kind,
            created_after,
            created_before,
            ..Filters::default()
        }
    })
}

/// Any request.
pub fn requests() -> BoxedStrategy<Asked> {
    let how = (one_of(View::ALL), one_of(TrustPolicy::ALL));
    (identities(), filters(), time_intents(), how)
        .prop_map(|(who, filters, time, (view, policy))| Asked {
            who,
            filters,
            time,
            view,
            policy,
            now: now(),
        })
        .boxed()
}

/// Any request and any row.
pub fn meetings() -> BoxedStrategy<(Asked, Memory)> {
    meeting(memories())
}

/// Any request and a row that `rows` makes; half of the rows live where the asker writes.
pub fn meeting(rows: BoxedStrategy<Memory>) -> BoxedStrategy<(Asked, Memory)> {
    let place = (one_of(Plane::ALL), one_of(MemoryScope::ALL));
    (requests(), rows, option::of(place))
        .prop_map(|(asked, mut row, own_place)| {
            let written =
                own_place.map(|(plane, scope)| Partition::written_by(&asked.who, plane, scope));
            if let Some(Ok(written)) = written {
                row.partition = written;
            }
            (asked, row)
        })
        .boxed()
}

/// What a gate may say; `None` is a failure.
pub fn verdicts() -> impl Strategy<Value = Option<GateVerdict>> + Clone {
    let reason = || one_of(Reason::ALL);
    prop_oneof![
        Just(Some(GateVerdict::Pass)),
        reason().prop_map(|reason| Some(GateVerdict::Mark(reason))),
        reason().prop_map(|reason| Some(GateVerdict::Confirm(reason))),
        reason().prop_map(|reason| Some(GateVerdict::Deny(reason))),
        Just(None),
    ]
}
