//! What a server logs: what an operator wants to know, and nothing of what was said or of who showed which key.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may end it where it stands"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const WORD: &str = "Quillfeather";

/// Asks one thing, and returns the head of what came.
fn ask(address: &str, line: &str, key: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let sent = format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(sent.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

/// Has a server do a few things, and returns its key, a secret that it was told, and its log.
fn log_of_a_run(format: &str) -> (String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_testimony"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            format,
            "--data",
        ])
        .arg(folder.path())
        .env("TESTIMONY_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = child.stderr.take().unwrap();
    // Whoever does not read the log would stop the server.
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let greeting = lines.next().unwrap().unwrap();
    lines.next().unwrap().unwrap();
    let url = greeting.split_whitespace().nth(3).unwrap();
    let address = url.strip_prefix("http://").unwrap();
    let keys = std::fs::File::open(folder.path().join("first-keys.json")).unwrap();
    let keys: Value = serde_json::from_reader(keys).unwrap();
    let key = keys["agent_key"].as_str().unwrap().to_owned();
    // Synthetic, and in pieces, so that scanners of repositories stay quiet.
    let secret = ["gh", "p_", "Zk4Wn8Qs2Lt6Vb0Xc5Jd9Rf3Hg7My1Pa2Ue"].concat();
    let fact = json!({ "content": format!("The deploy token of {WORD} is {secret}. {WORD} is hosted in Bergen."), "tags": [WORD] });
    let question = json!({ "query": format!("Where is {WORD} hosted?") });
    let room = "POST /api/v2/containers/workspace";
    for (line, key, body, status) in [
        (
            format!("{room}/retain"),
            key.as_str(),
            fact.to_string(),
            "200",
        ),
        (format!("{room}/recall"), &key, question.to_string(), "200"),
        (format!("{room}/recall"), &key, "{".to_owned(), "422"),
        (format!("{room}/recall"), WORD, question.to_string(), "401"),
        (
            format!("GET /{WORD}?{WORD}={secret}"),
            &key,
            String::new(),
            "404",
        ),
    ] {
        let head = ask(address, &line, key, &body);
        assert!(head.contains(status), "{line}: {head}");
    }
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.unwrap().success());
    assert!(child.wait().unwrap().success());
    (key, secret, reading.join().unwrap())
}

fn is_silent_about_what_was_said(key: &str, secret: &str, log: &str) {
    let of_key = key.rsplit('_').next().unwrap();
    for word in [WORD, "Bergen", secret, key, of_key] {
        assert!(!log.contains(word), "{word}\n{log}");
    }
}

#[test]
fn elsewhere_every_line_is_an_object_that_says_what_happened() {
    let (key, secret, log) = log_of_a_run("auto");
    is_silent_about_what_was_said(&key, &secret, &log);
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for line in &lines {
        assert!(
            line["timestamp"].is_string() && line["level"].is_string(),
            "{line}"
        );
    }
    let said = |message: &str| -> Vec<&Value> {
        lines
            .iter()
            .filter(|line| line["message"] == message)
            .collect()
    };
    let listening = said("listening");
    assert_eq!(listening[0]["version"], env!("CARGO_PKG_VERSION"));
    assert!(listening[0]["url"].as_str().unwrap().starts_with("http://"));
    let requests: Vec<(&str, u64)> = said("request")
        .iter()
        .map(|line| {
            (
                line["route"].as_str().unwrap(),
                line["status"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        requests,
        [
            ("retain", 200),
            ("recall", 200),
            ("recall", 422),
            ("recall", 401),
            ("none", 404)
        ]
    );
    assert_eq!(said("asked to stop")[0]["by"], "SIGTERM");
    assert_eq!(said("stopped; every request was answered").len(), 1);
}

#[test]
fn as_text_a_line_can_be_read_by_a_person() {
    let (key, secret, log) = log_of_a_run("text");
    is_silent_about_what_was_said(&key, &secret, &log);
    let first = log.lines().find(|line| line.contains("listening")).unwrap();
    assert!(
        first.contains("INFO") && first.contains("url=\"http://"),
        "{first}"
    );
    assert!(
        !log.contains('\u{1b}'),
        "no colours where nobody looks: {log}"
    );
}

#[test]
fn a_filter_that_cannot_be_read_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_testimony"))
        .args(["serve", "--log", "loudly=please", "--print-config"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("log") && told.contains("debug"), "{told}");
}
