//! Five times more writers than it takes: who is refused is told so, who is not is kept, and readers hardly notice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::others::slowest;
use super::{Refusal, filled, is_honest, pass, while_working};
use crate::server::Server;
use crate::told::{Asker, Told, are_there, is_sound};
use crate::trial::{Chance, Trial};

/// How many requests it takes at a time here, and so how many writers keep it busy.
const TAKEN: usize = 4;
const LOOKS: usize = 3;

/// What a writer sent, and how it was refused.
type Written = (Vec<Told>, Vec<Refusal>);

pub(super) fn run(trial: &mut Trial) {
    refusals_are_honest(trial);
    if trial.rounds == 1 {
        trial.round();
        trial.remark("how long readers wait is looked at in the long form");
        return;
    }
    let Some(server) = filled(trial, &[]) else {
        return;
    };
    for _ in 0..trial.rounds {
        readers_hardly_notice(trial, &server);
        trial.round();
    }
}

/// Readers beside five times as many writers as keep it busy, against readers beside as many as do.
fn readers_hardly_notice(trial: &mut Trial, server: &Server) {
    let mut least = f64::INFINITY;
    for _ in 0..LOOKS {
        let few = beside(trial, server, TAKEN);
        let many = beside(trial, server, 5 * TAKEN);
        least = least.min(many.as_secs_f64() / few.as_secs_f64());
        if least < 2.0 {
            break;
        }
    }
    trial.remark(format!(
        "beside five times as many writers the slowest of a hundred readers takes {least:.2} times as long"
    ));
    if least >= 2.0 {
        trial.broken(format!("readers wait {least:.1} times as long"));
    }
}

/// How long the slowest of a hundred readers takes beside so many writers.
fn beside(trial: &mut Trial, server: &Server, writers: usize) -> Duration {
    let (slowest, written) = while_working(trial, server, writers, write, |trial| {
        slowest(trial, server)
    });
    trial.found.faults += writers;
    is_kept_or_refused(trial, server, &written, 5);
    slowest
}

/// The last so many things of each writer are there, and every refusal was honest; how many there were.
fn is_kept_or_refused(
    trial: &mut Trial,
    server: &Server,
    written: &[Written],
    last: usize,
) -> usize {
    for (told, _) in written {
        are_there(trial, server, &told[told.len().saturating_sub(last)..]);
    }
    let refused = written.iter().flat_map(|(_, refused)| refused);
    refused.map(|it| is_honest(trial, it)).count()
}

fn write(mut agent: Asker, mut chance: Chance, over: &AtomicBool) -> Written {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    while !over.load(Ordering::SeqCst) {
        let mut told = Told::new(&mut chance, 1);
        match agent.post(crate::told::RETAIN, &told.body()) {
            Ok(answer) if answer.status == 200 => {
                told.ids = Some(crate::told::ids(&answer.json()));
                all.push(told);
            }
            Ok(answer) => {
                let again = answer.header("retry-after").map(str::to_owned);
                refused.push((answer.status, again));
                pass(Duration::from_millis(5));
            }
            Err(_) => refused.push((0, None)),
        }
    }
    (all, refused)
}

/// With room for few, five times as many writers are told to come again, and everything that was taken is there.
fn refusals_are_honest(trial: &mut Trial) {
    let room = TAKEN.to_string();
    let Some(server) = filled(trial, &["--at-once", &room]) else {
        return;
    };
    let look = |_: &mut Trial| pass(Duration::from_secs(2));
    let (_, written) = while_working(trial, &server, 5 * TAKEN, write, look);
    let count = is_kept_or_refused(trial, &server, &written, usize::MAX);
    if count == 0 {
        trial.broken("nobody was asked to come again");
    }
    trial.remark(format!("{count} writers were asked to come again"));
    is_sound(trial, &server);
}
