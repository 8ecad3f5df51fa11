//! The transport: a recall on an empty container beside bare hyper that reads the same body and answers a fixed one.

use std::process::Command;

use serde_json::json;
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::server::{Served, path, prepared};
use crate::shared::client::{Client, post, together};
use crate::shared::data::Data;

const CLIENTS: usize = 16;
const REQUESTS: usize = 20_000;
const ROUNDS: usize = 3;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    let data = Data::new(setting.wanted.seed, false, 1);
    let prepared = prepared(setting, &data, 0);
    let served = Served::start(setting, prepared.folder.path());
    let body = json!({ "query": "Where does Mara work?" });
    let request = post(&prepared.key, &path("recall"), &body);
    let answer = Client::to(&served.address).send(&request);
    assert_eq!(answer.status, 200);
    let file = prepared.folder.path().join("answer.json");
    std::fs::write(&file, &answer.body).unwrap();
    let mut floor = Command::new(std::env::current_exe().unwrap());
    let bare = Served::run(floor.arg("--bare").arg(&file), None);
    let requests = vec![request; setting.wanted.part_of(REQUESTS)];
    let (mut ours, mut theirs, mut errors) = (0_f64, 0_f64, 0);
    for _ in 0..ROUNDS {
        for (address, best) in [(&served.address, &mut ours), (&bare.address, &mut theirs)] {
            let load = together(address, CLIENTS, &requests);
            *best = best.max(load.rate());
            errors += load.errors();
        }
    }
    let mut add = |what: &str, value, unit, bar| report.add("transport", what, value, unit, bar);
    add(
        "recall on an empty container, 16 clients",
        ours,
        "/s",
        Bar::None,
    );
    add(
        "bare hyper, the same bodies, 16 clients",
        theirs,
        "/s",
        Bar::None,
    );
    add(
        "share of the bare rate",
        ours / theirs,
        "",
        Bar::AtLeast(0.4),
    );
    add(
        "errors",
        f64::from(u32::try_from(errors).unwrap()),
        "",
        Bar::AtMost(0.0),
    );
    let resident = served.resident() / 1e6;
    add("resident after that load", resident, "MB", Bar::None);
    served.stop();
}
