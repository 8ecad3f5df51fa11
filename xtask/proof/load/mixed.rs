//! Everything at once, by more than there are processors: what is held grows with what is kept, and with nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Refusal, filled, in_megabytes, is_honest, log_bytes, pass, question, while_working};
use crate::server::Server;
use crate::told::{Asker, RECALL, RETAIN, is_sound, text, word};
use crate::trial::{Chance, Trial};

/// How many ask at a time.
const HANDS: usize = 12;
/// What the log may grow to.
const LONGEST_LOG: u64 = 96 << 20;
/// What a row may cost in memory, and what everything else may.
const MEMORY_A_ROW: u64 = 24 << 10;
const MEMORY: u64 = 256 << 20;
/// Files beside the connections.
const FILES: usize = 96;

/// What the server held at its most.
#[derive(Default)]
struct Peak {
    memory: u64,
    log: u64,
    files: usize,
}

/// What those who asked saw.
#[derive(Default)]
struct Seen {
    answered: usize,
    kept: u64,
    refused: Vec<Refusal>,
}

pub(super) fn run(trial: &mut Trial) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    let before = server.resident();
    let (peak, seen) = asked(trial, &server);
    let answered: usize = seen.iter().map(|seen| seen.answered).sum();
    let kept: u64 = seen.iter().map(|seen| seen.kept).sum();
    for refused in seen.iter().flat_map(|seen| &seen.refused) {
        is_honest(trial, refused);
    }
    trial.remark(format!(
        "{answered} answers, {kept} rows; at most {} of memory ({} before), a log of {}, {} files",
        in_megabytes(peak.memory),
        in_megabytes(before),
        in_megabytes(peak.log),
        peak.files
    ));
    is_bounded(trial, &peak, before + MEMORY + kept * MEMORY_A_ROW);
    is_sound(trial, &server);
}

fn is_bounded(trial: &mut Trial, peak: &Peak, memory: u64) {
    if peak.memory > memory {
        trial.broken(format!("it held {}", in_megabytes(peak.memory)));
    }
    if peak.log > LONGEST_LOG {
        trial.broken(format!("its log grew to {}", in_megabytes(peak.log)));
    }
    if peak.files > HANDS + FILES {
        trial.broken(format!("it had {} files open", peak.files));
    }
}

/// Asks for so many seconds as there are rounds, and watches.
fn asked(trial: &mut Trial, server: &Server) -> (Peak, Vec<Seen>) {
    let time = Duration::from_secs(trial.rounds as u64);
    trial.found.rounds += trial.rounds;
    trial.found.faults += HANDS;
    while_working(trial, server, HANDS, busy, |_| watched(server, time))
}

fn watched(server: &Server, time: Duration) -> Peak {
    let mut peak = Peak::default();
    let start = Instant::now();
    while start.elapsed() < time {
        pass(Duration::from_millis(200));
        peak.memory = peak.memory.max(server.resident());
        peak.log = peak.log.max(log_bytes(server));
        peak.files = peak.files.max(server.open_files());
    }
    peak
}

fn busy(mut agent: Asker, mut chance: Chance, over: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    while !over.load(Ordering::SeqCst) {
        let (path, body) = request(&mut chance);
        let Ok(answer) = agent.post(&path, &body) else {
            seen.refused.push((0, None));
            continue;
        };
        if answer.status == 200 {
            seen.answered += 1;
            seen.kept += answer.json()["saved"].as_u64().unwrap_or(0);
        } else {
            let again = answer.header("retry-after").map(str::to_owned);
            seen.refused.push((answer.status, again));
        }
    }
    seen
}

/// A third of what agents do is writing.
fn request(chance: &mut Chance) -> (String, Value) {
    let route = |name: &str| format!("/api/v2/containers/workspace/{name}");
    let said = text(&word(chance));
    match chance.below(6) {
        0 => (RETAIN.to_owned(), json!({ "content": said })),
        1 => (
            route("agent/writeback"),
            json!({ "user_message": said, "assistant_response": "Noted.", "observed_facts": [said] }),
        ),
        2 => (
            route("agent/context"),
            json!({ "user_message": "Where does the colleague keep the spare key?" }),
        ),
        3 => (route("reflect"), question()),
        _ => (RECALL.to_owned(), question()),
    }
}
