//! A small server on this machine that answers as it was told, one answer a connection, and then stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// What a connection is answered.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// The vector of every text, by [`numbers_of`], last text first.
    Vectors,
    /// A status with headers and a body.
    Status(u16, &'static str, String),
    /// Nothing, until the client goes.
    Silence,
    /// The beginning of an answer.
    Cut,
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self::Status(status, "", "not read".to_owned())
    }

    pub(crate) fn body(body: impl Into<String>) -> Self {
        Self::Status(200, "", body.into())
    }
}

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its first line and its headers.
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn texts(&self) -> Vec<String> {
        let input = self.body["input"].as_array().unwrap().iter();
        input
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    }
}

/// The numbers that the server gives for a text: different texts lie in different directions.
pub(crate) fn numbers_of(text: &str) -> [f32; 4] {
    let length = text.chars().count() as f32;
    let first = text
        .chars()
        .next()
        .map_or(0.0, |first| u32::from(first) as f32);
    [1.0, length, first, 2.0]
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn that_answers(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<Reply> = replies.into_iter().collect();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let over = Arc::new(AtomicBool::new(false));
        let (asked_too, over_too) = (asked.clone(), over.clone());
        let thread = std::thread::spawn(move || {
            for reply in replies {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                if over_too.load(Ordering::SeqCst) {
                    return;
                }
                // A client that goes too early is what some tests are about.
                let _ = answer(stream, &reply, &asked_too);
            }
        });
        Self {
            address,
            asked,
            over,
            thread: Some(thread),
        }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // One that still listens is woken; one that has answered everything is gone, and the connection fails.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn answer(mut stream: TcpStream, reply: &Reply, asked: &Mutex<Vec<Asked>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let question = question(&mut reader)?;
    asked.lock().unwrap().push(question.clone());
    match reply {
        Reply::Silence => reader.read_to_end(&mut Vec::new()).map(drop),
        Reply::Cut => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\": [{\"ind")
        }
        Reply::Vectors => send(
            &mut stream,
            200,
            "",
            &vectors(&question.texts()).to_string(),
        ),
        Reply::Status(status, headers, body) => send(&mut stream, *status, headers, body),
    }
}

fn question(reader: &mut impl BufRead) -> std::io::Result<Asked> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            break;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Asked { head, body })
}

fn send(stream: &mut TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Said\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

fn vectors(texts: &[String]) -> Value {
    let line =
        |(index, text): (usize, &String)| json!({"index": index, "embedding": numbers_of(text)});
    let lines: Vec<Value> = texts.iter().enumerate().map(line).rev().collect();
    json!({"object": "list", "data": lines})
}
