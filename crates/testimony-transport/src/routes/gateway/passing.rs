//! An answer on its way to whoever asked: a stream event by event, with patience for its silences; anything else once it
//! is whole.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame};
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::events::{Events, failed};
use super::upstream::{Coming, Endpoint};
use crate::problem::{Code, Problem};

/// A stream on its way.
pub(super) struct Passing {
    /// Where it comes from; gone when nothing more is wanted, which closes the way to the model.
    from: Option<Coming>,
    endpoint: Endpoint,
    events: Events,
    silence: Duration,
    waiting: Pin<Box<Sleep>>,
    /// What goes on once more.
    last: Option<Bytes>,
}

impl Passing {
    pub(super) fn new(
        from: Coming,
        endpoint: Endpoint,
        memory: Option<String>,
        silence: Duration,
    ) -> Self {
        Self {
            from: Some(from),
            endpoint,
            events: Events::new(endpoint, memory),
            silence,
            waiting: Box::pin(sleep(silence)),
            last: None,
        }
    }

    /// What goes on of a piece.
    fn take(&mut self, piece: &[u8]) -> Bytes {
        let (out, end) = self.events.take(piece);
        if let Err(broken) = end {
            self.break_off(&Problem::new(Code::UpstreamUnavailable, broken.told()));
        }
        out
    }

    /// What goes on when nothing more comes.
    fn end(&mut self, why: Option<Problem>) -> Bytes {
        self.from = None;
        let whole = self.events.is_whole();
        let (out, end) = self.events.end();
        match (why, end) {
            (Some(why), _) if !whole => self.break_off(&why),
            (None, Err(broken)) => {
                self.break_off(&Problem::new(Code::UpstreamUnavailable, broken.told()));
            }
            (Some(_), _) | (None, Ok(())) => {}
        }
        out
    }

    /// Nothing more is wanted of the model, and whoever asked is told.
    fn break_off(&mut self, why: &Problem) {
        tracing::warn!(
            code = why.code.as_str(),
            "a stream broke off: {}",
            why.detail
        );
        self.from = None;
        self.last = Some(failed(self.endpoint, why));
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Bytes> {
        let Some(from) = &mut self.from else {
            return Poll::Ready(Bytes::new());
        };
        match Pin::new(from).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                let until = Instant::now() + self.silence;
                self.waiting.as_mut().reset(until);
                let piece = frame.into_data().unwrap_or_default();
                Poll::Ready(self.take(&piece))
            }
            Poll::Ready(Some(Err(failure))) => Poll::Ready(self.end(Some(failure.into()))),
            Poll::Ready(None) => Poll::Ready(self.end(None)),
            Poll::Pending if self.waiting.as_mut().poll(cx).is_ready() => {
                Poll::Ready(self.end(Some(silent(self.silence))))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

fn silent(for_so_long: Duration) -> Problem {
    let seconds = for_so_long.as_secs_f64();
    let detail = format!("The model said nothing for {seconds:.0} s, so its answer ends here.");
    Problem::new(Code::UpstreamUnavailable, detail)
}

impl Body for Passing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            if self.from.is_none() {
                return Poll::Ready(self.last.take().map(|last| Ok(Frame::data(last))));
            }
            match self.poll_piece(cx) {
                Poll::Ready(out) if out.is_empty() => {}
                Poll::Ready(out) => return Poll::Ready(Some(Ok(Frame::data(out)))),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

/// Waits for all of an answer.
///
/// # Errors
/// [`Problem`] when it does not come whole.
pub(super) async fn whole(
    mut body: Coming,
    most: usize,
    silence: Duration,
) -> Result<Bytes, Problem> {
    let mut all = BytesMut::new();
    loop {
        let frame = timeout(silence, body.frame()).await;
        let frame = frame.map_err(|_| silent(silence))?;
        let Some(frame) = frame else {
            return Ok(all.freeze());
        };
        let piece = frame?.into_data().unwrap_or_default();
        if all.len() + piece.len() > most {
            let detail = "The answer of the model is longer than any that is passed on.";
            return Err(Problem::new(Code::UpstreamUnavailable, detail));
        }
        all.extend_from_slice(&piece);
    }
}
