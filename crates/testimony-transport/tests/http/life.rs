//! Connections that are kept, HTTP/2, requests that fail, and a server that stops.

use std::io::{Read as _, Write as _};
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use testimony_transport::http::{Drained, Limits};

use crate::support::{Answer, Harness, QUESTION, Sent, fact, limits};

#[test]
fn a_connection_serves_one_request_after_the_other() {
    let harness = Harness::start();
    let key = harness.agent();
    let mut stream = harness.connect();
    let kept = Sent::post("/api/v2/containers/workspace/retain").key(&key);
    let kept = kept.json(&fact()).header("Connection", "keep-alive");
    for _ in 0..3 {
        stream.write_all(&kept.bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.extend_from_slice(&byte);
        }
        let answer = Answer::read(&head);
        let length = answer.header("content-length").unwrap().parse().unwrap();
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(
            serde_json::from_slice::<Value>(&body).unwrap()["committed"],
            true
        );
    }
}

#[test]
fn http_2_is_spoken_by_prior_knowledge() {
    let harness = Harness::start();
    let key = harness.agent();
    let address = harness.address;
    harness.runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let client = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
        let (mut send, connection) = client.handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let ask = |path: &str, body: Value| {
            Request::post(format!("http://localhost{path}"))
                .header("authorization", format!("Bearer {key}"))
                .header("content-type", "application/json")
                .body(Full::new(Bytes::from(body.to_string())))
                .unwrap()
        };
        let retain = send.send_request(ask("/api/v2/containers/workspace/retain", fact()));
        let retain = retain.await.unwrap();
        assert_eq!(retain.status(), 200);
        let question = json!({ "query": QUESTION });
        let (one, two) = {
            let one =
                send.send_request(ask("/api/v2/containers/workspace/recall", question.clone()));
            let two = send.send_request(ask("/api/v2/containers/elsewhere/recall", question));
            (one.await.unwrap(), two.await.unwrap())
        };
        let body = one.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["total"], 1);
        assert_eq!(two.status(), 403);
        connection.abort();
    });
}

#[test]
fn what_panics_is_one_failed_request_and_no_more() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.clock.broken.store(true, Ordering::SeqCst);
    let answer = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(500);
    assert_eq!(answer.code(), "internal");
    assert!(!answer.body.to_string().contains("clock"));
    harness.clock.broken.store(false, Ordering::SeqCst);
    harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
}

#[test]
fn a_server_that_stops_answers_what_runs_and_takes_nothing_new() {
    let mut harness = Harness::start();
    let key = harness.agent();
    let idle = harness.connect();
    let clock = std::sync::Arc::clone(&harness.clock);
    let gate = clock.gate.lock().unwrap();
    let before = clock.read.load(Ordering::SeqCst);
    let sent = Sent::post("/api/v2/containers/workspace/retain").key(&key);
    let mut running = harness.connect();
    running.write_all(&sent.json(&fact()).bytes()).unwrap();
    while clock.read.load(Ordering::SeqCst) == before {
        std::thread::yield_now();
    }
    harness.stop();
    // It listens no more before it waits for what runs.
    while std::net::TcpStream::connect(harness.address).is_ok() {
        std::thread::yield_now();
    }
    drop(gate);
    let mut answer = Vec::new();
    running.read_to_end(&mut answer).unwrap();
    assert_eq!(Answer::read(&answer).expect(200).body["saved"], 1);
    assert_eq!(harness.stopped(), Drained::Whole);
    drop(idle);
}

#[test]
fn a_server_that_may_wait_no_longer_cuts_what_runs() {
    let mut harness = Harness::with(Limits {
        drain_time: std::time::Duration::from_millis(10),
        ..limits()
    });
    let key = harness.agent();
    let clock = std::sync::Arc::clone(&harness.clock);
    let gate = clock.gate.lock().unwrap();
    let before = clock.read.load(Ordering::SeqCst);
    let sent = Sent::post("/api/v2/containers/workspace/retain").key(&key);
    let mut running = harness.connect();
    running.write_all(&sent.json(&fact()).bytes()).unwrap();
    while clock.read.load(Ordering::SeqCst) == before {
        std::thread::yield_now();
    }
    assert_eq!(harness.stopped(), Drained::Cut { connections: 1 });
    drop(gate);
    let mut answer = Vec::new();
    let _ = running.read_to_end(&mut answer);
    assert_eq!(answer, b"");
}
