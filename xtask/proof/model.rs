//! A model on loopback that says what it was told to say, whatever it is asked, and remembers what it was shown.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What a model of this name says.
pub(crate) type Says = &'static [(&'static str, &'static str)];

pub(crate) struct Model {
    address: String,
    shown: Arc<Mutex<Vec<Value>>>,
}

impl Model {
    /// Models that each say one thing.
    pub(crate) fn saying(lines: Says) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&shown);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || while answer(&stream, lines, &kept).is_some() {});
            }
        });
        Self { address, shown }
    }

    /// Settings of a server that asks these models, each for the role of its name, and one as `chat` through the gateway.
    pub(crate) fn settle(&self, folder: &Path, roles: &[&str]) {
        let mut text: String = roles
            .iter()
            .map(|role| format!("{role} = \"{role}\"\n"))
            .collect();
        for name in roles.iter().chain(&["chat"]) {
            let url = &self.address;
            text.push_str(&format!(
                "\n[models.{name}]\nurl = \"http://{url}/v1\"\nmodel = \"{name}\"\nprovider = \"house\"\n"
            ));
        }
        std::fs::write(folder.join("testimony.toml"), text).unwrap();
    }

    /// What the models were shown since the last time.
    pub(crate) fn take(&self) -> Vec<Value> {
        std::mem::take(&mut *self.shown.lock().unwrap())
    }
}

/// Reads one question, and answers it; `None` where whoever asked is gone.
fn answer(stream: &TcpStream, lines: Says, shown: &Mutex<Vec<Value>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(said) = line.strip_prefix("content-length:") {
            length = said.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked: Value = serde_json::from_slice(&body).ok()?;
    let said = lines.iter().find(|(name, _)| asked["model"] == *name);
    let reply = completion(said.map_or("Yes.", |(_, said)| said)).to_string();
    shown.lock().unwrap().push(asked);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        reply.len()
    );
    (&*stream)
        .write_all(format!("{head}{reply}").as_bytes())
        .ok()
}

fn completion(said: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": said }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    })
}
