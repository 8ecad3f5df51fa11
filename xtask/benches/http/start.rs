//! Starting: how long until the server is ready, how large its program is, and how much memory it takes.

use std::time::Instant;

use serde_json::json;
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::reading::questions;
use crate::server::{Served, path, prepared};
use crate::shared::client::{Client, post};
use crate::shared::data::Data;

const STARTS: usize = 3;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    of_the_program(setting, report);
    of_an_empty_store(setting, report);
    of_many_memories(setting, report);
}

/// As the build leaves it, and so as people get it.
fn of_the_program(setting: &Setting, report: &mut Report) {
    let size = std::fs::metadata(&setting.server).unwrap().len() as f64 / 1e6;
    report.add("start", "program", size, "MB", Bar::AtMost(60.0));
}

fn of_an_empty_store(setting: &Setting, report: &mut Report) {
    let data = Data::new(setting.wanted.seed, false, 1);
    let prepared = prepared(setting, &data, 0);
    let served = Served::start(setting, prepared.folder.path());
    let request = post(
        &prepared.key,
        &path("recall"),
        &json!({ "query": "Who is Mara?" }),
    );
    assert_eq!(Client::to(&served.address).send(&request).status, 200);
    let name = "resident with an empty store";
    report.add(
        "start",
        name,
        served.resident() / 1e6,
        "MB",
        Bar::AtMost(120.0),
    );
    served.stop();
}

fn of_many_memories(setting: &Setting, report: &mut Report) {
    let (data, rows) = (
        Data::new(setting.wanted.seed, false, 1),
        setting.wanted.rows(),
    );
    let prepared = prepared(setting, &data, rows);
    let question = questions(&data, 1).remove(0);
    let request = post(
        &prepared.key,
        &path("recall"),
        &json!({ "query": question }),
    );
    let (mut ready, mut first, mut resident) = (f64::MAX, f64::MAX, 0.0);
    for _ in 0..STARTS {
        let served = Served::start(setting, prepared.folder.path());
        let start = Instant::now();
        assert_eq!(Client::to(&served.address).send(&request).status, 200);
        ready = ready.min(served.started_in.as_secs_f64());
        first = first.min(start.elapsed().as_secs_f64() * 1e3);
        resident = served.resident() / 1e6;
        served.stop();
    }
    let mut add = |what: &str, value, unit, bar| {
        report.add("start", format!("{what} {rows} memories"), value, unit, bar);
    };
    add("ready, over", ready, "s", Bar::AtMost(2.0));
    add("the first recall after that, over", first, "ms", Bar::None);
    add("resident after that, over", resident, "MB", Bar::None);
}
