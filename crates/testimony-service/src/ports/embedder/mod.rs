//! The embedder: it turns text into a vector, such that what means the same lies near.

mod calibration;
mod vector;

pub use calibration::{Calibration, CalibrationError, Point};
pub use vector::{DimensionMismatch, Vector, VectorError};

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
}
