//! What decides who may see a row, as one small key: rows with the same key are visible to the same identities.
//!
//! The rule itself stays in [`Partition::visible_to`]: a key is held as a partition that stands for all of its rows.

use testimony_domain::{
    ContainerTag, EffectiveIdentity, KeyId, Labels, Memory, MemoryScope, Owner, Partition, Plane,
    Standing, State, Timestamp, TrustPolicy,
};
use testimony_recall::{Filters, GateContext, TimeIntent, View};

/// Which view a row needs at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Shelf {
    /// Rows that an assistant can be shown under some policy or for some time.
    Open,
    /// Rows that only a reviewer sees.
    Review,
    /// Rows that only an operator sees.
    Forensic,
}

impl Shelf {
    pub(super) const ALL: [Self; 3] = [Self::Open, Self::Review, Self::Forensic];

    /// Where a row stands; `None` when it has no content to be found by.
    pub(super) fn of(memory: &Memory) -> Option<Self> {
        match memory.standing() {
            Standing::CleanPerson
            | Standing::CleanTool
            | Standing::SingleOrigin
            | Standing::Established
            | Standing::AwaitsReview
            | Standing::Contested
            | Standing::Superseded
            | Standing::Expired => Some(Self::Open),
            Standing::Quarantined if memory.state == State::QuarantinedSecret => {
                Some(Self::Forensic)
            }
            Standing::Quarantined | Standing::Rejected => Some(Self::Review),
            Standing::Forensic => Some(Self::Forensic),
            Standing::Erased => None,
        }
    }

    /// The last shelf that this identity reaches with the view that it asks for.
    pub(super) fn reached(who: &EffectiveIdentity, view: View, now: Timestamp) -> Self {
        let context = GateContext {
            who,
            filters: &Filters::default(),
            time: TimeIntent::Any,
            view,
            policy: TrustPolicy::Off,
            now,
        };
        match context.granted_view() {
            View::Assistant => Self::Open,
            View::Review => Self::Review,
            View::Forensic => Self::Forensic,
        }
    }
}

/// What decides who may see a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceKey {
    pub(super) shelf: Shelf,
    /// Whose alone it is, if it is somebody's.
    pub(super) owner: Option<Owner>,
    pub(super) labels: Labels,
    /// Whether it belongs to a run that nobody can name any more.
    pub(super) lost_run: bool,
}

impl PlaceKey {
    /// The key of a row; `None` when nobody is to find it.
    pub(super) fn of(memory: &Memory) -> Option<Self> {
        let place = &memory.partition;
        let guarded = place.is_private_by_place() || memory.is_private_until_supported();
        Some(Self {
            shelf: Shelf::of(memory)?,
            owner: guarded.then(|| place.owner().clone()),
            labels: place.labels().clone(),
            lost_run: place.scope() == MemoryScope::Session && place.labels().run.is_none(),
        })
    }

    /// Whether an identity of this container that reaches `shelf` may know of the rows with this key.
    pub(super) fn is_visible_to(
        &self,
        container: &ContainerTag,
        who: &EffectiveIdentity,
        shelf: Shelf,
    ) -> bool {
        let nobody = || Owner::Key(KeyId::from_uuid(uuid::Uuid::nil()));
        let scope = if self.lost_run {
            MemoryScope::Session
        } else {
            MemoryScope::User
        };
        let stands_for_all = Partition::stored(
            container.clone(),
            Plane::Personal,
            scope,
            self.owner.clone().unwrap_or_else(nobody),
            self.labels.clone(),
        );
        self.shelf <= shelf && stands_for_all.visible_to(who, self.owner.is_some()).is_ok()
    }
}
