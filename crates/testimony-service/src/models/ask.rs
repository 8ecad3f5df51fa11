//! Asking a model: within its patience, with others who wait, and with an answer that has an end.

use crate::models::failure::ModelFailure;
use crate::ports::models::{
    Ended, ModelError, ModelIdentity, ModelQuestion, ModelReply, ModelUse, TokenUsage,
};
use crate::service::Service;

/// So much of an answer is looked at, in bytes; the longest that a caller can ask for is shorter.
const LONGEST: usize = 64 * 1024;

/// A question to the model of a use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) purpose: ModelUse,
    pub(crate) instructions: &'a str,
    pub(crate) material: &'a str,
    pub(crate) max_tokens: u32,
    pub(crate) temperature: f64,
    pub(crate) as_json: bool,
}

/// What a model answered, with an end.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) text: String,
    /// Whether it ends where its writer wanted.
    pub(crate) is_whole: bool,
    pub(crate) usage: Option<TokenUsage>,
}

impl Service {
    /// The model of a use, where one was chosen.
    pub(crate) fn model_for(&self, purpose: ModelUse) -> Option<&ModelIdentity> {
        let chosen = self.models.get()?.of(purpose)?;
        Some(chosen.model.identity())
    }

    /// Asks the model of a use.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Result<Answered, ModelFailure> {
        self.ask_or_error(question).map_err(|no| match no {
            NoAnswer::Failed(error) => ModelFailure::from(&error),
            NoAnswer::Failure(failure) => failure,
        })
    }

    /// The same, with the error of the model as it came, for whoever tries again later.
    pub(crate) fn ask_or_error(&self, question: &Question<'_>) -> Result<Answered, NoAnswer> {
        let models = self.models.get().ok_or(ModelFailure::NotConfigured)?;
        let chosen = models
            .of(question.purpose)
            .ok_or(ModelFailure::NotConfigured)?;
        let _place = models.take_place().ok_or(ModelFailure::Busy)?;
        let reply = chosen.model.complete(&ModelQuestion {
            purpose: question.purpose,
            instructions: question.instructions,
            material: question.material,
            max_tokens: question.max_tokens,
            temperature: question.temperature,
            as_json: question.as_json,
            deadline: chosen.patience,
        })?;
        Ok(ended(reply)?)
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(crate) enum NoAnswer {
    /// The model failed.
    Failed(ModelError),
    /// It was not asked, or its answer is of no use.
    Failure(ModelFailure),
}

impl From<ModelError> for NoAnswer {
    fn from(error: ModelError) -> Self {
        Self::Failed(error)
    }
}

impl From<ModelFailure> for NoAnswer {
    fn from(failure: ModelFailure) -> Self {
        Self::Failure(failure)
    }
}

/// The answer up to its longest. One that was kept back by its provider is none.
fn ended(reply: ModelReply) -> Result<Answered, ModelFailure> {
    let stopped = match reply.ended {
        Ended::Stop | Ended::Other => true,
        Ended::Length => false,
        Ended::Filtered => return Err(ModelFailure::Filtered),
    };
    if reply.text.trim().is_empty() {
        return Err(ModelFailure::Unreadable);
    }
    let within = reply.text.len() <= LONGEST;
    let mut text = reply.text;
    if !within {
        let end = text.floor_char_boundary(LONGEST);
        text.truncate(end);
    }
    Ok(Answered {
        text,
        is_whole: stopped && within,
        usage: reply.usage,
    })
}
