//! Worlds of a handful of memories, and questions to them: what answers, what only stands near, when to abstain.
//!
//! A new case is a new line in `fixtures/recall/`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that cannot build its value has to fail its test"
)]

mod support;

use std::collections::BTreeMap;

use serde::Deserialize;
use support::{instant, memory, reader, score, searched, tag};
use testimony_domain::{
    Memory, MemoryId, MemoryKind, ReviewNeed, SequentialIds, SourceClass, Speaker, State,
    TrustPolicy, Validity,
};
use testimony_recall::{Channel, FallbackReason, Options, Request, Suppressed, TimeIntent, recall};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    world: String,
    id: String,
    text: String,
    kind: Option<String>,
    class: Option<String>,
    state: Option<String>,
    speaker: Option<String>,
    said: Option<String>,
    from: Option<String>,
    until: Option<String>,
    #[serde(default)]
    entities: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    review: Option<String>,
    #[serde(default)]
    contested: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    world: String,
    class: String,
    q: String,
    /// Exactly these rows answer.
    #[serde(default)]
    direct: Vec<String>,
    /// These rows may answer as well.
    #[serde(default)]
    also: Vec<String>,
    /// These rows stand in `related_context`.
    #[serde(default)]
    related: Vec<String>,
    /// These rows wait for confirmation.
    #[serde(default)]
    confirm: Vec<String>,
    /// This row answers best.
    first: Option<String>,
    #[serde(default)]
    semantic: BTreeMap<String, f64>,
    policy: Option<String>,
    time: Option<String>,
    fallback: Option<String>,
}

fn lines<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

fn remembered(ids: &SequentialIds, row: &Row) -> Memory {
    let mut made = memory(ids, &row.text);
    if let Some(kind) = &row.kind {
        made.kind = MemoryKind::parse("kind", kind).unwrap();
    }
    if let Some(class) = &row.class {
        made.class = SourceClass::parse("class", class).unwrap();
    }
    if let Some(state) = &row.state {
        made.state = State::parse("state", state).unwrap();
    }
    if let Some(said) = &row.said {
        made.observed_at = instant(said);
    }
    made.speaker = row
        .speaker
        .as_ref()
        .map(|it| Speaker::new("speaker", it).unwrap());
    made.review = row
        .review
        .as_ref()
        .map(|it| ReviewNeed::parse("review", it).unwrap());
    made.validity = Validity {
        from: row.from.as_deref().map(instant),
        until: row.until.as_deref().map(instant),
    };
    made.entities.clone_from(&row.entities);
    made.tags = row.tags.iter().map(|it| tag(it)).collect();
    made.contested = row.contested;
    made
}

/// The names of rows in the lanes of an answer.
struct Lanes {
    results: Vec<String>,
    related: Vec<String>,
    confirm: Vec<String>,
    fallback: Option<&'static str>,
    why_suppressed: String,
}

fn asked(question: &Question, rows: &[(String, Memory)]) -> Lanes {
    let mut options = Options::default();
    if let Some(policy) = &question.policy {
        options.trust_policy = TrustPolicy::parse("policy", policy).unwrap();
    }
    let time = question.time.as_ref();
    options.time_query = time.map(|it| TimeIntent::parse("time", it).unwrap());
    let memories: Vec<&Memory> = rows.iter().map(|(_, row)| row).collect();
    let mut candidates = searched(&question.q, &memories);
    for (candidate, (name, _)) in candidates.iter_mut().zip(rows) {
        if let Some(meaning) = question.semantic.get(name) {
            candidate.channels = candidate.channels.with(Channel::Semantic, score(*meaning));
        }
    }
    let who = reader();
    let request = Request::new(&question.q, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &candidates).answer;
    assert_eq!(answer.diagnostics.abstained, answer.results.is_empty());
    let name = |id: MemoryId| {
        let found = rows.iter().find(|(_, row)| row.id == id);
        found.map(|(name, _)| name.clone()).unwrap()
    };
    let held = |it: &Suppressed| format!(" {}: {}@{}", name(it.id), it.reason, it.stage);
    let diagnostics = &answer.diagnostics;
    Lanes {
        results: answer.results.iter().map(|it| name(it.memory.id)).collect(),
        related: answer
            .related_context
            .iter()
            .map(|it| name(it.memory.id))
            .collect(),
        confirm: answer
            .needs_confirmation
            .iter()
            .map(|it| name(it.row.memory.id))
            .collect(),
        fallback: diagnostics.fallback_reason.map(FallbackReason::as_str),
        why_suppressed: answer.suppressed.iter().map(held).collect(),
    }
}

/// What is wrong with the answer to a question; empty when nothing is.
fn complaint(question: &Question, rows: &[(String, Memory)]) -> String {
    let got = asked(question, rows);
    let allowed = |it: &String| question.direct.contains(it) || question.also.contains(it);
    let good = question.direct.iter().all(|it| got.results.contains(it))
        && got.results.iter().all(allowed)
        && question.related.iter().all(|it| got.related.contains(it))
        && question.confirm.iter().all(|it| got.confirm.contains(it))
        && (question.first.is_none() || question.first.as_ref() == got.results.first())
        && (question.fallback.is_none() || question.fallback.as_deref() == got.fallback);
    if good {
        return String::new();
    }
    let wanted = format!(
        "{:?} related {:?} confirm {:?}",
        question.direct, question.related, question.confirm
    );
    let found = format!(
        "{:?} related {:?} confirm {:?}",
        got.results, got.related, got.confirm
    );
    let (class, world, asked, why) = (
        &question.class,
        &question.world,
        &question.q,
        got.why_suppressed,
    );
    format!(
        "[{class} / {world}] {asked}\n  wanted {wanted}\n  got    {found} {:?}\n {why}\n",
        got.fallback
    )
}

#[test]
fn questions_are_answered_or_declined_as_they_should_be() {
    let ids = SequentialIds::default();
    let mut worlds: BTreeMap<String, Vec<(String, Memory)>> = BTreeMap::new();
    for row in lines::<Row>(include_str!("../../../fixtures/recall/memories.jsonl")) {
        let made = remembered(&ids, &row);
        worlds.entry(row.world).or_default().push((row.id, made));
    }
    let questions = lines::<Question>(include_str!("../../../fixtures/recall/questions.jsonl"));
    let mut tally: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut misses = String::new();
    for question in &questions {
        let complaint = complaint(question, &worlds[&question.world]);
        let (good, all) = tally.entry(&question.class).or_default();
        *good += usize::from(complaint.is_empty());
        *all += 1;
        misses.push_str(&complaint);
    }
    let good: usize = tally.values().map(|(good, _)| good).sum();
    println!("{misses}{tally:#?}\n{good} of {}", questions.len());
    assert!(questions.len() >= 120);
    assert!(
        good * 10 >= questions.len() * 9,
        "{good} of {}\n{misses}",
        questions.len()
    );
}
