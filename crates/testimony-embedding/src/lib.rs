//! Texts as vectors, so that what means the same lies close together.
//!
//! [`StaticEmbedder`] is the default: a table inside the binary, distilled from a sentence model, with no model file, no
//! network and a few microseconds a sentence.
//! With the feature `transformer`, `Transformer` runs a sentence model of the BERT family from a folder; with the
//! feature `remote`, `RemoteEmbedder` asks a server.
//! What the cosines of one of them mean is measured beside one whose cosines are known, by [`calibrated_against`].
//!
//! [`BuiltInReader`] reads a question and rows together and says how far each row answers it.
//!
//! What this crate does not do: it stores nothing, searches nothing, downloads nothing, and decides nothing about trust.

mod bend;
mod calibrate;
mod digest;
pub mod reading;
#[cfg(feature = "remote")]
pub mod remote;
mod static_embedder;
mod table;
#[cfg(feature = "transformer")]
pub mod transformer;
pub mod wordpiece;

pub use calibrate::{
    Compared, EVERYDAY, FEWEST_TEXTS, MOST_TEXTS, NotCalibrated, by_equal_shares,
    calibrated_against,
};
pub use reading::BuiltInReader;
#[cfg(feature = "remote")]
pub use remote::RemoteEmbedder;
pub use static_embedder::StaticEmbedder;
pub use table::{TableError, TableParts};
#[cfg(feature = "transformer")]
pub use transformer::Transformer;

// What a user of this crate needs of the port that it fills.
pub use testimony_service::ports::embedder::{
    Calibration, CalibrationError, DimensionMismatch, EmbedError, Embedder, EmbedderIdentity,
    Point, Vector, VectorError,
};
