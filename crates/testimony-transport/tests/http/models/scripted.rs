//! Models that say what a test has them say, and remember what they were asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use testimony_service::ports::health::Health;
use testimony_service::ports::models::{
    ChatModel, Ended, ModelError, ModelIdentity, ModelQuestion, ModelReply, ModelUse, Reranker,
    TokenUsage,
};

type Said = Result<ModelReply, ModelError>;

/// What a model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) purpose: ModelUse,
    pub(crate) instructions: String,
    pub(crate) material: String,
    pub(crate) max_tokens: u32,
    pub(crate) temperature: f64,
}

/// A model with a script; behind its end it says the last line again.
pub(crate) struct Scripted {
    identity: ModelIdentity,
    script: Mutex<VecDeque<Said>>,
    pub(crate) asked: Mutex<Vec<Asked>>,
    /// What happens while it is asked.
    meanwhile: Box<dyn Fn() + Send + Sync>,
}

impl Scripted {
    pub(crate) fn of(script: impl IntoIterator<Item = Said>) -> Arc<Self> {
        Self::with(script, || {})
    }

    pub(crate) fn with(
        script: impl IntoIterator<Item = Said>,
        meanwhile: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            identity: ModelIdentity {
                provider: "house".to_owned(),
                model: "scripted-1".to_owned(),
            },
            script: Mutex::new(script.into_iter().collect()),
            asked: Mutex::default(),
            meanwhile: Box::new(meanwhile),
        })
    }

    /// A model that says one thing.
    pub(crate) fn saying(text: &str) -> Arc<Self> {
        Self::of([says(text)])
    }

    /// A model that does what a line of the fixtures says.
    pub(crate) fn doing(case: &Value) -> Arc<Self> {
        let said = match case["fails"].as_str() {
            Some(word) => Err(error(word)),
            None => Ok(ModelReply {
                ended: case["ended"]
                    .as_str()
                    .map_or(Ended::Stop, |word| Ended::parse("ended", word).unwrap()),
                ..reply(case["says"].as_str().unwrap())
            }),
        };
        Self::of([said])
    }

    pub(crate) fn times_asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub(crate) fn last_asked(&self) -> Asked {
        self.asked.lock().unwrap().last().cloned().unwrap()
    }
}

pub(crate) fn says(text: &str) -> Said {
    Ok(reply(text))
}

fn reply(text: &str) -> ModelReply {
    ModelReply {
        text: text.to_owned(),
        ended: Ended::Stop,
        usage: Some(TokenUsage {
            prompt: 210,
            completion: 30,
        }),
        model: "scripted-1".to_owned(),
    }
}

/// The error of this word.
pub(crate) fn error(word: &str) -> ModelError {
    let model = "house/scripted-1".to_owned();
    let because = "the test says so".to_owned();
    let soon = Duration::from_secs(7);
    match word {
        "unreachable" => ModelError::Unreachable { model, because },
        "too_slow" => ModelError::TooSlow { model, after: soon },
        "busy" => ModelError::Busy {
            model,
            retry_after: Some(soon),
        },
        "refused" => ModelError::Refused {
            model,
            status: 400,
            because,
        },
        "unreadable" => ModelError::Unreadable { model, because },
        "resting" => ModelError::Resting {
            model,
            retry_in: soon,
        },
        other => panic!("no such error: {other}"),
    }
}

impl ChatModel for Scripted {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn complete(&self, question: &ModelQuestion<'_>) -> Result<ModelReply, ModelError> {
        self.asked.lock().unwrap().push(Asked {
            purpose: question.purpose,
            instructions: question.instructions.to_owned(),
            material: question.material.to_owned(),
            max_tokens: question.max_tokens,
            temperature: question.temperature,
        });
        (self.meanwhile)();
        let mut script = self.script.lock().unwrap();
        let said = script.pop_front().unwrap();
        if script.is_empty() {
            script.push_back(said.clone());
        }
        said
    }

    fn health(&self) -> Health {
        match self.script.lock().unwrap().front() {
            Some(Err(error)) => Health::unavailable(error.to_string()),
            Some(Ok(_)) | None => Health::Healthy,
        }
    }
}

/// A reranker that gives these scores, whatever the passages.
pub(crate) struct Ordering {
    identity: ModelIdentity,
    pub(crate) scores: Result<Vec<f32>, ModelError>,
    pub(crate) seen: Mutex<Vec<String>>,
}

impl Ordering {
    pub(crate) fn by(scores: Result<Vec<f32>, ModelError>) -> Arc<Self> {
        Arc::new(Self {
            identity: ModelIdentity {
                provider: "house".to_owned(),
                model: "order-1".to_owned(),
            },
            scores,
            seen: Mutex::default(),
        })
    }
}

impl Reranker for Ordering {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn rerank(&self, query: &str, passages: &[&str], _: Duration) -> Result<Vec<f32>, ModelError> {
        let mut seen = self.seen.lock().unwrap();
        seen.push(query.to_owned());
        seen.extend(passages.iter().map(|passage| (*passage).to_owned()));
        self.scores.clone()
    }

    fn health(&self) -> Health {
        Health::Healthy
    }
}
