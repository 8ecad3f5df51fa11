//! A judge that repeats in its rationale what it was shown, so that a judgment holds what may have to be erased.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use serde_json::json;

/// Has the servers of a folder ask a judge; it answers until this program ends.
pub(super) fn asked_by(folder: &Path) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || drop(answer(stream)));
        }
    });
    let settings = format!(
        "judge = \"quoting\"\n\n[models.quoting]\nurl = \"http://{address}/v1\"\nmodel = \"quoting\"\n"
    );
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("testimony.toml"), settings).unwrap();
}

fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(said) = line.strip_prefix("content-length:") {
                length = said.trim().parse().unwrap_or(0);
            }
        }
        let mut asked = vec![0; length];
        reader.read_exact(&mut asked)?;
        let body = judgment(&String::from_utf8_lossy(&asked));
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        reader
            .get_mut()
            .write_all([head, body].concat().as_bytes())?;
    }
}

/// It trusts, and says so in the words of the row.
fn judgment(asked: &str) -> String {
    let from = asked
        .find("Keeper ")
        .and_then(|at| asked.get(at..))
        .unwrap_or_default();
    let quoted = from.split(['.', '"', '\\']).next().unwrap_or_default();
    let verdict = json!({
        "verdict": "trusted",
        "recommended_action": "use",
        "confidence": 0.9,
        "rationale": format!("The user said that {quoted}."),
    });
    let message = json!({ "role": "assistant", "content": verdict.to_string() });
    let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
    json!({ "model": "quoting", "choices": [choice] }).to_string()
}
