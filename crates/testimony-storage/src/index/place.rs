//! What decides who may see a row, as one small key: rows with the same key are visible to the same identities.
//!
//! The rule itself stays in [`Partition::visible_to`]: a key is held as a partition that stands for all of its rows.

use std::hash::{Hash, Hasher};

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

/// What decides who may see a row, as a partition that stands for those of all rows with this key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlaceKey {
    shelf: Shelf,
    /// Whether its owner alone may see it.
    private: bool,
    stands_for: Partition,
}

impl Hash for PlaceKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.shelf, self.private).hash(state);
        self.stands_for.owner().hash(state);
        self.stands_for.labels().hash(state);
    }
}

impl PlaceKey {
    /// The key of a row; `None` when nobody is to find it.
    pub(super) fn of(memory: &Memory) -> Option<Self> {
        let place = &memory.partition;
        let private = place.is_private_by_place() || memory.is_private_until_supported();
        let owner = private.then(|| place.owner().clone());
        let lost_run = place.scope() == MemoryScope::Session && place.labels().run.is_none();
        let labels = place.labels().clone();
        Some(Self::new(
            Shelf::of(memory)?,
            place.container().clone(),
            owner,
            labels,
            lost_run,
        ))
    }

    /// The key of rows of a container that are some owner's alone or nobody's, and belong to a run that nobody can name
    /// any more or do not.
    pub(super) fn new(
        shelf: Shelf,
        container: ContainerTag,
        owner: Option<Owner>,
        labels: Labels,
        lost_run: bool,
    ) -> Self {
        let scope = if lost_run {
            MemoryScope::Session
        } else {
            MemoryScope::User
        };
        let private = owner.is_some();
        let owner = owner.unwrap_or_else(|| Owner::Key(KeyId::from_uuid(uuid::Uuid::nil())));
        let stands_for = Partition::stored(container, Plane::Personal, scope, owner, labels);
        Self {
            shelf,
            private,
            stands_for,
        }
    }

    pub(super) const fn shelf(&self) -> Shelf {
        self.shelf
    }

    /// Whose alone the rows are, if they are somebody's.
    pub(super) fn owner(&self) -> Option<&Owner> {
        self.private.then(|| self.stands_for.owner())
    }

    pub(super) const fn labels(&self) -> &Labels {
        self.stands_for.labels()
    }

    pub(super) fn lost_run(&self) -> bool {
        self.stands_for.scope() == MemoryScope::Session
    }

    /// Whether an identity that reaches `shelf` may know of the rows with this key.
    pub(super) fn is_visible_to(&self, who: &EffectiveIdentity, shelf: Shelf) -> bool {
        self.shelf <= shelf && self.stands_for.visible_to(who, self.private).is_ok()
    }
}
