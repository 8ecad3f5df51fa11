//! Asked to stop under load: it is gone within ten seconds, and what it had begun is answered whole.

use std::io::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::HANDS;
use crate::server::Server;
use crate::told::{Asker, RETAIN, Told, again, are_there, is_sound};
use crate::trial::{Chance, Trial};

/// How long a stop may take.
const LONGEST: Duration = Duration::from_secs(10);
/// Rows of one request, so many that it takes a while.
const ROWS: usize = 8;

pub(super) fn run(trial: &mut Trial) {
    let folder = trial.room("data");
    for _ in 0..trial.rounds {
        let Some(server) = again(trial, &folder) else {
            return;
        };
        Asker::agent(&server).warm_up();
        let told = stopped(trial, server);
        if let Some(server) = again(trial, &folder) {
            are_there(trial, &server, &told);
            is_sound(trial, &server);
        }
        trial.round();
    }
}

/// Several have asked for something that takes a while when the server is asked to stop.
fn stopped(trial: &mut Trial, server: Server) -> Vec<Told> {
    let hands: Vec<_> = (0..HANDS)
        .map(|_| (Asker::agent(&server), Chance::of(trial.chance.next(), "")))
        .collect();
    let sent = AtomicUsize::new(0);
    let (answers, took, status) = thread::scope(|scope| {
        let hands: Vec<_> = hands
            .into_iter()
            .map(|(agent, chance)| scope.spawn(|| asked(agent, chance, &sent)))
            .collect();
        while sent.load(Ordering::SeqCst) < HANDS {
            thread::sleep(Duration::from_millis(1));
        }
        // What was sent is read by the server before it is told to stop.
        thread::sleep(Duration::from_millis(20));
        let start = Instant::now();
        let (_, status) = server.stop();
        let took = start.elapsed();
        let answers: Vec<_> = hands.into_iter().map(|it| it.join().unwrap()).collect();
        (answers, took, status)
    });
    trial.fault();
    if took > LONGEST || !status.success() {
        trial.broken(format!("it stopped with {status} after {took:?}"));
    }
    answers
        .into_iter()
        .map(|(told, answer)| {
            if let Err(error) = answer {
                trial.lost(format!("work that had begun got no answer: {error}"));
            }
            told
        })
        .collect()
}

fn asked(mut agent: Asker, mut chance: Chance, sent: &AtomicUsize) -> (Told, Result<(), Error>) {
    let mut told = Told::new(&mut chance, ROWS);
    let body = told.body();
    let answer = agent
        .client
        .send_noting(&crate::client::post(&agent.key, RETAIN, &body), || {
            sent.fetch_add(1, Ordering::SeqCst);
        });
    let answer = answer.map(|answer| {
        if answer.status == 200 {
            told.ids = Some(crate::told::ids(&answer.json()));
        }
    });
    (told, answer)
}
