//! More than the server can take: bounded memory, log and files, honest refusals, and others who do not notice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Server;
use crate::told::{Asker, RECALL, Told, again};
use crate::trial::{Chance, Family, Scenario, Trial};

mod burst;
mod connections;
mod mixed;
mod others;
mod writers;

pub(crate) const FAMILY: Family = Family {
    name: "load",
    passes_when: "memory, log and files are bounded, refusals are honest, and the slowest requests of others take less than twice as long",
    scenarios: &[
        Scenario::new(
            "mixed traffic at saturation, in seconds",
            5,
            1_200,
            mixed::run,
        ),
        Scenario::new("2,000 idle connections", 1, 3, connections::idle),
        Scenario::new("slow senders", 1, 3, connections::slow),
        Scenario::new("bursts over the limit of a key", 1, 5, burst::run),
        Scenario::new("five times more writers than it takes", 1, 2, writers::run),
    ],
    canary: Scenario::new(
        "a limit that holds nobody up",
        1,
        1,
        burst::a_limit_that_holds_nobody_up,
    ),
};

/// A server with a few rows, and its words at hand.
fn filled(trial: &mut Trial, words: &[&str]) -> Option<Server> {
    let folder = trial.room("data");
    let started = Server::start_with(trial.program, &folder, words, &[]);
    let Ok(server) = started else {
        return again(trial, &folder);
    };
    let mut agent = Asker::agent(&server);
    for _ in 0..3 {
        drop(Told::new(&mut trial.chance, 20).say(&mut agent));
    }
    agent.ask(RECALL, &question());
    Some(server)
}

fn question() -> Value {
    json!({ "query": "Where does the colleague keep the spare key?" })
}

/// Another key for the same agent, with a limit a minute or without one.
fn key(server: &Server, name: &str, requests_per_minute: Option<u32>) -> String {
    let body = json!({
        "name": name,
        "agent_id": name,
        "containers": "workspace",
        "requests_per_minute": requests_per_minute,
    });
    let (_, made) = Asker::operator(server).ask("/api/v1/admin/keys", &body);
    made["key"].as_str().unwrap_or_default().to_owned()
}

/// How somebody was refused: the status, 0 for no answer at all, and when to come again.
type Refusal = (u16, Option<String>);

/// So many agents work until what is looked at meanwhile has been seen; what it was, and what became of their work.
fn while_working<Work: Send, Seen>(
    trial: &mut Trial,
    server: &Server,
    hands: usize,
    work: impl Fn(Asker, Chance, &AtomicBool) -> Work + Sync,
    look: impl FnOnce(&mut Trial) -> Seen,
) -> (Seen, Vec<Work>) {
    let hands: Vec<_> = (0..hands)
        .map(|_| (Asker::agent(server), Chance::of(trial.chance.next(), "")))
        .collect();
    let (work, over) = (&work, &AtomicBool::new(false));
    thread::scope(|scope| {
        let hands: Vec<_> = hands
            .into_iter()
            .map(|(agent, chance)| scope.spawn(move || work(agent, chance, over)))
            .collect();
        let seen = look(trial);
        over.store(true, Ordering::SeqCst);
        let done = hands.into_iter().map(|it| it.join().unwrap());
        (seen, done.collect())
    })
}

/// A refusal under load is honest when it says that it is one, and when to come again.
fn is_honest(trial: &mut Trial, (status, retry_after): &Refusal) {
    let asks_to_come_again = retry_after
        .as_ref()
        .is_some_and(|it| it.parse::<u64>().is_ok());
    if !matches!(status, 429 | 503) {
        trial.broken(format!("under load somebody was answered {status}"));
    } else if !asks_to_come_again {
        trial.broken(format!("a {status} does not say when to come again"));
    }
}

/// Bytes of the write-ahead log.
fn log_bytes(server: &Server) -> u64 {
    let log = server.folder.join("ledger.sqlite-wal");
    std::fs::metadata(log).map_or(0, |log| log.len())
}

fn in_megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Sleeps as long as a scenario has to, which is never to wait for something to be done.
fn pass(time: Duration) {
    thread::sleep(time);
}
