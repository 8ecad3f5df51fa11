//! A model with a script, behind the interface of OpenAI: one says a word and ends, the other goes on for ever.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The model that answers at once.
pub(crate) const QUICK: &str = "quick";
/// The model that never comes to an end.
pub(crate) const ENDLESS: &str = "endless";

/// How long the endless one thinks about each word.
const BETWEEN_WORDS: Duration = Duration::from_millis(100);

const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const WORD: &str = "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word \"},\"finish_reason\":null}]}\n\n";
const LAST: &str = "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";

/// The models, as they listen.
pub(crate) struct Model {
    pub(crate) address: SocketAddr,
    open: Arc<AtomicUsize>,
}

impl Model {
    pub(crate) fn listening() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let open = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&open);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let open = Arc::clone(&counter);
                thread::spawn(move || serve(&mut stream.unwrap(), &open));
            }
        });
        Self { address, open }
    }

    /// How many answers without an end are under way.
    pub(crate) fn open(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }

    /// The file of settings that leads to them.
    pub(crate) fn settings(&self) -> String {
        let one = |name| {
            format!(
                "[models.{name}]\nurl = \"http://{}/v1\"\nmodel = \"{name}\"\nprovider = \"script\"\n",
                self.address
            )
        };
        [one(QUICK), one(ENDLESS)].concat()
    }
}

fn serve(stream: &mut TcpStream, open: &AtomicUsize) {
    stream.set_nodelay(true).unwrap();
    let mut read = Vec::new();
    while let Some(body) = next_body(stream, &mut read) {
        let is_endless = body.contains(&format!("\"{ENDLESS}\""));
        let answered = if is_endless {
            open.fetch_add(1, Ordering::SeqCst);
            let left = for_ever(stream);
            open.fetch_sub(1, Ordering::SeqCst);
            left
        } else {
            quickly(stream)
        };
        if answered.is_err() {
            return;
        }
    }
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

fn quickly(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all([HEAD, &chunk(WORD)].concat().as_bytes())?;
    let rest = [LAST, DONE].map(chunk).concat();
    stream.write_all([&rest, "0\r\n\r\n"].concat().as_bytes())
}

/// Goes on until whoever reads is gone.
fn for_ever(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(HEAD.as_bytes())?;
    loop {
        stream.write_all(chunk(WORD).as_bytes())?;
        thread::sleep(BETWEEN_WORDS);
    }
}

/// The body of the next request of a connection.
fn next_body(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some((body, end)) = whole(read) {
            read.drain(..end);
            return Some(body);
        }
        let mut piece = [0; 1 << 14];
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&piece[..count]);
    }
}

fn whole(read: &[u8]) -> Option<(String, usize)> {
    let head = read.windows(4).position(|it| it == b"\r\n\r\n")? + 4;
    let length = String::from_utf8_lossy(&read[..head])
        .split("\r\n")
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_length = name.eq_ignore_ascii_case("content-length");
            is_length.then(|| value.trim().parse::<usize>().unwrap())
        })?;
    let body = read.get(head..head + length)?;
    Some((String::from_utf8_lossy(body).into_owned(), head + length))
}
