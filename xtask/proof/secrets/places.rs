//! Values in every field of every route as the server describes them, in queries, in paths and in headers, so that a new
//! field is attacked by itself.

use serde_json::{Value, json};

use super::desk::Desk;
use super::eyes::Eyes;
use super::samples::{Sample, samples};
use super::{get_used_to_everything, look_at_everything};
use crate::asking::{House, Route, WORKSPACE, percent, with_headers};
use crate::client::Answer;
use crate::trial::Trial;

/// Headers that services like to log.
const HEADERS: &[&str] = &[
    "Idempotency-Key",
    "X-Request-Id",
    "User-Agent",
    "Referer",
    "X-CSRF-Token",
    "Mcp-Session-Id",
    "MCP-Protocol-Version",
    "X-Forwarded-For",
    "Accept",
];

/// What the protocol has sent back to its sender as it came, and is kept nowhere: by it an answer is known.
const MINE: (&str, &str) = ("/mcp", "id");

/// Each round has every place filled with a value of its own, as far as there are so many.
pub(super) fn every_field(trial: &mut Trial) {
    let rounds = std::mem::replace(&mut trial.rounds, usize::MAX);
    let mut samples = samples(trial);
    trial.rounds = rounds;
    samples.retain(|sample| sample.alone && sample.values[0].len() >= 12);
    // So many are enough for every place to have one, and the machine that looks for them stays small.
    samples.truncate(2_000);
    let mut eyes = Eyes::for_values(&samples);
    drop(get_used_to_everything(trial, &mut eyes));
    let mut desk = Desk::open(trial, "data");
    let routes = desk.house.routes();
    let mut turn = samples.iter().cycle();
    for _ in 0..rounds {
        for route in &routes {
            fill(trial, &mut desk.house, &mut eyes, route, &mut turn);
        }
        trial.round();
    }
    look_at_everything(trial, &mut desk, &mut eyes);
    desk.house.is_well(trial, "credentials in every field");
}

fn fill<'s>(
    trial: &mut Trial,
    house: &mut House,
    eyes: &mut Eyes,
    route: &Route,
    turn: &mut impl Iterator<Item = &'s Sample>,
) {
    let mut next = || turn.next().map_or("", |sample| sample.values[0].as_str());
    for (place, answer) in answers(house, route, &mut next) {
        trial.fault();
        let what = format!("the answer of {} to {place}", route.pattern);
        eyes.look_at(trial, &what, &answer.body);
        eyes.look_at(trial, &what, answer.head.as_bytes());
    }
}

/// What is answered where a plain word stands in every place.
pub(super) fn plain_answers(house: &mut House) -> Vec<Answer> {
    let routes = house.routes();
    let each = routes
        .iter()
        .flat_map(|route| answers(house, route, &mut || "heron"));
    each.map(|(_, answer)| answer).collect()
}

/// What a route answers with a value of its own in every place, one after the other.
fn answers<'s>(
    house: &mut House,
    route: &Route,
    next: &mut dyn FnMut() -> &'s str,
) -> Vec<(String, Answer)> {
    let mut answers: Vec<(String, Answer)> = Vec::new();
    let path = route.path(&[("container_tag", WORKSPACE)]);
    for (name, schema) in route.body.iter().flat_map(|(fields, _)| fields) {
        if (route.pattern.as_str(), name.as_str()) == MINE {
            continue;
        }
        let sent = with(route, name, fitting(schema, next()));
        let request = route.request(&house.operator, &path, sent.as_bytes());
        answers.push((format!("`{name}`"), house.ask(&request)));
    }
    for name in &route.query {
        let path = format!("{path}?{name}={}", percent(next()));
        let request = route.request(&house.operator, &path, b"{}");
        answers.push((format!("?{name}"), house.ask(&request)));
    }
    if route.pattern.contains('{') {
        let path = named(route, next);
        let request = route.request(&house.operator, &path, b"{}");
        answers.push(("its path".to_owned(), house.ask(&request)));
    }
    let value = next();
    if value.bytes().all(|byte| byte.is_ascii_graphic()) {
        let request = headed(house, route, &path, value);
        answers.push(("its headers".to_owned(), house.ask(&request)));
        let request = route.request(value, &path, b"{}");
        answers.push(("its credential".to_owned(), house.ask(&request)));
    }
    answers
}

/// A body of a route with this as one of its fields. What it says beside that is said for the first time, so that it is
/// kept.
fn with(route: &Route, name: &str, value: Value) -> String {
    let mut body = route.least();
    if body.contains_key("content") {
        let text = format!(
            "The keeper of `{name}` at {} is called Ines.",
            route.pattern
        );
        body.insert("content".to_owned(), json!(text));
    }
    body.insert(name.to_owned(), value);
    Value::Object(body).to_string()
}

/// A path of a route with a value in the place of each name.
fn named<'s>(route: &Route, next: &mut dyn FnMut() -> &'s str) -> String {
    let parts = route.pattern.split('/').map(|part| {
        if part.starts_with('{') {
            percent(next())
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

fn headed(house: &House, route: &Route, path: &str, value: &str) -> Vec<u8> {
    let bearer = format!("Bearer {}", house.operator);
    let cookie = format!("testimony_session={value}; other={value}");
    let mut headers = vec![
        ("Authorization", bearer.as_str()),
        ("Cookie", cookie.as_str()),
        ("Content-Type", "application/json"),
    ];
    headers.extend(HEADERS.iter().map(|name| (*name, value)));
    let body = Value::Object(route.least()).to_string();
    with_headers(&route.method, path, &headers, &body)
}

/// The value as what a field takes.
fn fitting(schema: &Value, value: &str) -> Value {
    let kinds = schema["type"].as_array().into_iter().flatten();
    let mut kinds = kinds.chain([&schema["type"]]);
    if kinds.clone().any(|kind| kind == "array") {
        return json!([value]);
    }
    if kinds.any(|kind| kind == "object") {
        return json!({ "note": value, value: [value] });
    }
    json!(value)
}
