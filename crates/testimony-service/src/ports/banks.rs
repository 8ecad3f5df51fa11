//! Memory banks elsewhere: somebody else's memory, which can be asked what it knows about a text.
//!
//! What they answer is hostile input: whoever can write there writes it. It is bounded, goes through admission, and moves
//! nothing here.

use std::time::Duration;

use testimony_domain::{SourceLabel, Timestamp};

use crate::ports::health::Health;

/// A memory bank. It is asked on a thread that may wait.
pub trait MemoryBank: Send + Sync {
    /// Its name, as the configuration has it.
    fn name(&self) -> &SourceLabel;

    /// What it knows about a text, the nearest first. Whoever fills this port asks again by itself where that is safe,
    /// within the deadline.
    ///
    /// # Errors
    /// [`BankError`] when there is no answer that can be read.
    fn recall(&self, question: &BankQuestion<'_>) -> Result<Vec<BankMemory>, BankError>;

    /// How it stands; it asks nobody for that.
    fn health(&self) -> Health;
}

/// What a bank is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankQuestion<'a> {
    /// About which text; without secrets.
    pub text: &'a str,
    /// How many memories are wanted, at most.
    pub limit: usize,
    /// How long is waited, attempts and pauses together.
    pub deadline: Duration,
}

/// A memory of a bank, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankMemory {
    /// Its id there.
    pub id: String,
    /// What it says.
    pub text: String,
    /// When it was said, where the bank tells.
    pub observed_at: Option<Timestamp>,
}

/// Why a bank gave no answer. No word of it is content or a credential.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BankError {
    /// It is not asked now; nothing is wrong with the question.
    #[error("memory bank `{bank}` is not asked now: {because}")]
    NotNow {
        /// Which bank.
        bank: String,
        /// When it is worth asking again, where that is known.
        retry_in: Option<Duration>,
        /// Why, in words that an operator can act on.
        because: String,
    },
    /// It was asked in vain.
    #[error("memory bank `{bank}` gave no answer: {because}")]
    Failed {
        /// Which bank.
        bank: String,
        /// Why, in words that an operator can act on.
        because: String,
    },
}
