//! What talks to the server: plain bytes over a connection, so that what no client would send can be sent as well.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request, ready to be sent.
pub(crate) type Request = Vec<u8>;

/// A `POST` with a body of JSON.
pub(crate) fn post(key: &str, path: &str, body: &Value) -> Request {
    with_body("POST", key, path, body.to_string().as_bytes())
}

/// Any method with any body, said to be JSON.
pub(crate) fn with_body(method: &str, key: &str, path: &str, body: &[u8]) -> Request {
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}

/// A `GET` that needs no key.
pub(crate) fn get(path: &str) -> Request {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// A `GET` with a key.
pub(crate) fn get_as(key: &str, path: &str) -> Request {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n")
        .into_bytes()
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The status line and the headers, as they came.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// A header, by its name in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.split("\r\n").find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// A connection that stays open, made when it is first needed and again after it broke.
pub(crate) struct Client {
    address: String,
    stream: Option<TcpStream>,
}

impl Client {
    pub(crate) fn to(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            stream: None,
        }
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<Answer, Error> {
        self.send_noting(request, || {})
    }

    /// The same; when all of the request is on its way, that is noted.
    pub(crate) fn send_noting(
        &mut self,
        request: &[u8],
        sent: impl FnOnce(),
    ) -> Result<Answer, Error> {
        let answer = self.try_to_send(request, sent);
        let closes = |answer: &Answer| {
            let said = answer.header("connection");
            said.is_some_and(|it| it.eq_ignore_ascii_case("close"))
        };
        if answer.as_ref().map_or(true, closes) {
            self.stream = None;
        }
        answer
    }

    fn try_to_send(&mut self, request: &[u8], sent: impl FnOnce()) -> Result<Answer, Error> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let stream = TcpStream::connect(&self.address)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                none.insert(stream)
            }
        };
        stream.write_all(request)?;
        sent();
        let mut read = Vec::new();
        let end = loop {
            if let Some(end) = read.windows(4).position(|it| it == b"\r\n\r\n") {
                break end + 4;
            }
            more(stream, &mut read)?;
        };
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        let mut answer = Answer {
            status: status(&head)?,
            head,
            body: read.split_off(end),
        };
        let length = answer.header("content-length").map(str::parse::<usize>);
        let Some(Ok(length)) = length else {
            return Ok(answer);
        };
        while answer.body.len() < length {
            more(stream, &mut answer.body)?;
        }
        Ok(answer)
    }
}

fn more(stream: &mut TcpStream, read: &mut Vec<u8>) -> Result<(), Error> {
    let mut part = [0; 1 << 14];
    match stream.read(&mut part) {
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(error) => Err(error),
        Ok(0) => Err(Error::from(ErrorKind::UnexpectedEof)),
        Ok(count) => {
            read.extend_from_slice(&part[..count]);
            Ok(())
        }
    }
}

fn status(head: &str) -> Result<u16, Error> {
    let word = head.split(' ').nth(1);
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| Error::from(ErrorKind::InvalidData))
}
