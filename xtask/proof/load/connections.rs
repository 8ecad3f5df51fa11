//! Connections that say nothing, and senders that take for ever: they cost little, and are cut.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::others::{hardly_notice, timed};
use super::{filled, in_megabytes, pass, question};
use crate::server::Server;
use crate::told::{Asker, RECALL};
use crate::trial::Trial;

const IDLE: usize = 2_000;
const SLOW: usize = 200;
/// What a connection may cost in memory.
const MEMORY: u64 = 96 << 10;
/// What everything else may cost meanwhile.
const REST: u64 = 64 << 20;
/// Files of a process, for those connections twice.
const FILES: usize = 5_000;
/// How long a connection lasts that says nothing, and some.
const CUT_AFTER: Duration = Duration::from_secs(25);

/// How many connections this machine lets us have.
fn connections(trial: &mut Trial) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files = files.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    if files.unwrap_or(FILES) >= FILES {
        return IDLE;
    }
    trial.remark("this machine lets a process have so few files that there were 200 connections");
    IDLE / 10
}

fn opened(server: &Server, count: usize) -> Vec<TcpStream> {
    (0..count)
        .filter_map(|_| TcpStream::connect(&server.address).ok())
        .collect()
}

pub(super) fn idle(trial: &mut Trial) {
    let count = connections(trial);
    let Some(server) = filled(trial, &["--connections", "4096"]) else {
        return;
    };
    let before = (server.resident(), server.open_files());
    for _ in 0..trial.rounds {
        hardly_notice(trial, &server, "idle connections", |trial, look| {
            let idle = opened(&server, count);
            trial.found.faults += idle.len();
            first_behind(trial, &server, "idle connections");
            look(trial);
            let memory = server.resident().saturating_sub(before.0);
            if memory > count as u64 * MEMORY + REST {
                trial.broken(format!("{count} connections cost {}", in_megabytes(memory)));
            }
            drop(idle);
            gone(trial, &server, before.1);
        });
        trial.round();
    }
    if trial.rounds > 1 {
        drop(server);
        somebody_new_is_let_in(trial, count);
    }
}

/// Whoever comes with many at once stands in one line with them: how long is remarked, and what is measured is what comes after.
fn first_behind(trial: &mut Trial, server: &Server, what: &str) {
    let waited = timed(trial, &mut Asker::agent(server));
    trial.remark(format!(
        "the first behind {what} that come at once waits {} ms",
        waited.as_millis()
    ));
}

/// Files are given back.
fn gone(trial: &mut Trial, server: &Server, before: usize) {
    let start = Instant::now();
    while server.open_files() > before + 32 {
        if start.elapsed() > CUT_AFTER {
            trial.broken(format!("{} files are open", server.open_files()));
            return;
        }
        pass(Duration::from_millis(50));
    }
}

/// Where idle connections take every place, somebody new is let in as soon as they are cut.
fn somebody_new_is_let_in(trial: &mut Trial, count: usize) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    let _idle = opened(&server, count);
    trial.fault();
    let start = Instant::now();
    let (status, _) = Asker::agent(&server).ask(RECALL, &question());
    let waited = start.elapsed();
    trial.remark(format!(
        "behind {count} idle connections, more than it takes, somebody new waits {:.0} s",
        waited.as_secs_f64()
    ));
    if status != 200 || waited > CUT_AFTER {
        trial.broken(format!("somebody new got {status} after {waited:?}"));
    }
}

pub(super) fn slow(trial: &mut Trial) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    let before = server.open_files();
    for _ in 0..trial.rounds {
        hardly_notice(trial, &server, "slow senders", |trial, look| {
            let slow = opened(&server, SLOW);
            trial.found.faults += slow.len();
            first_behind(trial, &server, "slow senders");
            let over = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| trickle(&slow, &over));
                look(trial);
                over.store(true, Ordering::SeqCst);
            });
            trickles_are_cut(trial, &server, &slow, before);
        });
        trial.round();
    }
}

/// A byte of a head that never ends, on each connection, again and again.
fn trickle(slow: &[TcpStream], over: &AtomicBool) {
    while !over.load(Ordering::SeqCst) {
        for mut stream in slow {
            drop(stream.write_all(b"G"));
        }
        pass(Duration::from_millis(250));
    }
}

/// Though a byte comes now and then, a head that does not end is cut.
fn trickles_are_cut(trial: &mut Trial, server: &Server, slow: &[TcpStream], before: usize) {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| trickle(slow, &over));
        gone(trial, server, before);
        over.store(true, Ordering::SeqCst);
    });
}
