//! A key that asks more than its limit: as many as it may get through, the rest is told when to come again.

use std::thread;

use super::others::hardly_notice;
use super::{Refusal, filled, is_honest, key};
use crate::server::Server;
use crate::told::Asker;
use crate::trial::Trial;

/// What the key may ask a minute, and how much it asks.
const LIMIT: u32 = 60;
const BURST: usize = 600;
const HANDS: usize = 4;
/// A bucket fills up while it is emptied: what may come on top in half a minute.
const MEANWHILE: usize = 30;

pub(super) fn run(trial: &mut Trial) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    for round in 0..trial.rounds {
        let name = format!("hasty-{round}");
        hardly_notice(trial, &server, "bursts", |trial, look| {
            let hasty = key(&server, &name, Some(LIMIT));
            let through = thread::scope(|scope| {
                let hands: Vec<_> = (0..HANDS)
                    .map(|_| scope.spawn(|| burst(&server, &hasty)))
                    .collect();
                look(trial);
                hands.into_iter().map(|it| it.join().unwrap()).collect()
            });
            judged(trial, through);
        });
        trial.round();
    }
}

/// What became of each request: its status, and when it may come again.
type Answered = Vec<Refusal>;

fn burst(server: &Server, key: &str) -> Answered {
    let mut hasty = Asker::with(server, key.to_owned());
    let look = |_| {
        let answer = hasty.get("/api/v1/memories/mem_00000000000000000000000000000000/courtroom");
        answer.map_or((0, None), |answer| {
            let again = answer.header("retry-after").map(str::to_owned);
            (answer.status, again)
        })
    };
    (0..BURST / HANDS).map(look).collect()
}

/// No more got through than may, and everybody else was told when to come again.
fn judged(trial: &mut Trial, all: Vec<Answered>) {
    let all = all.into_iter().flatten();
    let (through, refused): (Vec<_>, Vec<_>) = all.partition(|(status, _)| *status == 404);
    trial.found.faults += refused.len();
    if through.len() > LIMIT as usize + MEANWHILE {
        trial.broken(format!("{} requests got through", through.len()));
    }
    if through.len() < LIMIT as usize {
        trial.broken(format!("only {} requests got through", through.len()));
    }
    for it in &refused {
        is_honest(trial, it);
    }
}

pub(super) fn a_limit_that_holds_nobody_up(trial: &mut Trial) {
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    let endless = key(&server, "endless", None);
    let through = (0..HANDS).map(|_| burst(&server, &endless)).collect();
    judged(trial, through);
    trial.fault();
    trial.round();
}
