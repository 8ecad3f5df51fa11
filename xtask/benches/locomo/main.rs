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

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use figures::{Figures, Seen};
use serde_json::json;
use set::{Conversation, Question};
use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, Memory, Principal, RecallLimit, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::recall::{Channel, Options, Recalled, assess};
use testimony::write::{Item, RetainRequest};

/// Recall over long conversations, measured.
#[derive(Parser)]
struct CommandLine {
    /// The file with the conversations, packed with gzip.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// A file for what speaks for every candidate of every question, one line each, to fit weights with.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// A file for the figures.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let CommandLine {
        data,
        evidence,
        json,
        ..
    } = CommandLine::parse();
    let mut figures = Figures::default();
    let mut evidence = evidence.map(|path| std::io::BufWriter::new(File::create(path).unwrap()));
    for (number, conversation) in set::read(&data).iter().enumerate() {
        let talk = Talk::kept(conversation);
        for question in &conversation.questions {
            figures.add(question, &talk.ask(question));
            if let Some(file) = &mut evidence {
                talk.weigh(number, question, file);
            }
        }
    }
    println!("{}", figures.table());
    if let Some(path) = json {
        std::fs::write(path, figures.json().to_string()).unwrap();
    }
}

/// A conversation in a memory of its own, and who listened to it.
struct Talk {
    memory: Testimony,
    container: ContainerTag,
    listener: Principal,
}

impl Talk {
    fn kept(conversation: &Conversation) -> Self {
        let memory = Testimony::open_in_memory().unwrap();
        let container = ContainerTag::new("container", "talks").unwrap();
        let agent = AgentId::new("agent", "listener").unwrap();
        let class = SourceClass::UserStatement;
        let order = KeyOrder::agent("listener", container.clone(), agent, class);
        let service = memory.service();
        let key = service.make_key(Actor::Service, order).unwrap();
        let bearer = key.credential.reveal();
        let listener = service.authenticate(Some(&bearer)).unwrap();
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
        Self {
            memory,
            container,
            listener,
        }
    }

    fn ask(&self, question: &Question) -> Seen {
        let service = self.memory.service();
        let began = Instant::now();
        let mut seen = service
            .recall(
                &self.listener,
                &self.container,
                &asked(question),
                |answer| {
                    let answer = &answer.recall.answer;
                    let rows = |rows: &[Recalled<'_>]| -> Vec<Vec<String>> {
                        rows.iter().map(|row| turns(row.memory)).collect()
                    };
                    let best = answer.results.first();
                    Seen {
                        answers: answer.results.len(),
                        best: best.map_or(0.0, |row| row.answer_relevance_score.get()),
                        rows: [rows(&answer.results), rows(&answer.related_context)].concat(),
                        micros: 0,
                    }
                },
            )
            .unwrap();
        seen.micros = began.elapsed().as_micros() as u64;
        seen
    }

    /// Writes what speaks for every candidate: a line of JSON each.
    fn weigh(&self, number: usize, question: &Question, file: &mut impl Write) {
        let service = self.memory.service();
        let asked = asked(question);
        let weighed = service.weigh(&self.listener, &self.container, &asked, |request, rows| {
            for row in rows {
                let assessment = assess(request, row);
                let evidence = &assessment.evidence;
                let channels = Channel::ALL.iter().map(|it| evidence.channel(*it));
                let line = json!({
                    "conversation": number,
                    "question": question.text,
                    "category": question.category,
                    "evidence": question.evidence,
                    "turns": turns(row.memory),
                    "row": row.memory.content.as_str(),
                    "said_at": row.memory.observed_at.to_string(),
                    "channels": channels.collect::<Vec<f64>>(),
                    "overlap": evidence.overlap,
                    "attribute": evidence.attribute,
                    "missing_keys": evidence.missing_keys,
                    "matched_terms": evidence.matched_terms,
                    "phrase": evidence.phrase,
                    "names": evidence.names,
                    "profile": evidence.profile_hits,
                    "subject": format!("{:?}", evidence.subject),
                    "excluded": evidence.excluded,
                    "relevance": assessment.relevance.get(),
                    "direct": assessment.fit.direct,
                    "degree": assessment.fit.degree,
                });
                writeln!(file, "{line}").unwrap();
            }
        });
        weighed.unwrap();
    }
}

fn asked(question: &Question) -> RecallRequest {
    RecallRequest {
        options: Options {
            limit: RecallLimit::clamped(10),
            ..Options::default()
        },
        ..RecallRequest::of(question.text.clone())
    }
}

fn turns(row: &Memory) -> Vec<String> {
    row.tags.iter().map(ToString::to_string).collect()
}
