//! The set: conversations in sessions, what was observed in them, and questions with the turns that answer them.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use testimony::domain::Timestamp;

/// Of what kind a question is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Category(pub(crate) String);

impl Category {
    /// Questions that nothing in the conversation answers.
    pub(crate) const NO_ANSWER: &str = "no answer";
    /// Questions that another conversation answers, with the names of this one in them.
    pub(crate) const FOREIGN: &str = "of another conversation";

    fn of(number: u64) -> Self {
        let name = match number {
            1 => "several turns",
            2 => "time",
            3 => "world knowledge",
            4 => "one turn",
            5 => Self::NO_ANSWER,
            _ => "other",
        };
        Self(name.to_owned())
    }
}

impl From<&str> for Category {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl PartialEq<&str> for Category {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

pub(crate) struct Conversation {
    /// Who speaks in it.
    pub(crate) speakers: Vec<String>,
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
    /// A number of the set, or, of another, the name in its place.
    pub(crate) category: Category,
    /// The turns that answer it, as far as an observation was made from them.
    pub(crate) evidence: BTreeSet<String>,
}

impl Question {
    /// The question with the names of others in it, so that nothing but what is asked for tells that it is not theirs.
    pub(crate) fn asked_of(&self, own: &[String], others: &[String]) -> String {
        let pairs = own.iter().zip(others);
        pairs.fold(self.text.clone(), |text, (name, other)| {
            text.replace(name.as_str(), other)
        })
    }

    pub(crate) fn is_answerable(&self) -> bool {
        self.category != Category::NO_ANSWER
    }
}

/// Reads the set: as it was observed, or turn by turn as it was said.
pub(crate) fn read(path: &Path, by_turn: bool) -> Vec<Conversation> {
    let all = json(path);
    all.iter().map(|it| conversation(it, by_turn)).collect()
}

/// The list in a file, which may be packed.
pub(crate) fn json(path: &Path) -> Vec<Value> {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut packed = flate2::read::GzDecoder::new(bytes.as_slice());
        packed.read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    serde_json::from_str(&text).unwrap()
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
            category: Category::of(question["category"].as_u64().unwrap()),
            evidence: evidence
                .into_iter()
                .filter(|it| known.contains(it))
                .collect(),
        }
    });
    let speakers = ["speaker_a", "speaker_b"].map(|name| value["conversation"][name].as_str());
    Conversation {
        speakers: speakers.into_iter().flatten().map(str::to_owned).collect(),
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
