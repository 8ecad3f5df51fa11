//! Memories with their full history, the facts that hold revisions together, what supports them, and what they name.

use testimony_domain::lifecycle::{self, Cell, Effect};
use testimony_domain::{
    ContainerTag, CustomId, Entity, EntityId, Event, Fact, FactId, Memory, MemoryId, MemoryKind,
    Owner, Plane, Reason, ReviewNeed, SlotKey, State, Support, Timestamp, Validity, words,
};

use super::audit::{Actor, Digest, Seq};
use super::{LedgerError, Page};

/// What can change about a memory; its content never does, but for being erased.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
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
    /// When it holds.
    pub validity: Validity,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

impl Condition {
    /// The condition that a memory is in.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        Self {
            state: memory.state,
            approved: memory.approved,
            review: memory.review,
            contested: memory.contested,
            origins: memory.origins,
            reasons: memory.reasons.clone(),
            validity: memory.validity,
            expires_at: memory.expires_at,
        }
    }

    /// The same memory in this condition.
    #[must_use]
    pub fn applied_to(&self, memory: &Memory) -> Memory {
        Memory {
            state: self.state,
            approved: self.approved,
            review: self.review,
            contested: self.contested,
            origins: self.origins,
            reasons: self.reasons.clone(),
            validity: self.validity,
            expires_at: self.expires_at,
            ..memory.clone()
        }
    }
}

/// A change of a memory that the lifecycle table allows. Only [`Change::of`] makes one, so no other reaches a ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    memory: MemoryId,
    expected: State,
    event: Option<Event>,
    becomes: Condition,
}

impl Change {
    /// What `event` makes of `memory`; `touch` may then set what is no matter of the lifecycle.
    ///
    /// With the change comes what else has to happen, where the table says so.
    ///
    /// # Errors
    /// The reason for which the table refuses the event.
    pub fn of(
        memory: &Memory,
        event: Event,
        touch: impl FnOnce(&mut Condition),
    ) -> Result<(Self, Option<Effect>), Reason> {
        let (state, effect) = match lifecycle::transition(memory.state, event) {
            Cell::To(state) => (state, None),
            Cell::Keep(effect) => (memory.state, Some(effect)),
            Cell::Refuse(reason) => return Err(reason),
        };
        Ok((Self::to(memory, state, Some(event), touch), effect))
    }

    /// A change that leaves the state as it is: more support, another end of validity, a settled conflict.
    #[must_use]
    pub fn within_state(memory: &Memory, touch: impl FnOnce(&mut Condition)) -> Self {
        Self::to(memory, memory.state, None, touch)
    }

    fn to(
        memory: &Memory,
        state: State,
        event: Option<Event>,
        touch: impl FnOnce(&mut Condition),
    ) -> Self {
        let mut becomes = Condition::of(memory);
        touch(&mut becomes);
        // Whatever else is touched, only the table moves the state.
        becomes.state = state;
        Self {
            memory: memory.id,
            expected: memory.state,
            event,
            becomes,
        }
    }

    /// The memory.
    #[must_use]
    pub const fn memory(&self) -> MemoryId {
        self.memory
    }

    /// The state in which the change found it; in another the ledger refuses the change.
    #[must_use]
    pub const fn expected(&self) -> State {
        self.expected
    }

    /// What happened to it, where it was an event of the lifecycle.
    #[must_use]
    pub const fn event(&self) -> Option<Event> {
        self.event
    }

    /// What it becomes.
    #[must_use]
    pub const fn becomes(&self) -> &Condition {
        &self.becomes
    }
}

/// One line of a memory's history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryLine {
    /// The event of the trail that it goes with.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: Actor,
    /// What happened; `None` for its making, and for what is no matter of the lifecycle.
    pub event: Option<Event>,
    /// The condition from then on.
    pub condition: Condition,
}

words! {
    /// How one memory stands to another.
    pub enum Relation {
        /// It took the other's place.
        Supersedes = "supersedes",
        /// It says otherwise than the other.
        Contradicts = "contradicts",
        /// It was drawn from the other.
        DerivedFrom = "derived_from",
        /// It is what is left of the other without its secrets.
        RedactedFrom = "redacted_from",
    }
}

/// A link between two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The one.
    pub from: MemoryId,
    /// How it stands to the other.
    pub relation: Relation,
    /// The other.
    pub to: MemoryId,
}

/// A memory whose time has run out.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOut {
    /// The memory.
    pub memory: Memory,
    /// When its time ran out: the first of the ends that it has.
    pub at: Timestamp,
}

/// Which memories are wanted; an absent filter lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFilter {
    /// In this container.
    pub container: Option<ContainerTag>,
    /// In one of these states; in any where empty.
    pub states: Vec<State>,
    /// Of this owner.
    pub owner: Option<Owner>,
    /// Of this plane.
    pub plane: Option<Plane>,
    /// Of this kind.
    pub kind: Option<MemoryKind>,
    /// With this person as label.
    pub user: Option<testimony_domain::UserId>,
    /// From this source.
    pub source: Option<testimony_domain::SourceLabel>,
    /// With this tag.
    pub tag: Option<testimony_domain::Tag>,
    /// Kept at or after this instant.
    pub created_after: Option<Timestamp>,
    /// Kept before this instant.
    pub created_before: Option<Timestamp>,
}

/// A memory as it is read again: a ledger keeps instants to the microsecond, rounded down, which keeps their order.
#[must_use]
pub fn as_kept(memory: Memory) -> Memory {
    Memory {
        observed_at: instant_as_kept(memory.observed_at),
        created_at: instant_as_kept(memory.created_at),
        validity: Validity {
            from: memory.validity.from.map(instant_as_kept),
            until: memory.validity.until.map(instant_as_kept),
        },
        expires_at: memory.expires_at.map(instant_as_kept),
        ..memory
    }
}

/// An instant as it is read again.
#[must_use]
pub fn instant_as_kept(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(microseconds(at)).unwrap_or(at)
}

/// An instant as it is kept: whole microseconds, which hold every year that a timestamp can name in one integer.
#[must_use]
pub fn microseconds(at: Timestamp) -> i64 {
    // Rounding down keeps the order of instants, so that a filter finds what it found before.
    let microseconds = at.as_nanosecond().div_euclid(1_000);
    i64::try_from(microseconds).unwrap_or(i64::MAX)
}

/// What can be asked of memories. Nothing here knows who asks: whoever shows a row puts it before the gates first.
pub trait Reads {
    /// The memories with these ids, in their order; one that is not there is left out.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn memories(&self, ids: &[MemoryId]) -> Result<Vec<Memory>, LedgerError>;

    /// Those of these memories of which nothing changed behind a sequence. It costs a small part of reading them.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn unchanged_since(&self, since: Seq, ids: &[MemoryId]) -> Result<Vec<MemoryId>, LedgerError>;

    /// The fact with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn fact(&self, id: FactId) -> Result<Option<Fact>, LedgerError>;

    /// The revisions of a fact, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn revisions(&self, fact: FactId) -> Result<Vec<Memory>, LedgerError>;

    /// The memories of an owner with the caller's own id, newest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn with_custom_id(
        &self,
        container: &ContainerTag,
        owner: &Owner,
        id: &CustomId,
    ) -> Result<Vec<Memory>, LedgerError>;

    /// The memories of a container that answer a question and are active or pending, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn in_slot(&self, container: &ContainerTag, slot: &SlotKey)
    -> Result<Vec<Memory>, LedgerError>;

    /// The memories of a container that say the same words and are active or pending, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn in_the_same_words(
        &self,
        container: &ContainerTag,
        words: Digest,
    ) -> Result<Vec<Memory>, LedgerError>;

    /// Memories by filter, in the order in which they were made.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn list(&self, filter: &MemoryFilter, page: Page<MemoryId>)
    -> Result<Vec<Memory>, LedgerError>;

    /// The memories that changed behind a sequence, or got a vector, each once and as it is now, in the order of their
    /// last change; with the sequence behind which to go on, which is the head when fewer came than the page takes.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError>;

    /// What happened to a memory, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn history(&self, id: MemoryId) -> Result<Vec<HistoryLine>, LedgerError>;

    /// Memories that are active or pending and whose time has run out, earliest first: at their own end, at the end of
    /// what they say, or, as long as they are pending, by the policy of their container.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn run_out(&self, now: Timestamp, limit: usize) -> Result<Vec<RunOut>, LedgerError>;

    /// What speaks for and against a memory, in the order in which it came.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn supports(&self, memory: MemoryId) -> Result<Vec<Support>, LedgerError>;

    /// The links of a memory, in both directions.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn links(&self, memory: MemoryId) -> Result<Vec<Link>, LedgerError>;

    /// A named thing of a container, by its name or one of its other names, whatever their case.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn entity(&self, container: &ContainerTag, name: &str) -> Result<Option<Entity>, LedgerError>;

    /// The memories that speak of a thing, newest first.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn speaking_of(
        &self,
        entity: EntityId,
        page: Page<MemoryId>,
    ) -> Result<Vec<MemoryId>, LedgerError>;

    /// How many memories a container holds, by state.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn census(&self, container: &ContainerTag) -> Result<Vec<(State, u64)>, LedgerError>;

    /// How many memories a container holds, by plane and state.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn census_by_plane(
        &self,
        container: &ContainerTag,
    ) -> Result<Vec<(Plane, State, u64)>, LedgerError>;
}

/// What can be done to memories. Each is an event of the trail as well.
pub trait Writes {
    /// Keeps a new memory: the first revision of a new fact, or another of one that is there, which then stands for it.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when its id or revision is there already; [`LedgerError::Missing`] when its container has
    /// not been made, or evidence that it rests on, or the fact that it is a revision of, is not in that container;
    /// [`LedgerError::Changed`] when evidence that it rests on was erased.
    fn add_memory(&mut self, memory: &Memory) -> Result<(), LedgerError>;

    /// Changes what may change about a memory. One that is reinstated is what its fact stands for again; one that is
    /// erased is erased as [`erasure`](super::erasure) says.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when it is not there, [`LedgerError::Changed`] when it is not in the state that the change expects.
    fn change_memory(&mut self, change: &Change) -> Result<(), LedgerError>;

    /// Links a piece of evidence to a memory of its container; the same link twice stands once.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when either is not there, or the evidence not in the container of the memory;
    /// [`LedgerError::Changed`] when either was erased.
    fn add_support(&mut self, support: &Support) -> Result<(), LedgerError>;

    /// Links two memories of a container; the same link twice stands once.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when either is not there, or the second not in the container of the first.
    fn link(&mut self, link: Link) -> Result<(), LedgerError>;

    /// Names a thing in a container, or gives it other names.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when one of its names is another thing's.
    fn name_entity(&mut self, container: &ContainerTag, entity: &Entity)
    -> Result<(), LedgerError>;

    /// Says that a memory speaks of a thing of its container; said twice it stands once.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when either is not there, or the thing not in the container of the memory;
    /// [`LedgerError::Changed`] when the memory was erased.
    fn mention(&mut self, memory: MemoryId, entity: EntityId) -> Result<(), LedgerError>;
}

/// The digest by which the same words are found: letter case, spaces and end marks aside.
#[must_use]
pub fn digest_of_words(text: &str) -> Digest {
    use sha2::Digest as _;
    let mut hash = sha2::Sha256::new();
    for word in text.split_whitespace() {
        let bare = word.trim_end_matches(['.', '!', ',', ';', ':']);
        if !bare.is_empty() {
            hash.update(bare.to_lowercase().as_bytes());
            hash.update([0]);
        }
    }
    Digest(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_have_one_digest_and_others_another() {
        let digest = digest_of_words("The port is 8080.");
        assert_eq!(digest, digest_of_words(" the  Port is 8080 "));
        for other in [
            "The port is 8081.",
            "The port is not 8080.",
            "Theport is 8080",
            "",
        ] {
            assert_ne!(digest, digest_of_words(other), "{other}");
        }
    }
}
