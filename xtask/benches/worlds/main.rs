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

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use serde_json::{Map, Value, json};
use shared::memory::{Asked, Elsewhere};
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
    for world in read(&wanted.data).unwrap() {
        measure(&world, &wanted, &mut figures);
    }
    let report = figures.report();
    report.print(&mut std::io::stdout()).unwrap();
    if let Some(path) = &wanted.json {
        std::fs::write(path, format!("{:#}\n", report.to_json())).unwrap();
    }
}

/// A world in a memory of its own, or in a room of its own on a server.
struct Room {
    asked: Asked,
    person: String,
    /// The name in the world of every row.
    names: HashMap<String, String>,
}

fn measure(world: &World, wanted: &CommandLine, figures: &mut Figures) {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut room = Room {
        asked: Asked::new(&wanted.elsewhere),
        person: format!("{}-{}", world.name, since.as_millis()),
        names: HashMap::new(),
    };
    room.fill(world, wanted.extract);
    for question in &world.questions {
        let seen = room.ask(question);
        if wanted.misses && !seen.is_right(question) {
            println!("{} {}: {}", world.name, question.kind, question.q);
        }
        figures.add(question, &seen);
    }
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else {
        return Map::new();
    };
    members
}

impl Room {
    fn fill(&mut self, world: &World, extract: bool) {
        for part in world.memories.chunks(100) {
            let items = part.iter().map(|said| {
                json!({
                    "content": said.text, "custom_id": format!("{}/{}", self.person, said.k), "observed_at": said.date,
                    "speaker": said.author,
                })
            });
            let body = json!({
                "contents": items.collect::<Vec<_>>(),
                "auto_extract": extract, "user_id": self.person,
            });
            let answer = self.asked.ask("retain", object(body));
            let rows = answer["memories"].as_array().into_iter().flatten();
            for row in rows {
                let name = row["custom_id"]
                    .as_str()
                    .and_then(|it| it.rsplit('/').next());
                let id = row["id"].as_str();
                if let Some((id, name)) = id.zip(name) {
                    self.names.insert(id.to_owned(), name.to_owned());
                }
            }
        }
        let kept = self.names.len();
        if kept < world.memories.len() {
            println!(
                "{}: {kept} rows of {} memories",
                world.name,
                world.memories.len()
            );
        }
    }

    fn ask(&mut self, question: &Question) -> Seen {
        let (route, field) = if question.kind == Kind::Task {
            ("agent/context", "user_message")
        } else {
            ("recall", "query")
        };
        let body = object(json!({ field: question.q, "user_id": self.person }));
        let began = Instant::now();
        let answer = self.asked.ask(route, body);
        let took = began.elapsed();
        let names = |list: &str| -> Vec<String> {
            let rows = answer[list].as_array().into_iter().flatten();
            let ids = rows.filter_map(|row| row["id"].as_str());
            ids.filter_map(|id| self.names.get(id).cloned()).collect()
        };
        Seen {
            results: names("results"),
            related: names("related_context"),
            packet: names("memories"),
            took,
        }
    }
}
