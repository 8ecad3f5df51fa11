//! What a connection of HTTP/2 still does. Its peer can keep it open with pings alone, and can hold answers back by never
//! opening a window, without a byte being late; so what counts is whether it asks, and whether it takes what it asked
//! for.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::Response;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use crate::routes::Flow;

/// What a connection does.
#[derive(Debug)]
pub(super) struct Pulse(Mutex<Beat>);

#[derive(Debug)]
struct Beat {
    next: u64,
    /// The requests that are not answered to their end, each with whose turn it is.
    turns: HashMap<u64, Turn>,
    /// When the last of them was.
    quiet_since: Instant,
}

/// Who has to do something for an answer to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The service.
    Ours,
    /// The peer, since then.
    Theirs(Instant),
}

impl Default for Pulse {
    fn default() -> Self {
        Self(Mutex::new(Beat {
            next: 0,
            turns: HashMap::new(),
            quiet_since: Instant::now(),
        }))
    }
}

impl Pulse {
    /// A request begins.
    pub(super) fn begin(self: &Arc<Self>) -> Going {
        let mut beat = self.beat();
        let number = beat.next;
        beat.next += 1;
        beat.turns.insert(number, Turn::Ours);
        drop(beat);
        Going {
            pulse: Arc::clone(self),
            number,
        }
    }

    /// Ends when the peer has asked nothing for `idle` with nothing under way, or has taken nothing of an answer for
    /// `patience`.
    pub(super) async fn stops(&self, idle: Duration, patience: Duration) {
        loop {
            let now = Instant::now();
            let due = self.beat().due(idle, patience);
            if due.is_some_and(|due| due <= now) {
                return;
            }
            // What begins from now on is not due before that.
            let soonest = now + idle.min(patience);
            sleep_until(due.map_or(soonest, |due| due.min(soonest))).await;
        }
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Beat {
    /// When the peer has been waited for long enough; never, as long as everything is the service's turn.
    fn due(&self, idle: Duration, patience: Duration) -> Option<Instant> {
        if self.turns.is_empty() {
            return Some(self.quiet_since + idle);
        }
        let theirs = self.turns.values().filter_map(|turn| match turn {
            Turn::Ours => None,
            Turn::Theirs(since) => Some(*since + patience),
        });
        theirs.min()
    }
}

/// A request from its beginning to the end of its answer.
#[derive(Debug)]
pub(super) struct Going {
    pulse: Arc<Pulse>,
    number: u64,
}

impl Going {
    /// The answer, watched until its end.
    pub(super) fn answered(self, response: Response<Flow>) -> Response<Flow> {
        // Nothing of it goes before the peer has room for it.
        self.is_turn_of(Turn::Theirs(Instant::now()));
        response.map(|flow| {
            let watched = Watched {
                flow,
                going: self,
                rest: None,
            };
            watched.boxed_unsync()
        })
    }

    fn is_turn_of(&self, turn: Turn) {
        self.pulse.beat().turns.insert(self.number, turn);
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let mut beat = self.pulse.beat();
        beat.turns.remove(&self.number);
        beat.quiet_since = Instant::now();
    }
}

/// An answer that is watched. What is sent goes into a buffer as soon as the peer has room for one byte of it, and whoever
/// sends it is done then; so the last byte of an answer goes by itself, which waits for the peer to take those before.
struct Watched {
    flow: Flow,
    going: Going,
    /// The last byte, while it has not gone.
    rest: Option<Bytes>,
}

impl Watched {
    fn poll_flow(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(rest) = self.rest.take() {
            return Poll::Ready(Some(Ok(Frame::data(rest))));
        }
        let frame = match ready!(Pin::new(&mut self.flow).poll_frame(cx)) {
            Some(Ok(frame)) if self.flow.is_end_stream() => frame,
            other => return Poll::Ready(other),
        };
        let frame = match frame.into_data() {
            Ok(mut data) if data.len() > 1 => {
                self.rest = Some(data.split_off(data.len() - 1));
                Frame::data(data)
            }
            Ok(data) => Frame::data(data),
            Err(frame) => frame,
        };
        Poll::Ready(Some(Ok(frame)))
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let polled = self.poll_flow(cx);
        self.going.is_turn_of(match polled {
            Poll::Pending => Turn::Ours,
            Poll::Ready(_) => Turn::Theirs(Instant::now()),
        });
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none() && self.flow.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.flow.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(60);
    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn what_is_waited_for_is_the_peer_and_never_the_service() {
        let pulse = Arc::new(Pulse::default());
        let due = || pulse.beat().due(IDLE, PATIENCE);
        let quiet = pulse.beat().quiet_since;
        assert_eq!(due(), Some(quiet + IDLE));
        let (one, other) = (pulse.begin(), pulse.begin());
        assert_eq!(due(), None);
        let now = Instant::now();
        one.is_turn_of(Turn::Theirs(now + PATIENCE));
        other.is_turn_of(Turn::Theirs(now));
        assert_eq!(due(), Some(now + PATIENCE));
        other.is_turn_of(Turn::Ours);
        assert_eq!(due(), Some(now + PATIENCE * 2));
        drop(one);
        assert_eq!(due(), None);
        drop(other);
        assert!(due() >= Some(quiet + IDLE));
    }
}
