//! Models that answer as a test tells them, and remember what they were asked and whether somebody left.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability};
use testimony_transport::http::{Limits, Options};
use testimony_transport::routes::Gateway;
use testimony_transport::routes::gateway::{Answer, Asking, Failure, Question, Upstream};

use crate::support::{self, Harness, Sent, limits};

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// A status, headers and a body of JSON.
    Json(u16, &'static [(&'static str, &'static str)], String),
    /// Pieces of a stream.
    Pieces(Vec<String>),
    /// Pieces of a stream, and then a failure.
    Half(Vec<String>),
    /// Pieces of a stream, and then nothing more.
    Endless(Vec<String>),
    /// The beginning of a body of JSON, and then nothing more.
    Begun(String),
    /// No answer.
    Fails(Failure),
    /// Nothing at all, for ever.
    Silence,
}

pub(crate) fn good(body: &Value) -> Line {
    Line::Json(200, &[], body.to_string())
}

/// A completion as models give it.
pub(crate) fn completion() -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small-1",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": "Hello." }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11 },
        "system_fingerprint": "fp",
    })
}

/// A model of a script.
#[derive(Debug)]
pub(crate) struct Scripted {
    line: Line,
    asked: Mutex<Vec<Question>>,
    leaves: Sender<()>,
}

impl Upstream for Scripted {
    fn listed(&self) -> Vec<(String, String)> {
        vec![("house/small".to_owned(), "house".to_owned())]
    }

    fn name_there(&self, model: &str) -> Option<String> {
        (model == "house/small").then(|| "small-1".to_owned())
    }

    fn ask(&self, question: Question) -> Asking {
        self.asked.lock().unwrap().push(question);
        let (line, watch) = (self.line.clone(), Watch(self.leaves.clone()));
        Box::pin(async move { answer(line, watch).await })
    }
}

/// Says when it is dropped.
struct Watch(Sender<()>);

impl Drop for Watch {
    fn drop(&mut self) {
        // The test may be over.
        let _ = self.0.send(());
    }
}

async fn answer(line: Line, watch: Watch) -> Result<Answer, Failure> {
    let (status, kind, headers, pieces, end) = match line {
        Line::Fails(failure) => return Err(failure),
        Line::Silence => {
            let _watch = watch;
            return std::future::pending().await;
        }
        Line::Json(status, headers, body) => {
            (status, "application/json", headers, vec![body], End::Whole)
        }
        Line::Begun(begun) => (
            200,
            "application/json",
            &[] as &[_],
            vec![begun],
            End::Never,
        ),
        Line::Pieces(pieces) => (200, "text/event-stream", &[] as &[_], pieces, End::Whole),
        Line::Half(pieces) => (200, "text/event-stream", &[] as &[_], pieces, End::Broken),
        Line::Endless(pieces) => (200, "text/event-stream", &[] as &[_], pieces, End::Never),
    };
    let mut all = vec![(CONTENT_TYPE, HeaderValue::from_static(kind))];
    for (name, value) in headers {
        all.push((
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        ));
    }
    let pieces = pieces.into_iter().map(Bytes::from).collect::<Vec<_>>();
    let body = Played {
        pieces: pieces.into_iter(),
        end,
        _watch: watch,
    };
    Ok(Answer {
        status,
        headers: all,
        body: body.boxed_unsync(),
    })
}

#[derive(Clone, Copy)]
enum End {
    Whole,
    Broken,
    Never,
}

struct Played {
    pieces: std::vec::IntoIter<Bytes>,
    end: End,
    _watch: Watch,
}

impl Body for Played {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        match (self.pieces.next(), self.end) {
            (Some(piece), _) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            (None, End::Whole) => Poll::Ready(None),
            (None, End::Broken) => {
                self.end = End::Whole;
                Poll::Ready(Some(Err(gone())))
            }
            (None, End::Never) => Poll::Pending,
        }
    }
}

pub(crate) fn gone() -> Failure {
    Failure::Unavailable {
        detail: "model `house/small` does not answer: the connection broke off".to_owned(),
        retry_after: None,
    }
}

pub(crate) fn not_reached() -> Failure {
    Failure::NotAsked {
        detail: "model `house/small` does not answer: nobody listens at its address".to_owned(),
        retry_after: None,
    }
}

/// A service before such a model.
pub(crate) struct Before {
    pub(crate) harness: Harness,
    model: Arc<Scripted>,
    left: Receiver<()>,
}

pub(crate) const CHAT: &str = "/v1/chat/completions";
pub(crate) const RESPONSES: &str = "/v1/responses";

impl Before {
    pub(crate) fn model(line: Line) -> Self {
        Self::with(line, limits(), Duration::from_secs(60))
    }

    pub(crate) fn with(line: Line, limits: Limits, silence: Duration) -> Self {
        let (leaves, left) = channel();
        let model = Arc::new(Scripted {
            line,
            asked: Mutex::default(),
            leaves,
        });
        let gateway = Gateway {
            upstream: Some(Arc::clone(&model) as Arc<_>),
            silence,
            ..Gateway::default()
        };
        let harness = Harness::of(Options {
            limits,
            gateway,
            ..Options::default()
        });
        Self {
            harness,
            model,
            left,
        }
    }

    /// The key of an agent that may use the gateway.
    pub(crate) fn key(&self) -> String {
        self.harness.key(|order| {
            use Capability::{AgentContext, AgentWriteback, GatewayChat, Recall, Write};
            let all = [AgentContext, AgentWriteback, GatewayChat, Recall, Write];
            order.capabilities = Capabilities::of(all);
        })
    }

    pub(crate) fn chat(&self, key: &str, body: &Value) -> support::Answer {
        self.harness.post(key, CHAT, body)
    }

    /// The bodies that went to the model.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = self.model.asked.lock().unwrap();
        let text = |question: &Question| String::from_utf8(question.body.to_vec()).unwrap();
        asked.iter().map(text).collect()
    }

    /// The last body that went to the model.
    pub(crate) fn last(&self) -> Value {
        serde_json::from_str(self.asked().last().unwrap()).unwrap()
    }

    /// Everything that comes of a request, without the frames in which it comes.
    pub(crate) fn streamed(&self, key: &str, path: &str, body: &Value) -> (String, String) {
        let sent = Sent::post(path).key(key).json(body);
        let bytes = self.harness.raw(&sent.bytes());
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), unframed(body))
    }

    /// Waits until the model sees somebody leave.
    pub(crate) fn model_sees_somebody_leave(&self) {
        self.left.recv_timeout(Duration::from_secs(20)).unwrap();
    }
}

/// What chunks hold.
fn unframed(mut body: &str) -> String {
    let mut all = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        let (piece, rest) = rest.split_at(length);
        all.push_str(piece);
        body = rest.strip_prefix("\r\n").unwrap();
    }
    all
}

/// A request for a completion.
pub(crate) fn ask(question: &str) -> Value {
    json!({ "model": "house/small", "messages": [{ "role": "user", "content": question }] })
}

/// The same, with memory.
pub(crate) fn ask_with_memory(question: &str, memory: &Value) -> Value {
    let mut body = ask(question);
    body["memory"] = memory.clone();
    body
}
