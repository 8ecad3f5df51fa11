//! What `cargo xtask eval locomo` runs: long conversations with known evidence, through the whole service.
//!
//! One memory for every observation, tagged with the turns that it was made from, kept as it stands and at the time of
//! its session.
//! Every question is a recall; what counts is how much of its evidence stands among the first rows, and whether the
//! service answers where something answers and abstains where nothing does.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

mod figures;
mod set;

use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use figures::{Figures, Seen};
use set::{Conversation, Question};
use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, Principal, RecallLimit, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::recall::{Options, Recalled};
use testimony::write::{Item, RetainRequest};

/// Recall over long conversations, measured.
#[derive(Parser)]
struct CommandLine {
    /// The file with the conversations, packed with gzip.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// A file for the figures.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let CommandLine { data, json, .. } = CommandLine::parse();
    let mut figures = Figures::default();
    for conversation in set::read(&data) {
        measure(&conversation, &mut figures);
    }
    println!("{}", figures.table());
    if let Some(path) = json {
        std::fs::write(path, figures.json().to_string()).unwrap();
    }
}

fn measure(conversation: &Conversation, figures: &mut Figures) {
    let memory = Testimony::open_in_memory().unwrap();
    let container = ContainerTag::new("container", "talks").unwrap();
    let agent = AgentId::new("agent", "listener").unwrap();
    let order = KeyOrder::agent(
        "listener",
        container.clone(),
        agent,
        SourceClass::UserStatement,
    );
    let service = memory.service();
    let key = service.make_key(Actor::Service, order).unwrap();
    let listener = service
        .authenticate(Some(&key.credential.reveal()))
        .unwrap();
    for observations in conversation.observations.chunks(100) {
        let items = observations.iter().map(|observation| Item {
            observed_at: observation.at,
            speaker: Some(observation.speaker.clone()),
            tags: observation.turns.iter().cloned().collect(),
            ..Item::of(observation.text.clone())
        });
        let request = RetainRequest {
            items: items.collect(),
            is_batch: true,
            extract: false,
            ..RetainRequest::default()
        };
        service.retain(&listener, &container, &request).unwrap();
    }
    for question in &conversation.questions {
        figures.add(question, &ask(&memory, &listener, &container, question));
    }
}

fn ask(
    memory: &Testimony,
    listener: &Principal,
    container: &ContainerTag,
    question: &Question,
) -> Seen {
    let request = RecallRequest {
        options: Options {
            limit: RecallLimit::clamped(10),
            ..Options::default()
        },
        ..RecallRequest::of(question.text.clone())
    };
    let began = Instant::now();
    let mut seen = memory
        .service()
        .recall(listener, container, &request, |answer| {
            let answer = &answer.recall.answer;
            let turns = |row: &Recalled<'_>| -> Vec<String> {
                row.memory.tags.iter().map(ToString::to_string).collect()
            };
            let results: Vec<Vec<String>> = answer.results.iter().map(turns).collect();
            let related = answer.related_context.iter().map(turns);
            Seen {
                answers: results.len(),
                best: answer
                    .results
                    .first()
                    .map_or(0.0, |row| row.answer_relevance_score.get()),
                rows: results.iter().cloned().chain(related).collect(),
                micros: 0,
            }
        })
        .unwrap();
    seen.micros = began.elapsed().as_micros() as u64;
    seen
}
