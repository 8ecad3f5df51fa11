//! Whoever asks: a connection on which answers come piece by piece, and a look at what the server counts.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::shared::client::{Client, Request, get, post};

const CHAT: &str = "/v1/chat/completions";

/// An address at which nobody listens yet.
pub(crate) fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// A question for a stream; with memory of a container, where one is named.
pub(crate) fn question(key: &str, model: &str, question: &str, memory: Option<&Value>) -> Request {
    let mut body = json!({
        "model": model, "stream": true,
        "messages": [{ "role": "user", "content": question }],
    });
    if let Some(memory) = memory {
        body["memory"] = memory.clone();
    }
    post(key, CHAT, &body)
}

/// A connection that stays open.
pub(crate) struct Listener {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Listener {
    pub(crate) fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            read: Vec::with_capacity(1 << 14),
        }
    }

    /// Asks, and waits until the first word is here; how long that took.
    pub(crate) fn first_word(&mut self, request: &Request) -> Duration {
        self.read.clear();
        let start = Instant::now();
        self.stream.write_all(request).unwrap();
        self.until(b"\"content\":\"word \"");
        start.elapsed()
    }

    /// Reads the rest of the answer.
    pub(crate) fn rest(&mut self) {
        self.until(b"\r\n0\r\n\r\n");
    }

    fn until(&mut self, mark: &[u8]) {
        while !self.read.windows(mark.len()).any(|it| it == mark) {
            let mut piece = [0; 1 << 14];
            let count = self.stream.read(&mut piece).unwrap();
            let so_far = || String::from_utf8_lossy(&self.read).into_owned();
            assert!(count > 0, "the answer ended with {}", so_far());
            self.read.extend_from_slice(&piece[..count]);
        }
    }

    /// From now on nobody waits for it.
    pub(crate) fn no_longer_waits(&self) {
        self.stream.set_nonblocking(true).unwrap();
    }

    /// Reads what is here; how many bytes that is.
    pub(crate) fn takes(&mut self) -> usize {
        let (mut piece, mut all) = ([0; 1 << 14], 0);
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => panic!("a stream ended"),
                Ok(count) => all += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return all,
                Err(error) => panic!("a stream broke off: {error}"),
            }
        }
    }
}

/// A value that the server counts.
pub(crate) fn counted(metrics: &str, name: &str) -> usize {
    let answer = Client::to(metrics).send(&get("/metrics"));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let value = line.map(|value| value.trim().parse().unwrap());
    value.unwrap_or_else(|| panic!("the server does not tell {name}"))
}
