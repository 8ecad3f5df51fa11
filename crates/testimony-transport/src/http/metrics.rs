//! A listener of its own for whoever watches: it tells what is counted and nothing else, and asks nobody who they are.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use testimony_service::Service;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::metrics::MEDIA;
use crate::routes::Running;

/// So many look at a time.
const WATCHERS: usize = 16;
/// A watcher is served for so long at most.
const LONGEST: Duration = Duration::from_secs(60);
/// A breath after what keeps a connection from being accepted.
const BREATH: Duration = Duration::from_millis(50);

/// Serves for as long as it is polled.
pub(super) async fn serve(listener: TcpListener, service: Arc<Service>, running: Running) {
    let room = Arc::new(Semaphore::new(WATCHERS));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let one = one(stream, Arc::clone(&service), running.clone());
        tokio::spawn(async move {
            let _ = timeout(LONGEST, one).await;
            drop(permit);
        });
    }
}

async fn one(stream: TcpStream, service: Arc<Service>, running: Running) {
    let answers = service_fn(move |request| {
        let told = answer(&request, Arc::clone(&service), running.clone());
        async move { Ok::<_, Infallible>(told.await) }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).keep_alive(false);
    let served = builder.serve_connection(TokioIo::new(stream), answers);
    // Whoever leaves early has what it wanted.
    let _ = pin!(served).await;
}

fn answer(
    request: &Request<Incoming>,
    service: Arc<Service>,
    running: Running,
) -> impl Future<Output = Response<Full<Bytes>>> + use<> {
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_there = request.uri().path() == "/metrics";
    async move {
        if !is_there {
            return plain(StatusCode::NOT_FOUND, "There is only /metrics here.\n");
        }
        if !is_get {
            let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "This is only read.\n");
            let allow = HeaderValue::from_static("GET, HEAD");
            refused.headers_mut().insert(ALLOW, allow);
            return refused;
        }
        let told = move || running.metrics.told(&service, &running);
        match tokio::task::spawn_blocking(told).await {
            Ok(text) => plain(StatusCode::OK, text),
            Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "It could not be told.\n"),
        }
    }
}

fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
