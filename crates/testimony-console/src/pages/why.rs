//! Why a memory is recalled for a question, or is not.

use maud::{Markup, html};
use serde_json::{Map, Value};
use testimony_domain::TrustPolicy;

use super::recalled::keys;
use crate::desk::Refused;
use crate::parts::frame::{Frame, Here, page};
use crate::parts::memory::{case_link, meta};
use crate::parts::{form, said};
use crate::serve::{Outcome, Room};
use crate::text::{at, fields, number, said as told, segment, text, whole, words};

/// What became of a row, as a sentence.
#[rustfmt::skip]
const OUTCOMES: &[(&str, &str)] = &[
    ("recalled", "It is among the results."),
    ("related", "It stands near the question and does not answer it."),
    ("awaits_confirmation", "Somebody has to confirm it first."),
    ("over_limit", "More relevant rows filled the limit."),
    ("duplicate", "Another row says the same."),
    ("not_relevant", "It is not relevant enough."),
    ("wrong_subject", "It speaks of somebody or something else."),
    ("held", "A gate held it back."),
    ("hidden", "For whoever asks, it does not exist."),
    ("unknown", "Nothing of it was found for this question."),
];

pub(super) fn why(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let id = visit.get("case").ok_or_else(Refused::nothing_here)?;
    let path = format!("/api/v1/admin/memories/{}", segment(id));
    let file = room.desk.ask("GET", &path, Map::new())?;
    let memory = at(&file, "memory");
    let found = match visit.get("q") {
        Some(query) => Some(ask(room, &path, query)?),
        None => None,
    };
    let body = html! {
        header.head { p.overline { "Why was this recalled, or not?" } (said::text(text(memory, "content"))) (meta(room, memory)) }
        form.search method="get" action="/memories" {
            (form::hidden("view", "why"))
            (form::hidden("case", id))
            label.grow { span.unseen-label { "Question" }
                input type="search" name="q" value=(visit.or_empty("q")) placeholder="For which question?" data-search; }
            button.primary type="submit" { "Ask" }
            div.fields {
                (keys(room)?)
                (form::choice("Policy", "trust_policy", None, TrustPolicy::WORDS, visit.get("trust_policy").unwrap_or("balanced")))
                (form::line("User", "user_id", visit.or_empty("user_id"), ""))
            }
        }
        @if let Some(found) = &found { (outcome(found)) }
        p { a href=(case_link(memory)) { "To the case" } }
    };
    let frame = Frame {
        title: "Why?",
        here: Here::Memories,
        container: told(memory, "container_tag"),
    };
    Ok(page(room, &frame, &body))
}

fn ask(room: &Room<'_>, path: &str, query: &str) -> Result<Value, Refused> {
    let visit = room.visit;
    let policy = visit.get("trust_policy").unwrap_or("balanced");
    let input = fields(&[
        ("query", query),
        ("trust_policy", policy),
        ("key_id", visit.or_empty("key_id")),
        ("user_id", visit.or_empty("user_id")),
    ]);
    room.desk.ask("POST", &format!("{path}/why"), input)
}

fn outcome(found: &Value) -> Markup {
    let word = text(found, "outcome");
    let sentence = OUTCOMES.iter().find(|(known, _)| *known == word);
    html! {
        section.outcome {
            p.big { (sentence.map_or(word, |(_, sentence)| *sentence)) }
            @if let Some(reason) = told(found, "reason.sentence") { p { (reason) } }
            dl.pairs {
                dt { "Asked as" } dd { (told(found, "asked_as.agent_id").unwrap_or("a key without an agent")) ", policy " (text(found, "trust_policy")) }
                @if let Some(stage) = told(found, "stage") { dt { "Gate" } dd { (words(stage)) } }
                @if let Some(hidden) = told(found, "hidden_by") { dt { "Hidden by" } dd { (words(hidden)) } }
                @if let Some(relevance) = number(found, "relevance") {
                    dt { "Relevance" } dd {
                        (format!("{relevance:.3}"))
                        @if let Some(floor) = number(found, "floor") { " against a floor of " (format!("{floor:.3}")) }
                    }
                }
                @if !at(found, "rank").is_null() { dt { "Rank" } dd { (whole(found, "rank")) } }
                @if let Some(twin) = told(found, "duplicate_of") { dt { "Said by" } dd { code { (twin) } } }
            }
            (found_by(found))
        }
    }
}

fn found_by(found: &Value) -> Markup {
    let channels = at(found, "found_by").as_object();
    html! {
        @if let Some(channels) = channels {
            h3 { "How far each source speaks for it" }
            dl.meters {
                @for (name, value) in channels {
                    dt { (words(name)) }
                    dd { meter min="0" max="1" value=(value.as_f64().unwrap_or_default()) aria-label=(name) {} " " (format!("{:.2}", value.as_f64().unwrap_or_default())) }
                }
            }
        } @else { p.note { "No source found it for this question." } }
    }
}
