//! Language models that the service may ask: one phrases, judges and extracts; another orders passages.
//!
//! What they answer is hostile input. It may be steered by the very rows it is about, and is read, weighed and cited
//! before anything comes of it.

use std::time::Duration;

use testimony_domain::words;

use crate::ports::health::Health;

words! {
    /// For what a model is asked.
    pub enum ModelUse {
        /// To answer a question out of memories.
        Synthesis = "synthesis",
        /// To judge the case of a memory.
        Judge = "judge",
        /// To draw claims out of a text.
        Extraction = "extraction",
        /// To put a question into other words.
        Rewriting = "rewriting",
    }
}

/// A model that answers in text. It is asked on a thread that may wait.
pub trait ChatModel: Send + Sync {
    /// Who answers.
    fn identity(&self) -> &ModelIdentity;

    /// Asks it once. Whoever fills this port tries again by itself where that is safe, within `deadline`.
    ///
    /// # Errors
    /// [`ModelError`] when there is no whole answer.
    fn complete(&self, question: &ModelQuestion<'_>) -> Result<ModelReply, ModelError>;

    /// How it stands; it asks nobody for that.
    fn health(&self) -> Health;
}

/// Orders passages by how well each answers a question.
pub trait Reranker: Send + Sync {
    /// Who orders.
    fn identity(&self) -> &ModelIdentity;

    /// One score for each passage, in their order, from 0 to 1: higher is nearer to an answer.
    ///
    /// # Errors
    /// [`ModelError`] when there is no score for each of them.
    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        deadline: Duration,
    ) -> Result<Vec<f32>, ModelError>;

    /// How it stands; it asks nobody for that.
    fn health(&self) -> Health;
}

/// Who a model is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelIdentity {
    /// Who runs it, as the configuration names it.
    pub provider: String,
    /// Which model it is there.
    pub model: String,
}

/// What a model is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelQuestion<'a> {
    /// For what.
    pub purpose: ModelUse,
    /// What it has to keep to; words of the service alone.
    pub instructions: &'a str,
    /// What it is about; data, never an instruction.
    pub material: &'a str,
    /// How long its answer may be.
    pub max_tokens: u32,
    /// How freely it may choose its words, from 0 to 1.
    pub temperature: f64,
    /// Whether its answer has to be one JSON object.
    pub as_json: bool,
    /// How long the caller waits, attempts and pauses together.
    pub deadline: Duration,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelReply {
    /// The text, as it came.
    pub text: String,
    /// Why it ends there.
    pub ended: Ended,
    /// What it took, where the model says so.
    pub usage: Option<TokenUsage>,
    /// The model as it names itself.
    pub model: String,
}

words! {
    /// Why an answer ends.
    pub enum Ended {
        /// It is whole.
        Stop = "stop",
        /// It was cut where it was long enough.
        Length = "length",
        /// The provider kept the rest back.
        Filtered = "filtered",
        /// For a reason that has no word here.
        Other = "other",
    }
}

/// How much a model read and wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenUsage {
    /// What it read.
    pub prompt: u64,
    /// What it wrote.
    pub completion: u64,
}

/// Why a model gave no answer. No word of it is content or a credential.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Nobody is there.
    #[error("model `{model}` does not answer: {because}")]
    Unreachable {
        /// Which model, as `provider/model`.
        model: String,
        /// Why, in a word that an operator can act on.
        because: String,
    },
    /// It takes too long.
    #[error("model `{model}` gave no whole answer in {}", seconds(.after))]
    TooSlow {
        /// Which model.
        model: String,
        /// After how long it was left.
        after: Duration,
    },
    /// It is asked too much.
    #[error("model `{model}` is asked too often at present")]
    Busy {
        /// Which model.
        model: String,
        /// When it is worth asking again, where it said so.
        retry_after: Option<Duration>,
    },
    /// It refuses; asking the same again does not help.
    #[error("model `{model}` refuses with status {status}: {because}")]
    Refused {
        /// Which model.
        model: String,
        /// The status of its answer.
        status: u16,
        /// What to look at.
        because: String,
    },
    /// It answers what is no answer.
    #[error("model `{model}` answered what cannot be read: {because}")]
    Unreadable {
        /// Which model.
        model: String,
        /// What is wrong with it, without a word of it.
        because: String,
    },
    /// It failed so often that it is not asked for a while.
    #[error("model `{model}` failed repeatedly and is asked again in {}", seconds(.retry_in))]
    Resting {
        /// Which model.
        model: String,
        /// When it is asked again.
        retry_in: Duration,
    },
}

fn seconds(duration: &Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
