//! Reading: recall and agent context over many memories, alone and together.

use serde_json::json;
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::server::{Prepared, Served, path, prepared};
use crate::shared::client::{Request, alone, post, together};
use crate::shared::data::{Data, Dice};

const QUESTIONS: usize = 300;
const TOGETHER: usize = 3_200;
const CLIENTS: usize = 16;
/// How many words a question has.
const WORDS: usize = 5;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    for (hard, name) in [(false, "Zipf"), (true, "80 words")] {
        let data = Data::new(setting.wanted.seed, hard, 1);
        let prepared = prepared(setting, &data, setting.wanted.rows());
        let served = Served::start(setting, prepared.folder.path());
        let questions = questions(&data, setting.wanted.part_of(TOGETHER).max(20));
        let asked = Asked {
            name,
            served: &served,
            prepared: &prepared,
        };
        asked.recall(setting, &questions, report);
        asked.context(setting, &questions, report);
        served.stop();
    }
}

/// Questions of words as the memories have them.
pub(crate) fn questions(data: &Data, count: usize) -> Vec<String> {
    let mut dice = Dice::seeded(data.seed ^ 0xA5A5);
    (0..count)
        .map(|_| data.words(&mut dice, WORDS).join(" "))
        .collect()
}

struct Asked<'a> {
    name: &'static str,
    served: &'a Served,
    prepared: &'a Prepared,
}

impl Asked<'_> {
    fn requests(&self, route: &str, field: &str, questions: &[String]) -> Vec<Request> {
        let request = |question: &String| {
            let body = json!({ field: question });
            post(&self.prepared.key, &path(route), &body)
        };
        questions.iter().map(request).collect()
    }

    fn recall(&self, setting: &Setting, questions: &[String], report: &mut Report) {
        let requests = self.requests("recall", "query", questions);
        let few = &requests[..setting.wanted.part_of(QUESTIONS).clamp(10, requests.len())];
        let one = alone(&self.served.address, few);
        let many = together(&self.served.address, CLIENTS, &requests);
        let mut add = |what: &str, value: f64, unit, bar| {
            report.add("recall", format!("{}: {what}", self.name), value, unit, bar);
        };
        let p50 = one.least.at(0.5);
        add("recall, 1 client, p50", p50, "ms", Bar::AtMost(5.0));
        let p99 = one.least.at(0.99);
        add("recall, 1 client, p99", p99, "ms", Bar::AtMost(20.0));
        let as_it_came = one.all.at(0.99);
        add(
            "recall, 1 client, p99 of every round",
            as_it_came,
            "ms",
            Bar::None,
        );
        let rate = many.rate();
        add("recall, 16 clients", rate, "/s", Bar::AtLeast(400.0));
        add(
            "recall, 16 clients, p50",
            many.times.at(0.5),
            "ms",
            Bar::None,
        );
        let errors = (one.errors + many.errors()) as f64;
        add("recall, errors", errors, "", Bar::AtMost(0.0));
    }

    fn context(&self, setting: &Setting, questions: &[String], report: &mut Report) {
        let few = setting.wanted.part_of(QUESTIONS).clamp(10, questions.len());
        let requests = self.requests("agent/context", "user_message", &questions[..few]);
        let one = alone(&self.served.address, &requests);
        let mut add = |what: &str, value: f64, unit, bar| {
            report.add("recall", format!("{}: {what}", self.name), value, unit, bar);
        };
        let p50 = one.least.at(0.5);
        add("agent context, 1 client, p50", p50, "ms", Bar::AtMost(8.0));
        add(
            "agent context, 1 client, p99",
            one.least.at(0.99),
            "ms",
            Bar::None,
        );
        add(
            "agent context, errors",
            one.errors as f64,
            "",
            Bar::AtMost(0.0),
        );
    }
}
