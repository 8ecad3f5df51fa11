//! How much memory a large body costs.

use std::fmt::Write as _;

use crate::asking::{House, WORKSPACE, within};
use crate::client::with_body;
use crate::server::Server;
use crate::trial::Trial;

/// So large are the bodies, under what a server takes.
const LARGE: usize = 16 << 20;
/// So many times a body may be in memory.
const MOST: u64 = 10;

/// A body by its name.
type Shape = (&'static str, fn() -> String);

/// Bodies that are small on the wire and large once they are built.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    ("numbers", || filled("{\"metadata\":{\"a\":[", "0,", "0]}}")),
    ("empty lists", || filled("{\"metadata\":{\"a\":[", "[],", "[]]}}")),
    ("empty objects", || filled("{\"metadata\":{\"a\":[", "{},", "{}]}}")),
    ("one name", || filled("{", "\"\":0,", "\"\":0}")),
    ("names", names),
    ("lists in lists", || filled("{\"metadata\":{\"a\":[", "[[[[[[]]]]]],", "0]}}")),
    ("a text", || filled("{\"content\":\"", "a boat ", "\"}")),
    ("escapes", || filled("{\"content\":\"", "\\u00e9", "\"}")),
    ("tags", || filled("{\"content\":\"a\",\"tags\":[", "\"t\",", "\"t\"]}")),
    ("items", || filled("{\"contents\":[", "{\"content\":\"a\"},", "{}]}")),
    ("open brackets", || "[".repeat(LARGE)),
    ("open names", || "{\"a\":".repeat(LARGE / 5)),
];

fn filled(before: &str, again: &str, after: &str) -> String {
    format!("{before}{}{after}", again.repeat(LARGE / again.len()))
}

fn names() -> String {
    let mut text = String::with_capacity(LARGE + 16);
    text.push('{');
    let mut number = 0_u64;
    while text.len() < LARGE {
        write!(text, "\"{number:x}\":0,").unwrap();
        number += 1;
    }
    text.push_str("\"z\":0}");
    text
}

/// Each round is one shape, sent to one route of a server of its own; the shapes come in turns.
pub(super) fn little_room(trial: &mut Trial) {
    let mut worst = (0.0_f64, "");
    for round in 0..trial.rounds {
        let (name, shape) = SHAPES[round % SHAPES.len()];
        let route = ["retain", "recall"][(round + round / SHAPES.len()) % 2];
        let mut house = House::open(trial, &format!("data-{round}"));
        let cost = cost(trial, &mut house, route, name, &shape());
        if cost > worst.0 {
            worst = (cost, name);
        }
        house.is_well(trial, name);
        trial.round();
    }
    let (cost, name) = worst;
    trial.remark(format!(
        "at most {cost:.1} times the body in memory, for {name}"
    ));
}

/// How many times a body stood in memory while it was answered.
#[expect(clippy::cast_precision_loss, reason = "bytes of one machine's memory")]
fn cost(trial: &mut Trial, house: &mut House, route: &str, name: &str, body: &str) -> f64 {
    let path = within(WORKSPACE, route);
    // What is loaded when it is first needed is no cost of the body.
    let first = format!(
        "{{\"{}\":\"Where is the boat?\"}}",
        if route == "retain" {
            "content"
        } else {
            "query"
        }
    );
    house.ask(&with_body("POST", &house.agent, &path, first.as_bytes()));
    let request = with_body("POST", &house.agent, &path, body.as_bytes());
    forget_peak(&house.server);
    let before = house.server.resident();
    let answer = house.ask(&request);
    let more = peak(&house.server).saturating_sub(before);
    trial.fault();
    if !(200..500).contains(&answer.status) && answer.status != 507 {
        trial.broken(format!("{name} to {route}: {}", answer.status));
    }
    judge(trial, name, more, body.len() as u64);
    more as f64 / body.len() as f64
}

fn judge(trial: &mut Trial, name: &str, more: u64, length: u64) {
    if more >= MOST * length {
        trial.broken(format!(
            "{name}: {more} bytes of memory for {length} of a body"
        ));
    }
}

/// Has the kernel begin anew with what was the most memory.
fn forget_peak(server: &Server) {
    let done = std::fs::write(format!("/proc/{}/clear_refs", server.id()), "5");
    done.unwrap();
}

/// The most memory that was resident since then.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Eyes for memory that a body wastes.
pub(super) fn a_waste(trial: &mut Trial) {
    judge(trial, "twenty times", 20 << 20, 1 << 20);
}
