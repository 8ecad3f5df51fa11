//! The use of models: which one is asked for what, in which words, and what is left of its answer once it has been read
//! with suspicion.
//!
//! No model decides anything here. [`mod@material`] makes data of what a model is told, [`mod@reply`] and [`grounding`]
//! keep of a phrased answer only what stands in what it cites, [`opinion`] reads a verdict that the courtroom then
//! joins to its own, and [`statements`] reads claims that go through admission like anybody's.
//! When a model fails, whoever asked goes on without it and says so.

mod ask;
mod chosen;
mod failure;
pub(crate) mod grounding;
mod grounding_words;
pub(crate) mod instructions;
mod json;
pub(crate) mod material;
pub(crate) mod opinion;
pub(crate) mod reply;
pub(crate) mod statements;

pub(crate) use ask::{Answered, NoAnswer, Question};
pub use chosen::{LOCAL_RERANKER, Models, ModelsError};
pub use failure::ModelFailure;
pub use reply::DroppedSentence;
pub(crate) use reply::reads_like_an_instruction;
