//! The index: it finds candidates for a question among the rows that the asker may see.
//!
//! It is a cache of the ledger, follows it by sequence, and can be thrown away at any time.
//! What it answers depends on nothing that the asker may not see: not on the rows, not on how often a word stands in
//! them, and not on how many they are.

use testimony_domain::{ContainerTag, EffectiveIdentity, MemoryId, Standing, Timestamp};
use testimony_recall::{Channels, Filters, Sources, TimeIntent, View};

use super::embedder::{Calibration, EmbedderIdentity, Vector};
use super::ledger::CommitObserver;
use super::ledger::audit::Seq;

/// Finds candidates.
///
/// As an observer it takes in what the ledger commits, so that whatever was answered as written is found at once.
pub trait Index: CommitObserver {
    /// Candidates for a query, each once, with how far each channel speaks for it; the best of each cut.
    ///
    /// # Errors
    /// [`IndexError`] when nothing could be asked at all; one channel that is down is said in the answer.
    fn search(&self, query: &IndexQuery<'_>) -> Result<Found, IndexError>;

    /// How it stands.
    fn health(&self) -> IndexHealth;

    /// How many rows of a container it holds, where that is known at once.
    fn rows_in(&self, _container: &ContainerTag) -> Option<usize> {
        None
    }

    /// Removes every trace of these rows from memory and disk before it returns.
    ///
    /// # Errors
    /// [`IndexError`] when a file could not be rewritten; the rows are no longer found all the same.
    fn purge(&self, memories: &[MemoryId]) -> Result<(), IndexError>;

    /// Writes down what it holds, so that the next start need not replay it.
    ///
    /// # Errors
    /// [`IndexError`] when it could not be written; nothing is lost by that.
    fn snapshot(&self) -> Result<Seq, IndexError>;
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct IndexQuery<'a> {
    /// Who asks, and so which rows there are.
    pub identity: &'a EffectiveIdentity,
    /// Which side of memory is looked at.
    pub view: View,
    /// The words of the question; empty to look for meaning alone.
    pub words: &'a str,
    /// Names in the question, which must match the right thing.
    pub entities: &'a [String],
    /// Its meaning; `None` to look for words alone, or while no embedder answers.
    pub meaning: Option<Meaning<'a>>,
    /// Which rows are wanted.
    pub filters: &'a Filters,
    /// The present instant.
    pub now: Timestamp,
    /// What is to be found, each with its own room, so that rows of one kind never crowd out those of another.
    pub cuts: &'a [Cut<'a>],
    /// So many rows are found as well that stand just before or behind those that speak most of what is asked, where both
    /// belong to the same cut: the ones that most is said beside.
    pub beside: usize,
}

/// The meaning of a question, and whose vectors it can be compared with.
#[derive(Clone, Copy, Debug)]
pub struct Meaning<'a> {
    /// The vector.
    pub vector: &'a Vector,
    /// The embedder that gave it.
    pub embedder: &'a EmbedderIdentity,
    /// What its cosines mean; without one the cosine itself is the likeness, and below 0 there is none.
    pub calibration: Option<&'a Calibration>,
}

/// The best rows of some standings.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// Rows of these standings.
    pub standings: &'a [Standing],
    /// The time that the question is about, judged as the gate of time judges it, so that rows which that gate would
    /// hold back take no room.
    pub time: TimeIntent,
    /// How many of each channel at most.
    pub limit: usize,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Rows with how far each channel speaks for them, best first; equals in the order of their ids.
    pub hits: Vec<Hit>,
    /// Which channels answered.
    pub sources: Sources,
    /// How far the index had followed the ledger.
    pub reached: Seq,
    /// How rare the words of the question are among the rows that the asker may see: 0 for one that stands everywhere,
    /// 1 for one that stands nowhere. Words that carry no topic are left out.
    pub rarity: Vec<(Box<str>, f64)>,
}

/// A row that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The row.
    pub memory: MemoryId,
    /// How far each channel speaks for it.
    pub channels: Channels,
}

/// How an index stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexHealth {
    /// How far it has followed the ledger.
    pub reached: Seq,
    /// How far the ledger is.
    pub ledger: Seq,
    /// How many rows it holds.
    pub rows: u64,
    /// What it is doing.
    pub state: IndexState,
}

/// What an index is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// It answers from its structures.
    Ready,
    /// It is being built from the ledger, and answers by looking at every row meanwhile.
    Rebuilding {
        /// Why it has to be built.
        because: String,
    },
    /// It cannot be written, and answers from memory.
    Degraded {
        /// Why.
        because: String,
    },
}

/// Why an index did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The vectors of the container are by another embedder than the question's, and not to be compared with it.
    #[error(
        "the container's vectors are by {kept}, and the question's by {asked}; have the embedder of before at hand until the container is embedded again"
    )]
    OtherEmbedder {
        /// Whose vectors are kept.
        kept: EmbedderIdentity,
        /// Whose vector was asked with.
        asked: EmbedderIdentity,
    },
    /// The store below failed.
    #[error(
        "the index could not be {doing}: {source}; it is only a cache and can be rebuilt with `testimony doctor --repair`"
    )]
    Store {
        /// What was being done, as a participle.
        doing: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
