//! How much work a recall is, counted in instructions, so that it can be measured beside whatever else a machine does.
//!
//! ```sh
//! cargo build --release --package xtask --bench work
//! work fill FOLDER 100000 [80-words]
//! valgrind --tool=callgrind --toggle-collect='*measured*' work recall FOLDER 20 [80-words]
//! ```
//!
//! `recall` and `context` ask through the library, `json` through the routes without HTTP. A round of the same size warms
//! up before what is counted; its questions are others, or with `again` the same, whose rows are at hand then. `http` asks a server in this process over loopback, all of which
//! is counted: what a request costs is the difference between two runs.
//!
//! `answers` and `packets` count nothing: in the place of rows they print one number over all that is answered, so that
//! two builds can be told to answer alike.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the other programs measure with the rest of it")]
mod shared;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{Principal, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony_service::read::{ContextRequest, RecallAnswer, RecallRequest};
use testimony_transport::http::{Options, Server};
use testimony_transport::local::{Ask, ask};

use shared::client::{Client, post};
use shared::data::{Data, Dice, agent, container};
use shared::fill::{fill, make_containers};

/// As of `cargo xtask bench http`.
const SEED: u64 = 20_260_731;
const WORDS: usize = 5;

/// Asks one question, and says how many rows came back.
type Way = fn(&Testimony, &Principal, String) -> usize;

const WAYS: &[(&str, Way)] = &[
    ("recall", recall),
    ("context", context),
    ("json", json),
    ("answers", answers),
    ("packets", packets),
];

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let hard = words.contains(&"80-words");
    let data = Data::new(SEED, hard, 1);
    match words.as_slice() {
        ["fill", folder, rows, ..] => filled(Path::new(folder), &data, rows.parse().unwrap()),
        ["http", folder, count, ..] => over_http(Path::new(folder), count.parse().unwrap()),
        [way, folder, count, ..] => {
            let way = WAYS.iter().find(|(name, _)| name == way).unwrap().1;
            let again = words.contains(&"again");
            asked(
                Path::new(folder),
                &data,
                (way, again),
                count.parse().unwrap(),
            );
        }
        _ => println!("work fill FOLDER ROWS | work recall|context|json|http FOLDER QUESTIONS"),
    }
}

fn filled(folder: &Path, data: &Data, rows: usize) {
    let memory = Testimony::open(folder).unwrap();
    let ledger = memory.store().ledger();
    make_containers(&*ledger, data);
    fill(&*ledger, data, 0..rows);
    let order = KeyOrder::agent("bench", container(0), agent(0), SourceClass::UserStatement);
    let key = memory.service().make_key(Actor::Service, order).unwrap();
    std::fs::write(folder.join("key"), key.credential.reveal()).unwrap();
    memory.store().snapshot().unwrap();
}

fn asked(folder: &Path, data: &Data, (way, again): (Way, bool), count: usize) {
    let memory = Testimony::open(folder).unwrap();
    let key = std::fs::read_to_string(folder.join("key")).unwrap();
    let who = memory.service().authenticate(Some(&key)).unwrap();
    while memory.service().index().health().reached != memory.service().index().health().ledger {
        std::thread::yield_now();
    }
    let mut dice = Dice::seeded(data.seed ^ 0xA5A5);
    let mut questions = || -> Vec<String> {
        let question = |_| data.words(&mut dice, WORDS).join(" ");
        (0..count).map(question).collect()
    };
    let first = questions();
    let counted = if again { first.clone() } else { questions() };
    let warm: usize = first.into_iter().map(|it| way(&memory, &who, it)).sum();
    let rows = measured(|| counted.into_iter().map(|it| way(&memory, &who, it)).sum());
    println!("{warm} rows for the first {count} questions, {rows} for those that count");
}

/// The same question again and again, by one client.
fn over_http(folder: &Path, count: usize) {
    let memory = Testimony::open(folder).unwrap();
    let key = std::fs::read_to_string(folder.join("key")).unwrap();
    let path = format!("/api/v2/containers/{}/recall", container(0));
    let request = post(&key, &path, &json!({ "query": "Where does Mara work?" }));
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().worker_threads(2).build().unwrap();
    let options = Options {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..Options::default()
    };
    let server = Server::bind(options, Arc::clone(memory.service()));
    let server = runtime.block_on(server).unwrap();
    let address = server.address().to_string();
    runtime.spawn(server.serve_until(std::future::pending()));
    let mut client = Client::to(&address);
    let answered = (0..count).filter(|_| client.send(&request).status == 200);
    println!("{} of {count} were answered", answered.count());
}

/// What is counted. It does something after the work, so that it is still under way while that is done.
#[inline(never)]
fn measured(work: impl FnOnce() -> usize) -> usize {
    std::hint::black_box(work())
}

fn recall(memory: &Testimony, who: &Principal, question: String) -> usize {
    recalled(memory, who, question, |answer| {
        answer.recall.answer.results.len()
    })
}

fn answers(memory: &Testimony, who: &Principal, question: String) -> usize {
    recalled(memory, who, question, told)
}

fn context(memory: &Testimony, who: &Principal, question: String) -> usize {
    packed(memory, who, question, |answer| {
        answer.packet.citations.len()
    })
}

fn packets(memory: &Testimony, who: &Principal, question: String) -> usize {
    packed(memory, who, question, told)
}

/// What is made of an answer.
type Make = fn(RecallAnswer<'_>) -> usize;

fn recalled(memory: &Testimony, who: &Principal, question: String, make: Make) -> usize {
    let request = RecallRequest::of(question);
    let answered = memory.service().recall(who, &container(0), &request, make);
    answered.unwrap()
}

fn packed(memory: &Testimony, who: &Principal, question: String, make: Make) -> usize {
    let request = ContextRequest {
        user_message: question,
        ..ContextRequest::default()
    };
    let answered = memory.service().context(who, &container(0), &request, make);
    answered.unwrap()
}

/// A number over everything that is answered; half of a digest, so that many add up.
fn told(answer: RecallAnswer<'_>) -> usize {
    let mut digest = DefaultHasher::new();
    format!("{:?} {:?}", answer.recall, answer.packet).hash(&mut digest);
    (digest.finish() >> 32) as usize
}

fn json(memory: &Testimony, who: &Principal, question: String) -> usize {
    let body = Map::from_iter([("query".to_owned(), Value::from(question))]);
    let asked = Ask {
        method: "POST",
        path: &format!("/api/v2/containers/{}/recall", container(0)),
        input: body,
        idempotency_key: None,
    };
    let reply = ask(memory.service(), None, who.clone(), &asked);
    reply.unwrap().into_json().to_string().len()
}
