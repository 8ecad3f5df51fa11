//! Killed while several retain, in batches.

use std::io::Error;

use super::{HANDS, folders, moment, struck};
use crate::server::Server;
use crate::told::{Asker, Told, again, are_there, is_sound, nothing_half};
use crate::trial::{Chance, Trial};

pub(super) fn run(trial: &mut Trial) {
    for (number, rounds) in folders(trial.rounds) {
        let folder = trial.room(&format!("data-{number}"));
        let mut told = Vec::new();
        for _ in 0..rounds {
            let Some(server) = again(trial, &folder) else {
                return;
            };
            told.extend(one(trial, server));
            let Some(server) = again(trial, &folder) else {
                return;
            };
            let last = told.len().saturating_sub(HANDS * 20);
            are_there(trial, &server, &told[last..]);
            say_again(trial, &server, &mut told[last..]);
            server.kill();
            trial.round();
        }
        if let Some(server) = again(trial, &folder) {
            are_there(trial, &server, &told);
            nothing_half(trial, &server, &told);
            is_sound(trial, &server);
        }
    }
}

fn one(trial: &mut Trial, server: Server) -> Vec<Told> {
    Asker::agent(&server).warm_up();
    let hands: Vec<_> = (0..HANDS)
        .map(|_| (Asker::agent(&server), Chance::of(trial.chance.next(), "")))
        .collect();
    let hands = hands
        .into_iter()
        .map(|(agent, chance)| move || retained(agent, chance));
    let after = moment(trial, 400);
    trial.fault();
    struck(server, after, hands).into_iter().flatten().collect()
}

/// Retains until the server is gone.
fn retained(mut agent: Asker, mut chance: Chance) -> Vec<Told> {
    let mut all = Vec::new();
    loop {
        let texts = 1 + usize::try_from(chance.below(4)).unwrap();
        let mut told = Told::new(&mut chance, texts);
        let said: Result<u16, Error> = told.say(&mut agent);
        all.push(told);
        if said.is_err() {
            return all;
        }
    }
}

/// Half of what nobody knows the end of is sent again, as a client would; then it is there, and once.
fn say_again(trial: &mut Trial, server: &Server, told: &mut [Told]) {
    let mut agent = Asker::agent(server);
    for told in told.iter_mut().filter(|told| told.ids.is_none()) {
        if trial.chance.below(2) == 0 {
            continue;
        }
        match told.say(&mut agent) {
            Ok(200) => {}
            other => trial.broken(format!("a request that was sent again got {other:?}")),
        }
    }
}
