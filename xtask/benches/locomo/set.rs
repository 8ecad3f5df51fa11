//! The set: conversations in sessions, what was observed in them, and questions with the turns that answer them.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use testimony::domain::Timestamp;

/// The category of questions that nothing in the conversation answers.
const UNANSWERABLE: u64 = 5;

pub(crate) struct Conversation {
    pub(crate) observations: Vec<Observation>,
    pub(crate) questions: Vec<Question>,
}

pub(crate) struct Observation {
    pub(crate) text: String,
    pub(crate) speaker: String,
    pub(crate) turns: BTreeSet<String>,
    pub(crate) at: Option<Timestamp>,
}

pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) category: u64,
    /// The turns that answer it, as far as an observation was made from them.
    pub(crate) evidence: BTreeSet<String>,
}

impl Question {
    pub(crate) const fn is_answerable(&self) -> bool {
        self.category != UNANSWERABLE
    }
}

/// Reads the set: as it was observed, or turn by turn as it was said.
pub(crate) fn read(path: &Path, by_turn: bool) -> Vec<Conversation> {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    all.iter().map(|it| conversation(it, by_turn)).collect()
}

fn conversation(value: &Value, by_turn: bool) -> Conversation {
    let observations = if by_turn {
        said(value)
    } else {
        observed(value)
    };
    let known: BTreeSet<&String> = observations.iter().flat_map(|it| &it.turns).collect();
    let questions = value["qa"].as_array().unwrap().iter().map(|question| {
        let evidence = turns(&question["evidence"]);
        Question {
            text: question["question"].as_str().unwrap().to_owned(),
            category: question["category"].as_u64().unwrap(),
            evidence: evidence
                .into_iter()
                .filter(|it| known.contains(it))
                .collect(),
        }
    });
    Conversation {
        questions: questions.collect(),
        observations,
    }
}

/// What was said, turn by turn, with the caption of what was shown.
fn said(value: &Value) -> Vec<Observation> {
    let talk = &value["conversation"];
    let sessions = (1..).map_while(|number| {
        let name = format!("session_{number}");
        Some((talk[&name].as_array()?, when(value, &name)))
    });
    let turn = |turn: &Value, at: Option<Timestamp>| {
        let text = turn["text"].as_str().unwrap_or_default();
        let shown = turn["blip_caption"].as_str();
        let shown = shown.map_or(String::new(), |caption| format!(" ({caption})"));
        Observation {
            text: format!("{text}{shown}"),
            speaker: turn["speaker"].as_str().unwrap_or_default().to_owned(),
            turns: turns(&turn["dia_id"]),
            at,
        }
    };
    sessions
        .flat_map(|(lines, at)| lines.iter().map(move |line| turn(line, at)))
        .collect()
}

fn when(value: &Value, session: &str) -> Option<Timestamp> {
    let said = value["conversation"][format!("{session}_date_time")].as_str();
    said.and_then(|said| testimony_admission::claims::parse_observed_at(said).ok())
}

fn observed(value: &Value) -> Vec<Observation> {
    let mut observations = Vec::new();
    for (name, speakers) in value["observation"].as_object().unwrap() {
        let session = name.strip_suffix("_observation").unwrap();
        let at = when(value, session);
        for (speaker, lines) in speakers.as_object().unwrap() {
            let lines = lines.as_array().unwrap().iter();
            observations.extend(lines.map(|line| Observation {
                text: line[0].as_str().unwrap().to_owned(),
                speaker: speaker.clone(),
                turns: turns(&line[1]),
                at,
            }));
        }
    }
    observations
}

/// Turns, however they are written: one, a list, or several in one text.
fn turns(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) => text
            .split(|c: char| !(c.is_alphanumeric() || c == ':'))
            .filter(|turn| !turn.is_empty())
            .map(str::to_owned)
            .collect(),
        Value::Array(values) => values.iter().flat_map(turns).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => BTreeSet::new(),
    }
}
