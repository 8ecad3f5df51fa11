//! A recall as an agent sees it, beside what was held back and why.

use maud::{Markup, html};
use serde_json::{Map, Value};
use testimony_domain::TrustPolicy;

use super::memories::views;
use crate::desk::{Answered, Refused};
use crate::parts::frame::{Frame, Here, empty, page};
use crate::parts::memory::{case_link, row};
use crate::parts::{form, mark, said};
use crate::serve::{Outcome, Room};
use crate::text::{at, count, fields, flag, link, list, number, segment, text, words};

/// So many rows that were held back are shown with what they say.
const HELD_BACK: usize = 30;

/// What a search carries, beside the question.
const OPTIONS: [&str; 6] = [
    "trust_policy",
    "user_id",
    "app_id",
    "org_id",
    "run_id",
    "time_query",
];

pub(super) fn recalled(room: &Room<'_>, container: &str) -> Outcome {
    let query = room.visit.or_empty("q");
    let found = if query.is_empty() {
        None
    } else {
        Some(ask(room, container, query)?)
    };
    let body = html! {
        header.head {
            h1 { @if room.is_admin() { "As an agent sees it" } @else { "Memories" } }
            (views(room, container, "recall"))
        }
        (search(room, container)?)
        @match &found {
            Some(found) => (answer(room, found, query)),
            None => (empty("Ask a question", &html! {
                p { "What an agent would be given stands on one side; on the other, what was held back, by which gate and why. Abstaining is an answer." }
            })),
        }
    };
    let frame = Frame {
        title: "As an agent sees it",
        here: Here::Memories,
        container: Some(container),
    };
    Ok(page(room, &frame, &body))
}

/// As somebody else where an operator asks, and by oneself where a reviewer does.
fn ask(room: &Room<'_>, container: &str, query: &str) -> Answered {
    let visit = room.visit;
    let mut pairs: Vec<(&str, &str)> = OPTIONS.map(|name| (name, visit.or_empty(name))).into();
    pairs.push(("query", query));
    let mut input: Map<String, Value> = fields(&pairs);
    input.insert("limit".to_owned(), Value::from(20));
    input
        .entry("trust_policy")
        .or_insert_with(|| Value::from("balanced"));
    if room.is_admin() {
        for name in ["key_id", "agent_id"] {
            if let Some(value) = visit.get(name) {
                input.insert(name.to_owned(), Value::from(value));
            }
        }
        return room.desk.recall_as(container, input);
    }
    let path = format!("/api/v2/containers/{}/recall", segment(container));
    room.desk.ask("POST", &path, input)
}

fn search(room: &Room<'_>, container: &str) -> Result<Markup, Refused> {
    let visit = room.visit;
    let policy = visit.get("trust_policy").unwrap_or("balanced");
    Ok(html! {
        form.search method="get" action="/memories" role="search" {
            (form::hidden("view", "recall"))
            (form::hidden("container", container))
            label.grow { span.unseen-label { "Question" }
                input type="search" name="q" value=(visit.or_empty("q")) placeholder="What would an agent ask?" data-search autofocus; }
            button.primary type="submit" { "Recall" }
            div.fields {
                @if room.is_admin() { (keys(room)?) }
                (form::choice("Policy", "trust_policy", None, TrustPolicy::WORDS, policy))
                (form::line("User", "user_id", visit.or_empty("user_id"), "any label"))
                (form::line("Application", "app_id", visit.or_empty("app_id"), ""))
                (form::line("Organisation", "org_id", visit.or_empty("org_id"), ""))
                (form::line("Run", "run_id", visit.or_empty("run_id"), ""))
                (form::line("Time", "time_query", visit.or_empty("time_query"), "current"))
            }
        }
    })
}

/// As whom it is asked.
pub(super) fn keys(room: &Room<'_>) -> Result<Markup, Refused> {
    let found = room
        .desk
        .ask("GET", "/api/v1/admin/keys", fields(&[("limit", "200")]))?;
    let chosen = room.visit.or_empty("key_id");
    let scoped = list(&found, "items")
        .iter()
        .filter(|key| text(key, "kind") != "operator" && at(key, "revoked_at").is_null());
    Ok(html! {
        label.field {
            span { "As" }
            select name="key_id" {
                option value="" { "no agent" }
                @for key in scoped {
                    @let id = text(key, "id");
                    option value=(id) selected[id == chosen] {
                        (text(key, "name")) @if let Some(agent) = crate::text::said(key, "agent_id") { " · " (agent) }
                    }
                }
            }
        }
    })
}

fn answer(room: &Room<'_>, found: &Value, query: &str) -> Markup {
    html! {
        div.two {
            section.given { (given(room, found, query)) }
            section.held { (held_back(room, found, query)) }
        }
        (prompt(found))
    }
}

fn lane(room: &Room<'_>, title: &str, rows: &[Value], query: &str) -> Markup {
    html! {
        @if !rows.is_empty() {
            h3 { (title) " " span.number { (rows.len()) } }
            @for found in rows {
                (row(room, found, query, &html! { (why_here(found)) }))
            }
        }
    }
}

fn why_here(found: &Value) -> Markup {
    let score = number(found, "relevance_score").unwrap_or_default();
    let floor = number(found, "why_recalled.min_relevance_threshold").unwrap_or_default();
    html! {
        p.why {
            meter min="0" max="1" low=(floor) value=(score) aria-label="Relevance" {}
            span { (format!("{score:.2}")) " against " (format!("{floor:.2}")) }
            @for signal in crate::text::texts(found, "why_recalled.relevance_signals") { span.tag { (words(signal)) } }
        }
        @if let Some(sentence) = crate::text::said(found, "reason.sentence") { p.note { (sentence) } }
    }
}

fn given(room: &Room<'_>, found: &Value, query: &str) -> Markup {
    let abstained = flag(found, "diagnostics.abstained");
    html! {
        h2 { "What it gets" }
        @if abstained {
            div.abstained {
                p.big { "It abstains." }
                @if let Some(reason) = crate::text::said(found, "diagnostics.fallback_reason") { p.note { (crate::text::title(reason)) "." } }
            }
        }
        (lane(room, "Answers", list(found, "results"), query))
        (lane(room, "Near, and no answer", list(found, "related_context"), query))
        (lane(room, "To be confirmed first", list(found, "needs_confirmation"), query))
    }
}

/// What a row that was held back says: only operators are told.
fn held_back(room: &Room<'_>, found: &Value, query: &str) -> Markup {
    let rows = list(found, "suppressed");
    html! {
        h2 { "What was held back" }
        @if rows.is_empty() { p.note { "No gate held anything back." } }
        @for suppressed in rows.iter().take(HELD_BACK) {
            @let id = text(suppressed, "id");
            @let file = room.is_admin().then(|| room.desk.ask("GET", &format!("/api/v1/admin/memories/{}", segment(id)), Map::new()).ok()).flatten();
            article.row.kept-back data-row {
                p.gate { span.stage { (words(text(suppressed, "stage"))) } " " (text(suppressed, "reason.sentence")) }
                @if let Some(memory) = file.as_ref().map(|file| at(file, "memory")) {
                    (said::text(text(memory, "content")))
                    p.meta { (mark::trust(text(memory, "trust_bucket"))) (mark::state(text(memory, "state"))) }
                    p.ways {
                        a href=(case_link(memory)) data-open { "Case" }
                        a href=(link("/memories", &[("view", "why"), ("case", id), ("q", query)])) { "Why?" }
                    }
                } @else { p.ways { code { (id) } } }
            }
        }
        @if rows.len() > HELD_BACK { p.note { "and " (count((rows.len() - HELD_BACK) as u64)) " more" } }
        (stages(found))
    }
}

/// How many rows each gate let through.
fn stages(found: &Value) -> Markup {
    let all = list(found, "diagnostics.scope_filter_stage_counts");
    html! {
        @if !all.is_empty() {
            details.stages {
                summary { "Every gate" }
                table {
                    thead { tr { th { "Gate" } th.right { "passed" } th.right { "removed" } } }
                    tbody {
                        @for stage in all {
                            tr { td { (words(text(stage, "stage"))) }
                                td.right { (crate::text::whole(stage, "passed")) }
                                td.right { (crate::text::whole(stage, "removed")) } }
                        }
                    }
                }
            }
        }
    }
}

fn prompt(found: &Value) -> Markup {
    let block = text(found, "recall_context");
    html! {
        @if !block.is_empty() {
            details.prompt {
                summary { "The block for a prompt" }
                (form::to_copy(block, "the block for a prompt"))
            }
        }
    }
}
