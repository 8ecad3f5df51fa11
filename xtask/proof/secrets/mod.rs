//! Credentials through every way in, and then a look at every byte that there is: files, logs, answers, pages.
//!
//! The values are those of the folder that `--data` names, or made up. Not a stretch of eight characters of one may be
//! anywhere, whatever it is in.

mod desk;
mod eyes;
mod places;
mod samples;
mod split;
mod ways;
mod whole;

use std::process::Command;

use serde_json::json;

use crate::asking::{House, WORKSPACE, all_see, within};
use crate::server::Server;
use crate::trial::{Family, Scenario, Trial};
use desk::Desk;
use eyes::Eyes;
use samples::Sample;
use ways::{WAYS, Way};

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
    let mut clean = get_used_to_everything(trial, &mut eyes);
    whole::is_whole(trial, &mut clean, WAYS);
    drop(clean);
    let mut desk = Desk::open(trial, "data");
    for (at, sample) in samples.iter().enumerate() {
        ways::send(trial, &mut desk, &mut eyes, sample, at);
        trial.round();
    }
    look_at_everything(trial, &mut desk, &mut eyes);
    let folder = desk.house.server.folder.clone();
    desk.house.is_well(trial, "credentials");
    desk.house.server.stop();
    eyes.look_below(trial, &folder, "after the end");
    trial.remark(told(&samples, &eyes));
}

fn told(samples: &[Sample], eyes: &Eyes) -> String {
    let (count, looked) = (samples.len(), eyes.looked >> 20);
    let values: usize = samples.iter().map(|it| it.values.len()).sum();
    let ways = WAYS.len();
    format!(
        "{values} values of {count} texts were sent by {ways} ways and looked for in {looked} MiB"
    )
}

/// What a server says and keeps that has never seen a value; the server is given back.
fn get_used_to_everything(trial: &mut Trial, eyes: &mut Eyes) -> Desk {
    let mut desk = Desk::open(trial, "clean");
    let agent = desk.house.agent.clone();
    desk.house
        .retain(&agent, &json!({ "content": "Ines keeps a boat." }));
    // What is said of a field is said whatever stands in it.
    let by_field = places::plain_answers(&mut desk.house);
    for answer in by_field.into_iter().chain(ways::plain_answers(&mut desk)) {
        eyes.get_used_to(&answer.body);
    }
    for (_, bytes) in everything_read(trial, &mut desk) {
        eyes.get_used_to(&bytes);
    }
    eyes.get_used_to(desk.house.log().as_bytes());
    for file in eyes::files_below(&desk.house.server.folder) {
        eyes.get_used_to(&std::fs::read(file).unwrap_or_default());
    }
    desk
}

/// Answers, pages, metrics, the log, the files of the folder, a backup and an export.
fn look_at_everything(trial: &mut Trial, desk: &mut Desk, eyes: &mut Eyes) {
    for (place, bytes) in everything_read(trial, desk) {
        eyes.look_at(trial, &place, &bytes);
    }
    let house = &desk.house;
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
fn everything_read(trial: &mut Trial, desk: &mut Desk) -> Vec<(String, Vec<u8>)> {
    let house = &mut desk.house;
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
    let pages = desk.browser.pages(house, MOST_PAGES);
    if pages.iter().all(|(_, page)| page.status != 200) {
        trial.broken("no page of the console was there to be looked at");
    }
    let pages = pages.into_iter();
    read.extend(pages.map(|(path, page)| (format!("page {path}"), page.body)));
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
            ("a route that takes a text and has no way", a_missing_way),
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

fn told_to_a_desk(trial: &mut Trial, name: &str) -> (Desk, Eyes) {
    let samples = word();
    let mut desk = Desk::open(trial, name);
    let agent = desk.house.agent.clone();
    desk.house
        .retain(&agent, &json!({ "content": samples[0].text }));
    (desk, Eyes::for_values(&samples))
}

fn on_disk(trial: &mut Trial) {
    let (desk, mut eyes) = told_to_a_desk(trial, "disk");
    let folder = desk.house.server.folder.clone();
    desk.house.server.stop();
    eyes.look_below(trial, &folder, "after the end");
}

fn in_an_answer(trial: &mut Trial) {
    let (mut desk, mut eyes) = told_to_a_desk(trial, "answer");
    for (place, bytes) in everything_read(trial, &mut desk) {
        eyes.look_at(trial, &place, &bytes);
    }
}

fn in_the_log(trial: &mut Trial) {
    let (desk, mut eyes) = told_to_a_desk(trial, "log");
    let log = format!("{}{}", desk.house.log(), word()[0].text);
    eyes.look_at(trial, "the log", log.as_bytes());
}

fn a_missing_way(trial: &mut Trial) {
    let mut desk = Desk::open(trial, "way");
    let erases = |way: &&Way| way.route.ends_with("/erasures");
    let first = WAYS.iter().position(|way| erases(&way)).unwrap();
    whole::is_whole(trial, &mut desk, &WAYS[..first]);
}
