//! Erasure: what it would take, and only then the button that takes it.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::operations::framed;
use crate::desk::Refused;
use crate::parts::form;
use crate::parts::memory::{instant, who};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{at, count, fields, list, said, text, whole, words};

pub(super) const PAGES: &[Page] = &[
    get("/operations/erase", Door::Admin, choose),
    post("/operations/erase", Door::Admin, dry_run),
    post("/operations/erase/now", Door::Admin, erase),
];

/// What can be erased, and how people call it.
const KINDS: [(&str, &str); 6] = [
    ("memory", "One memory, by its id"),
    ("fact", "A fact with its revisions, by its id"),
    ("user", "Everything about a person in the container"),
    ("agent", "Everything of an agent in the container"),
    ("source", "Everything from a source in the container"),
    ("container", "Everything in the container"),
];
/// On which grounds.
const GROUNDS: [&str; 6] = [
    "data_subject_request",
    "retention",
    "mistake",
    "security",
    "legal",
    "other",
];
/// What has to be typed.
const WORD: &str = "erase";

fn choose(room: &Room<'_>) -> Outcome {
    let erasures = room
        .desk
        .ask("GET", "/api/v1/admin/erasures", fields(&[]))?;
    let container = room.container()?.unwrap_or_default();
    let body = html! {
        header.head { h1 { "Erase" } p.lead { "What is erased is gone from ledger, index and pages. First you are told what would go." } }
        form.wide method="post" action="/operations/erase" {
            (form::token(room))
            div.fields {
                label.field { span { "What" }
                    select name="kind" { @for (word, name) in KINDS { option value=(word) { (name) } } } }
                (form::line("Which", "which", "", "mem_…, fact_…, or a name"))
                (form::line("In the container", "container", &container, ""))
                (form::choice("On which ground", "reason", None, &GROUNDS, "other"))
            }
            button.primary type="submit" { "What would go?" }
        }
        section { h2 { "Carried out" } (carried_out(room, list(&erasures, "items"))) }
    };
    framed(room, &body)
}

fn carried_out(room: &Room<'_>, all: &[Value]) -> Markup {
    html! {
        @if all.is_empty() { p.note { "Nothing was ever erased." } }
        @for one in all {
            p.note { "Event " (whole(one, "seq")) ", " (instant(room, text(one, "at"))) " by " (who(room, text(one, "by"))) ": "
                (count(list(one, "memory_ids").len() as u64)) " memories"
                @if let Some(reason) = said(one, "reason") { ", " (words(reason)) } "." }
        }
    }
}

/// What is named. Where the name is missing, nothing wider is meant by that.
fn target(room: &Room<'_>) -> Result<Value, Refused> {
    let visit = room.visit;
    let (kind, which) = (visit.or_empty("kind"), visit.or_empty("which").trim());
    let container = visit.or_empty("container").trim();
    let target = match kind {
        "container" if which.is_empty() => json!({ "container": container }),
        "memory" | "fact" if !which.is_empty() => json!({ kind: which }),
        "user" | "agent" | "source" if !which.is_empty() => {
            json!({ "container": container, kind: which })
        }
        _ => {
            return Err(Refused {
                status: 422,
                title: "It is not clear what is meant".to_owned(),
                detail: "Name the memory, the fact, the person, the agent or the source; for everything in a container leave the name empty.".to_owned(),
                faults: Vec::new(),
            });
        }
    };
    Ok(target)
}

fn ask(room: &Room<'_>, dry_run: bool) -> Result<Value, Refused> {
    let mut input = Map::new();
    input.insert("target".to_owned(), target(room)?);
    input.insert("dry_run".to_owned(), dry_run.into());
    input.insert("reason".to_owned(), room.visit.or_empty("reason").into());
    room.desk.ask("POST", "/api/v1/admin/erasures", input)
}

fn toll(found: &Value) -> Markup {
    html! {
        p { (count(list(found, "memory_ids").len() as u64)) " memories." }
        div.scrolls tabindex="0" {
            table {
                thead { tr { th { "Place" } th.right { "rows" } th { "done" } } }
                tbody {
                    @for place in list(found, "places") {
                        tr { td { (words(text(place, "place"))) }
                            td.right { @if !at(place, "rows").is_null() { (count(whole(place, "rows"))) } }
                            td.small { (text(place, "done")) } }
                    }
                }
            }
        }
    }
}

fn dry_run(room: &Room<'_>) -> Outcome {
    let found = ask(room, true)?;
    let visit = room.visit;
    let body = html! {
        header.head { h1 { "This would go" } }
        (toll(&found))
        form.wide method="post" action="/operations/erase/now" {
            (form::token(room))
            @for name in ["kind", "which", "container", "reason"] { (form::hidden(name, visit.or_empty(name))) }
            label.field { span { "Type “" (WORD) "” to go on" } input type="text" name="typed" required pattern=(WORD) autocomplete="off" autocapitalize="none"; }
            div.actions {
                button.danger type="submit" { "Erase for good" }
                a.button.quiet href="/operations/erase" { "Leave it" }
            }
        }
    };
    framed(room, &body)
}

fn erase(room: &Room<'_>) -> Outcome {
    if room.visit.or_empty("typed").trim() != WORD {
        return Err(Refused {
            status: 422,
            title: "Nothing was erased".to_owned(),
            detail: format!("Type “{WORD}” to say that you mean it."),
            faults: Vec::new(),
        });
    }
    let found = ask(room, false)?;
    let body = html! {
        header.head { h1 { "It is gone" } }
        @if !at(&found, "erasure_seq").is_null() { p { "Event " (whole(&found, "erasure_seq")) " of the trail." } }
        (toll(&found))
        p { a href="/operations" { "To the operations" } }
    };
    framed(room, &body)
}
