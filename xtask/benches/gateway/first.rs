//! The first word: how much later it comes through the gateway than from the model itself.

use std::time::Duration;

use serde_json::json;
use xtask::bench::{Bar, Report};

use super::{Gateway, Setting};
use crate::asked::{Listener, question};
use crate::model::QUICK;
use crate::shared::data::{Data, Dice, container};
use crate::shared::machine::Times;

const QUESTIONS: usize = 200;
const ROUNDS: usize = 5;
/// How many words a question has.
const WORDS: usize = 5;

/// The ways to the model.
const WAYS: [&str; 3] = ["directly", "through the gateway", "with memory"];

pub(crate) fn measure(setting: &Setting, data: &Data, report: &mut Report) {
    let gateway = Gateway::start(setting, data, setting.wanted.rows);
    let memory = json!({ "container_tag": container(0).as_str() });
    let mut dice = Dice::seeded(data.seed ^ 0x5A5A);
    let mut ways = [
        Listener::to(&gateway.model.address.to_string()),
        Listener::to(&gateway.served.address),
        Listener::to(&gateway.served.address),
    ];
    let mut least = vec![[Duration::MAX; WAYS.len()]; QUESTIONS];
    let questions: Vec<String> = (0..QUESTIONS)
        .map(|_| data.words(&mut dice, WORDS).join(" "))
        .collect();
    for _ in 0..ROUNDS {
        for (text, least) in questions.iter().zip(&mut least) {
            let memories = [None, None, Some(&memory)];
            for ((way, least), memory) in ways.iter_mut().zip(least).zip(memories) {
                let request = question(gateway.key(), QUICK, text, memory);
                let took = way.first_word(&request);
                way.rest();
                *least = took.min(*least);
            }
        }
    }
    tell(&least, report);
    gateway.served.stop();
}

fn tell(least: &[[Duration; WAYS.len()]], report: &mut Report) {
    let mut add = |what: String, times: &Times, share, bar| {
        report.add("first", what, times.at(share), "ms", bar);
    };
    for (at, way) in WAYS.iter().enumerate() {
        let of_way = least.iter().map(|all| all[at]).collect::<Vec<_>>();
        add(format!("{way}, p50"), &Times::from(of_way), 0.5, Bar::None);
    }
    for (at, way) in WAYS.iter().enumerate().skip(1) {
        let later = least.iter().map(|all| all[at].saturating_sub(all[0]));
        let later = Times::from(later.collect::<Vec<_>>());
        add(format!("added {way}, p50"), &later, 0.5, Bar::AtMost(10.0));
        add(format!("added {way}, p99"), &later, 0.99, Bar::None);
    }
}
