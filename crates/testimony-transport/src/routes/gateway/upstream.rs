//! The port behind which the models are, as the gateway needs them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::header::{HeaderName, HeaderValue};

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Chat completions.
    ChatCompletions,
    /// Responses.
    Responses,
}

/// A question that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// By which name the model was asked for.
    pub model: String,
    /// What is asked of it.
    pub endpoint: Endpoint,
    /// The body, in which the model has the name that its provider knows.
    pub body: Bytes,
    /// Whether the answer is to come piece by piece.
    pub streamed: bool,
}

/// What a model answers, whatever its status.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Those headers that mean something to whoever asked.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// What comes. Dropping it closes the way to the model.
    pub body: Coming,
}

/// What comes of an answer.
pub type Coming = UnsyncBoxBody<Bytes, Failure>;

/// Waits for a model. Dropping it leaves the model alone.
pub type Asking = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

/// Why there is no answer, in words without content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It is asked too often.
    #[error("{detail}")]
    Busy {
        /// Why.
        detail: String,
        /// When it is worth asking again, where that is known.
        retry_after: Option<Duration>,
    },
    /// It was not asked: nobody was reached, or it is left alone for a while.
    #[error("{detail}")]
    NotAsked {
        /// Why.
        detail: String,
        /// When it is worth asking again, where that is known.
        retry_after: Option<Duration>,
    },
    /// It does not answer.
    #[error("{detail}")]
    Unavailable {
        /// Why.
        detail: String,
        /// When it is worth asking again, where that is known.
        retry_after: Option<Duration>,
    },
}

/// The models.
pub trait Upstream: fmt::Debug + Send + Sync {
    /// Those that may be asked for, each by its name and with who runs it.
    fn listed(&self) -> Vec<(String, String)>;

    /// What the provider of a model calls it; `None` where there is no such model.
    fn name_there(&self, model: &str) -> Option<String>;

    /// Asks a model.
    fn ask(&self, question: Question) -> Asking;
}
