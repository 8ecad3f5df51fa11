//! A time server that steps the clock again and again, forward and back, while others write.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{clock, nothing_is_lost};
use crate::told::{Asker, Told};
use crate::trial::{Chance, Trial};

/// How many write.
const HANDS: usize = 2;
/// The largest step, in seconds.
const FURTHEST: u64 = 30;

pub(super) fn run(trial: &mut Trial) {
    let Some(clock) = clock(trial) else { return };
    let folder = trial.room("data");
    let Some(server) = clock.serve(trial, &folder, "UTC") else {
        return;
    };
    Asker::agent(&server).warm_up();
    let hands: Vec<_> = (0..HANDS)
        .map(|_| (Asker::agent(&server), Chance::of(trial.chance.next(), "")))
        .collect();
    let over = AtomicBool::new(false);
    let told: Vec<(Vec<Told>, usize)> = thread::scope(|scope| {
        let hands: Vec<_> = hands
            .into_iter()
            .map(|(agent, chance)| scope.spawn(|| written(agent, chance, &over)))
            .collect();
        for _ in 0..trial.rounds {
            let step = trial.chance.below(2 * FURTHEST + 1);
            clock.set(i64::try_from(step).unwrap() - i64::try_from(FURTHEST).unwrap());
            thread::sleep(Duration::from_millis(60));
            trial.fault();
            trial.round();
        }
        over.store(true, Ordering::SeqCst);
        hands.into_iter().map(|it| it.join().unwrap()).collect()
    });
    for (told, refused) in told {
        if refused > 0 {
            trial.broken(format!(
                "{refused} writes were refused while the clock stepped"
            ));
        }
        nothing_is_lost(trial, &server, &told);
    }
}

/// Writes until it is over; what was taken, and how much was not.
fn written(mut agent: Asker, mut chance: Chance, over: &AtomicBool) -> (Vec<Told>, usize) {
    let (mut all, mut refused) = (Vec::new(), 0);
    while !over.load(Ordering::SeqCst) {
        let mut told = Told::new(&mut chance, 1);
        drop(told.say(&mut agent));
        refused += usize::from(told.ids.is_none());
        all.push(told);
    }
    (all, refused)
}
