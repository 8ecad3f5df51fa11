//! Answers that somebody else gives: how long they are waited for, and the room that each takes while it comes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

use super::answer::{Outcome, Said, Shared};
use super::options::Limits;
use crate::problem::{Code, Problem};
use crate::routes::{Flow, Flowing, Found, Handler};
use crate::share::Place;

/// How long an answer may take to begin: one of a model is waited for longer.
pub(super) const fn limit_of(found: &Found, limits: &Limits) -> Duration {
    match found {
        Found::Route(route, _) if matches!(route.handler, Handler::Relayed(..)) => {
            limits.relay_time
        }
        Found::Route(..) | Found::OtherMethods(_) | Found::Nothing => limits.request_time,
    }
}

/// Waits for somebody else, where that is what is said; whoever leaves is waited for no longer.
pub(super) async fn waited_for(shared: &Shared, said: Said) -> Outcome {
    let Said::Onward(onward, key) = said else {
        return Ok(said);
    };
    let place = key.map(|key| shared.relay_shares.take(key)).transpose()?;
    let Ok(permit) = Arc::clone(&shared.relays).try_acquire_owned() else {
        let detail =
            "As many answers of models are passed on as there is room for; try again in a moment.";
        return Err(Problem::new(Code::Overloaded, detail));
    };
    let flowing = onward.await?;
    let flow = Roomed {
        flow: flowing.flow,
        _permit: permit,
        _place: place,
    };
    Ok(Said::Flowing(Flowing {
        flow: flow.boxed_unsync(),
        ..flowing
    }))
}

/// An answer that takes room for as long as something of it comes.
struct Roomed {
    flow: Flow,
    _permit: OwnedSemaphorePermit,
    _place: Option<Place>,
}

impl hyper::body::Body for Roomed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.flow).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.flow.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.flow.size_hint()
    }
}
