//! A model that orders passages: the three ways in which such servers are asked.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use testimony_domain::words;
use testimony_service::ports::health::Health;
use testimony_service::ports::models::{ModelError, ModelIdentity, Reranker};
use tokio::time::Instant;

use crate::driver::Driver;
use crate::line::{Letter, Line};

words! {
    /// How a server that orders passages is asked.
    pub enum RerankDialect {
        /// `POST /v1/rerank` with `documents` and `top_n`, as Cohere, vLLM and llama.cpp speak it.
        Cohere = "cohere",
        /// The same as Jina speaks it, which repeats no passage when told so.
        Jina = "jina",
        /// `POST /rerank` with `texts`, as the text embeddings inference server of Hugging Face speaks it.
        Tei = "tei",
    }
}

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 4 << 20;

/// A model that orders, as the service asks it.
#[derive(Debug)]
pub(crate) struct Scores {
    pub(crate) line: Arc<Line>,
    pub(crate) dialect: RerankDialect,
    pub(crate) driver: Arc<Driver>,
}

impl RerankDialect {
    /// What stands before `/rerank` where the address has no path.
    const fn usual_path(self) -> &'static str {
        match self {
            Self::Cohere | Self::Jina => "/v1",
            Self::Tei => "",
        }
    }

    fn written(self, model: &str, query: &str, passages: &[&str]) -> Value {
        let count = passages.len();
        match self {
            Self::Cohere => json!({
                "model": model, "query": query, "documents": passages, "top_n": count,
            }),
            Self::Jina => json!({
                "model": model, "query": query, "documents": passages, "top_n": count,
                "return_documents": false,
            }),
            Self::Tei => json!({
                "query": query, "texts": passages, "raw_scores": false, "truncate": true,
            }),
        }
    }

    /// The list of an answer, and what its scores are called.
    fn listed(self, body: &Value) -> Option<(&Vec<Value>, &'static str)> {
        match self {
            Self::Cohere | Self::Jina => {
                Some((body.get("results")?.as_array()?, "relevance_score"))
            }
            Self::Tei => Some((body.as_array()?, "score")),
        }
    }

    /// Reads one score for each of so many passages, from 0 to 1 and in their order.
    ///
    /// # Errors
    /// Why it is no answer to that.
    pub fn read(self, bytes: &[u8], count: usize) -> Result<Vec<f32>, &'static str> {
        let body: Value = serde_json::from_slice(bytes).map_err(|_| "it is no JSON")?;
        let (list, name) = self.listed(&body).ok_or("it has no list of results")?;
        let mut scores: Vec<Option<f32>> = vec![None; count];
        for result in list {
            let index = result.get("index").and_then(Value::as_u64);
            let index = index.and_then(|index| usize::try_from(index).ok());
            let score = result.get(name).and_then(Value::as_f64);
            let (Some(index), Some(score)) = (index, score) else {
                return Err("a result has no index or no score");
            };
            let place = scores.get_mut(index);
            let place = place.ok_or("a result is of no passage that was sent")?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "scores need no more digits"
            )]
            let score = score as f32;
            *place = Some(score);
        }
        let scores: Option<Vec<f32>> = scores.into_iter().collect();
        Ok(from_0_to_1(scores.ok_or("a passage has no score")?))
    }
}

impl Reranker for Scores {
    fn identity(&self) -> &ModelIdentity {
        &self.line.identity
    }

    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        deadline: Duration,
    ) -> Result<Vec<f32>, ModelError> {
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        let (dialect, count) = (self.dialect, passages.len());
        let body = dialect.written(&self.line.identity.model, query, passages);
        let letter = Letter {
            to: self.line.address(dialect.usual_path(), "/rerank")?,
            body: Bytes::from(body.to_string()),
            accept: "application/json",
        };
        let deadline = deadline.min(self.line.patience().total);
        let line = Arc::clone(&self.line);
        let by = Instant::now() + deadline;
        self.driver.wait(&self.line.named, deadline, async move {
            let response = line.ask(&letter, by).await?;
            let bytes = line.whole(response, LONGEST_ANSWER, by).await?;
            dialect
                .read(&bytes, count)
                .map_err(|because| line.unreadable(because))
        })
    }

    fn health(&self) -> Health {
        self.line.standing.health()
    }
}

/// Servers that say how far a model leans instead of how sure it is are brought to the same scale; the order stays.
fn from_0_to_1(scores: Vec<f32>) -> Vec<f32> {
    if scores.iter().all(|score| (0.0..=1.0).contains(score)) {
        return scores;
    }
    let sure = |score: f32| 1.0 / (1.0 + (-score).exp());
    scores.into_iter().map(sure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_written_and_read_as_its_servers_speak_it() {
        let passages = ["one", "two"];
        let body = RerankDialect::Jina.written("m", "which?", &passages);
        assert_eq!(body["documents"], json!(["one", "two"]));
        assert_eq!(
            (&body["top_n"], &body["return_documents"]),
            (&json!(2), &json!(false))
        );
        let body = RerankDialect::Tei.written("m", "which?", &passages);
        assert_eq!(body["texts"], json!(["one", "two"]));
        assert!(body.get("model").is_none());
        let cohere = json!({ "results": [
            { "index": 1, "relevance_score": 0.75 }, { "index": 0, "relevance_score": 0.25 },
        ]});
        let tei = json!([{ "index": 1, "score": 0.75 }, { "index": 0, "score": 0.25 }]);
        for (dialect, body) in [
            (RerankDialect::Cohere, &cohere),
            (RerankDialect::Jina, &cohere),
            (RerankDialect::Tei, &tei),
        ] {
            assert_eq!(
                dialect.read(body.to_string().as_bytes(), 2),
                Ok(vec![0.25, 0.75])
            );
        }
    }

    #[test]
    fn what_has_no_score_for_each_is_no_answer() {
        for body in [
            "[]",
            "{}",
            "{\"results\": [{\"index\": 0}]}",
            "{\"results\": [{\"index\": 9, \"relevance_score\": 1}]}",
            "no",
        ] {
            assert!(
                RerankDialect::Cohere.read(body.as_bytes(), 1).is_err(),
                "{body}"
            );
        }
    }

    #[test]
    fn leanings_are_brought_to_the_scale_and_keep_their_order() {
        let scores = from_0_to_1(vec![-8.0, 0.0, 5.5]);
        assert!(scores.is_sorted() && scores.iter().all(|score| (0.0..=1.0).contains(score)));
        assert_eq!(from_0_to_1(vec![0.5, 1.0]), vec![0.5, 1.0]);
    }
}
