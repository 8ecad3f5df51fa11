//! What a model may add to a recall: other words for its question, and another order of its results. Neither brings a row
//! through a gate or over the floor, and where either fails the recall goes on without it and says so.

use testimony_domain::{RecallLimit, Redacted, Score, words};
use testimony_recall::{Options, Recall, Recalled, Sort, order_again};

use super::recall::Asked;
use crate::error::ServiceError;
use crate::models::grounding::{Missing, Source, missing};
use crate::models::reply::reads_like_an_instruction;
use crate::models::{LOCAL_RERANKER, ModelFailure, Models, Question, instructions, material};
use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::models::{ModelUse, TokenUsage};
use crate::service::Service;

/// So many results are ordered anew, before the limit of the caller cuts them.
const POOL: u32 = 32;
/// So long a question in other words can be, in characters.
const LONGEST: usize = 400;

words! {
    /// What became of something that was to help.
    pub enum HelpStatus {
        /// Nobody asked for it.
        NotRequested = "not_requested",
        /// It did.
        Applied = "applied",
        /// It could not, and the answer is as it is without.
        Unavailable = "unavailable",
        /// There was nothing that it could do.
        NotApplicable = "not_applicable",
    }
}

/// What became of something that was to help, and why it could not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// What became of it.
    pub status: HelpStatus,
    /// Why it could not.
    pub failure: Option<ModelFailure>,
}

impl Help {
    pub(super) const fn told(status: HelpStatus) -> Self {
        Self {
            status,
            failure: None,
        }
    }

    pub(super) const fn failed(failure: ModelFailure) -> Self {
        Self {
            status: HelpStatus::Unavailable,
            failure: Some(failure),
        }
    }
}

impl Default for Help {
    fn default() -> Self {
        Self::told(HelpStatus::NotRequested)
    }
}

/// What helped a recall.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aided {
    /// The question in other words, where a model gave some.
    pub expanded: Option<String>,
    /// What became of the other words.
    pub rewriting: Help,
    /// By what the results were to be ordered.
    pub backend: Option<String>,
    /// What became of the order.
    pub reranking: Help,
}

/// What a question is asked with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aids<'a> {
    /// The question in other words, which are looked for beside its own.
    pub(super) expanded: Option<&'a str>,
    /// By what the results are ordered anew, and how many of them the caller wants.
    pub(super) order: Option<(&'a str, RecallLimit)>,
}

impl Service {
    /// By what results are to be ordered, by name.
    ///
    /// # Errors
    /// [`ServiceError::UnknownBackend`] when nothing is called so.
    pub(super) fn backend(&self, name: Option<&str>) -> Result<String, ServiceError> {
        let allowed = self.reranking_backends();
        let wanted = match name {
            Some(name) => allowed.iter().find(|known| *known == name),
            None => allowed.first(),
        };
        match wanted {
            Some(known) => Ok(known.clone()),
            None => Err(ServiceError::UnknownBackend { allowed }),
        }
    }

    /// A text in other words for a search.
    pub(super) fn reworded(
        &self,
        policy: &ContainerPolicy,
        text: &str,
    ) -> Result<(String, Option<TokenUsage>), ModelFailure> {
        if self.model_for(ModelUse::Rewriting).is_none() {
            return Err(ModelFailure::NotConfigured);
        }
        let text = self.redact(policy, text);
        let mut shown = String::new();
        material::quote(&mut shown, "The text", text.as_str());
        let answered = self.ask(&Question {
            purpose: ModelUse::Rewriting,
            instructions: instructions::REWRITING,
            material: &shown,
            max_tokens: 160,
            temperature: 0.0,
            as_json: false,
        })?;
        let lines = answered.text.lines().map(str::trim);
        let line = lines.into_iter().find(|line| !line.is_empty());
        let line = line.unwrap_or_default();
        if self.is_a_wording_of(policy, line, text.as_str()) {
            Ok((line.to_owned(), answered.usage))
        } else {
            Err(ModelFailure::Unreadable)
        }
    }

    /// Whether a line can stand for a text in a search: it is short, says nothing to whoever reads it, and has no date or
    /// number that the text lacks.
    fn is_a_wording_of(&self, policy: &ContainerPolicy, line: &str, text: &str) -> bool {
        let mut source = Source::default();
        source.add(text, self.clock.now());
        let made_up = matches!(
            missing(line, &source, self.clock.now()),
            Some(Missing::Date | Missing::Number)
        );
        !line.is_empty()
            && line.chars().nth(LONGEST).is_none()
            && testimony_recall::pack::escaped(line) == line
            && self.redact(policy, line).as_str() == line
            && !reads_like_an_instruction(line)
            && !made_up
    }

    /// Orders results anew, and cuts them to what the caller wants. Rows only change places within their lane.
    pub(super) fn reranked(&self, asked: &Asked<'_>, recalled: &mut Recall<'_>) -> Help {
        let Some((backend, limit)) = asked.aids.order else {
            return Help::default();
        };
        let answer = &mut recalled.answer;
        let help = if asked.options.sort != Sort::Score || answer.results.len() < 2 {
            Help::told(HelpStatus::NotApplicable)
        } else {
            match self.scores(backend, asked, &answer.results) {
                Ok(scores) => {
                    answer.order_results(&scores, &asked.options.priority_ids);
                    Help::told(HelpStatus::Applied)
                }
                Err(failure) => Help::failed(failure),
            }
        };
        answer.cut_to(limit);
        help
    }

    /// How well each row answers, by the one who is to say it.
    fn scores(
        &self,
        backend: &str,
        asked: &Asked<'_>,
        rows: &[Recalled<'_>],
    ) -> Result<Vec<Score>, ModelFailure> {
        if backend == LOCAL_RERANKER {
            return Ok(order_again(asked.query, rows));
        }
        let models = self.models.get().ok_or(ModelFailure::NotConfigured)?;
        let reranker = models
            .reranker(backend)
            .ok_or(ModelFailure::NotConfigured)?;
        let _place = models.take_place().ok_or(ModelFailure::Busy)?;
        let policy = &asked.visitor.container.policy;
        let query = self.redact(policy, asked.query);
        let texts = rows
            .iter()
            .map(|row| self.redact(policy, row.memory.content.as_str()));
        let texts: Vec<_> = texts.collect();
        let passages: Vec<&str> = texts.iter().map(Redacted::as_str).collect();
        let said = reranker
            .rerank(query.as_str(), &passages, Models::reranking_patience())
            .map_err(|error| ModelFailure::from(&error))?;
        let sound =
            said.len() == rows.len() && said.iter().all(|score| (0.0..=1.0).contains(score));
        if !sound {
            return Err(ModelFailure::Unreadable);
        }
        Ok(said
            .into_iter()
            .map(|it| Score::clamped(it.into()))
            .collect())
    }
}

/// The options of a question whose results are ordered anew: enough rows to choose from.
pub(super) fn with_a_pool(options: &Options) -> Options {
    Options {
        limit: RecallLimit::clamped(options.limit.get().max(POOL)),
        ..options.clone()
    }
}
