//! The clock of the machine set to another time, in steps and by seasons: order is by sequence, and what has ended stays
//! ended.

use serde_json::{Value, json};

use crate::server::Server;
use crate::told::{Asker, Told, all, are_there, is_sound};
use crate::trial::{Family, Scenario, Trial};

mod clock;
mod day;
mod ending;
mod season;
mod steps;

use clock::Faked;

pub(crate) const FAMILY: Family = Family {
    name: "time",
    passes_when: "order is by sequence, moments never go back, and keys, sessions, tokens and memories that ended stay ended",
    scenarios: &[
        Scenario::new("a day ahead, back, and behind", 1, 10, day::run),
        Scenario::new("steps of a time server", 20, 400, steps::run),
        Scenario::new("daylight saving", 2, 8, season::run),
    ],
    canary: Scenario::new("a key that goes on after its end", 1, 1, a_key_that_goes_on),
};

/// How many seconds a request may take on a busy machine; less than any step that must be noticed.
const A_REQUEST: i64 = 10;

/// A clock that can be set, or a remark that there is none.
fn clock(trial: &mut Trial) -> Option<Faked> {
    let clock = Faked::find(&trial.folder);
    if clock.is_none() {
        trial.skip("there is no libfaketime; Debian has it in the package `faketime`");
    }
    clock
}

/// Events come in their order without a gap, and none is earlier than the one before it: by no more than a request takes,
/// which has its moment from when it came.
fn in_order(trial: &mut Trial, server: &Server) {
    let events = all(
        &mut Asker::operator(server),
        "/api/v1/admin/audit/events?limit=500",
    );
    let seq = |event: &Value| event["seq"].as_u64().unwrap_or_default();
    let at = |event: &Value| moment(event["at"].as_str().unwrap_or_default());
    if events.len() < 2 {
        trial.broken("the trail cannot be read");
    }
    for pair in events.windows(2) {
        if seq(&pair[1]) != seq(&pair[0]) + 1 {
            trial.broken("events are missing, or out of order");
        }
        if at(&pair[1]) + A_REQUEST < at(&pair[0]) {
            trial.broken(format!(
                "an event of {} stands behind one of {}",
                pair[1]["at"], pair[0]["at"]
            ));
        }
    }
}

/// A moment as seconds since some day; the fraction is left out.
fn moment(text: &str) -> i64 {
    let numbers: Vec<i64> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let [year, month, day, hour, minute, second, ..] = numbers[..] else {
        return 0;
    };
    // Years begin in March here, so that a leap day is the last day of one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = 365 * year + leap_days + (153 * month + 2) / 5 + day;
    ((days * 24 + hour) * 60 + minute) * 60 + second
}

/// Nothing of what was told is lost, whatever the clock said meanwhile.
fn nothing_is_lost(trial: &mut Trial, server: &Server, told: &[Told]) {
    are_there(trial, server, told);
    in_order(trial, server);
    is_sound(trial, server);
}

/// A key that can do no more than an agent's, until some moment.
fn key(server: &Server, expires_at: Option<&str>) -> String {
    let body = json!({ "name": "for a while", "expires_at": expires_at, "agent_id": "visitor", "containers": "workspace" });
    let (_, made) = Asker::operator(server).ask("/api/v1/admin/keys", &body);
    made["key"].as_str().unwrap_or_default().to_owned()
}

fn a_key_that_goes_on(trial: &mut Trial) {
    let folder = trial.room("data");
    let Ok(server) = Server::start(trial.program, &folder) else {
        return;
    };
    let ending = ending::Ending::only(key(&server, None));
    trial.fault();
    trial.round();
    ending.is_over(trial, &server, "while its end is still to come");
}
