//! Two servers on one folder: the second says that somebody has it, and the first does not notice.

use super::is_helpful;
use crate::server::Server;
use crate::told::{Asker, Told, again, are_there, is_sound};
use crate::trial::Trial;

pub(super) fn run(trial: &mut Trial) {
    let folder = trial.room("data");
    let Some(first) = again(trial, &folder) else {
        return;
    };
    let mut agent = Asker::agent(&first);
    let mut told = Vec::new();
    for _ in 0..trial.rounds {
        match Server::start(trial.program, &folder) {
            Ok(_) => trial.broken("two servers have one folder"),
            Err(refused) => {
                let named = refused.said.contains(&folder.display().to_string());
                if !named {
                    trial.broken("the refusal does not name the folder");
                }
                is_helpful(trial, &folder, &refused);
            }
        }
        trial.fault();
        let mut next = Told::new(&mut trial.chance, 2);
        drop(next.say(&mut agent));
        told.push(next);
        trial.round();
    }
    are_there(trial, &first, &told);
    is_sound(trial, &first);
    first.kill();
    if let Some(after) = again(trial, &folder) {
        are_there(trial, &after, &told);
    }
}
