//! The load generator: connections that stay open, one request at a time on each, as little work as possible around it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::machine::Times;

/// How often a client that is alone sends everything; what counts is the least that each request took.
const ROUNDS: usize = 3;

/// A request, ready to be sent.
pub(crate) type Request = Vec<u8>;

/// A `POST` with a body of JSON.
pub(crate) fn post(key: &str, path: &str, body: &Value) -> Request {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A `GET` that needs no key.
pub(crate) fn get(path: &str) -> Request {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A connection that stays open.
pub(crate) struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub(crate) fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            read: Vec::with_capacity(1 << 16),
        }
    }

    pub(crate) fn send(&mut self, request: &[u8]) -> Answer {
        self.stream.write_all(request).unwrap();
        self.read.clear();
        let head = loop {
            if let Some(end) = self.read.windows(4).position(|it| it == b"\r\n\r\n") {
                break end + 4;
            }
            self.more();
        };
        let (status, length) = read_head(&self.read[..head]);
        while self.read.len() < head + length {
            self.more();
        }
        let body = self.read[head..head + length].to_vec();
        Answer { status, body }
    }

    fn more(&mut self) {
        let mut part = [0; 1 << 14];
        let count = self.stream.read(&mut part).unwrap();
        assert!(count > 0, "the server closed a connection");
        self.read.extend_from_slice(&part[..count]);
    }
}

fn read_head(head: &[u8]) -> (u16, usize) {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().unwrap())
    });
    (status.unwrap().parse().unwrap(), length.unwrap())
}

/// What one client waits, each request alone.
pub(crate) struct Alone {
    /// The least of several rounds, request by request.
    pub(crate) least: Times,
    /// All rounds as they came.
    pub(crate) all: Times,
    pub(crate) errors: usize,
}

pub(crate) fn alone(address: &str, requests: &[Request]) -> Alone {
    let mut client = Client::to(address);
    let (mut least, mut all) = (vec![Duration::MAX; requests.len()], Vec::new());
    let mut errors = 0;
    for _ in 0..ROUNDS {
        for (request, least) in requests.iter().zip(&mut least) {
            let start = Instant::now();
            let answer = client.send(request);
            let took = start.elapsed();
            *least = took.min(*least);
            all.push(took);
            errors += usize::from(answer.status != 200);
        }
    }
    Alone {
        least: Times::from(least),
        all: Times::from(all),
        errors,
    }
}

/// What comes of many clients at once.
pub(crate) struct Together {
    pub(crate) seconds: f64,
    pub(crate) answers: Vec<Answer>,
    pub(crate) times: Times,
}

impl Together {
    pub(crate) fn rate(&self) -> f64 {
        self.answers.len() as f64 / self.seconds
    }

    pub(crate) fn with(&self, status: impl Fn(u16) -> bool) -> usize {
        let answers = self.answers.iter();
        answers.filter(|answer| status(answer.status)).count()
    }

    pub(crate) fn errors(&self) -> usize {
        self.with(|status| status != 200)
    }
}

/// Sends every request once, each client the next one as soon as it was answered.
pub(crate) fn together(address: &str, clients: usize, requests: &[Request]) -> Together {
    let (next, ready) = (AtomicUsize::new(0), Barrier::new(clients + 1));
    let (start, parts) = thread::scope(|scope| {
        let work = || {
            let mut client = Client::to(address);
            let mut done = Vec::new();
            ready.wait();
            while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                let start = Instant::now();
                let answer = client.send(request);
                done.push((start.elapsed(), answer));
            }
            done
        };
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(work)).collect();
        ready.wait();
        let start = Instant::now();
        let parts: Vec<_> = threads.into_iter().map(|it| it.join().unwrap()).collect();
        (start, parts)
    });
    let seconds = start.elapsed().as_secs_f64();
    let (times, answers): (Vec<_>, Vec<_>) = parts.into_iter().flatten().unzip();
    Together {
        seconds,
        answers,
        times: Times::from(times),
    }
}
