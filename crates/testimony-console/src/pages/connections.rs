//! Connections: keys and connector tokens at a glance, and a key that is put to the test.

use maud::{Markup, html};
use serde_json::Value;

use crate::answer::Answer;
use crate::desk::Refused;
use crate::parts::frame::{Frame, Here, empty, page};
use crate::parts::memory::instant;
use crate::parts::{form, mark, said};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{at, fields, flag, link, list, said as told, segment, text, texts, words};
use crate::visit::Method;

pub(super) const PAGES: &[Page] = &[
    get("/connections", Door::Admin, connections),
    post("/connections/verify", Door::Admin, verify),
    post("/connections/tokens/{}/withdraw", Door::Admin, withdraw),
];

fn connections(room: &Room<'_>) -> Outcome {
    let body = overview(room, &html! {})?;
    Ok(framed(room, &body))
}

pub(super) fn framed(room: &Room<'_>, body: &Markup) -> Answer {
    let frame = Frame {
        title: "Connections",
        here: Here::Connections,
        container: None,
    };
    page(room, &frame, body)
}

fn overview(room: &Room<'_>, found: &Markup) -> Result<Markup, Refused> {
    let after = room.visit.or_empty("after");
    let page = fields(&[("limit", "100"), ("after", after)]);
    let keys = room.desk.ask("GET", "/api/v1/admin/keys", page)?;
    let used = room.desk.last_uses()?;
    let tokens = room.desk.ask(
        "GET",
        "/api/v1/admin/connectors",
        fields(&[("limit", "100")]),
    )?;
    Ok(html! {
        header.head {
            h1 { "Connections" }
            p.actions {
                a.button.primary href="/connections/new" { "New key" }
                a.button.quiet href="/connections/new?kind=connector" { "New connector token" }
            }
        }
        @if room.visit.method == Method::Post { (verify_form(room, found)) }
        section {
            h2 { "Keys" }
            (key_table(room, &keys, &used))
            @if let Some(next) = told(&keys, "next") { p.pager { a href=(link("/connections", &[("after", next)])) { "More" } } }
        }
        section { h2 { "Connector tokens" } (token_table(room, &tokens)) }
        @if room.visit.method == Method::Get { (verify_form(room, found)) }
    })
}

/// How a key stands, in one word.
pub(super) fn standing(room: &Room<'_>, key: &Value) -> &'static str {
    let ended = told(key, "expires_at")
        .and_then(|at| at.parse::<testimony_domain::Timestamp>().ok())
        .is_some_and(|end| end <= room.desk.now());
    if told(key, "revoked_at").is_some() {
        "revoked"
    } else if ended {
        "expired"
    } else {
        "active"
    }
}

fn key_table(room: &Room<'_>, keys: &Value, used: &Value) -> Markup {
    html! {
        div.scrolls tabindex="0" {
            table.keys {
                thead { tr { th { "Name" } th { "Agent" } th { "Containers" } th { "May" } th { "Made" } th { "Last use" } th { "State" } } }
                tbody {
                    @for key in list(keys, "items") {
                        tr data-row {
                            td { a href=(format!("/connections/keys/{}", segment(text(key, "id")))) data-open { (said::short(text(key, "name"))) } }
                            td { (said::short(told(key, "agent_id").unwrap_or("any"))) }
                            td { @for tag in texts(key, "containers") { span.tag { (said::short(tag)) } } }
                            td.small { (may(key)) }
                            td { (instant(room, text(key, "made_at"))) }
                            td { @match told(used, text(key, "id")) { Some(at) => (instant(room, at)), None => "not lately" } }
                            td { (mark::state(standing(room, key))) }
                        }
                    }
                }
            }
        }
    }
}

fn may(key: &Value) -> String {
    let all: Vec<_> = texts(key, "capabilities").map(words).collect();
    match all.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        several if several.len() > 3 => format!("{} capabilities", several.len()),
        several => several.join(", "),
    }
}

fn token_table(room: &Room<'_>, tokens: &Value) -> Markup {
    let all = list(tokens, "items");
    html! {
        @if all.is_empty() {
            (empty("No connector tokens", &html! { p { "A connector token is short-lived. A client exchanges it once for a key of its own, so that no key is copied by hand." } }))
        } @else {
            div.scrolls tabindex="0" {
                table {
                    thead { tr { th { "For" } th { "Containers" } th { "Ends" } th { "State" } th {} } }
                    tbody {
                        @for token in all {
                            tr {
                                td { (said::short(text(token, "becomes.name"))) }
                                td { @for tag in texts(at(token, "becomes"), "containers") { span.tag { (said::short(tag)) } } }
                                td { (instant(room, text(token, "ends_at"))) }
                                td { (mark::state(text(token, "state"))) }
                                td { @if text(token, "state") == "open" {
                                    (form::button(room, &format!("/connections/tokens/{}/withdraw", segment(text(token, "id"))), &[], "Withdraw"))
                                } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn verify_form(room: &Room<'_>, found: &Markup) -> Markup {
    html! {
        section id="verify" {
            h2 { "Verify a key" }
            form.search method="post" action="/connections/verify" {
                (form::token(room))
                label.grow { span.unseen-label { "Key" }
                    input type="password" name="key" required placeholder="tst_…" autocomplete="off" spellcheck="false"; }
                button.primary type="submit" { "Verify" }
            }
            (found)
        }
    }
}

/// The checks that a key has to pass, carried out.
fn verify(room: &Room<'_>) -> Outcome {
    let words = room.visit.or_empty("key").trim();
    let found = room.desk.examine_key(words);
    let told = html! { (checks(&found)) };
    let body = overview(room, &told)?;
    Ok(framed(room, &body))
}

/// Checks, each with what came of it.
pub(super) fn checks(found: &Value) -> Markup {
    html! {
        div role="status" { ol.checks {
            @for check in list(found, "checks") {
                li {
                    (mark::health(if flag(check, "passed") { "passed" } else { "failed" }))
                    strong { (text(check, "name")) }
                    span { (said::short(text(check, "detail"))) }
                }
            }
        } }
    }
}

fn withdraw(room: &Room<'_>) -> Outcome {
    let path = format!("/api/v1/admin/connectors/{}", segment(room.named));
    room.desk.ask("DELETE", &path, fields(&[]))?;
    Ok(Answer::go_on_at(link(
        "/connections",
        &[("done", "withdraw")],
    )))
}
