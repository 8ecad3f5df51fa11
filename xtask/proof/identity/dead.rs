//! Keys that were good once: told apart by nothing from keys that never were, and of no use from the moment of their end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::asking::{House, Key, WORKSPACE, told, within};
use crate::client::{Client, post, with_body};
use crate::trial::Trial;

/// Answers of each kind that are compared.
const COMPARED: usize = 150;

/// The secret that a key had before it was rotated: its id is known, and it is not.
pub(super) fn rotated(house: &mut House) -> String {
    let key = house.key(json!({}));
    let path = format!("/api/v1/admin/keys/{}/rotate", key.id);
    house.order(&path, &json!({ "overlap_hours": 0 }));
    key.secret
}

/// Whoever shows a wrong secret for an id that is there is answered like whoever shows an id that is not.
///
/// How long it takes is told and not judged: an id that is known is at hand and one that is not is looked for, and ids are
/// no secrets. That secrets are compared in constant time is the work of `crates/testimony-service/src/keyring.rs`.
pub(super) fn unknown_or_wrong(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let wrong = rotated(&mut house);
    let unknown = House::open(trial, "elsewhere").agent.clone();
    for _ in 0..trial.rounds {
        let (mut slow, mut quick) = (Vec::new(), Vec::new());
        for _ in 0..COMPARED {
            let asked = |secret: &str| {
                post(
                    secret,
                    &within(WORKSPACE, "recall"),
                    &json!({ "query": "boat" }),
                )
            };
            let (one, took) = house.timed(&asked(&wrong));
            slow.push(took);
            let (other, took) = house.timed(&asked(&unknown));
            quick.push(took);
            if told(&one) != told(&other) {
                trial.leaked(format!("{:?} is not {:?}", told(&one), told(&other)));
            }
            trial.fault();
        }
        let telling = telling(&slow, &quick);
        trial.round();
        if trial.found.remarks.is_empty() {
            trial.remark(format!(
                "a wrong key took longer than an unknown one in {telling:.2} of the pairs; 0.50 tells nothing"
            ));
        }
    }
}

/// How often one of the first took longer than one of the second.
#[expect(clippy::cast_precision_loss, reason = "a few thousand pairs")]
fn telling(slow: &[Duration], quick: &[Duration]) -> f64 {
    let pairs = slow
        .iter()
        .flat_map(|one| quick.iter().map(move |other| (one, other)));
    let longer = pairs.filter(|(one, other)| one > other).count();
    longer as f64 / (slow.len() * quick.len()) as f64
}

/// How a key ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Revoked,
    Rotated,
    Never,
}

pub(super) fn revoked_under_load(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    for round in 0..trial.rounds {
        let end = [End::Revoked, End::Rotated][round % 2];
        ends(trial, &mut house, end);
        trial.round();
    }
    house.is_well(trial, "revoked keys");
}

/// Four who ask without a pause, while the key ends; whatever is asked after the answer to that is refused.
fn ends(trial: &mut Trial, house: &mut House, end: End) {
    let key = house.key(json!({}));
    let stop = AtomicBool::new(false);
    let address = house.server.address.clone();
    let (over, asked) = thread::scope(|scope| {
        let askers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| ask_on(&address, &key.secret, &stop)))
            .collect();
        thread::sleep(Duration::from_millis(250));
        put_an_end(house, &key, end);
        let over = Instant::now();
        thread::sleep(Duration::from_millis(250));
        stop.store(true, Ordering::SeqCst);
        let asked = askers.into_iter().flat_map(|asker| asker.join().unwrap());
        (over, asked.collect::<Vec<_>>())
    });
    let (before, after): (Vec<_>, Vec<_>) = asked.iter().partition(|(at, _)| *at <= over);
    for (_, status) in &after {
        trial.fault();
        if *status != 401 {
            trial.leaked(format!("{status} for a key that had ended"));
        }
    }
    if after.is_empty() || !before.iter().any(|(_, status)| *status == 200) {
        trial.broken("nothing was asked before or after the end".to_owned());
    }
}

fn put_an_end(house: &mut House, key: &Key, end: End) {
    let (operator, path) = (
        house.operator.clone(),
        format!("/api/v1/admin/keys/{}", key.id),
    );
    match end {
        End::Revoked => {
            house.ask(&with_body("DELETE", &operator, &path, b""));
        }
        End::Rotated => {
            house.order(&format!("{path}/rotate"), &json!({ "overlap_hours": 0 }));
        }
        End::Never => {}
    }
}

/// When each request began, and how it was answered.
fn ask_on(address: &str, secret: &str, stop: &AtomicBool) -> Vec<(Instant, u16)> {
    let mut client = Client::to(address);
    let request = post(
        secret,
        &within(WORKSPACE, "recall"),
        &json!({ "query": "boat" }),
    );
    let mut asked = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let at = Instant::now();
        if let Ok(answer) = client.send(&request) {
            asked.push((at, answer.status));
        }
    }
    asked
}

/// Eyes for keys that outlive their end.
pub(super) fn a_living_key(trial: &mut Trial) {
    let mut house = House::open(trial, "living");
    ends(trial, &mut house, End::Never);
}
