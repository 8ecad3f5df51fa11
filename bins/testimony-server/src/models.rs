//! The models that somebody configured: for the service, which asks some of them by their roles, and for the gateway,
//! which leads to those that answer questions.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt as _;
use testimony::Testimony;
use testimony::domain::SourceLabel;
use testimony::models::Models as Roles;
use testimony::ports::models::ModelUse;
use testimony::providers::{self, Counted, ModelError, ModelSettings, Models, Unanswered};
use testimony_transport::metrics::Measured;
use testimony_transport::routes::Gateway;
use testimony_transport::routes::gateway::{
    Answer, Asking, Endpoint, Failure as NoAnswer, Question, Upstream,
};
use tokio::runtime::Handle;

use crate::failure::Failure;
use crate::settings::Settings;

/// The models, asked on the runtime of the server.
pub(crate) fn open(handle: &Handle, all: Vec<ModelSettings>) -> Result<Models, Failure> {
    Models::on(handle.clone(), all)
        .map_err(|(name, wrong)| Failure::Unusable(format!("[models.{name}]: {wrong}")))
}

/// The settings of the roles, each with what a model is asked for by it.
const ROLES: &[(&str, ModelUse)] = &[
    ("synthesis", ModelUse::Synthesis),
    ("judge", ModelUse::Judge),
    ("extraction", ModelUse::Extraction),
    ("rewriting", ModelUse::Rewriting),
];
const RERANKING: &str = "reranking";

/// Has the service ask the models of the roles that are set.
pub(crate) fn connect(
    memory: &Testimony,
    models: &Models,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut roles = Roles::default();
    let mut is_any = false;
    for (role, purpose) in ROLES {
        let Some(name) = settings.find(role) else {
            continue;
        };
        let model = models.chat(name).ok_or_else(|| unknown(role, models))?;
        roles = roles.asking(*purpose, model);
        is_any = true;
    }
    if let Some(name) = settings.find(RERANKING) {
        let model = models.reranker(name);
        let model = model.ok_or_else(|| unknown(RERANKING, models))?;
        let name = SourceLabel::new(RERANKING, name)?;
        roles = roles
            .reranking(name, model)
            .map_err(|wrong| Failure::Usage(format!("`{RERANKING}`: {wrong}")))?;
        is_any = true;
    }
    if is_any {
        memory.service().ask_models(roles);
    }
    Ok(())
}

/// A role of a model that is not there, or of another kind.
fn unknown(role: &str, models: &Models) -> Failure {
    let all: Vec<String> = models.counted().into_iter().map(|(name, _)| name).collect();
    let kind = if role == RERANKING {
        "orders passages"
    } else {
        "answers questions"
    };
    Failure::Usage(format!(
        "`{role}` has to name a model under [models.NAME] in the file of settings that {kind}; there are: {}",
        if all.is_empty() {
            "none".to_owned()
        } else {
            all.join(", ")
        }
    ))
}

/// Where the gateway leads.
pub(crate) fn gateway(models: &Models) -> Gateway {
    let upstream = Leading(models.clone());
    Gateway {
        upstream: (!models.listed().is_empty()).then(|| Arc::new(upstream) as Arc<dyn Upstream>),
        ..Gateway::default()
    }
}

/// What was counted of all models together.
pub(crate) fn measured(models: &Models) -> Vec<Measured> {
    let counted = models.counted();
    let sum = |of: fn(&Counted) -> u64| counted.iter().map(|(_, counted)| of(counted)).sum();
    let all: [(&'static str, &'static str, u64); 5] = [
        (
            "testimony_model_questions_total",
            "Questions that were sent to models.",
            sum(|it| it.questions),
        ),
        (
            "testimony_model_failures_total",
            "Questions to models without an answer that can be used.",
            sum(|it| it.failures),
        ),
        (
            "testimony_model_retries_total",
            "How often a question was sent to a model again.",
            sum(|it| it.retries),
        ),
        (
            "testimony_model_prompt_tokens_total",
            "Tokens that models of roles say they read.",
            sum(|it| it.prompt_tokens),
        ),
        (
            "testimony_model_completion_tokens_total",
            "Tokens that models of roles say they wrote.",
            sum(|it| it.completion_tokens),
        ),
    ];
    let measured = all.into_iter().map(|(name, help, value)| Measured {
        name,
        help,
        grows: true,
        value,
    });
    measured.collect()
}

/// The models, as the gateway needs them.
#[derive(Debug)]
struct Leading(Models);

impl Upstream for Leading {
    fn listed(&self) -> Vec<(String, String)> {
        let all = self.0.listed().into_iter();
        all.map(|listed| (listed.name, listed.provider)).collect()
    }

    fn name_there(&self, model: &str) -> Option<String> {
        self.0.name_there(model)
    }

    fn ask(&self, question: Question) -> Asking {
        let models = self.0.clone();
        Box::pin(async move {
            let asked = providers::Question {
                endpoint: match question.endpoint {
                    Endpoint::ChatCompletions => providers::Endpoint::ChatCompletions,
                    Endpoint::Responses => providers::Endpoint::Responses,
                },
                body: question.body,
                streamed: question.streamed,
            };
            let answer = models.relay(&question.model, asked).await;
            let answer = answer.map_err(|none| unanswered(&none))?;
            Ok(Answer {
                status: answer.status,
                headers: answer.headers,
                body: answer.body.map_err(|error| failed(&error)).boxed_unsync(),
            })
        })
    }
}

/// What is told where nothing is handed on.
fn unanswered(none: &Unanswered) -> NoAnswer {
    match failed(&none.error) {
        NoAnswer::Unavailable {
            detail,
            retry_after,
        } if !none.asked => NoAnswer::NotAsked {
            detail,
            retry_after,
        },
        told @ (NoAnswer::Busy { .. }
        | NoAnswer::NotAsked { .. }
        | NoAnswer::Unavailable { .. }) => told,
    }
}

fn failed(error: &ModelError) -> NoAnswer {
    let detail = error.to_string();
    let unavailable = |retry_after: Option<Duration>| NoAnswer::Unavailable {
        detail: detail.clone(),
        retry_after,
    };
    match error {
        ModelError::Busy { retry_after, .. } => NoAnswer::Busy {
            detail,
            retry_after: *retry_after,
        },
        ModelError::Resting { retry_in, .. } => unavailable(Some(*retry_in)),
        ModelError::Unreachable { .. }
        | ModelError::TooSlow { .. }
        | ModelError::Refused { .. }
        | ModelError::Unreadable { .. } => unavailable(None),
    }
}
