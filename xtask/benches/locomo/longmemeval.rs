//! The public form of `LongMemEval`: questions, each with the sessions among which its answer stands.
//!
//! Every question is a conversation of its own; every turn of its sessions is a memory, tagged with its session, and
//! the sessions that answer it are its evidence. A question whose id ends in `_abs` has no answer there.

use std::path::Path;

use serde_json::Value;

use crate::set::{Category, Conversation, Observation, Question, json};

/// Reads the set.
pub(crate) fn read(path: &Path) -> Vec<Conversation> {
    json(path).iter().map(conversation).collect()
}

fn conversation(value: &Value) -> Conversation {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let category = if text("question_id").ends_with("_abs") {
        Category::NO_ANSWER.to_owned()
    } else {
        text("question_type")
    };
    let evidence = value["answer_session_ids"].as_array().into_iter().flatten();
    let evidence = evidence.filter_map(Value::as_str).map(str::to_owned);
    let question = Question {
        text: text("question"),
        category: Category(category),
        evidence: evidence.collect(),
    };
    Conversation {
        speakers: Vec::new(),
        observations: observations(value),
        questions: vec![question],
    }
}

fn observations(value: &Value) -> Vec<Observation> {
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let (ids, dates) = (list("haystack_session_ids"), list("haystack_dates"));
    let sessions = list("haystack_sessions");
    let mut all = Vec::new();
    for (number, session) in sessions.iter().enumerate() {
        let id = ids.get(number).and_then(Value::as_str).unwrap_or_default();
        let date = dates.get(number).and_then(Value::as_str);
        let at = date.and_then(|it| testimony_admission::claims::parse_observed_at(it).ok());
        let turns = session.as_array().into_iter().flatten();
        let turns = turns.filter_map(|turn| turn["content"].as_str().zip(turn["role"].as_str()));
        all.extend(turns.map(|(content, role)| Observation {
            text: content.to_owned(),
            speaker: role.to_owned(),
            turns: [id.to_owned()].into(),
            at,
        }));
    }
    all
}
