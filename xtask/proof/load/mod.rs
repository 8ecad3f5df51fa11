//! More than the server can take: bounded memory, log and files, honest refusals, and others who do not notice.

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Server;
use crate::told::{Asker, RECALL, Told, again};
use crate::trial::{Family, Scenario, Trial};

mod burst;
mod connections;
mod mixed;
mod others;
mod writers;

pub(crate) const FAMILY: Family = Family {
    name: "load",
    passes_when: "memory, log and files are bounded, refusals are honest, and the slowest requests of others take less than twice as long",
    scenarios: &[
        Scenario {
            name: "mixed traffic at saturation, in seconds",
            short: 5,
            long: 1_200,
            run: mixed::run,
        },
        Scenario {
            name: "2,000 idle connections",
            short: 1,
            long: 3,
            run: connections::idle,
        },
        Scenario {
            name: "slow senders",
            short: 1,
            long: 3,
            run: connections::slow,
        },
        Scenario {
            name: "bursts over the limit of a key",
            short: 1,
            long: 5,
            run: burst::run,
        },
        Scenario {
            name: "five times more writers than it takes",
            short: 1,
            long: 2,
            run: writers::run,
        },
    ],
    canary: Scenario {
        name: "a limit that holds nobody up",
        short: 1,
        long: 1,
        run: burst::a_limit_that_holds_nobody_up,
    },
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

/// A refusal under load is honest when it says that it is one, and when to come again.
fn is_honest(trial: &mut Trial, status: u16, retry_after: Option<&str>) {
    let asks_to_come_again = retry_after.is_some_and(|it| it.parse::<u64>().is_ok());
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
    std::thread::sleep(time);
}
