//! Answers that go on untouched, while they come: for whoever stands between a caller and a model.
//!
//! Dropping an answer closes the connection on which it comes, so that a model whose caller left stops.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{Either, Full};
use reqwest::Response;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use testimony_domain::words;
use testimony_service::ports::models::ModelError;
use tokio::time::Instant;

use crate::fault::Trouble;
use crate::line::{Letter, Line, read};
use crate::retry::told_wait;
use crate::usage::Usage;

words! {
    /// What of a provider is asked.
    pub enum Endpoint {
        /// Chat completions.
        ChatCompletions = "/chat/completions",
        /// Responses.
        Responses = "/responses",
    }
}

/// A question that goes on as it is.
#[derive(Clone, Debug)]
pub struct Question {
    /// To where.
    pub endpoint: Endpoint,
    /// JSON, in which the model has the name that its provider knows.
    pub body: Bytes,
    /// Whether the answer is to come piece by piece.
    pub streamed: bool,
}

/// An answer, of whatever status.
#[derive(Debug)]
pub struct Relayed {
    /// Its status.
    pub status: u16,
    /// Those of its headers that mean something to whoever asked.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// What comes.
    pub body: RelayedBody,
}

/// Why nothing can be handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// What is wrong.
    pub error: ModelError,
    /// Whether somebody may have got the question nevertheless.
    pub asked: bool,
}

impl From<ModelError> for Unanswered {
    /// Of a question that was not sent.
    fn from(error: ModelError) -> Self {
        Self {
            error,
            asked: false,
        }
    }
}

/// Headers that go on, each with the name that it has then: an id of the provider's is not one of the service's.
const GO_ON: &[(&str, &str)] = &[
    ("content-type", "content-type"),
    ("x-request-id", "x-upstream-request-id"),
    ("openai-processing-ms", "openai-processing-ms"),
];

fn going_on(headers: &HeaderMap) -> Vec<(HeaderName, HeaderValue)> {
    let known = GO_ON.iter().filter_map(|(from, to)| {
        let value = headers.get(*from)?.clone();
        Some((HeaderName::from_static(to), value))
    });
    known.chain(coming_back(headers)).collect()
}

/// When to come back, in whole seconds, whichever way the provider says it: a date would be read by another clock.
fn coming_back(headers: &HeaderMap) -> Option<(HeaderName, HeaderValue)> {
    let wait = told_wait(headers)?;
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Some((RETRY_AFTER, HeaderValue::from(seconds)))
}

/// Asks, and hands the answer on.
pub(crate) async fn relay(line: Arc<Line>, question: Question) -> Result<Relayed, Unanswered> {
    let by = Instant::now() + line.patience().total;
    let letter = Letter {
        to: line.address("/v1", question.endpoint.as_str())?,
        body: question.body,
        accept: if question.streamed {
            "text/event-stream, application/json"
        } else {
            "application/json"
        },
    };
    let mut asked = false;
    let answered = line.ask_noting(&letter, by, &mut asked).await;
    let mut response = answered.map_err(|error| Unanswered { error, asked })?;
    let status = response.status().as_u16();
    let headers = going_on(response.headers());
    let body = if response.status().is_success() {
        RelayedBody::going_on(line, response)
    } else {
        line.counts.failure();
        RelayedBody::of(refusal(&line, &mut response).await)
    };
    Ok(Relayed {
        status,
        headers,
        body,
    })
}

/// What a provider says of a question that it refuses; one that repeats its own credential is not repeated.
async fn refusal(line: &Line, response: &mut Response) -> Bytes {
    const MOST: usize = 64 << 10;
    let said = read(response, MOST).await.unwrap_or_default();
    let key = line.way.key.as_ref();
    if key.is_some_and(|key| key.stands_in(&said)) {
        Bytes::new()
    } else {
        said
    }
}

/// What comes of an answer.
pub struct RelayedBody {
    inner: Either<Full<Bytes>, reqwest::Body>,
    line: Option<Arc<Line>>,
    usage: Usage,
}

impl RelayedBody {
    fn of(bytes: Bytes) -> Self {
        Self {
            inner: Either::Left(Full::new(bytes)),
            line: None,
            usage: Usage::default(),
        }
    }

    fn going_on(line: Arc<Line>, response: Response) -> Self {
        Self {
            inner: Either::Right(reqwest::Body::from(response)),
            line: Some(line),
            usage: Usage::default(),
        }
    }

    /// What is told when nothing more comes though it should.
    fn broken(&self, trouble: Trouble) -> ModelError {
        let Some(line) = &self.line else {
            return trouble.told("", std::time::Duration::ZERO);
        };
        let error = trouble.told(&line.named, line.patience().idle);
        line.standing.saw(Some(&error));
        line.failed(error)
    }
}

impl Drop for RelayedBody {
    /// However an answer ends, what it said of tokens by then was taken.
    fn drop(&mut self) {
        if let (Some(line), Some(used)) = (&self.line, self.usage.take()) {
            line.counts.used(used);
        }
    }
}

impl fmt::Debug for RelayedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RelayedBody(…)")
    }
}

impl Body for RelayedBody {
    type Data = Bytes;
    type Error = ModelError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ModelError>>> {
        let polled = match &mut self.inner {
            Either::Left(whole) => Pin::new(whole)
                .poll_frame(cx)
                .map(|frame| frame.map(|frame| frame.map_err(|never| match never {}))),
            Either::Right(coming) => Pin::new(coming)
                .poll_frame(cx)
                .map(|frame| frame.map(|frame| frame.map_err(|error| Trouble::of(&error)))),
        };
        let frame = ready!(polled);
        if let Some(Ok(piece)) = &frame
            && let Some(piece) = piece.data_ref()
        {
            self.usage.see(piece);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(|trouble| self.broken(trouble))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
