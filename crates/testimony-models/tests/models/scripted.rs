//! A provider on a port of its own that answers each request as the next line of its script says, and remembers what
//! came.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// What is done with a request.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// It is answered with a status, headers and a body.
    Answer(u16, &'static [(&'static str, &'static str)], String),
    /// Pieces come, each as a chunk, and then the end.
    Pieces(Vec<String>),
    /// Pieces come, and then the connection is gone.
    Half(Vec<String>),
    /// Pieces come, and then nothing more until whoever asked leaves.
    Endless(Vec<String>),
    /// Nothing comes until whoever asked leaves.
    Silence,
}

/// An answer of success.
pub(crate) fn good(body: &str) -> Line {
    Line::Answer(200, &[], body.to_owned())
}

/// A provider.
pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    /// The heads and bodies that came.
    pub(crate) asked: Arc<Mutex<Vec<(String, String)>>>,
    /// Says when somebody left before the end.
    pub(crate) left: Receiver<()>,
    _serving: JoinHandle<()>,
}

impl Provider {
    /// Answers so; the last line counts for every request after it.
    pub(crate) fn saying(script: Vec<Line>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (says, left) = channel();
        let heard = Arc::clone(&asked);
        let script = Arc::new(Mutex::new((0, script)));
        let serving = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (heard, says, script) = (Arc::clone(&heard), says.clone(), Arc::clone(&script));
                std::thread::spawn(move || serve(stream.unwrap(), &heard, &says, &script));
            }
        });
        Self {
            address,
            asked,
            left,
            _serving: serving,
        }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn bodies(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, body)| body.clone()).collect()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(head, _)| head.clone()).collect()
    }

    /// Waits until somebody leaves.
    pub(crate) fn sees_somebody_leave(&self) {
        self.left.recv_timeout(Duration::from_secs(20)).unwrap();
    }
}

/// An address at which nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

type Script = Mutex<(usize, Vec<Line>)>;

fn serve(
    mut stream: TcpStream,
    heard: &Mutex<Vec<(String, String)>>,
    says: &Sender<()>,
    script: &Script,
) {
    while let Some(request) = received(&mut stream) {
        heard.lock().unwrap().push(request);
        let line = {
            let mut script = script.lock().unwrap();
            let at = script.0.min(script.1.len() - 1);
            script.0 += 1;
            script.1[at].clone()
        };
        if !carry_out(&mut stream, &line, says) {
            return;
        }
    }
}

/// Carries a line out; whether the connection goes on.
fn carry_out(stream: &mut TcpStream, line: &Line, says: &Sender<()>) -> bool {
    let chunked =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut send = |text: &str| stream.write_all(text.as_bytes()).is_ok();
    let pieces = match line {
        Line::Answer(status, headers, body) => {
            let headers: String = headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}\r\n"))
                .collect();
            let length = body.len();
            return send(&format!(
                "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
            ));
        }
        Line::Silence => &Vec::new(),
        Line::Pieces(pieces) | Line::Half(pieces) | Line::Endless(pieces) => {
            send(chunked);
            pieces
        }
    };
    for piece in pieces {
        send(&format!("{:x}\r\n{piece}\r\n", piece.len()));
    }
    match line {
        Line::Answer(..) | Line::Pieces(_) => send("0\r\n\r\n"),
        Line::Half(_) => false,
        Line::Endless(_) | Line::Silence => {
            // Whoever waits sends nothing, so a read ends when it leaves.
            let _ = stream.read(&mut [0; 1]);
            let _ = says.send(());
            false
        }
    }
}

/// The next request of a connection.
fn received(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut all = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(request) = whole(&all) {
            return Some(request);
        }
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        all.extend_from_slice(&piece[..count]);
    }
}

fn whole(bytes: &[u8]) -> Option<(String, String)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    let length: usize = length.map_or(Ok(0), str::parse).ok()?;
    (body.len() >= length).then(|| (head.to_owned(), body.to_owned()))
}
