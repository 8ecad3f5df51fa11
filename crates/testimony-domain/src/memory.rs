//! Memories, the facts that hold their revisions together, and the things they speak of.

use crate::verdict::ORIGINS_THAT_ESTABLISH;
use crate::{
    CustomId, EffectiveIdentity, EntityId, EvidenceId, FactId, Hidden, MemoryId, Partition, Reason,
    Redacted, Slot, SlotKey, SourceApp, SourceClass, SourceLabel, Speaker, Standing, State, Tag,
    TemporalState, Timestamp, Validity, VerdictRow,
};

words! {
    /// What a memory is.
    pub enum MemoryKind {
        /// A statement about the world.
        Fact = "fact",
        /// What somebody likes, wants or avoids.
        Preference = "preference",
        /// What was decided.
        Decision = "decision",
        /// A file, link or other output.
        Artifact = "artifact",
        /// What was seen to happen.
        Observation = "observation",
        /// A longer stretch of events, kept as it was told.
        Episode = "episode",
    }
}

words! {
    /// Why a person has to look at a row before it counts.
    pub enum ReviewNeed {
        /// The writer asked for it.
        Requested = "review_requested",
        /// It challenges what stands.
        Challenger = "challenger",
        /// It has weak signs of an injection.
        WeakInjection = "weak_injection",
    }
}

/// A named thing that memories speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its id.
    pub id: EntityId,
    /// Its name as usually written.
    pub name: String,
    /// Other ways of writing it.
    pub aliases: Vec<String>,
}

/// What the revisions of a memory have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// The question it answers, where it answers one.
    pub slot: Option<SlotKey>,
    /// The revision that stands.
    pub current: MemoryId,
}

/// One revision of a memory: a plain value that the tables read and never change.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// The fact it is a revision of.
    pub fact: FactId,
    /// Which revision, from 1.
    pub revision: u32,
    /// What it says.
    pub content: Redacted,
    /// What it is.
    pub kind: MemoryKind,
    /// The question it answers, where it answers one.
    pub slot: Option<Slot>,
    /// Names of what it speaks of.
    pub entities: Vec<String>,
    /// Who said it.
    pub speaker: Option<Speaker>,
    /// Where it lives.
    pub partition: Partition,
    /// The weakest class of its lineage.
    pub class: SourceClass,
    /// Where it came from, in the caller's words.
    pub source: SourceLabel,
    /// The application that wrote it.
    pub source_app: Option<SourceApp>,
    /// Words by which it is filtered.
    pub tags: Vec<Tag>,
    /// The caller's own id of it.
    pub custom_id: Option<CustomId>,
    /// Its lifecycle state.
    pub state: State,
    /// Whether a person approved it.
    pub approved: bool,
    /// Why a person has to look at it first, if one has to.
    pub review: Option<ReviewNeed>,
    /// Whether it is one side of an unresolved conflict.
    pub contested: bool,
    /// How many independent origins support it.
    pub origins: usize,
    /// Why it is what it is.
    pub reasons: Vec<Reason>,
    /// The evidence it was drawn from.
    pub evidence: Vec<EvidenceId>,
    /// When it was said, as far as known.
    pub observed_at: Timestamp,
    /// When it was kept.
    pub created_at: Timestamp,
    /// When it holds.
    pub validity: Validity,
    /// When it expires by its writer's wish or its container's policy.
    pub expires_at: Option<Timestamp>,
}

impl Memory {
    /// Which row of the verdict table it falls under.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing::of(
            self.state,
            self.class,
            self.approved,
            self.review,
            self.contested,
            self.origins,
        )
    }

    /// What the verdict table says of it.
    #[must_use]
    pub fn ruling(&self) -> &'static VerdictRow {
        self.standing().row()
    }

    /// Whether it is its writer's alone until more speaks for it.
    ///
    /// A row of a weak class that never found support stays private when it expires, is replaced or rejected: leaving
    /// `pending` by another door must not show it to anybody new.
    #[must_use]
    pub fn is_private_until_supported(&self) -> bool {
        let vouched_for = self.approved || self.origins >= ORIGINS_THAT_ESTABLISH;
        !self.class.is_known_at_once() && (self.state == State::Pending || !vouched_for)
    }

    /// Whether `who` may know that it exists.
    ///
    /// # Errors
    /// [`Hidden`] names the first reason why not.
    pub fn visible_to(&self, who: &EffectiveIdentity) -> Result<(), Hidden> {
        self.partition
            .visible_to(who, self.is_private_until_supported())
    }

    /// Whether it speaks about the present.
    #[must_use]
    pub fn temporal_state(&self, now: Timestamp) -> TemporalState {
        TemporalState::of(self.state, &self.validity, self.expires_at, now)
    }
}
