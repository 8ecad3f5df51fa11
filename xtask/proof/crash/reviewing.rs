//! Killed while several decide cases: a decision is whole or was not made.

use serde_json::{Value, json};

use super::{HANDS, folders, moment, struck};
use crate::server::Server;
use crate::told::{Asker, RETAIN, again, all, is_sound, text, word};
use crate::trial::{Chance, Trial};

const CASES: &str = "/api/v1/containers/workspace/reviews";
/// Cases of each hand.
const EACH: usize = 5;

/// What is decided of a case, and how case and row stand afterwards.
const DECISIONS: &[(&str, &str, &str)] = &[
    ("undo", "open", "pending"),
    ("approve", "closed", "active"),
    ("reject", "closed", "rejected"),
];

/// A case, by what was last acknowledged of it and what was asked without an answer; places in `DECISIONS`.
struct Case {
    id: String,
    stands: usize,
    asked: Option<usize>,
}

pub(super) fn run(trial: &mut Trial) {
    for (number, rounds) in folders(trial.rounds) {
        let folder = trial.room(&format!("data-{number}"));
        let Some(server) = again(trial, &folder) else {
            return;
        };
        let mut hands = opened(trial, &server);
        server.kill();
        for _ in 0..rounds {
            let Some(server) = again(trial, &folder) else {
                return;
            };
            hands = one(trial, server, hands);
            let Some(server) = again(trial, &folder) else {
                return;
            };
            stand_as_decided(trial, &server, &mut hands);
            server.kill();
            trial.round();
        }
        if let Some(server) = again(trial, &folder) {
            is_sound(trial, &server);
        }
    }
}

/// Rows that wait, with their cases, shared out.
fn opened(trial: &mut Trial, server: &Server) -> Vec<Vec<Case>> {
    let texts: Vec<Value> = (0..HANDS * EACH)
        .map(|_| json!({ "content": text(&word(&mut trial.chance)) }))
        .collect();
    let body = json!({ "contents": texts, "review_required": true });
    Asker::agent(server).ask(RETAIN, &body);
    let cases = all(
        &mut Asker::operator(server),
        &format!("{CASES}?state=open&limit=100"),
    );
    if cases.len() != HANDS * EACH {
        trial.broken(format!(
            "{} cases for {} rows that wait",
            cases.len(),
            HANDS * EACH
        ));
    }
    let mut cases = cases.iter().map(|case| Case {
        id: case["id"].as_str().unwrap_or_default().to_owned(),
        stands: 0,
        asked: None,
    });
    (0..HANDS)
        .map(|_| cases.by_ref().take(EACH).collect())
        .collect()
}

fn one(trial: &mut Trial, server: Server, hands: Vec<Vec<Case>>) -> Vec<Vec<Case>> {
    let hands: Vec<_> = hands
        .into_iter()
        .map(|cases| {
            let chance = Chance::of(trial.chance.next(), "");
            (Asker::operator(&server), chance, cases)
        })
        .collect();
    let hands = hands
        .into_iter()
        .map(|(asker, chance, cases)| move || decided(asker, chance, cases));
    let after = moment(trial, 200);
    trial.fault();
    struck(server, after, hands)
}

/// Decides one case after another, until the server is gone.
fn decided(mut operator: Asker, mut chance: Chance, mut cases: Vec<Case>) -> Vec<Case> {
    loop {
        let at = usize::try_from(chance.below(cases.len() as u64)).unwrap();
        let case = &mut cases[at];
        let next = match case.stands {
            0 => 1 + usize::try_from(chance.below(2)).unwrap(),
            _ => 0,
        };
        let body = json!({ "decision": DECISIONS[next].0 });
        case.asked = Some(next);
        let path = format!("{CASES}/{}/decide", case.id);
        let Ok(answer) = operator.post(&path, &body) else {
            return cases;
        };
        case.asked = None;
        if answer.status == 200 {
            case.stands = next;
        }
    }
}

/// Each case stands as was acknowledged, or as was asked last, and its row with it.
fn stand_as_decided(trial: &mut Trial, server: &Server, hands: &mut [Vec<Case>]) {
    let mut operator = Asker::operator(server);
    for case in hands.iter_mut().flatten() {
        let (_, found) = operator.look(&format!("{CASES}/{}", case.id));
        let state = found["state"].as_str().unwrap_or_default();
        let row = found["memory"]["state"].as_str().unwrap_or_default();
        let decision = found["closed"]["decision"].as_str().unwrap_or("undo");
        let now = (decision, state, row);
        let Some(stands) = DECISIONS.iter().position(|it| *it == now) else {
            trial.broken(format!("half a decision: {now:?}"));
            continue;
        };
        if stands != case.stands && Some(stands) != case.asked {
            trial.lost(format!(
                "the decision `{}` was acknowledged, and {now:?} stands",
                DECISIONS[case.stands].0
            ));
        }
        case.stands = stands;
        case.asked = None;
    }
}
