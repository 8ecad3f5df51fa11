//! Bodies that no honest client sends, against every route that the server describes.
//!
//! The routes come from its own descriptions, so that a new one is attacked by itself. Schemathesis (`cargo xtask
//! fuzz-http`) asks the same routes from the other side: what the description allows is answered as it says. Here stands
//! what no description can say: bytes that are no JSON, lengths that lie, how long it takes, how much memory it costs, and
//! that what is kept is what was sent.

mod cases;
mod exact;
mod framing;
mod room;
mod values;

use std::time::Duration;

use crate::asking::{House, Route, all_see};
use crate::client::Answer;
use crate::trial::{Family, Scenario, Trial};
use cases::{Case, WHOLE};

pub(crate) const FAMILY: Family = Family {
    name: "bodies",
    passes_when: "no failure of the server but a full disk, no panic, a second at most, less than ten times the body in \
        memory; what is kept is what was sent",
    scenarios: &[
        Scenario::new(
            "bodies that are wrong, on every route",
            12,
            WHOLE.len(),
            wrong_bodies,
        ),
        Scenario::new(
            "values that are wrong, in every field",
            800,
            6_000,
            values::wrong_values,
        ),
        Scenario::new("framing that lies", 1, 4, framing::lies),
        Scenario::new(
            "what is kept is what was sent",
            1,
            10,
            exact::kept_or_refused,
        ),
        Scenario::new("memory under large bodies", 8, 24, room::little_room),
    ],
    canary: Scenario::new(
        "failures, panics, slowness, waste and changed texts",
        1,
        1,
        broken_on_purpose,
    ),
};

/// No request of this size may take longer.
const LONGEST: Duration = Duration::from_secs(1);
/// What another process does to the machine is not the server's fault: the best of so many tries counts.
const TRIES: usize = 4;

/// Each round gives every route one of the bodies, so that after as many rounds as there are bodies each had them all.
fn wrong_bodies(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let routes = house.routes();
    let shift = usize::try_from(trial.chance.below(1 << 20)).unwrap();
    for round in 0..trial.rounds {
        for (at, route) in routes.iter().enumerate() {
            let case = &WHOLE[(shift + at + round) % WHOLE.len()];
            send(trial, &mut house, route, case);
        }
        trial.round();
    }
    house.is_well(trial, "wrong bodies");
}

fn send(trial: &mut Trial, house: &mut House, route: &Route, case: &Case) {
    let path = route.path(&[("container_tag", crate::asking::WORKSPACE)]);
    let request = route.request(&house.operator, &path, &(case.make)());
    let (answer, took) = house.timed(&request);
    judge(trial, route, case.name, &answer);
    let what = format!("{} with {}", route.pattern, case.name);
    is_quick(trial, took, || house.worked(&request), &what);
    trial.fault();
}

/// What a route may answer, whatever it was sent.
fn judge(trial: &mut Trial, route: &Route, case: &str, answer: &Answer) {
    let status = answer.status;
    let is_allowed = match status {
        503 => route.statuses.contains(&503),
        507 => true,
        _ => status < 500 && route.statuses.contains(&status),
    };
    if !is_allowed {
        let (method, pattern) = (&route.method, &route.pattern);
        let said = String::from_utf8_lossy(&answer.body);
        trial.broken(format!(
            "{method} {pattern} with {case}: {status} {said:.200}"
        ));
    }
}

/// Slow once may be the machine, so that what counts then is for how long the server itself worked on it.
fn is_quick(trial: &mut Trial, first: Duration, mut again: impl FnMut() -> Duration, what: &str) {
    let mut best = first;
    for _ in 1..TRIES {
        if best <= LONGEST {
            return;
        }
        best = best.min(again());
    }
    if best > LONGEST {
        trial.broken(format!("{what} took {best:?}"));
    }
}

fn broken_on_purpose(trial: &mut Trial) {
    all_see(
        trial,
        &[
            ("a failure of the server", a_failure),
            ("a status that is not described", a_stray_status),
            ("a panic in the log", a_panic),
            ("a request that takes too long", a_slow_one),
            ("another text than was sent", exact::another_text),
            ("a request hidden in another", framing::a_hidden_request),
            ("memory of twenty bodies", room::a_waste),
        ],
    );
}

fn answered(status: u16) -> Answer {
    Answer {
        status,
        head: String::new(),
        body: Vec::new(),
    }
}

fn a_route() -> Route {
    Route {
        method: "POST".to_owned(),
        pattern: "/made/up".to_owned(),
        statuses: vec![200, 422, 500],
        body: None,
        query: Vec::new(),
        takes_key: true,
        takes_session: false,
    }
}

fn a_failure(trial: &mut Trial) {
    judge(trial, &a_route(), "anything", &answered(500));
}

fn a_stray_status(trial: &mut Trial) {
    judge(trial, &a_route(), "anything", &answered(418));
}

fn a_panic(trial: &mut Trial) {
    let mut house = House::open(trial, "panicked");
    let log = house.server.folder.with_extension("log");
    std::fs::write(log, "thread 'main' panicked at src/lib.rs:1:1").unwrap();
    house.is_well(trial, "nothing");
}

fn a_slow_one(trial: &mut Trial) {
    is_quick(trial, LONGEST * 2, || LONGEST * 2, "a slow one");
}
