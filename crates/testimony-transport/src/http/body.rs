//! Reading a body: by its announced length where that is too much already, else no further than is taken.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::HeaderMap;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, EXPECT};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::options::Limits;
use crate::problem::{Code, Problem};

/// Why a body was not read.
pub(super) enum Unread {
    /// It is refused.
    Refused(Problem),
    /// Its sender went away.
    Gone,
}

/// Checks kind and announced length before anything is read.
pub(super) fn check(headers: &HeaderMap, body: &Incoming, limits: &Limits) -> Result<(), Problem> {
    let most = limits.body_bytes as u64;
    if body.size_hint().lower() > most {
        return Err(too_large(limits));
    }
    if headers.contains_key(CONTENT_ENCODING) {
        let detail = "The body is encoded; send it as it is, without `Content-Encoding`.";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(is_json) {
        return Ok(());
    }
    let detail = "The body has to be JSON; send it with `Content-Type: application/json`.";
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// For so long a short body is waited for before anything is checked.
pub(super) const MOMENT: Duration = Duration::from_millis(2);

/// Whether a body is so short that it mostly has come with its head.
pub(super) fn is_short(headers: &HeaderMap, body: &Incoming) -> bool {
    const SHORT: u64 = 64 << 10;
    let short = body.size_hint().exact().is_some_and(|size| size <= SHORT);
    short && !headers.contains_key(EXPECT)
}

fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    let structured = kind.strip_prefix("application/");
    structured.is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

fn too_large(limits: &Limits) -> Problem {
    let most = limits.body_bytes;
    let detail = format!("The body has more than {most} bytes; split it into several requests.");
    Problem::new(Code::BodyTooLarge, detail)
}

/// A body, with the room that it takes.
pub(super) struct Held {
    pub(super) bytes: Bytes,
    _room: Option<OwnedSemaphorePermit>,
}

/// How many bytes a permit of the room for bodies stands for.
const PIECE: usize = 1 << 10;

/// The room for all bodies together.
pub(super) fn room(limits: &Limits) -> Arc<Semaphore> {
    let pieces = limits.bodies_bytes.div_ceil(PIECE);
    Arc::new(Semaphore::new(pieces.min(Semaphore::MAX_PERMITS)))
}

/// Reads a body.
pub(super) async fn read(
    body: &mut Incoming,
    limits: &Limits,
    room: &Arc<Semaphore>,
) -> Result<Held, Unread> {
    let read = timeout(limits.body_time, read_all(body, limits, room)).await;
    read.unwrap_or_else(|_| {
        let detail = "The body did not come in time; send it again.";
        Err(Unread::Refused(Problem::new(Code::RequestTimeout, detail)))
    })
}

async fn read_all(
    body: &mut Incoming,
    limits: &Limits,
    room: &Arc<Semaphore>,
) -> Result<Held, Unread> {
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    let mut taken = None;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Unread::Gone)?.into_data() else {
            continue;
        };
        let length = first.len() + all.len() + data.len();
        if length > limits.body_bytes {
            return Err(Unread::Refused(too_large(limits)));
        }
        take(room, &mut taken, length)?;
        // Most bodies are one piece, which need not be copied.
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
    }
    Ok(Held {
        bytes: if all.is_empty() { first } else { all.freeze() },
        _room: taken,
    })
}

/// Takes room for a body of this length, beside what it has.
fn take(
    room: &Arc<Semaphore>,
    taken: &mut Option<OwnedSemaphorePermit>,
    length: usize,
) -> Result<(), Unread> {
    let has = taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
    let more = length.div_ceil(PIECE).saturating_sub(has);
    let more = u32::try_from(more).unwrap_or(u32::MAX);
    let Ok(permit) = Arc::clone(room).try_acquire_many_owned(more) else {
        let detail = "As much is being received as there is room for; try again in a moment.";
        return Err(Unread::Refused(Problem::new(Code::Overloaded, detail)));
    };
    match taken {
        Some(taken) => taken.merge(permit),
        None => *taken = Some(permit),
    }
    Ok(())
}

/// Lets a body that nobody wants come in and go, up to a measure, so that its sender reads the answer instead of an
/// aborted connection.
pub(super) fn discard(mut body: Incoming) {
    const MOST_BYTES: usize = 4 << 20;
    const LONGEST: Duration = Duration::from_secs(2);
    if body.is_end_stream() {
        return;
    }
    tokio::spawn(timeout(LONGEST, async move {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, Bytes::len);
            if seen > MOST_BYTES {
                break;
            }
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_known_by_its_kind() {
        for kind in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/problem+json",
        ] {
            assert!(is_json(kind), "{kind}");
        }
        for kind in [
            "text/plain",
            "application/jsonx",
            "",
            "json",
            "application/x-www-form-urlencoded",
        ] {
            assert!(!is_json(kind), "{kind}");
        }
    }
}
