//! Everything at once, by many more than there are processors, so that somebody always waits: what is held grows with what
//! is kept, and with nothing else, and what an answer costs grows no faster than that.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::others::{at_share, timed};
use super::{Refusal, filled, in_megabytes, is_honest, log_bytes, pass, question, while_working};
use crate::server::Server;
use crate::told::{Asker, RECALL, RETAIN, is_sound, text, word};
use crate::trial::{Chance, Trial};

/// How many ask at a time, each as soon as it was answered: more than the server has hands.
const HANDS: usize = 48;
/// Somebody else asks after such a pause.
const PAUSE: Duration = Duration::from_millis(100);
/// The slowest of so many is looked at.
const SLOWEST_OF: usize = 100;
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

/// What somebody saw who asks now and then.
struct Moment {
    waited: Duration,
    /// How many answers all the others had by then, how many rows had been kept, and how long the server had worked.
    answers: u32,
    kept: u32,
    worked: Duration,
}

/// What all the others had done so far.
#[derive(Default)]
struct Done {
    answers: AtomicU32,
    kept: AtomicU32,
}

/// What those who asked saw.
#[derive(Default)]
struct Seen {
    /// How long each answer took, by what was asked.
    times: BTreeMap<&'static str, Vec<Duration>>,
    kept: u64,
    refused: Vec<Refusal>,
}

pub(super) fn run(trial: &mut Trial) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    let before = server.resident();
    let ((peak, moments), seen) = asked(trial, &server);
    let kept: u64 = seen.iter().map(|seen| seen.kept).sum();
    for refused in seen.iter().flat_map(|seen| &seen.refused) {
        is_honest(trial, refused);
    }
    tell_times(trial, seen);
    trial.remark(format!(
        "{kept} rows; at most {} of memory ({} before), a log of {}, {} files",
        in_megabytes(peak.memory),
        in_megabytes(before),
        in_megabytes(peak.log),
        peak.files
    ));
    is_bounded(trial, &peak, before + MEMORY + kept * MEMORY_A_ROW);
    costs_grow_no_faster(trial, &moments);
    is_sound(trial, &server);
}

/// How long each kind of request took, the middle one and the slowest of a hundred.
fn tell_times(trial: &mut Trial, seen: Vec<Seen>) {
    let refused: usize = seen.iter().map(|seen| seen.refused.len()).sum();
    let mut all: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (kind, times) in seen.into_iter().flat_map(|seen| seen.times) {
        all.entry(kind).or_default().extend(times);
    }
    let answers: usize = all.values().map(Vec::len).sum();
    let kinds = all.iter().map(|(kind, times)| {
        let [half, slowest] = [0.5, 0.99].map(|share| at_share(times, share).as_millis());
        format!("{kind} {half} / {slowest}")
    });
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    trial.remark(format!(
        "{answers} answers to {HANDS} at a time, {refused} refused; p50 / p99 in milliseconds: {kinds}"
    ));
}

/// What an answer costs the server grows no faster than what is kept, from the first quarter to the last: every row here
/// answers every question, so that more of them are more work. How long somebody waits who asks now and then is told: it is
/// what an answer costs, times how many there are to wait for, times what else the machine has to do.
fn costs_grow_no_faster(trial: &mut Trial, moments: &[Moment]) {
    let quarter = moments.len() / 4;
    if !trial.is_long || quarter < SLOWEST_OF {
        trial.remark("what an answer costs in the end is looked at in the long form");
        return;
    }
    let quarters = [&moments[..quarter], &moments[moments.len() - quarter..]];
    let [first, last] = quarters.map(cost);
    let [few, many] = quarters.map(rows);
    let [early, late] = quarters.map(usually_slowest);
    let (costs, rows) = (last.as_secs_f64() / first.as_secs_f64(), many / few);
    trial.remark(format!(
        "in the last quarter an answer cost {costs:.2} times the work of the first ({last:.1?} and {first:.1?}) with {rows:.1} times the rows, and the slowest of a hundred of somebody beside it took {late:.0?} and {early:.0?}"
    ));
    if costs >= rows {
        trial.broken(format!(
            "an answer costs {costs:.1} times as much with {rows:.1} times the rows"
        ));
    }
}

/// The server's work for an answer.
fn cost(moments: &[Moment]) -> Duration {
    let (first, last) = (&moments[0], &moments[moments.len() - 1]);
    (last.worked - first.worked) / (last.answers - first.answers).max(1)
}

/// How many rows there were in the middle.
fn rows(moments: &[Moment]) -> f64 {
    f64::from(moments[moments.len() / 2].kept.max(1))
}

/// The slowest of each hundred, and of those the one in the middle.
fn usually_slowest(moments: &[Moment]) -> Duration {
    let times: Vec<Duration> = moments.iter().map(|it| it.waited).collect();
    let slowest = times.chunks_exact(SLOWEST_OF).map(|it| at_share(it, 0.99));
    at_share(&slowest.collect::<Vec<_>>(), 0.5)
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
fn asked(trial: &mut Trial, server: &Server) -> ((Peak, Vec<Moment>), Vec<Seen>) {
    let time = Duration::from_secs(trial.rounds as u64);
    trial.found.rounds += trial.rounds;
    trial.found.faults += HANDS;
    let done = Done::default();
    let busy = |agent, chance, over: &_| busy(agent, chance, over, &done);
    while_working(trial, server, HANDS, busy, |trial| {
        watched(trial, server, time, &done)
    })
}

/// What the server holds meanwhile, and how long somebody waits who asks now and then.
fn watched(trial: &mut Trial, server: &Server, time: Duration, done: &Done) -> (Peak, Vec<Moment>) {
    let (mut peak, mut moments) = (Peak::default(), Vec::new());
    let mut reader = Asker::agent(server);
    let start = Instant::now();
    while start.elapsed() < time {
        pass(PAUSE);
        peak.memory = peak.memory.max(server.resident());
        peak.log = peak.log.max(log_bytes(server));
        peak.files = peak.files.max(server.open_files());
        moments.push(Moment {
            waited: timed(trial, &mut reader),
            answers: done.answers.load(Ordering::SeqCst),
            kept: done.kept.load(Ordering::SeqCst),
            worked: server.worked(),
        });
    }
    (peak, moments)
}

fn busy(mut agent: Asker, mut chance: Chance, over: &AtomicBool, done: &Done) -> Seen {
    let mut seen = Seen::default();
    while !over.load(Ordering::SeqCst) {
        let (kind, path, body) = request(&mut chance);
        let start = Instant::now();
        let Ok(answer) = agent.post(&path, &body) else {
            seen.refused.push((0, None));
            continue;
        };
        if answer.status == 200 {
            seen.times.entry(kind).or_default().push(start.elapsed());
            let kept = answer.json()["saved"].as_u64().unwrap_or(0);
            seen.kept += kept;
            done.answers.fetch_add(1, Ordering::SeqCst);
            done.kept.fetch_add(kept as u32, Ordering::SeqCst);
        } else {
            let again = answer.header("retry-after").map(str::to_owned);
            seen.refused.push((answer.status, again));
        }
    }
    seen
}

/// A third of what agents do is writing.
fn request(chance: &mut Chance) -> (&'static str, String, Value) {
    let route = |name: &str| format!("/api/v2/containers/workspace/{name}");
    let said = text(&word(chance));
    match chance.below(6) {
        0 => ("retain", RETAIN.to_owned(), json!({ "content": said })),
        1 => (
            "writeback",
            route("agent/writeback"),
            json!({ "user_message": said, "assistant_response": "Noted.", "observed_facts": [said] }),
        ),
        2 => (
            "context",
            route("agent/context"),
            json!({ "user_message": "Where does the colleague keep the spare key?" }),
        ),
        3 => ("reflect", route("reflect"), question()),
        _ => ("recall", RECALL.to_owned(), question()),
    }
}
