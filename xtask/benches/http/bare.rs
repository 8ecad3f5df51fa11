//! The floor of the transport: hyper alone, with a handler that reads the same body and answers a fixed one.

use std::convert::Infallible;
use std::path::Path;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::net::TcpListener;

/// Answers every request with what this file holds, until the process is ended.
pub(crate) fn serve(answer: &Path) {
    let answer = Bytes::from(std::fs::read(answer).unwrap());
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().unwrap().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}", listener.local_addr().unwrap());
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let answer = answer.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| answered(request, answer.clone()));
                let builder = auto::Builder::new(TokioExecutor::new());
                // A client that leaves is no error of the floor.
                let _ = builder
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
}

async fn answered(
    request: Request<Incoming>,
    answer: Bytes,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.into_body().collect().await;
    std::hint::black_box(body.map(|body| body.to_bytes().len()).unwrap_or_default());
    let response = Response::builder().header("content-type", "application/json");
    Ok(response.body(Full::new(answer)).unwrap())
}
