//! What `cargo xtask eval worlds` runs: small worlds with questions of every kind, through the routes of the service.
//!
//! Every memory is retained under its name in the world, at its time and with its speaker; every question is a recall, and
//! every task a packet.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
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
    /// Draw claims from the memories instead of keeping each as it stands.
    #[arg(long)]
    extract: bool,
    /// Name the questions that were not answered as they should be.
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
    for world in read(&wanted.data).unwrap() {
        measure(&world, &wanted, &mut figures, &mut evidence);
    }
    let report = figures.report();
    report.print(&mut std::io::stdout()).unwrap();
    if let Some(path) = &wanted.json {
        std::fs::write(path, format!("{:#}\n", report.to_json())).unwrap();
    }
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
    Seen {
        results: names("results"),
        related: names("related_context"),
        packet: names("memories"),
        took,
    }
}
