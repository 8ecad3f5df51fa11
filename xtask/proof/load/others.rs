//! How others fare: the slowest of their requests, alone and beside somebody who asks too much.

use std::time::{Duration, Instant};

use super::question;
use crate::server::Server;
use crate::told::{Asker, RECALL};
use crate::trial::Trial;

/// Requests by which the slowest are known, in the short form and in the long one.
const FEW: usize = 100;
const MANY: usize = 200;
/// How often it is looked at again when it seems too much: a machine has other work too.
const LOOKS: usize = 3;
/// So many times longer is too long.
const TOO_LONG: f64 = 2.0;

/// How long the slowest of a hundred takes.
pub(super) fn slowest(trial: &mut Trial, server: &Server) -> Duration {
    let mut reader = Asker::agent(server);
    let requests = if trial.rounds > 1 { MANY } else { FEW };
    let times: Vec<Duration> = (0..requests).map(|_| timed(trial, &mut reader)).collect();
    at_share(&times, 0.99)
}

/// How long a question of somebody takes who has nothing to do with what goes on, and has to be answered.
pub(super) fn timed(trial: &mut Trial, reader: &mut Asker) -> Duration {
    let start = Instant::now();
    let (status, _) = reader.ask(RECALL, &question());
    if status != 200 {
        trial.broken(format!("somebody else got {status}"));
    }
    start.elapsed()
}

/// The one of some times that this share of them does not exceed.
pub(super) fn at_share(times: &[Duration], share: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    let at = (times.len() as f64 * share) as usize;
    times.get(at).copied().unwrap_or_default()
}

/// Others take less than twice as long beside something as without it, in one look of several.
pub(super) fn hardly_notice(
    trial: &mut Trial,
    server: &Server,
    what: &str,
    mut beside: impl FnMut(&mut Trial, &mut dyn FnMut(&mut Trial)),
) {
    let mut ratios = Vec::new();
    for _ in 0..LOOKS {
        let alone = slowest(trial, server);
        let mut together = alone;
        beside(trial, &mut |trial| together = slowest(trial, server));
        ratios.push(together.as_secs_f64() / alone.as_secs_f64());
        if ratios.last().is_some_and(|ratio| *ratio < TOO_LONG) {
            break;
        }
    }
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    trial.remark(format!(
        "beside {what} the slowest of a hundred of others takes {least:.2} times as long"
    ));
    if least >= TOO_LONG {
        trial.broken(format!(
            "beside {what} others wait {least:.1} times as long"
        ));
    }
}
