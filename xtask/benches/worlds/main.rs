//! What `cargo xtask eval worlds` runs: small worlds with questions of every kind, through the routes of the service.
//!
//! Every memory is retained under its name in the world, at its time and with its speaker; every question is a recall, and
//! every task a packet.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

mod figures;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "other programs measure with the rest of it")]
mod shared;

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use serde_json::json;
use shared::memory::Elsewhere;
use shared::room::Room;
use shared::weighed::weigh;
use xtask::eval::worlds::{Kind, Question, World, read};

use figures::{Figures, Seen};

/// Worlds, measured.
#[derive(Parser)]
struct CommandLine {
    /// The folder with the worlds.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// A file for the figures.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// A file for what speaks for every candidate of every question, one line each, to fit weights with.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    evidence: Option<PathBuf>,
    /// Ask only the worlds that weights and rules were tuned on, or only the others.
    #[arg(long, value_enum)]
    half: Option<Half>,
    /// A file for a drawing of how far scores mean what they say.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw claims from the memories instead of keeping each as it stands.
    #[arg(long)]
    extract: bool,
    /// Tell every memory by itself, so that it meets those before it, instead of a hundred with one request.
    #[arg(long)]
    apart: bool,
    /// Name the questions that were not answered as they should be.
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

/// A half of the worlds, by their names.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Half {
    /// Names up to K.
    Tuned,
    /// Names from L on.
    Untuned,
}

impl Half {
    fn has(self, name: &str) -> bool {
        let tuned = name.chars().next().is_some_and(|first| first < 'l');
        match self {
            Self::Tuned => tuned,
            Self::Untuned => !tuned,
        }
    }
}

fn main() -> ExitCode {
    let wanted = CommandLine::parse();
    let worlds = match read(&wanted.data) {
        Ok(worlds) => worlds.into_iter(),
        Err(trouble) => {
            eprintln!("{trouble}");
            return ExitCode::FAILURE;
        }
    };
    let mut figures = Figures::default();
    let evidence = wanted.evidence.as_ref();
    let mut evidence = evidence.map(|path| BufWriter::new(File::create(path).unwrap()));
    for world in worlds.filter(|world| wanted.half.is_none_or(|half| half.has(&world.name))) {
        measure(&world, &wanted, &mut figures, &mut evidence);
    }
    if let Some(path) = &wanted.svg {
        let title = "How often a result answers";
        std::fs::write(path, figures.reliability().svg(title)).unwrap();
    }
    let report = figures.report();
    report.print(&mut std::io::stdout()).unwrap();
    if let Some(path) = &wanted.json {
        std::fs::write(path, format!("{:#}\n", report.to_json())).unwrap();
    }
    ExitCode::SUCCESS
}

fn measure(
    world: &World,
    wanted: &CommandLine,
    figures: &mut Figures,
    evidence: &mut Option<BufWriter<File>>,
) {
    let mut room = Room::new(&wanted.elsewhere, &world.name);
    let said = world.memories.iter().map(|said| {
        let item =
            json!({ "content": said.text, "observed_at": said.date, "speaker": said.author });
        (said.k.clone(), item)
    });
    room.order = wanted.rerank.clone();
    if wanted.apart {
        room.told_at_once = 1;
    }
    room.retain(&said.collect::<Vec<_>>(), wanted.extract);
    let (kept, said) = (room.rows(), world.memories.len());
    if kept < said {
        println!("{}: {kept} rows of {said} memories", world.name);
    }
    for question in &world.questions {
        let seen = ask(&mut room, question);
        if wanted.misses && !seen.is_right(question) {
            println!("{} {}: {}", world.name, question.kind, question.q);
        }
        figures.add(question, &seen);
        if let Some(file) = evidence {
            let about = json!({
                "set": "worlds", "world": world.name, "q": question.q, "kind": question.kind.as_str(),
                "gold": question.gold, "results": seen.results, "related": seen.related, "packet": seen.packet,
            });
            weigh(&room, &question.q, &about, |name| json!(name), file);
        }
    }
}

fn ask(room: &mut Room, question: &Question) -> Seen {
    let (route, field) = if question.kind == Kind::Task {
        ("agent/context", "user_message")
    } else {
        ("recall", "query")
    };
    let began = Instant::now();
    let answer = room.ask(route, json!({ field: question.q }));
    let took = began.elapsed();
    let names = |list: &str| -> Vec<String> {
        let names = room.names(&answer, list).into_iter();
        names.flatten().cloned().collect()
    };
    let scores = |list: &str| -> Vec<f64> {
        let rows = answer[list].as_array().into_iter().flatten();
        let scores = rows.map(|row| row["answer_relevance_score"].as_f64().unwrap_or(0.0));
        scores.collect()
    };
    Seen {
        scores: scores("results"),
        best: scores("results").into_iter().fold(0.0, f64::max),
        results: names("results"),
        related: names("related_context"),
        packet: names("memories"),
        took,
    }
}
