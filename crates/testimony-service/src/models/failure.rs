//! Why a model was of no use, in words that answers can carry.

use testimony_domain::words;

use crate::ports::models::ModelError;

words! {
    /// Why a model was of no use. None of it is content.
    pub enum ModelFailure {
        /// None was chosen for this.
        NotConfigured = "not_configured",
        /// Nobody is there.
        Unreachable = "unreachable",
        /// It takes too long.
        TooSlow = "too_slow",
        /// It is asked too much at present.
        Busy = "busy",
        /// It refuses.
        Refused = "refused",
        /// What it answers cannot be read.
        Unreadable = "unreadable",
        /// It failed so often that it is not asked for a while.
        Resting = "resting",
        /// Its provider kept the answer back.
        Filtered = "filtered",
        /// Nothing of its answer stands in what it was given.
        NothingGrounded = "nothing_grounded",
        /// It says that what it was given does not answer.
        FoundNothing = "found_nothing",
        /// Another run about the same has not ended.
        InProgress = "in_progress",
    }
}

impl From<&ModelError> for ModelFailure {
    fn from(error: &ModelError) -> Self {
        match error {
            ModelError::Unreachable { .. } => Self::Unreachable,
            ModelError::TooSlow { .. } => Self::TooSlow,
            ModelError::Busy { .. } => Self::Busy,
            ModelError::Refused { .. } => Self::Refused,
            ModelError::Unreadable { .. } => Self::Unreadable,
            ModelError::Resting { .. } => Self::Resting,
        }
    }
}
