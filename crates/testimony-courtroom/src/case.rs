//! What the courtroom is given: the memory, what speaks for and against it, its history, and who wants to know.

use testimony_domain::{
    EffectiveIdentity, Event, Evidence, EvidenceId, Memory, Reason, Support, Timestamp, words,
};

use crate::Comparison;

words! {
    /// Who did something to a memory.
    pub enum ActorKind {
        /// The service itself, by its tables and clocks.
        Service = "service",
        /// An agent or application through its key.
        Agent = "agent",
        /// A named person.
        Person = "person",
        /// An operator.
        Operator = "operator",
    }
}

impl ActorKind {
    /// Whether a decision by this actor is the decision of a person.
    #[must_use]
    pub const fn is_a_person(self) -> bool {
        match self {
            Self::Person | Self::Operator => true,
            Self::Service | Self::Agent => false,
        }
    }
}

/// One line of a memory's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    pub actor: ActorKind,
    /// What happened.
    pub event: Event,
    /// Why.
    pub reason: Option<Reason>,
}

/// What an AI judge said. Nothing in it is believed before it has been read with suspicion.
#[derive(Clone, Debug, PartialEq)]
pub struct AiOpinion {
    /// Its verdict, in its own spelling.
    pub verdict: String,
    /// What it would do, in its own spelling.
    pub recommended_action: String,
    /// How sure it says it is.
    pub confidence: f64,
    /// Why, in its own words.
    pub rationale: String,
    /// Who runs it.
    pub provider: String,
    /// Which model it is.
    pub model: String,
}

/// Whether an AI judge was asked, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judgment<'a> {
    /// Nobody asked for one.
    Omitted,
    /// One was asked for, and the judge could not be reached.
    Unavailable,
    /// It was given earlier and kept.
    Cached(&'a AiOpinion),
    /// It was given just now, for the first time.
    Generated(&'a AiOpinion),
    /// It was given just now, in place of one that had been kept.
    Refreshed(&'a AiOpinion),
}

/// A case, as the stores give it. Rows that the reader may not see can be among them; they leave no trace in a report.
#[derive(Clone, Copy, Debug)]
pub struct CaseFile<'a> {
    /// The memory on trial.
    pub memory: &'a Memory,
    /// What links it to evidence, for and against.
    pub supports: &'a [Support],
    /// The evidence; `None` when it could not be read.
    pub evidence: Option<&'a [Evidence]>,
    /// The evidence in which something instructs its reader, or may: only a reviewer sees more of it than the claim.
    pub instructing: &'a [EvidenceId],
    /// Memories that say otherwise.
    pub rivals: &'a [Memory],
    /// The other revisions of the same fact.
    pub revisions: &'a [Memory],
    /// What happened to the memory; `None` when it could not be read.
    pub history: Option<&'a [HistoryEntry]>,
    /// Who reads the report.
    pub reader: &'a EffectiveIdentity,
    /// The present instant.
    pub now: Timestamp,
    /// A question of the reader's own.
    pub query: Option<&'a str>,
    /// What an AI judge says.
    pub judgment: Judgment<'a>,
    /// What memory banks elsewhere said about it.
    pub comparisons: &'a [Comparison],
}

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCase {
    /// The reader's key lacks `courtroom.read`.
    #[error("this key lacks the capability `courtroom.read`; ask your operator to grant it")]
    Capability,
    /// There is no such memory, as far as the reader may know.
    #[error(
        "no memory of this id is visible to this key; check the id and the key's container and labels"
    )]
    NotVisible,
}
