//! Every route with every kind of key: what is foreign is answered like what is missing, and a dead key like no key.

use serde_json::{Value, json};
use testimony_domain::Timestamp;

use super::{Foreign, is_clean};
use crate::asking::{House, Route, code, told};
use crate::client::post;
use crate::trial::Trial;

/// A credential, and with which word it is refused wherever it is shown, where it is a dead one.
struct Shown {
    name: &'static str,
    secret: String,
    refused: Option<&'static str>,
}

/// Living keys of every kind that a keeper of keys can make; none of them reaches the foreign rows.
fn living() -> Vec<(&'static str, Value)> {
    let of = |may: &str| json!({ "capabilities": [may] });
    vec![
        ("agent", json!({})),
        ("only recall", of("memory.recall")),
        ("only writing", of("memory.write")),
        ("only case reports", of("courtroom.read")),
        ("only review", of("memory.review")),
        ("only tools", of("mcp.tools")),
        ("prefix", json!({ "containers": "work*" })),
        ("sees all agents", json!({ "agent_scope": "container" })),
        ("bound person", json!({ "user_id": "olaf" })),
        ("weak", json!({ "class": "external_document" })),
        ("limited", json!({ "requests_per_minute": 100_000 })),
    ]
}

fn everybody(trial: &Trial, house: &mut House) -> Vec<Shown> {
    let mut all: Vec<Shown> = living()
        .into_iter()
        .map(|(name, order)| Shown {
            name,
            secret: house.key(order).secret,
            refused: None,
        })
        .collect();
    all.push(Shown {
        name: "connector",
        secret: connected(house),
        refused: None,
    });
    all.extend(the_dead(trial, house));
    all
}

fn connected(house: &mut House) -> String {
    let order = json!({ "containers": ["workspace"] });
    let made = house.order("/api/v1/admin/connectors", &order);
    let path = made["path"].as_str().unwrap_or_default();
    let got = house.ask(&post("", path, &json!({}))).json();
    got["key"].as_str().unwrap_or_default().to_owned()
}

fn the_dead(trial: &Trial, house: &mut House) -> Vec<Shown> {
    let dead = |name, secret: String, refused| Shown {
        name,
        secret,
        refused: Some(refused),
    };
    let revoked = house.key(json!({}));
    let operator = house.operator.clone();
    let path = format!("/api/v1/admin/keys/{}", revoked.id);
    house.ask(&crate::client::with_body("DELETE", &operator, &path, b""));
    let rotated = super::dead::rotated(house);
    // Another service has made it, so that letters and check are in order and nobody here knows it.
    let elsewhere = House::open(trial, "elsewhere");
    let guessed = elsewhere.operator.clone();
    let mut broken = house.agent.clone();
    broken.pop();
    vec![
        dead("expired", expired(house), "credential_expired"),
        dead("revoked", revoked.secret, "credential_revoked"),
        dead("rotated away", rotated, "credential_unknown"),
        dead("guessed", guessed, "credential_unknown"),
        dead("half", broken, "credential_malformed"),
        dead(
            "of nobody",
            "tst_operator_admin".to_owned(),
            "credential_malformed",
        ),
        dead(
            "a token without issuer",
            "e30.e30.e30".to_owned(),
            "credential_malformed",
        ),
    ]
}

/// A key whose time is over.
fn expired(house: &mut House) -> String {
    let now = house.order(
        "/api/v1/admin/keys",
        &json!({ "containers": ["workspace"] }),
    );
    let now: Timestamp = now["record"]["made_at"].as_str().unwrap().parse().unwrap();
    let soon = now + std::time::Duration::from_secs(2);
    let key = house.key(json!({ "expires_at": soon.to_string() }));
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    key.secret
}

pub(super) fn foreign_and_missing(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let foreign = Foreign::settle(&mut house);
    let everybody = everybody(trial, &mut house);
    let routes = house.routes();
    for _ in 0..trial.rounds {
        for route in &routes {
            for shown in &everybody {
                compare(trial, &mut house, route, shown, &foreign);
            }
        }
        trial.round();
    }
    house.is_well(trial, "foreign keys");
}

fn compare(trial: &mut Trial, house: &mut House, route: &Route, shown: &Shown, foreign: &Foreign) {
    let paths = [route.path(&foreign.there()), route.path(&[])];
    let body = Value::Object(route.least()).to_string();
    let names_something = paths[0] != paths[1];
    let mut ask = |path: &str| house.ask(&route.request(&shown.secret, path, body.as_bytes()));
    let there = ask(&paths[0]);
    trial.fault();
    let what = format!("{} {} by {}", route.method, route.pattern, shown.name);
    is_clean(trial, &there, &[&foreign.memory, &foreign.case], &what);
    if names_something {
        let (there, missing) = (told(&there), told(&ask(&paths[1])));
        if there != missing {
            trial.leaked(format!(
                "{what}: foreign {there:.200?}, missing {missing:.200?}"
            ));
        }
    }
    if let Some(word) = shown.refused.filter(|_| route.takes_key) {
        let answer = (there.status, code(&there));
        if answer != (401, word.to_owned()) {
            trial.broken(format!("{what}: {answer:?} instead of {word}"));
        }
    }
}

/// Eyes for foreign words: the owner's own key sees them.
pub(super) fn a_key_that_reaches(trial: &mut Trial) {
    let mut house = House::open(trial, "reaches");
    let foreign = Foreign::settle(&mut house);
    let path = crate::asking::within(super::HARBOUR, "recall");
    let question = json!({ "query": "Where does the vault of Quillfeather stand?" });
    let answer = house.post(&foreign.owner.secret, &path, &question);
    is_clean(trial, &answer, &[], "the owner");
}

/// Eyes for answers that tell foreign from missing: an operator's differ.
pub(super) fn an_answer_that_tells(trial: &mut Trial) {
    let mut house = House::open(trial, "tells");
    let foreign = Foreign::settle(&mut house);
    let shown = Shown {
        name: "operator",
        secret: house.operator.clone(),
        refused: None,
    };
    let routes = house.routes();
    let route = routes
        .iter()
        .find(|it| it.pattern.ends_with("/keys/{key_id}"));
    compare(trial, &mut house, route.unwrap(), &shown, &foreign);
}
