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
mod longmemeval;
mod set;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "other programs measure with the rest of it")]
mod shared;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use figures::{Figures, Seen};
use serde_json::{Value, json};
use set::{Category, Conversation, Observation, Question};
use shared::memory::Elsewhere;
use shared::room::Room;
use shared::weighed::weigh;

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
    /// Remember what was said, turn by turn, instead of what was observed.
    #[arg(long)]
    turns: bool,
    /// The file is in the public form of `LongMemEval`: each question has sessions of its own.
    #[arg(long, conflicts_with_all = ["turns", "evidence"])]
    longmemeval: bool,
    /// A file for a drawing of how far scores mean what they say.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw claims from the observations instead of keeping each as it stands.
    #[arg(long)]
    extract: bool,
    /// Name the questions that get none of their evidence.
    #[arg(long)]
    misses: bool,
    /// Have results ordered anew: by `local`, or by the name that an order has on the server at --url.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "local")]
    rerank: Option<String>,
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
    let conversations = if wanted.longmemeval {
        longmemeval::read(&wanted.data)
    } else {
        set::read(&wanted.data, wanted.turns)
    };
    for (number, conversation) in conversations.iter().enumerate() {
        let other = conversations.get((number + 1) % conversations.len());
        let foreign = other.filter(|_| !wanted.longmemeval && conversations.len() > 1);
        let both = (conversation, foreign);
        measure(number, both, &wanted, &mut figures, &mut evidence);
    }
    println!("{}", figures.table());
    if let Some(path) = wanted.svg {
        let title = "How often a returned row holds evidence";
        std::fs::write(path, figures.reliability().svg(title)).unwrap();
    }
    if let Some(path) = wanted.json {
        std::fs::write(path, figures.json().to_string()).unwrap();
    }
}

/// A conversation in a room of its own, with the turns of its observations.
struct Talk<'a> {
    room: Room,
    observations: &'a [Observation],
}

fn measure(
    number: usize,
    (conversation, foreign): (&Conversation, Option<&Conversation>),
    wanted: &CommandLine,
    figures: &mut Figures,
    evidence: &mut Option<BufWriter<File>>,
) {
    let mut talk = Talk {
        room: Room::new(&wanted.elsewhere, &format!("talk-{number}")),
        observations: &conversation.observations,
    };
    talk.room.order = wanted.rerank.clone();
    talk.room.retain(&talk.said(), wanted.extract);
    for question in &conversation.questions {
        let seen = talk.ask(&question.text);
        let found = |row: &Vec<String>| row.iter().any(|turn| question.evidence.contains(turn));
        if wanted.misses && question.is_answerable() && !seen.rows.iter().any(found) {
            println!("{number}: {}", question.text);
        }
        figures.add(question, &seen);
        if let Some(file) = evidence {
            let category = &question.category.0;
            talk.weigh(&set_of(wanted, number, category), question, file);
        }
    }
    for foreign in foreign.map_or_else(Vec::new, |other| of_another(other, conversation)) {
        figures.add_foreign(talk.ask(&foreign.text).best);
        if let Some(file) = evidence {
            let category = &foreign.category.0;
            talk.weigh(&set_of(wanted, number, category), &foreign, file);
        }
    }
}

/// What another conversation answers, asked of this one with the names of its own speakers.
fn of_another(other: &Conversation, own: &Conversation) -> Vec<Question> {
    let theirs = other.questions.iter().filter(|it| it.is_answerable());
    let foreign = theirs.map(|question| Question {
        text: question.asked_of(&other.speakers, &own.speakers),
        category: Category::FOREIGN.into(),
        evidence: BTreeSet::new(),
    });
    foreign.collect()
}

/// Of which set, which conversation and which kind a question is, as whoever fits weights reads it.
fn set_of(wanted: &CommandLine, number: usize, category: &str) -> Value {
    let set = if wanted.turns {
        "locomo turns"
    } else {
        "locomo"
    };
    json!({ "set": set, "world": number, "kind": category })
}

impl Talk<'_> {
    /// Every observation, named by its number.
    fn said(&self) -> Vec<(String, Value)> {
        let items = self.observations.iter().enumerate();
        let items = items.map(|(number, observation)| {
            let item = json!({
                "content": observation.text, "speaker": observation.speaker, "tags": observation.turns,
                "observed_at": observation.at.map(|at| at.to_string()),
            });
            (number.to_string(), item)
        });
        items.collect()
    }

    /// The turns of a row by its name; none for a row that is no observation.
    fn turns(&self, name: Option<&String>) -> Vec<String> {
        let number = name.and_then(|name| name.parse::<usize>().ok());
        let observation = number.and_then(|number| self.observations.get(number));
        let turns = observation.map(|observation| observation.turns.iter().cloned());
        turns.into_iter().flatten().collect()
    }

    /// Writes what speaks for every candidate of a question.
    fn weigh(&self, set: &Value, question: &Question, file: &mut impl Write) {
        let mut about = set.clone();
        about["q"] = json!(question.text);
        about["gold"] = json!(question.evidence);
        let turns = |name: Option<&String>| json!(self.turns(name));
        weigh(&self.room, &question.text, &about, turns, file);
    }

    fn ask(&mut self, question: &str) -> Seen {
        let body = json!({ "query": question, "limit": ROWS });
        let began = Instant::now();
        let answer = self.room.ask("recall", body);
        let micros = began.elapsed().as_micros() as u64;
        let turns = |list: &str| -> Vec<Vec<String>> {
            let names = self.room.names(&answer, list).into_iter();
            names.map(|name| self.turns(name)).collect()
        };
        let (results, related) = (turns("results"), turns("related_context"));
        Seen {
            answers: results.len(),
            best: best(&answer),
            scores: scores(&answer, "results"),
            rows: results.into_iter().chain(related).collect(),
            micros,
        }
    }
}

/// How well the best answer answers; 0 where there is none.
fn best(answer: &Value) -> f64 {
    scores(answer, "results").into_iter().fold(0.0, f64::max)
}

fn scores(answer: &Value, list: &str) -> Vec<f64> {
    let rows = answer[list].as_array().into_iter().flatten();
    let scores = rows.map(|row| row["answer_relevance_score"].as_f64().unwrap_or(0.0));
    scores.collect()
}
