//! The embedder: it turns text into a vector, such that what means the same lies near.

mod calibration;
mod vector;

use std::fmt;

pub use calibration::{Calibration, CalibrationError, Point};
use testimony_domain::Timestamp;
pub use vector::{DimensionMismatch, Vector, VectorError};

use crate::ports::health::Health;

/// Turns texts into vectors whose angles tell how alike the texts are.
///
/// The same embedder gives the same vector for the same text, alone or among others.
pub trait Embedder: Send + Sync {
    /// Who it is. Vectors are comparable only under the same identity.
    fn identity(&self) -> &EmbedderIdentity;

    /// What its cosines mean; `None` says that nobody has measured it.
    fn calibration(&self) -> Option<&Calibration>;

    /// One answer for every text, in their order.
    ///
    /// `None` is the answer for a text that says nothing, because it is empty or holds blanks and control characters only:
    /// it has no direction, and an invented one would be near to something.
    ///
    /// # Errors
    /// [`EmbedError`] when the embedder could not do its work; then there is no answer for any of the texts.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError>;

    /// The same for somebody who waits for the answer and would rather do without than wait long: one attempt, no pauses.
    ///
    /// # Errors
    /// As [`Embedder::embed`].
    fn embed_at_once(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        self.embed(texts)
    }

    /// Whether it says what a single word means, and so quickly that every word of a row can be compared with those of
    /// a question.
    fn reads_words(&self) -> bool {
        false
    }

    /// Whether it answers a short text in microseconds, and never waits for anybody.
    fn is_quick(&self) -> bool {
        false
    }

    /// How it stands; it asks nobody for that. One that needs nothing beside itself is always well.
    fn health(&self) -> Health {
        Health::Healthy
    }

    /// When it is worth asking again, while it is known that it would answer nothing before.
    fn rests_until(&self) -> Option<Timestamp> {
        None
    }
}

/// Who an embedder is: what a container remembers of the embedder of its vectors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmbedderIdentity {
    /// Its name, such as the model's.
    pub name: String,
    /// What changes whenever the same text would get another vector.
    pub revision: String,
    /// How many numbers its vectors have.
    pub dimensions: usize,
}

impl fmt::Display for EmbedderIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            revision,
            dimensions,
        } = self;
        write!(f, "`{name}` ({revision}, {dimensions} dimensions)")
    }
}

/// Why an embedder gave no vectors.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmbedError {
    /// What came out is no vector.
    #[error(
        "embedder `{embedder}`, text {index}: {source}; the model is damaged, load it again from its origin"
    )]
    NoVector {
        /// The embedder's name.
        embedder: String,
        /// Which of the texts, from 0.
        index: usize,
        /// What is wrong with it.
        source: VectorError,
    },
    /// It does not answer at present; nothing is wrong with the texts.
    #[error(
        "embedder `{embedder}` does not answer: {because}; what waits for it is done when it answers again"
    )]
    Unavailable {
        /// The embedder's name.
        embedder: String,
        /// Why, without a word of the texts or of a credential.
        because: String,
        /// Before when it is of no use to ask again, where that is known.
        until: Option<Timestamp>,
    },
    /// It answers, but not as it is configured; nothing is wrong with the texts, and asking again does not help.
    #[error("embedder `{embedder}`: {because}; {remedy}")]
    Misconfigured {
        /// The embedder's name.
        embedder: String,
        /// What is wrong.
        because: String,
        /// What helps.
        remedy: &'static str,
    },
    /// Its vectors have other dimensions than it was configured with.
    #[error(
        "embedder `{embedder}` gives vectors of {found} dimensions and is configured with {configured}; set its \
         dimensions to {found}, which has every container embedded again, or name the model that gives {configured}"
    )]
    OtherDimensions {
        /// The embedder's name.
        embedder: String,
        /// What the configuration says.
        configured: usize,
        /// What came.
        found: usize,
    },
    /// It will not embed what it was given; sent again, it would be refused again.
    #[error(
        "embedder `{embedder}` refuses the text: {because}; shorten the text or raise the limit of the embedder"
    )]
    Refused {
        /// The embedder's name.
        embedder: String,
        /// Why, without a word of the text.
        because: String,
    },
}

impl EmbedError {
    /// Whether the texts themselves are what it fails at, so that others may well be embedded.
    #[must_use]
    pub const fn is_about_the_texts(&self) -> bool {
        match self {
            Self::NoVector { .. } | Self::Refused { .. } => true,
            Self::Unavailable { .. }
            | Self::Misconfigured { .. }
            | Self::OtherDimensions { .. } => false,
        }
    }
}
