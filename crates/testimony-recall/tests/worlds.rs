//! Worlds of a handful of memories, and questions to them: what answers, what only stands near, when to abstain.
//!
//! A new case is a new line in `fixtures/recall/`. How each question was read and each row judged stands beside it, in
//! `answers.txt`, so that a change of a weight or of a rule shows as changed lines; `UPDATE_EXPECT=1 cargo test` writes
//! it anew.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that cannot build its value has to fail its test"
)]

mod support;

use std::collections::BTreeMap;

use expect_test::expect_file;
use serde::Deserialize;
use support::{instant, memory, reader, score, searched, tag};
use testimony_domain::{
    Memory, MemoryId, MemoryKind, ReviewNeed, SequentialIds, SourceClass, Speaker, State,
    TrustPolicy, Validity,
};
use testimony_recall::{
    Assessment, Candidate, Channel, Diagnostics, FallbackReason, Options, Reading, Request,
    Suppressed, TimeIntent, assess, recall,
};

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
    /// It is known that the answer is not yet as it should be.
    #[serde(default)]
    missed: bool,
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
    counts: String,
}

/// Every count of the diagnostics that is not zero.
fn counts(said: &Diagnostics) -> String {
    let counts = [
        ("strict", said.strict_suppressed_count),
        ("caution", said.balanced_caution_count),
        ("current_only", usize::from(said.current_state_only_top1)),
        ("semantic", said.semantic_count),
        ("keyword", said.keyword_count),
        ("entity", said.entity_count),
        ("profile", said.profile_count),
        ("lexical", said.lexical_count),
        ("entity_hits", said.entity_hits_merged),
        ("entity_promoted", said.entity_signal_promoted_count),
        (
            "single_keyword",
            said.single_signal_keyword_suppressed_count,
        ),
        ("stale", said.stale_suppressed_count),
        ("weak_lexical", said.weak_lexical_suppressed_count),
        ("weak_keyword", said.weak_keyword_suppressed_count),
        ("direct", said.direct_answer_count),
        ("supporting", said.supporting_context_count),
        ("tangential", said.tangential_context_count),
        ("tangential_suppressed", said.tangential_suppressed_count),
    ];
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    counts
        .map(|(name, count)| format!(" {name}={count}"))
        .collect()
}

/// A world: its rows by name.
type World = Vec<(String, Memory)>;

impl Question {
    fn options(&self) -> Options {
        let mut options = Options::default();
        if let Some(policy) = &self.policy {
            options.trust_policy = TrustPolicy::parse("policy", policy).unwrap();
        }
        let time = self.time.as_ref();
        options.time_query = time.map(|it| TimeIntent::parse("time", it).unwrap());
        options
    }

    /// What a search would hand in.
    fn found<'w>(&self, rows: &'w [(String, Memory)]) -> Vec<Candidate<'w>> {
        let memories: Vec<&Memory> = rows.iter().map(|(_, row)| row).collect();
        let mut candidates = searched(&self.q, &memories);
        for (candidate, (name, _)) in candidates.iter_mut().zip(rows) {
            if let Some(meaning) = self.semantic.get(name) {
                candidate.channels = candidate.channels.with(Channel::Semantic, score(*meaning));
            }
        }
        candidates
    }
}

fn asked(question: &Question, rows: &[(String, Memory)]) -> Lanes {
    let (options, candidates) = (question.options(), question.found(rows));
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
        counts: counts(diagnostics),
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

fn worlds() -> BTreeMap<String, World> {
    let ids = SequentialIds::default();
    let mut worlds: BTreeMap<String, World> = BTreeMap::new();
    for row in lines::<Row>(include_str!("../../../fixtures/recall/memories.jsonl")) {
        let made = remembered(&ids, &row);
        worlds.entry(row.world).or_default().push((row.id, made));
    }
    worlds
}

fn questions() -> Vec<Question> {
    lines(include_str!("../../../fixtures/recall/questions.jsonl"))
}

#[test]
fn questions_are_answered_or_declined_as_they_should_be() {
    let (worlds, questions) = (worlds(), questions());
    let mut misses = String::new();
    for question in &questions {
        let complaint = complaint(question, &worlds[&question.world]);
        match (question.missed, complaint.is_empty()) {
            (false, false) => misses.push_str(&complaint),
            (true, true) => misses.push_str(&format!("{}: no longer missed\n", question.q)),
            (false, true) | (true, false) => {}
        }
    }
    assert!(misses.is_empty(), "{misses}");
    let missed = questions.iter().filter(|it| it.missed).count();
    assert!(questions.len() >= 120 && missed * 8 <= questions.len());
}

/// How a question was read, in a line.
fn read(reading: &Reading) -> String {
    let terms = reading.focus.iter().map(|term| {
        let key = if term.is_key { " key" } else { "" };
        let rare = if term.is_rare_shape { " rare" } else { "" };
        let (raw, role, weight) = (&term.raw, term.role, term.weight);
        format!(", {raw} {role} {weight:.2}{key}{rare}")
    });
    let Reading {
        kind,
        time,
        profile,
        ..
    } = reading;
    let negated = if reading.negated { ", negated" } else { "" };
    let explicit = if reading.time_is_explicit { "!" } else { "" };
    format!(
        "{kind}, {time:?}{explicit}, profile {profile}{negated}{}",
        terms.collect::<String>()
    )
}

/// A turn that is only read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    q: String,
    goal: Option<String>,
    time: Option<String>,
    /// Words that stand in nearly every row.
    #[serde(default)]
    common: Vec<String>,
}

#[test]
fn turns_are_read_as_committed() {
    let turns = lines::<Turn>(include_str!("../../../fixtures/recall/turns.jsonl"));
    let read = turns.iter().map(|turn| {
        let time = turn.time.as_ref();
        let time = time.map(|it| TimeIntent::parse("time", it).unwrap());
        let rarity = |word: &str| {
            let common = turn.common.iter().any(|it| it == word);
            if common { 0.2 } else { 1.0 }
        };
        let reading = Reading::of(&turn.q, turn.goal.as_deref(), time, Some(&rarity));
        format!("{}\n  {}\n", turn.q, read(&reading))
    });
    expect_file!["../../../fixtures/recall/turns.txt"].assert_eq(&read.collect::<String>());
}

/// How a row was judged, in a line.
fn judged(assessment: &Assessment) -> String {
    let Assessment {
        relevance,
        weakness,
        evidence,
        fit,
        ..
    } = assessment;
    let weakness = weakness.map_or(String::new(), |it| format!(" {it}"));
    let (relevance, degree) = (relevance.get(), fit.degree);
    let fits = fit
        .reason
        .map_or("direct".to_owned(), |reason| reason.to_string());
    let subject = evidence.subject;
    format!("{relevance:.3}{weakness} {subject:?} {fits} {degree:.3}")
}

/// A question, how it was read, how each row was judged that anything speaks for, and what came of it.
fn page(question: &Question, rows: &[(String, Memory)]) -> String {
    let (options, who) = (question.options(), reader());
    let request = Request::new(&question.q, &who, &options, instant("2026-06-01"));
    let reading = Reading::of(&question.q, None, options.time_query, None);
    let (world, asked_for) = (&question.world, &question.q);
    let mut page = format!("[{world}] {asked_for}\n  {}\n", read(&reading));
    for (candidate, (name, _)) in question.found(rows).iter().zip(rows) {
        let assessment = assess(&request, candidate);
        if assessment.relevance.get() > 0.0 {
            page.push_str(&format!("  {name}: {}\n", judged(&assessment)));
        }
    }
    let got = asked(question, rows);
    let lanes = [
        ("results", got.results),
        ("related", got.related),
        ("confirm", got.confirm),
    ];
    for (lane, names) in lanes.iter().filter(|(_, names)| !names.is_empty()) {
        page.push_str(&format!("  {lane} {}\n", names.join(", ")));
    }
    let fallback = got.fallback.into_iter();
    page.extend(fallback.map(|reason| format!("  {reason}\n")));
    page.push_str(&format!("  counts{}\n", got.counts));
    page
}

#[test]
fn questions_are_read_and_rows_judged_as_committed() {
    let worlds = worlds();
    let pages = questions()
        .into_iter()
        .map(|question| page(&question, &worlds[&question.world]));
    let pages: Vec<String> = pages.collect();
    expect_file!["../../../fixtures/recall/answers.txt"].assert_eq(&pages.join("\n"));
}
