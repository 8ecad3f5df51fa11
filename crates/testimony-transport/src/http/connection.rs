//! One connection: HTTP/1.1 or HTTP/2 by what it begins with, with limits, until it ends or the server stops.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::Version;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::sleep;

use super::answer::{Shared, answer};
use super::options::Limits;
use super::patience::Patient;
use super::pulse::{Going, Pulse};

/// A peer of HTTP/2 that does not answer for so long is gone.
const PING: Duration = Duration::from_secs(20);

/// Serves a connection to its end.
pub(super) async fn serve<I>(io: I, from: IpAddr, shared: Arc<Shared>, watcher: Watcher)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let limits = shared.limits;
    let seen = Arc::new(Seen::default());
    let watched = Arc::clone(&seen);
    let service = service_fn(move |request| {
        watched.asked.store(true, Ordering::Relaxed);
        let going = (request.version() == Version::HTTP_2).then(|| watched.begin());
        let shared = Arc::clone(&shared);
        async move {
            let response = answer(shared, request, Some(from)).await;
            Ok::<_, Infallible>(match going {
                Some(going) => going.answered(response),
                None => response,
            })
        }
    });
    let builder = builder(&limits);
    let connection =
        builder.serve_connection(TokioIo::new(Patient::new(io, limits.write_time)), service);
    let served = pin!(watcher.watch(connection.into_owned()));
    tokio::select! {
        ended = served => {
            if let Err(error) = ended {
                tracing::debug!(cause = %error, "a connection ended early");
            }
        }
        () = seen.silence(&limits) => {
            tracing::debug!("a connection asked nothing, or took nothing, in time");
        }
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_headers(limits.headers)
        .max_buf_size(limits.header_bytes.max(8 << 10));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING);
    builder
}

/// What a connection was seen to do.
#[derive(Default)]
struct Seen {
    asked: AtomicBool,
    /// Whether it speaks HTTP/2; what it does then.
    pulse: OnceLock<Arc<Pulse>>,
}

impl Seen {
    fn begin(&self) -> Going {
        self.pulse.get_or_init(Arc::default).begin()
    }

    /// Ends when a connection does nothing in time. The clock of the parser of HTTP/1 starts with the first byte and
    /// runs between requests; HTTP/2 has none.
    async fn silence(&self, limits: &Limits) {
        sleep(limits.header_time).await;
        if !self.asked.load(Ordering::Relaxed) {
            return;
        }
        match self.pulse.get() {
            Some(pulse) => pulse.stops(limits.idle_time, limits.write_time).await,
            None => std::future::pending().await,
        }
    }
}
