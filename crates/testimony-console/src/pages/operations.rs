//! Operations: how the parts are, what is kept, backups, examinations, and what the process was started with.

use maud::{Markup, html};
use serde_json::{Map, Value};

use super::activity::jobs;
use super::memories::make_form;
use crate::answer::Answer;
use crate::desk::Refused;
use crate::parts::frame::{Frame, Here, page};
use crate::parts::{form, mark, said};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{
    at, bytes, count, fields, flag, link, list, said as told, segment, text, whole, words,
};

pub(super) const PAGES: &[Page] = &[
    get("/operations", Door::Admin, operations),
    post("/operations/backup", Door::Admin, back_up),
    post("/operations/doctor", Door::Admin, examine),
    post("/operations/jobs/{}/revive", Door::Admin, revive),
];

fn operations(room: &Room<'_>) -> Outcome {
    shown(room, &html! {})
}

pub(super) fn framed(room: &Room<'_>, body: &Markup) -> Result<Answer, Refused> {
    let container = room.container()?;
    let frame = Frame {
        title: "Operations",
        here: Here::Operations,
        container: container.as_deref(),
    };
    Ok(page(room, &frame, body))
}

fn shown(room: &Room<'_>, found: &Markup) -> Outcome {
    let container = room.container()?.unwrap_or_default();
    let body = html! {
        header.head { h1 { "Operations" } p.lead { "Testimony " (room.desk.version()) } }
        (found)
        div.two {
            section { h2 { "Parts" } (parts(room)) }
            section { h2 { "Storage" } (storage(room, &container)) }
        }
        section {
            h2 { "Look after it" }
            div.actions {
                (form::button(room, "/operations/backup", &[], "Back up now"))
                (form::button(room, "/operations/doctor", &[], "Examine everything"))
                a.button.quiet href=(link("/operations/erase", &[("container", &container)])) { "Erase…" }
                a.button.quiet href="/docs/operator" { "Routes for operators" }
            }
        }
        section { h2 { "Jobs" } (jobs(room)?) (dead(room)?) }
        section { h2 { "Containers" } (make_form(room)) }
        section { h2 { "Configuration" } (settings(room)) }
    };
    framed(room, &body)
}

fn parts(room: &Room<'_>) -> Markup {
    html! {
        dl.pairs {
            @for part in room.desk.parts() {
                dt { (words(&part.name)) }
                dd { (mark::health(&part.state)) @if let Some(because) = &part.because { p.note { (because) } } }
            }
        }
    }
}

fn storage(room: &Room<'_>, container: &str) -> Markup {
    let path = format!("/api/v1/admin/containers/{}/statistics", segment(container));
    let found = room.desk.ask("GET", &path, Map::new()).unwrap_or_default();
    let states = found.get("by_state").and_then(Value::as_object);
    html! {
        dl.pairs {
            dt { "Ledger" } dd { (bytes(whole(&found, "ledger_bytes"))) }
            dt { "Index" } dd { (count(whole(&found, "index_rows"))) " rows" }
            @for (state, number) in states.into_iter().flatten() {
                dt { (words(state)) }
                dd { a href=(link("/memories", &[("container", container), ("state", state)])) { (count(number.as_u64().unwrap_or_default())) } }
            }
        }
    }
}

/// Jobs that were given up, and another chance for each.
fn dead(room: &Room<'_>) -> Result<Markup, Refused> {
    let found = room.desk.ask(
        "GET",
        "/api/v1/admin/jobs",
        fields(&[("state", "dead"), ("limit", "20")]),
    )?;
    Ok(html! {
        @for job in list(&found, "items") {
            p.note {
                (words(text(job, "kind"))) " in " (said::short(text(job, "container_tag"))) ": " (said::short(text(job, "failure"))) " "
                (form::button(room, &format!("/operations/jobs/{}/revive", segment(text(job, "id"))), &[], "Try again"))
            }
        }
    })
}

/// Settings line by line, each with its value and where that is from. A table holds settings of its own, which are named
/// with what they stand below; one that holds nothing is not set, like a setting without a value.
fn lines_of(settings: &Value) -> Vec<(String, String, &str)> {
    let mut lines = Vec::new();
    for (name, held) in settings.as_object().into_iter().flatten() {
        let is_table = !at(held, "from").is_string();
        let below = if is_table { lines_of(held) } else { Vec::new() };
        if below.is_empty() {
            lines.push((name.clone(), written(at(held, "value")), text(held, "from")));
        }
        let named = |(inner, value, from)| (format!("{name}.{inner}"), value, from);
        lines.extend(below.into_iter().map(named));
    }
    lines
}

/// A value as it stands in a file of settings.
fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(written).collect::<Vec<_>>().join(", "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

fn settings(room: &Room<'_>) -> Markup {
    let all = room.desk.settings();
    let (told_of, unsaid): (Vec<_>, Vec<_>) = lines_of(&all)
        .into_iter()
        .partition(|(_, value, _)| !value.is_empty());
    html! {
        @if told_of.is_empty() { p.note { "The program that runs the service does not say." } }
        @else {
            div.scrolls tabindex="0" {
                table {
                    thead { tr { th { "Setting" } th { "Value" } th { "From" } } }
                    tbody {
                        @for (name, value, from) in &told_of {
                            tr { td { code { (name) } } td { (said::short(value)) } td.small { (said::short(from)) } }
                        }
                    }
                }
            }
            p.note { "Not set: " @for (place, (name, ..)) in unsaid.iter().enumerate() { @if place > 0 { ", " } code { (name) } } "." }
        }
    }
}

fn back_up(room: &Room<'_>) -> Outcome {
    let made = room.desk.back_up()?;
    let found = html! {
        div.done role="status" {
            p { "A backup of " (bytes(whole(&made, "bytes"))) " was made and verified." }
            (form::to_copy(text(&made, "path"), "the path of the backup"))
            p.note { "The chain ends in it at " code { (text(&made, "head")) } "." }
        }
    };
    shown(room, &found)
}

fn examine(room: &Room<'_>) -> Outcome {
    let found = room.desk.ask("POST", "/api/v1/admin/doctor", Map::new())?;
    let told = html! {
        div.done role="status" {
            @if flag(&found, "sound") { p { (mark::health("passed")) " Everything is sound; " (count(whole(&found, "rows"))) " rows were looked for in the index." } }
            @else {
                p { (mark::health("failed")) " Something is wrong." }
                ul { @for finding in list(&found, "findings") { li { strong { (text(finding, "part")) } " " (said::short(text(finding, "detail"))) " " (text(finding, "remedy")) } } }
            }
            @if let Some(head) = told(&found, "head") { p.note { "The chain ends at " code { (head) } "." } }
        }
    };
    shown(room, &told)
}

fn revive(room: &Room<'_>) -> Outcome {
    let path = format!("/api/v1/admin/jobs/{}/revive", segment(room.named));
    room.desk.ask("POST", &path, Map::new())?;
    Ok(Answer::go_on_at(link(
        "/operations",
        &[("done", "revived")],
    )))
}
