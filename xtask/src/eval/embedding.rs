//! How well vectors alone find the memory that answers a question, in long conversations with known evidence.
//!
//! One memory for every observation, under the ids of the turns that it was made from.
//! The question is the query; what counts is how much of its evidence stands among the first memories by cosine.
//! Left out are questions without an answer in memory, and evidence that no observation was made from: nothing could find it.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use testimony_embedding::{Embedder, StaticEmbedder, Transformer, Vector};

use crate::{Outcome, Task, Trouble, shell};

const FILE: &str = "locomo-dev.json.gz";
/// The category of questions that nothing in the conversation answers.
const UNANSWERABLE: u64 = 5;
/// How many memories are looked at.
const DEPTHS: [usize; 2] = [5, 10];
/// The least recall among the first five for the static embedder.
const BAR: f64 = 0.62;

/// What is to be measured.
pub struct EmbeddingEval<'a> {
    /// The folder with the conversations.
    pub data: &'a Path,
    /// A table other than the one in the binary.
    pub table: Option<&'a Path>,
    /// The folder of a sentence model, to be measured beside the table.
    pub model: Option<&'a Path>,
    /// A file for the figures.
    pub json: Option<&'a Path>,
    /// Whether a missed bar is a failure.
    pub check: bool,
}

/// A conversation: its memories, and the questions about them.
struct Conversation {
    memories: Vec<Memory>,
    questions: Vec<Question>,
}

struct Memory {
    text: String,
    turns: BTreeSet<String>,
}

struct Question {
    text: String,
    evidence: BTreeSet<String>,
}

/// Sums over questions, one for each depth.
#[derive(Default)]
struct Recall {
    questions: usize,
    found: [f64; DEPTHS.len()],
}

impl Recall {
    fn at(&self, depth: usize) -> f64 {
        self.found.get(depth).copied().unwrap_or_default() / self.questions.max(1) as f64
    }
}

/// Measures the table, and a sentence model where one is named.
///
/// # Errors
/// [`Trouble`] when data, table or model cannot be read.
pub fn embedding(wanted: &EmbeddingEval<'_>, out: &mut dyn Write) -> Task {
    let conversations = read(&wanted.data.join(FILE))?;
    let table = match wanted.table {
        None => StaticEmbedder::built_in()?,
        Some(file) => StaticEmbedder::from_bytes(&shell::read(file)?)?,
    };
    let of_table = recall(&conversations, &table)?;
    let mut rows = vec![(table.identity().name.clone(), &of_table)];
    let of_model;
    if let Some(folder) = wanted.model {
        let model = Transformer::open(folder)?;
        of_model = recall(&conversations, &model)?;
        rows.push((model.identity().name.clone(), &of_model));
    }
    writeln!(
        out,
        "{:<40} {:>9} {:>9} {:>9}",
        "embedder", "questions", "first 5", "first 10"
    )?;
    for (name, recall) in &rows {
        let [five, ten] = [recall.at(0), recall.at(1)].map(|share| share * 100.0);
        writeln!(
            out,
            "{name:<40} {:>9} {five:>8.1}% {ten:>8.1}%",
            recall.questions
        )?;
    }
    if let Some(path) = wanted.json {
        let figures = rows.iter().map(|(name, recall)| {
            json!({"embedder": name, "questions": recall.questions, "first_5": recall.at(0), "first_10": recall.at(1)})
        });
        shell::write(path, &format!("{:#}\n", Value::from_iter(figures)))?;
    }
    Ok(Outcome::held_if(!wanted.check || of_table.at(0) >= BAR))
}

fn recall(conversations: &[Conversation], embedder: &dyn Embedder) -> Result<Recall, Trouble> {
    let mut recall = Recall::default();
    for conversation in conversations {
        let memories: Vec<&str> = conversation
            .memories
            .iter()
            .map(|one| one.text.as_str())
            .collect();
        let memories = embedder.embed(&memories)?;
        let questions: Vec<&str> = conversation
            .questions
            .iter()
            .map(|one| one.text.as_str())
            .collect();
        for (question, vector) in conversation
            .questions
            .iter()
            .zip(embedder.embed(&questions)?)
        {
            let ranked = rank(&conversation.memories, &memories, vector.as_ref());
            recall.questions += 1;
            for (found, depth) in recall.found.iter_mut().zip(DEPTHS) {
                let first: BTreeSet<&String> = ranked
                    .iter()
                    .take(depth)
                    .flat_map(|memory| &memory.turns)
                    .collect();
                let hits = question
                    .evidence
                    .iter()
                    .filter(|turn| first.contains(turn))
                    .count();
                *found += hits as f64 / question.evidence.len() as f64;
            }
        }
    }
    Ok(recall)
}

/// The memories from the nearest to the farthest; those without a vector come last.
fn rank<'a>(
    memories: &'a [Memory],
    vectors: &[Option<Vector>],
    question: Option<&Vector>,
) -> Vec<&'a Memory> {
    let nearness = |vector: &Option<Vector>| {
        let cosine = vector.as_ref()?.cosine(question?).ok()?;
        Some(cosine)
    };
    let mut ranked: Vec<(f32, &Memory)> = memories
        .iter()
        .zip(vectors)
        .map(|(memory, vector)| (nearness(vector).unwrap_or(-2.0), memory))
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked.into_iter().map(|(_, memory)| memory).collect()
}

fn read(file: &Path) -> Result<Vec<Conversation>, Trouble> {
    let malformed = |what: String| Trouble::Malformed {
        place: file.display().to_string(),
        what,
    };
    let text = shell::read_gzip(file)?;
    let json: Value = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    let conversations = json
        .as_array()
        .map(|all| all.iter().map(conversation).collect());
    conversations.ok_or_else(|| malformed("is no list of conversations".to_owned()))
}

fn conversation(json: &Value) -> Conversation {
    let sessions = json.get("observation").and_then(Value::as_object);
    let speakers = sessions
        .into_iter()
        .flat_map(|all| all.values().filter_map(Value::as_object));
    let memories: Vec<Memory> = speakers
        .flat_map(|all| all.values().filter_map(Value::as_array).flatten())
        .filter_map(memory)
        .collect();
    let known: BTreeSet<&String> = memories.iter().flat_map(|memory| &memory.turns).collect();
    let questions = json
        .get("qa")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let questions = questions.filter_map(|one| question(one, &known)).collect();
    Conversation {
        memories,
        questions,
    }
}

fn memory(json: &Value) -> Option<Memory> {
    Some(Memory {
        text: json.get(0)?.as_str()?.to_owned(),
        turns: turns(json.get(1)?),
    })
}

fn question(json: &Value, known: &BTreeSet<&String>) -> Option<Question> {
    if json.get("category")?.as_u64()? == UNANSWERABLE {
        return None;
    }
    let mut evidence = turns(json.get("evidence")?);
    evidence.retain(|turn| known.contains(turn));
    (!evidence.is_empty()).then_some(Question {
        text: json.get("question")?.as_str()?.to_owned(),
        evidence,
    })
}

/// One id, a list of ids, or several ids in one word.
fn turns(json: &Value) -> BTreeSet<String> {
    let one = json.as_str().into_iter();
    let many = json
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    one.chain(many)
        .flat_map(|words| words.split([';', ',', ' ']))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Conversation {
        conversation(&json!({
            "observation": {"session_1": {"Ada": [["Ada keeps bees on the roof.", "D1:1"], ["Ada sold her car.", ["D1:2", "D1:3"]]]}},
            "qa": [
                {"question": "What animals does Ada keep?", "evidence": ["D1:1"], "category": 1},
                {"question": "Did Ada sell a vehicle?", "evidence": ["D1:2; D1:3", "D9:9"], "category": 2},
                {"question": "What is Ada's shoe size?", "evidence": ["D1:1"], "category": 5},
                {"question": "Who is Bo?", "evidence": ["D9:9"], "category": 1},
            ],
        }))
    }

    #[test]
    fn what_cannot_be_found_is_left_out() {
        let sample = sample();
        assert_eq!(sample.memories.len(), 2);
        let evidence: Vec<usize> = sample
            .questions
            .iter()
            .map(|one| one.evidence.len())
            .collect();
        assert_eq!(evidence, [1, 2]);
    }

    #[test]
    fn with_few_memories_everything_is_among_the_first() {
        let table = StaticEmbedder::built_in().unwrap();
        let recall = recall(&[sample()], &table).unwrap();
        assert_eq!((recall.questions, recall.at(0)), (2, 1.0));
    }
}
