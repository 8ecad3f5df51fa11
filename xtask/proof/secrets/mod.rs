//! Credentials through every way in, and then a look at every byte that there is: files, logs, answers, pages.
//!
//! The values are those of the folder that `--data` names, or made up. Not a stretch of eight characters of one may be
//! anywhere, whatever it is in.

mod eyes;
mod places;
mod samples;
mod split;
mod ways;

use std::process::Command;

use serde_json::json;

use crate::asking::{House, WORKSPACE, all_see, within};
use crate::console::{Browser, named};
use crate::server::Server;
use crate::trial::{Family, Scenario, Trial};
use eyes::Eyes;
use samples::Sample;

pub(crate) const FAMILY: Family = Family {
    name: "secrets",
    passes_when: "no eight characters of any value that is caught, on disk, in logs, metrics, answers or pages",
    scenarios: &[
        Scenario::new("credentials through every way in", 60, 100_000, every_way),
        Scenario::new(
            "credentials in every field of every route",
            1,
            12,
            places::every_field,
        ),
        Scenario::new("credentials over two rows", 20, 1_000, split::over_two_rows),
    ],
    canary: Scenario::new("credentials that no rule knows", 1, 1, planted),
};

/// Each round is one text with a credential, through the ways in whose turn it is.
fn every_way(trial: &mut Trial) {
    let samples = samples::samples(trial);
    let mut eyes = Eyes::for_values(&samples);
    get_used_to_everything(trial, &mut eyes);
    let mut house = listening(trial, "data");
    for (at, sample) in samples.iter().enumerate() {
        ways::send(trial, &mut house, &mut eyes, sample, at);
        trial.round();
    }
    look_at_everything(trial, &mut house, &mut eyes);
    let folder = house.server.folder.clone();
    house.is_well(trial, "credentials");
    house.server.stop();
    eyes.look_below(trial, &folder, "after the end");
    trial.remark(told(&samples, &eyes));
}

fn told(samples: &[Sample], eyes: &Eyes) -> String {
    let (count, looked) = (samples.len(), eyes.looked >> 20);
    let values: usize = samples.iter().map(|it| it.values.len()).sum();
    format!("{values} values of {count} texts were looked for in {looked} MiB")
}

/// A server that logs all that it can.
fn listening(trial: &Trial, name: &str) -> House {
    House::open_with(trial, name, &["--log", "debug"])
}

/// What a server says and keeps that has never seen a value.
fn get_used_to_everything(trial: &mut Trial, eyes: &mut Eyes) {
    let mut house = listening(trial, "clean");
    let agent = house.agent.clone();
    house.retain(&agent, &json!({ "content": "Ines keeps a boat." }));
    for (_, bytes) in everything_read(&mut house) {
        eyes.get_used_to(&bytes);
    }
    // What is said of a field is said whatever stands in it.
    let by_field = places::plain_answers(&mut house);
    for answer in by_field.into_iter().chain(ways::plain_answers(&mut house)) {
        eyes.get_used_to(&answer.body);
    }
    let folder = house.server.folder.clone();
    eyes.get_used_to(house.log().as_bytes());
    drop(house);
    for file in eyes::files_below(&folder) {
        eyes.get_used_to(&std::fs::read(file).unwrap_or_default());
    }
}

/// Answers, pages, metrics, the log, the files of the folder, a backup and an export.
fn look_at_everything(trial: &mut Trial, house: &mut House, eyes: &mut Eyes) {
    for (place, bytes) in everything_read(house) {
        eyes.look_at(trial, &place, &bytes);
    }
    eyes.look_at(trial, "the log", house.log().as_bytes());
    back_up(trial, &house.server);
    let folder = house.server.folder.clone();
    eyes.look_below(trial, &folder, "while it runs");
}

fn back_up(trial: &mut Trial, server: &Server) {
    let mut command = Command::new(trial.program);
    let backup = server.folder.join("copy.backup");
    command
        .arg("backup")
        .arg(backup)
        .arg("--data")
        .arg(&server.folder);
    let said = command.output().unwrap();
    if !said.status.success() {
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        trial.broken(format!("no backup: {said:.200}"));
    }
}

/// Everything that can be read: every route that only reads, with ids of what is there, and every page.
fn everything_read(house: &mut House) -> Vec<(String, Vec<u8>)> {
    let operator = house.operator.clone();
    let mut read = Vec::new();
    for path in paths(house) {
        let answer = house.get(&operator, &path);
        read.push((path, answer.body));
    }
    for (route, body) in [
        (
            "recall",
            json!({ "query": "What does the ferry office need?", "limit": 50, "view": "forensic" }),
        ),
        (
            "agent/context",
            json!({ "user_message": "What does the deploy need?", "max_context_tokens": 8_000 }),
        ),
        (
            "reflect",
            json!({ "query": "What is to be kept for Friday?" }),
        ),
    ] {
        let answer = house.post(&operator, &within(WORKSPACE, route), &body);
        read.push((route.to_owned(), answer.body));
    }
    if named(house, "mara", "admin").is_empty() {
        return read;
    }
    let pages = Browser::enter(house, "mara", None).map(|it| it.pages(house, MOST_PAGES));
    read.extend(
        pages
            .into_iter()
            .flatten()
            .map(|(path, page)| (format!("page {path}"), page.body)),
    );
    read
}

/// So many pages are looked at; each memory has one of its own.
const MOST_PAGES: usize = 150;
/// So many rows of each list are looked at one by one.
const MOST_ROWS: usize = 40;

/// Paths of everything that is read by operators: lists to their ends, and what they list.
fn paths(house: &mut House) -> Vec<String> {
    let routes = house.routes();
    let reading = routes.iter().filter(|route| !route.changes_something());
    let plain = reading.filter(|route| {
        !route
            .path(&[("container_tag", WORKSPACE)])
            .contains("_0000")
    });
    let mut paths: Vec<String> = plain
        .flat_map(|route| {
            let path = route.path(&[("container_tag", WORKSPACE)]);
            let has_pages = route.query.iter().any(|name| name == "after");
            if has_pages {
                house.pages_of(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    let memories = format!("/api/v1/admin/containers/{WORKSPACE}/memories");
    for id in house.listed(&memories, "id").into_iter().take(MOST_ROWS) {
        paths.push(format!("/api/v1/admin/memories/{id}"));
        paths.push(format!("/api/v1/admin/memories/{id}/history"));
        paths.push(format!(
            "/api/v1/memories/{id}/courtroom?query=What%20is%20it%3F"
        ));
    }
    let reviews = format!("/api/v1/containers/{WORKSPACE}/reviews");
    for id in house.listed(&reviews, "id").into_iter().take(MOST_ROWS) {
        paths.push(format!("{reviews}/{id}"));
    }
    paths
}

fn planted(trial: &mut Trial) {
    all_see(
        trial,
        &[
            ("a value on disk", on_disk),
            ("a value in an answer", in_an_answer),
            ("a value in the log", in_the_log),
            ("a value that two rows show together", split::shown_together),
        ],
    );
}

/// A word that no rule takes for a credential, looked for as if it were one.
fn word() -> Vec<Sample> {
    let word = "marzipanschatulle";
    vec![Sample {
        label: "a plain word".to_owned(),
        text: format!("The word of the house is {word}."),
        left: String::new(),
        values: vec![word.to_owned()],
        alone: false,
    }]
}

fn told_to_a_house(trial: &mut Trial, name: &str) -> (House, Eyes) {
    let samples = word();
    let mut house = listening(trial, name);
    let agent = house.agent.clone();
    house.retain(&agent, &json!({ "content": samples[0].text }));
    (house, Eyes::for_values(&samples))
}

fn on_disk(trial: &mut Trial) {
    let (house, mut eyes) = told_to_a_house(trial, "disk");
    let folder = house.server.folder.clone();
    house.server.stop();
    eyes.look_below(trial, &folder, "after the end");
}

fn in_an_answer(trial: &mut Trial) {
    let (mut house, mut eyes) = told_to_a_house(trial, "answer");
    for (place, bytes) in everything_read(&mut house) {
        eyes.look_at(trial, &place, &bytes);
    }
}

fn in_the_log(trial: &mut Trial) {
    let (house, mut eyes) = told_to_a_house(trial, "log");
    let log = format!("{}{}", house.log(), word()[0].text);
    eyes.look_at(trial, "the log", log.as_bytes());
}
