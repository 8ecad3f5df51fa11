//! Writing: retain of one fact and of batches, durable before it is answered, with everything that admission does.

use serde_json::json;
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::server::{Served, path, prepared};
use crate::shared::client::{Together, post, together};
use crate::shared::data::Data;
use crate::turns::fact;

const CLIENTS: usize = 16;
const FACTS: usize = 4_000;
const BATCHES: usize = 150;
const A_BATCH: usize = 100;
const CLIENTS_WITH_BATCHES: usize = 4;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    let data = Data::new(setting.wanted.seed, false, 1);
    let prepared = prepared(setting, &data, 0);
    let served = Served::start(setting, prepared.folder.path());
    let facts = setting.wanted.part_of(FACTS);
    let one_by_one: Vec<_> = (0..facts)
        .map(|number| json!({ "content": fact(number) }))
        .map(|body| post(&prepared.key, &path("retain"), &body))
        .collect();
    let single = together(&served.address, CLIENTS, &one_by_one);
    let batches = setting.wanted.part_of(BATCHES);
    let in_batches: Vec<_> = (0..batches)
        .map(|batch| {
            let from = facts + batch * A_BATCH;
            let contents: Vec<String> = (from..from + A_BATCH).map(fact).collect();
            post(
                &prepared.key,
                &path("retain"),
                &json!({ "contents": contents }),
            )
        })
        .collect();
    let batched = together(&served.address, CLIENTS_WITH_BATCHES, &in_batches);
    served.stop();
    tell(&single, &batched, report);
}

fn tell(single: &Together, batched: &Together, report: &mut Report) {
    let mut add = |what: &str, value, unit, bar| report.add("retain", what, value, unit, bar);
    let rate = single.rate();
    add(
        "one fact, durable, 16 clients",
        rate,
        "/s",
        Bar::AtLeast(400.0),
    );
    add(
        "one fact, 16 clients, p50",
        single.times.at(0.5),
        "ms",
        Bar::None,
    );
    add(
        "one fact, memories an answer",
        saved(single) / single.answers.len() as f64,
        "",
        Bar::None,
    );
    let rate = saved(batched) / batched.seconds;
    add(
        "batches of 100, 4 clients",
        rate,
        "memories/s",
        Bar::AtLeast(2_000.0),
    );
    add(
        "a batch of 100, p50",
        batched.times.at(0.5),
        "ms",
        Bar::None,
    );
    let errors = (single.errors() + batched.errors()) as f64;
    add("errors", errors, "", Bar::AtMost(0.0));
}

/// How many memories the answers say were kept.
fn saved(load: &Together) -> f64 {
    let good = load.answers.iter().filter(|answer| answer.status == 200);
    let each = good.map(|answer| answer.json()["saved"].as_u64());
    each.map(|saved| saved.unwrap_or(0) as f64).sum()
}
