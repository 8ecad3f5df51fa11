//! The audit trail: every change is an event, and every event holds the hash of the one before it.
//!
//! An event says who did what to which row and why, and never what the row says.
//! The hash is a pure function of the event, so that somebody with an export and a chain head that was kept elsewhere
//! can check both without this program's database.

use std::fmt;

use sha2::{Digest as _, Sha256};
use testimony_domain::{
    CaseId, ConnectorId, ContainerTag, EffectiveIdentity, EntityId, EvidenceId, FactId, JobId,
    KeyId, MemoryId, PersonId, PrincipalKind, Reason, RequestId, SessionId, Timestamp, words,
};

use super::{LedgerError, Page};

/// The place of an event in the ledger, from 1; 0 is before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seq(pub u64);

impl Seq {
    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A SHA-256 digest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// Whoever holds this key.
    Key(KeyId),
    /// A named person.
    Person(PersonId),
    /// Whoever is at the machine: a command on the data folder itself.
    Host,
    /// The service itself: expiry, retention, a job.
    Service,
}

impl Actor {
    /// Who acts under this identity.
    #[must_use]
    pub const fn of(identity: &EffectiveIdentity) -> Self {
        Self::by(identity.kind(), identity.key())
    }

    /// Who acts by a credential of this kind.
    #[must_use]
    pub const fn by(kind: PrincipalKind, key: KeyId) -> Self {
        match kind {
            PrincipalKind::Agent | PrincipalKind::Connector | PrincipalKind::Operator => {
                Self::Key(key)
            }
            PrincipalKind::Person => Self::Person(PersonId::from_uuid(key.uuid())),
            PrincipalKind::Host => Self::Host,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::Person(id) => id.fmt(f),
            Self::Host => f.write_str("host"),
            Self::Service => f.write_str("service"),
        }
    }
}

/// Who acts, when, and in which request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Who.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// In which request.
    pub request: Option<RequestId>,
    /// The version of the rules by which it was decided.
    pub rules: &'static str,
}

words! {
    /// What was done.
    pub enum Action {
        /// Evidence was kept.
        EvidenceKept = "evidence.kept",
        /// Evidence went, by retention or erasure.
        EvidenceRemoved = "evidence.removed",
        /// A memory was made.
        MemoryMade = "memory.made",
        /// A memory moved in its lifecycle, or what stands beside its content changed.
        MemoryChanged = "memory.changed",
        /// A piece of evidence was linked to a memory.
        SupportAdded = "support.added",
        /// Two memories were linked.
        MemoriesLinked = "memories.linked",
        /// A memory got its vector after it was made.
        MemoryEmbedded = "memory.embedded",
        /// A memory was found to speak of a thing.
        MentionAdded = "mention.added",
        /// A thing that memories speak of was named.
        EntityNamed = "entity.named",
        /// A review case was opened.
        CaseOpened = "case.opened",
        /// A review case was closed, or opened again.
        CaseChanged = "case.changed",
        /// A container was made.
        ContainerMade = "container.made",
        /// The policy of a container changed.
        ContainerChanged = "container.changed",
        /// A key was made.
        KeyMade = "key.made",
        /// A key was rotated, revoked or given other rights.
        KeyChanged = "key.changed",
        /// A connector token was made.
        ConnectorMade = "connector.made",
        /// A connector token was exchanged for a key, or withdrawn.
        ConnectorChanged = "connector.changed",
        /// A person was named.
        PersonMade = "person.made",
        /// A person's role or password changed, or the person was shut out.
        PersonChanged = "person.changed",
        /// A person signed in.
        SessionOpened = "session.opened",
        /// A session ended.
        SessionClosed = "session.closed",
        /// A job was queued.
        JobQueued = "job.queued",
        /// A job ended, was put back, or was given up.
        JobChanged = "job.changed",
        /// A case was judged by a model.
        JudgmentKept = "judgment.kept",
        /// Content was erased.
        Erased = "erased",
        /// A backup was restored.
        Restored = "restored",
        /// A row, or what happened to it, was taken over from another ledger.
        TakenIn = "taken_in",
    }
}

impl Action {
    /// Whether it changes who may come in, or where.
    #[must_use]
    pub const fn changes_access(self) -> bool {
        match self {
            Self::ContainerMade
            | Self::ContainerChanged
            | Self::KeyMade
            | Self::KeyChanged
            | Self::PersonMade
            | Self::PersonChanged
            | Self::SessionOpened
            | Self::SessionClosed
            | Self::ConnectorMade
            | Self::ConnectorChanged
            | Self::TakenIn
            | Self::Restored => true,
            Self::EvidenceKept
            | Self::EvidenceRemoved
            | Self::MemoryMade
            | Self::MemoryChanged
            | Self::SupportAdded
            | Self::MemoriesLinked
            | Self::MemoryEmbedded
            | Self::MentionAdded
            | Self::EntityNamed
            | Self::CaseOpened
            | Self::CaseChanged
            | Self::JobQueued
            | Self::JobChanged
            | Self::JudgmentKept
            | Self::Erased => false,
        }
    }

    /// Whether each hour keeps how often it was done.
    #[must_use]
    pub const fn is_tallied(self) -> bool {
        matches!(self, Self::MemoryMade | Self::JobQueued | Self::JobChanged)
    }
}

/// The row that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObjectRef {
    /// A piece of evidence.
    Evidence(EvidenceId),
    /// A memory.
    Memory(MemoryId),
    /// A fact.
    Fact(FactId),
    /// A named thing.
    Entity(EntityId),
    /// A review case.
    Case(CaseId),
    /// A container.
    Container(ContainerTag),
    /// A key.
    Key(KeyId),
    /// A connector token.
    Connector(ConnectorId),
    /// A person.
    Person(PersonId),
    /// A session.
    Session(SessionId),
    /// A job.
    Job(JobId),
    /// An erasure, by the sequence at which it was carried out.
    Erasure(Seq),
    /// The ledger as a whole.
    Ledger,
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evidence(id) => id.fmt(f),
            Self::Memory(id) => id.fmt(f),
            Self::Fact(id) => id.fmt(f),
            Self::Entity(id) => id.fmt(f),
            Self::Case(id) => id.fmt(f),
            Self::Container(tag) => write!(f, "container:{tag}"),
            Self::Key(id) => id.fmt(f),
            Self::Connector(id) => id.fmt(f),
            Self::Person(id) => id.fmt(f),
            Self::Session(id) => id.fmt(f),
            Self::Job(id) => id.fmt(f),
            Self::Erasure(seq) => write!(f, "erasure:{seq}"),
            Self::Ledger => f.write_str("ledger"),
        }
    }
}

/// One line of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// Its place.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// In which request.
    pub request: Option<RequestId>,
    /// What was done.
    pub action: Action,
    /// In which container.
    pub container: Option<ContainerTag>,
    /// To which row, as it is spelled.
    pub object: String,
    /// What was decided about it, in a stable word, such as an event of the lifecycle.
    pub decision: Option<String>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The version of the rules by which it was decided.
    pub rules: String,
    /// The hash of the event before it.
    pub previous: Digest,
    /// Its own hash.
    pub own: Digest,
}

impl AuditEvent {
    /// The hash of everything that it says, and of the hash before it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            // Lengths keep two fields apart, so that nothing can move from one into the next.
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        field(&self.previous.0);
        field(&self.seq.0.to_le_bytes());
        field(&self.at.as_nanosecond().to_le_bytes());
        field(self.actor.to_string().as_bytes());
        field(
            self.request
                .as_ref()
                .map_or("", RequestId::as_str)
                .as_bytes(),
        );
        field(self.action.as_str().as_bytes());
        field(
            self.container
                .as_ref()
                .map_or("", ContainerTag::as_str)
                .as_bytes(),
        );
        field(self.object.as_bytes());
        field(self.decision.as_deref().unwrap_or_default().as_bytes());
        field(&(self.reasons.len() as u64).to_le_bytes());
        for reason in &self.reasons {
            field(reason.as_str().as_bytes());
        }
        field(self.rules.as_bytes());
        Digest(hash.finalize().into())
    }
}

/// How often something was done in an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// When the hour began.
    pub hour: Timestamp,
    /// What was done, of what [is tallied](Action::is_tallied).
    pub action: Action,
    /// What was decided about it.
    pub decision: Option<String>,
    /// How often.
    pub events: u64,
}

/// The end of the chain: whoever keeps it elsewhere can tell later whether anything before it was changed or cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainHead {
    /// The last event.
    pub seq: Seq,
    /// Its hash.
    pub hash: Digest,
}

/// Where a chain breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainBreak {
    /// An event is missing, or stands twice.
    #[error("event {expected} should follow, and {found} does")]
    Gap {
        /// What should follow.
        expected: Seq,
        /// What does.
        found: Seq,
    },
    /// An event does not hold the hash of the one before it.
    #[error("event {at} does not follow from the one before it")]
    Unlinked {
        /// The event.
        at: Seq,
    },
    /// An event does not have its own hash.
    #[error("event {at} was changed after it was written")]
    Altered {
        /// The event.
        at: Seq,
    },
}

/// Follows the chain from `head` over `events`, and returns where it ends.
///
/// # Errors
/// [`ChainBreak`] at the first event that does not follow.
pub fn follow<'a>(
    head: ChainHead,
    events: impl IntoIterator<Item = &'a AuditEvent>,
) -> Result<ChainHead, ChainBreak> {
    events.into_iter().try_fold(head, |head, event| {
        let expected = head.seq.next();
        if event.seq != expected {
            let found = event.seq;
            return Err(ChainBreak::Gap { expected, found });
        }
        if event.previous != head.hash {
            return Err(ChainBreak::Unlinked { at: event.seq });
        }
        if event.own != event.digest() {
            return Err(ChainBreak::Altered { at: event.seq });
        }
        Ok(ChainHead {
            seq: event.seq,
            hash: event.own,
        })
    })
}

/// Which events are wanted; an absent filter lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Of this container.
    pub container: Option<ContainerTag>,
    /// About this row, as it is spelled.
    pub object: Option<String>,
    /// By this actor.
    pub actor: Option<Actor>,
    /// Of this kind.
    pub action: Option<Action>,
    /// At or after this instant.
    pub since: Option<Timestamp>,
    /// Before this instant.
    pub until: Option<Timestamp>,
}

/// What can be asked of the trail. It is written by the changes themselves, and by nothing else.
pub trait Reads {
    /// Events in their order.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn events(&self, filter: &EventFilter, page: Page<Seq>)
    -> Result<Vec<AuditEvent>, LedgerError>;

    /// How often things were done in a container from the hour of an instant on, in the order of hours.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn tallies(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Tally>, LedgerError>;

    /// The last event and its hash.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn chain_head(&self) -> Result<ChainHead, LedgerError>;
}
