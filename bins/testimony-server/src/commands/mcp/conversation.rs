//! A conversation line by line: requests are answered as they are done, and those that are cancelled are not.

use std::collections::HashMap;
use std::io::{BufRead, Read as _, Result, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::message::{Line, Request};
use super::peer::Peer;

/// So many requests are asked at a time; the next line waits.
const AT_ONCE: usize = 32;
/// A line has no more bytes.
const LONGEST_LINE: u64 = 32 << 20;
/// So long what still runs is waited for once the input has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Who is spoken with, and what was agreed on.
pub(super) struct Conversation {
    peer: Peer,
    /// The revision of the protocol that was agreed on.
    spoken: Mutex<Option<String>>,
}

/// What is being asked, by the ids of requests.
type Running = HashMap<String, AbortHandle>;

impl Conversation {
    pub(super) fn with(peer: Peer) -> Arc<Self> {
        let spoken = Mutex::default();
        Arc::new(Self { peer, spoken })
    }

    /// Speaks until the input ends, and what was asked before is answered.
    pub(super) async fn run(
        self: Arc<Self>,
        input: impl BufRead + Send + 'static,
        mut out: impl Write,
    ) -> Result<()> {
        let (lines, mut read) = mpsc::channel(1);
        std::thread::spawn(move || read_lines(input, &lines));
        let (said, mut answers) = mpsc::channel::<Value>(AT_ONCE);
        let room = Arc::new(Semaphore::new(AT_ONCE));
        let (mut tasks, mut running) = (JoinSet::new(), Running::new());
        loop {
            tokio::select! {
                biased;
                Some(answer) = answers.recv() => write(&mut out, &answer)?,
                line = read.recv() => {
                    let Some(line) = line else { break };
                    match Line::read(&line) {
                        Line::Aside => {}
                        Line::Wrong(answer) => write(&mut out, &answer)?,
                        Line::Cancel(id, told) => {
                            if let Some(task) = running.remove(&id.to_string()) {
                                task.abort();
                                tasks.spawn(Arc::clone(&self).give_up(told));
                            }
                        }
                        Line::Request(request) => {
                            running.retain(|_, task| !task.is_finished());
                            let id = request.id.to_string();
                            let task = Arc::clone(&self).answer(request, Arc::clone(&room), said.clone());
                            running.insert(id, tasks.spawn(task));
                        }
                    }
                }
            }
        }
        drop(said);
        let last = async {
            while let Some(answer) = answers.recv().await {
                write(&mut out, &answer)?;
            }
            Ok(())
        };
        timeout(LAST_WORDS, last).await.unwrap_or(Ok(()))
    }

    async fn answer(
        self: Arc<Self>,
        request: Request,
        room: Arc<Semaphore>,
        said: mpsc::Sender<Value>,
    ) {
        // It is never closed.
        let _room = room.acquire().await;
        let spoken = self.spoken();
        let answered = self.peer.ask(&request, spoken.as_deref()).await;
        let answer = match answered {
            Ok((status, body)) => request.answer(status, &body),
            Err(why) => request.unanswered(&why),
        };
        if request.method == "initialize" {
            self.agree(&answer);
        }
        // Nobody listens any more where this fails.
        drop(said.send(answer).await);
    }

    /// Tells who was asked that a request is no longer wanted: what was sent is not unsent by waiting no more.
    async fn give_up(self: Arc<Self>, told: Request) {
        // It needs no answer, and whoever gave the request up waits for none.
        drop(self.peer.ask(&told, self.spoken().as_deref()).await);
    }

    fn spoken(&self) -> Option<String> {
        let spoken = self.spoken.lock();
        spoken.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn agree(&self, answer: &Value) {
        let revision = answer.pointer("/result/protocolVersion");
        if let Some(revision) = revision.and_then(Value::as_str) {
            let mut spoken = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
            *spoken = Some(revision.to_owned());
        }
    }
}

fn write(out: &mut impl Write, answer: &Value) -> Result<()> {
    writeln!(out, "{answer}")?;
    out.flush()
}

/// Hands lines over until the input ends. What is no text, or too long, ends it too.
fn read_lines(mut input: impl BufRead, lines: &mpsc::Sender<String>) {
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        match read {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() && lines.blocking_send(text.to_owned()).is_err() {
            return;
        }
    }
}
