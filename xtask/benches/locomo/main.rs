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
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "other programs measure with the rest of it")]
mod shared;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use figures::{Figures, Seen};
use serde_json::{Map, Value, json};
use set::{Conversation, Question};
use shared::memory::{Asked, Elsewhere};
use testimony::domain::{Memory, UserId};
use testimony::read::RecallRequest;
use testimony::recall::{Assessment, Channel, assess};

/// How many rows a question asks for.
const ROWS: usize = 10;

/// Recall over long conversations, measured.
#[derive(Parser)]
struct CommandLine {
    /// The file with the conversations, packed with gzip.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// A file for what speaks for every candidate of every question, one line each, to fit weights with.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    evidence: Option<PathBuf>,
    /// A file for the figures.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw claims from the observations instead of keeping each as it stands.
    #[arg(long)]
    extract: bool,
    /// Name the questions that get none of their evidence.
    #[arg(long)]
    misses: bool,
    #[command(flatten)]
    elsewhere: Elsewhere,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let wanted = CommandLine::parse();
    let mut figures = Figures::default();
    let evidence = wanted.evidence.as_ref();
    let mut evidence = evidence.map(|path| BufWriter::new(File::create(path).unwrap()));
    for (number, conversation) in set::read(&wanted.data).iter().enumerate() {
        measure(number, conversation, &wanted, &mut figures, &mut evidence);
    }
    println!("{}", figures.table());
    if let Some(path) = wanted.json {
        std::fs::write(path, figures.json().to_string()).unwrap();
    }
}

/// A conversation in a memory of its own, or in a room of its own on a server.
struct Room {
    asked: Asked,
    person: String,
    /// The turns of every row.
    turns: HashMap<String, Vec<String>>,
}

fn measure(
    number: usize,
    conversation: &Conversation,
    wanted: &CommandLine,
    figures: &mut Figures,
    evidence: &mut Option<BufWriter<File>>,
) {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut room = Room {
        asked: Asked::new(&wanted.elsewhere),
        person: format!("talk-{number}-{}", since.as_millis()),
        turns: HashMap::new(),
    };
    room.fill(conversation, wanted.extract);
    for question in &conversation.questions {
        let seen = room.ask(question);
        let found = |row: &Vec<String>| row.iter().any(|turn| question.evidence.contains(turn));
        if wanted.misses && question.is_answerable() && !seen.rows.iter().any(found) {
            println!("{number}: {}", question.text);
        }
        figures.add(question, &seen);
        if let Some(file) = evidence {
            room.weigh(number, question, file);
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else {
        return Map::new();
    };
    members
}

impl Room {
    fn fill(&mut self, conversation: &Conversation, extract: bool) {
        for (first, observations) in conversation.observations.chunks(100).enumerate() {
            let items = observations.iter().enumerate().map(|(number, observation)| {
                json!({
                    "content": observation.text, "speaker": observation.speaker,
                    "observed_at": observation.at.map(|at| at.to_string()),
                    "tags": observation.turns, "custom_id": format!("{}/{first}/{number}", self.person),
                })
            });
            let body = json!({
                "contents": items.collect::<Vec<_>>(),
                "auto_extract": extract, "user_id": self.person,
            });
            let answer = self.asked.ask("retain", object(body));
            let rows = answer["memories"].as_array().into_iter().flatten();
            for row in rows {
                let number = row["custom_id"]
                    .as_str()
                    .and_then(|it| it.rsplit('/').next());
                let number = number.and_then(|it| it.parse().ok());
                let observation = number.and_then(|number: usize| observations.get(number));
                if let (Some(id), Some(observation)) = (row["id"].as_str(), observation) {
                    let turns = observation.turns.iter().cloned();
                    self.turns.insert(id.to_owned(), turns.collect());
                }
            }
        }
    }

    fn ask(&mut self, question: &Question) -> Seen {
        let body = json!({ "query": question.text, "limit": ROWS, "user_id": self.person });
        let began = Instant::now();
        let answer = self.asked.ask("recall", object(body));
        let micros = began.elapsed().as_micros() as u64;
        let turns = |list: &str| -> Vec<Vec<String>> {
            let rows = answer[list].as_array().into_iter().flatten();
            let ids = rows.filter_map(|row| row["id"].as_str());
            ids.map(|id| self.turns.get(id).cloned().unwrap_or_default())
                .collect()
        };
        let (results, related) = (turns("results"), turns("related_context"));
        Seen {
            answers: results.len(),
            best: answer["results"][0]["answer_relevance_score"]
                .as_f64()
                .unwrap_or(0.0),
            rows: results.into_iter().chain(related).collect(),
            micros,
        }
    }

    /// Writes what speaks for every candidate: a line of JSON each.
    fn weigh(&self, number: usize, question: &Question, file: &mut impl Write) {
        let Some((memory, who, container)) = self.asked.here() else {
            return;
        };
        let mut asked = RecallRequest::of(question.text.clone());
        asked.claim.labels.user = Some(UserId::new("user_id", &self.person).unwrap());
        let weighed = memory
            .service()
            .weigh(who, &container, &asked, |request, rows| {
                for row in rows {
                    let turns = self.turns.get(&row.memory.id.to_string());
                    let line = weighed(&assess(request, row), row.memory, question);
                    let of = json!({ "conversation": number, "turns": turns });
                    writeln!(file, "{}", json!([of, line])).unwrap();
                }
            });
        weighed.unwrap();
    }
}

fn weighed(assessment: &Assessment, row: &Memory, question: &Question) -> Value {
    let evidence = &assessment.evidence;
    let channels = Channel::ALL.iter().map(|it| evidence.channel(*it));
    json!({
        "question": question.text,
        "category": question.category,
        "evidence": question.evidence,
        "row": row.content.as_str(),
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
    })
}
