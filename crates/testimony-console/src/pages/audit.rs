//! The trail of every change: filtered, followed to its end, taken away.

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::answer::{Answer, Body};
use crate::desk::Refused;
use crate::parts::frame::{Frame, Here, empty, page};
use crate::parts::memory::{instant, short_id, who};
use crate::parts::{form, mark, said};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{at, count, fields, flag, link, list, said as told, text, texts, whole, words};

pub(super) const PAGES: &[Page] = &[
    get("/activity/audit", Door::Admin, trail),
    post("/activity/audit/verify", Door::Admin, verify),
    get("/activity/audit/export", Door::Admin, export),
];

const FILTERS: [&str; 5] = ["action", "actor", "object", "since", "until"];
/// So many parts of the chain are followed at a time.
const PARTS: usize = 20;
/// So many events are in one file of an export.
const EXPORTED: usize = 20;

fn trail(room: &Room<'_>) -> Outcome {
    shown(room, &html! {})
}

fn shown(room: &Room<'_>, found: &Markup) -> Outcome {
    let visit = room.visit;
    let head = room
        .desk
        .ask("GET", "/api/v1/admin/audit/head", Map::new())?;
    let last = Last::of(room, whole(&head, "seq"));
    let after = last.as_ref().map(|last| last.after.to_string());
    let mut asked: Vec<(&str, &str)> = FILTERS.map(|name| (name, visit.or_empty(name))).into();
    asked.extend([
        ("container_tag", visit.or_empty("container")),
        ("after", after.as_deref().unwrap_or(visit.or_empty("after"))),
        ("limit", "100"),
    ]);
    let events = room
        .desk
        .ask("GET", "/api/v1/admin/audit/events", fields(&asked))?;
    let mut rows: Vec<&Value> = list(&events, "items").iter().collect();
    if let Some(last) = &last {
        rows.retain(|event| whole(event, "seq") < last.before);
        rows.reverse();
    }
    let body = html! {
        header.head { h1 { "The trail" } p.lead { "Every change with who made it, chained by hashes; no content." } }
        (chain(room, &head, found))
        (filters(room))
        (table(room, &rows))
        @match &last {
            Some(last) if last.after > 0 => p.pager { a href=(link("/activity/audit", &[("before", &(last.after + 1).to_string())])) rel="next" { "Earlier" } },
            Some(_) => {}
            None => @if let Some(next) = told(&events, "next") { (more(room, next)) },
        }
    };
    let frame = Frame {
        title: "The trail",
        here: Here::Activity,
        container: visit.get("container"),
    };
    Ok(page(room, &frame, &body))
}

/// The last events, or those before one: what is looked at where nothing is filtered.
struct Last {
    after: u64,
    before: u64,
}

impl Last {
    fn of(room: &Room<'_>, head: u64) -> Option<Self> {
        let visit = room.visit;
        let filtered = FILTERS.iter().any(|name| visit.get(name).is_some());
        if filtered || visit.get("container").is_some() || visit.get("after").is_some() {
            return None;
        }
        let before = visit.get("before").and_then(|text| text.parse().ok());
        let before = before.unwrap_or_else(|| head.saturating_add(1)).max(1);
        let after = before.saturating_sub(101);
        Some(Self { after, before })
    }
}

fn chain(room: &Room<'_>, head: &Value, found: &Markup) -> Markup {
    html! {
        section.chain {
            dl.pairs {
                dt { "Events" } dd { (count(whole(head, "seq"))) }
                dt { "Head" } dd { (form::to_copy(text(head, "head"), "the head of the chain")) }
            }
            (found)
            form.search method="post" action="/activity/audit/verify" {
                (form::token(room))
                label.grow { span.unseen-label { "A head that was kept elsewhere" }
                    input type="text" name="against" placeholder="A head that was kept elsewhere, if there is one" autocomplete="off" spellcheck="false"; }
                button.primary type="submit" { "Follow the chain" }
                a.button.quiet href="/activity/audit/export" { "Export" }
            }
        }
    }
}

fn filters(room: &Room<'_>) -> Markup {
    let visit = room.visit;
    html! {
        form.search method="get" action="/activity/audit" {
            (form::hidden("container", visit.or_empty("container")))
            div.fields {
                (form::line("Action", "action", visit.or_empty("action"), "memory.made"))
                (form::line("Who", "actor", visit.or_empty("actor"), "key_…, person_…, host"))
                (form::line("Object", "object", visit.or_empty("object"), "mem_…"))
                (form::line("Since", "since", visit.or_empty("since"), "2027-01-31"))
                (form::line("Until", "until", visit.or_empty("until"), ""))
            }
            button.primary type="submit" { "Filter" }
        }
    }
}

fn table(room: &Room<'_>, events: &[&Value]) -> Markup {
    html! {
        @if events.is_empty() { (empty("No event fits", &html! { p { "Nothing that is kept here happened without one." } })) }
        @else {
            div.scrolls tabindex="0" {
                table {
                    thead { tr { th.right { "No." } th { "When" } th { "Who" } th { "What" } th { "To which" } th { "Decided" } } }
                    tbody {
                        @for event in events {
                            tr {
                                td.right { (whole(event, "seq")) }
                                td { (instant(room, text(event, "at"))) }
                                td.nowrap { (who(room, text(event, "actor"))) }
                                td.nowrap { (words(text(event, "action"))) }
                                td.nowrap { (object(text(event, "object"))) }
                                td.small { (words(text(event, "decision"))) " " @for reason in texts(event, "reasons") { span.tag { (words(reason)) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn object(id: &str) -> Markup {
    html! {
        @if id.starts_with("mem_") {
            a href=(link("/memories", &[("view", "courtroom"), ("case", id)])) title=(id) { (short_id(id)) }
        } @else { span title=(id) { (said::short(&short_id(id))) } }
    }
}

fn more(room: &Room<'_>, next: &str) -> Markup {
    let visit = room.visit;
    let mut pairs: Vec<(&str, &str)> = FILTERS.map(|name| (name, visit.or_empty(name))).into();
    pairs.extend([("container", visit.or_empty("container")), ("after", next)]);
    html! { p.pager { a href=(link("/activity/audit", &pairs)) rel="next" { "More" } } }
}

/// Follows the chain as far as one request can.
fn verify(room: &Room<'_>) -> Outcome {
    let against = room.visit.or_empty("against").trim();
    let mut from = String::new();
    let mut found = Value::Null;
    for _ in 0..PARTS {
        let input = fields(&[("against", against), ("from", &from)]);
        found = room.desk.ask("POST", "/api/v1/admin/audit/verify", input)?;
        if flag(&found, "complete") || !at(&found, "broken").is_null() {
            break;
        }
        text(&found, "reached.head").clone_into(&mut from);
    }
    shown(room, &verified(&found))
}

fn verified(found: &Value) -> Markup {
    let holds = flag(found, "holds");
    html! {
        div.done role="status" {
            p {
                (mark::health(if holds { "passed" } else { "failed" })) " "
                @if holds { "The chain holds to event " (count(whole(found, "reached.seq"))) "." }
                @else if let Some(how) = told(found, "broken.detail") { "It breaks at event " (whole(found, "broken.seq")) ": " (how) }
                @else { "It does not agree with the head that was kept elsewhere." }
                @if let Some(against) = told(found, "against") { " Against the head that was kept: " (words(against)) "." }
            }
        }
    }
}

/// A part of the trail as a file, an event a line; what follows is fetched by the command line.
fn export(room: &Room<'_>) -> Outcome {
    let mut after = room.visit.or_empty("after").to_owned();
    let mut lines = String::new();
    for _ in 0..EXPORTED {
        let asked = fields(&[("after", &after), ("limit", "500")]);
        let found: Result<Value, Refused> =
            room.desk.ask("GET", "/api/v1/admin/audit/export", asked);
        let found = found?;
        for event in list(&found, "items") {
            lines.push_str(&event.to_string());
            lines.push('\n');
        }
        match told(&found, "next") {
            Some(next) => next.clone_into(&mut after),
            None => break,
        }
    }
    Ok(Answer::of(
        200,
        Body::File("testimony-audit.jsonl".to_owned(), lines),
    ))
}
