//! One key: made, shown once, looked at, rotated, revoked.

use maud::{Markup, html};
use serde_json::{Map, Value};
use testimony_domain::{AgentScope, Capability, SourceClass};

use super::connections::{checks, framed, standing};
use crate::answer::Answer;
use crate::desk::Refused;
use crate::parts::memory::{instant, who};
use crate::parts::{form, mark, said};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{
    at, count, fields, flag, link, list, said as told, segment, text, texts, whole, words,
};

pub(super) const PAGES: &[Page] = &[
    get("/connections/new", Door::Admin, new),
    post("/connections/keys", Door::Admin, make),
    get("/connections/keys/{}", Door::Admin, key),
    post("/connections/keys/{}/rotate", Door::Admin, rotate),
    post("/connections/keys/{}/revoke", Door::Admin, revoke),
];

/// Fields of a key that are texts.
const TEXTS: [&str; 10] = [
    "name",
    "agent_id",
    "agent_scope",
    "source_app",
    "class",
    "ceiling",
    "user_id",
    "app_id",
    "org_id",
    "run_id",
];
/// Fields of a key that are whole numbers.
const NUMBERS: [&str; 3] = ["requests_per_minute", "items_per_day", "minutes"];
/// What an agent usually may do.
const USUAL: [&str; 6] = [
    "memory.recall",
    "memory.write",
    "memory.reflect",
    "agent.context",
    "agent.writeback",
    "courtroom.read",
];
fn new(room: &Room<'_>) -> Outcome {
    let is_token = room.visit.or_empty("kind") == "connector";
    let container = room.container()?.unwrap_or_else(|| "workspace".to_owned());
    let body = html! {
        header.head {
            h1 { @if is_token { "New connector token" } @else { "New key" } }
            p.lead {
                @if is_token { "A client exchanges it once, within minutes, for a key with these rights." }
                @else { "An agent is who its key says, and may do what its key says. It is shown once." }
            }
        }
        form.wide method="post" action="/connections/keys" {
            (form::token(room))
            @if is_token { (form::hidden("kind", "connector")) }
            fieldset {
                legend { "Who" }
                div.fields {
                    (form::line("Name", "name", "", "research agent"))
                    (form::line("Agent", "agent_id", "", "bound to no agent"))
                    (form::line("Application", "source_app", "", ""))
                }
            }
            fieldset {
                legend { "Where" }
                div.fields {
                    (form::line("Containers, with commas between, or a prefix such as user-*", "containers", &container, "workspace"))
                    (form::choice("Sees what other agents keep to themselves", "agent_scope", None, AgentScope::WORDS, "own"))
                }
            }
            (capabilities(is_token))
            (bounds(is_token))
            button.primary type="submit" { @if is_token { "Make the token" } @else { "Make the key" } }
        }
    };
    Ok(framed(room, &body))
}

fn capabilities(is_token: bool) -> Markup {
    let all = Capability::WORDS.iter().filter(|word| **word != "admin");
    html! {
        fieldset {
            legend { "May" }
            div.ticks {
                @for word in all {
                    label.tick {
                        input type="checkbox" name="capabilities" value=(word) checked[USUAL.contains(word) || (is_token && *word == "mcp.tools")];
                        span { (words(word)) }
                    }
                }
            }
        }
    }
}

fn bounds(is_token: bool) -> Markup {
    let usual = if is_token {
        "agent_observation"
    } else {
        "user_statement"
    };
    html! {
        fieldset {
            legend { "How far its word goes" }
            div.fields {
                (form::choice("Whose word it is", "class", None, SourceClass::WORDS, usual))
                (form::choice("At most", "ceiling", Some("the same"), SourceClass::WORDS, ""))
            }
        }
        fieldset {
            legend { "Bounds" }
            div.fields {
                (form::line("User label", "user_id", "", "any"))
                (form::line("Application label", "app_id", "", "any"))
                (form::line("Organisation label", "org_id", "", "any"))
                (form::line("Run label", "run_id", "", "any"))
                label.field { span { "Ends on" } input type="date" name="expires_on"; }
                label.field { span { "Requests a minute" } input type="number" name="requests_per_minute" min="1" max="1000000" placeholder="no limit"; }
                label.field { span { "Items a day" } input type="number" name="items_per_day" min="1" placeholder="no limit"; }
                @if is_token { label.field { span { "Minutes to exchange it" } input type="number" name="minutes" min="1" max="60" value="10"; } }
            }
            label.tick {
                input type="checkbox" name="gateway_memory" value="true";
                span { "The gateway brings memory into its requests that say nothing about memory" }
            }
        }
    }
}

/// What the form says, as the routes take it.
fn order(room: &Room<'_>) -> Map<String, Value> {
    let visit = room.visit;
    let mut order = fields(&TEXTS.map(|name| (name, visit.or_empty(name))));
    let containers = visit.or_empty("containers").split(',').map(str::trim);
    let containers: Vec<&str> = containers.filter(|tag| !tag.is_empty()).collect();
    order.insert("containers".to_owned(), containers.into());
    let capabilities: Vec<&str> = visit.all("capabilities").collect();
    order.insert("capabilities".to_owned(), capabilities.into());
    for name in NUMBERS {
        if let Some(number) = visit.get(name) {
            let whole = number.trim().parse::<u64>();
            order.insert(name.to_owned(), whole.map_or(number.into(), Value::from));
        }
    }
    if visit.get("gateway_memory").is_some() {
        order.insert("gateway_memory".to_owned(), true.into());
    }
    if let Some(day) = visit.get("expires_on") {
        order.insert("expires_at".to_owned(), format!("{day}T23:59:59Z").into());
    }
    order
}

fn make(room: &Room<'_>) -> Outcome {
    if room.visit.or_empty("kind") == "connector" {
        let made = room
            .desk
            .ask("POST", "/api/v1/admin/connectors", order(room))?;
        return Ok(framed(room, &token_shown(room, &made)));
    }
    let made = room.desk.ask("POST", "/api/v1/admin/keys", order(room))?;
    Ok(framed(room, &key_shown(room, &made, "The key")))
}

fn token_shown(room: &Room<'_>, made: &Value) -> Markup {
    let address = format!("{}{}", room.desk.address(), text(made, "path"));
    let command = format!(
        "curl -s -X POST {address} \\\n  -H 'Content-Type: application/json' -d '{{\"client\": \"claude-code\"}}'"
    );
    html! {
        header.head { h1 { "The token, shown this once" } }
        section.once {
            (form::to_copy(text(made, "token"), "the token"))
            p { "It ends " (instant(room, text(made, "record.ends_at"))) ". A client exchanges it once:" }
            (form::to_copy(&command, "the command"))
        }
        p { a href="/connections" { "To the connections" } }
    }
}

/// The one page that holds a key.
fn key_shown(room: &Room<'_>, made: &Value, title: &str) -> Markup {
    let words = text(made, "key");
    let setups = room.desk.setups(words);
    html! {
        header.head { h1 { (title) ", shown this once" } p.lead { "Copy it now. Nobody can show it again; a new secret can be given at any time." } }
        section.once { (form::to_copy(words, "the key")) }
        section {
            h2 { "Set a client up" }
            @for (place, setup) in list(&setups, "items").iter().enumerate() {
                details open[place == 0] {
                    summary { (crate::text::title(text(setup, "client"))) " " code { (text(setup, "file")) } }
                    @if let Some(command) = told(setup, "command") { (form::to_copy(command, "the command")) }
                    (form::to_copy(text(setup, "text"), "the configuration"))
                }
            }
        }
        section { h2 { "Verified just now" } (checks(&room.desk.examine_key(words))) }
        p { a href=(format!("/connections/keys/{}", segment(text(made, "id")))) { "To the key" } }
    }
}

fn path_of(room: &Room<'_>) -> String {
    format!("/api/v1/admin/keys/{}", segment(room.named))
}

fn key(room: &Room<'_>) -> Outcome {
    let key = room.desk.ask("GET", &path_of(room), Map::new())?;
    let body = html! {
        header.head { p.overline { "Key" } h1 { (said::short(text(&key, "name"))) } (mark::state(standing(room, &key))) }
        (rights(room, &key))
        @if standing(room, &key) == "active" { (ways_to_end(room)) }
    };
    Ok(framed(room, &body))
}

fn rights(room: &Room<'_>, key: &Value) -> Markup {
    let optional =
        |name: &'static str, label: &'static str| told(key, name).map(|value| (label, value));
    let said: Vec<(&str, &str)> = [
        optional("agent_id", "Agent"),
        optional("source_app", "Application"),
        optional("user_id", "User label"),
        optional("app_id", "Application label"),
        optional("org_id", "Organisation label"),
        optional("run_id", "Run label"),
    ]
    .into_iter()
    .flatten()
    .collect();
    html! {
        dl.pairs {
            dt { "Id" } dd { code { (text(key, "id")) } }
            dt { "Containers" } dd { @for tag in texts(key, "containers") { span.tag { (said::short(tag)) } " " } }
            dt { "May" } dd { @for word in texts(key, "capabilities") { span.tag { (words(word)) } " " } }
            @for (label, value) in said { dt { (label) } dd { (said::short(value)) } }
            dt { "Its word" } dd { (words(text(key, "class"))) ", at most " (words(text(key, "ceiling"))) }
            dt { "Made" } dd { (instant(room, text(key, "made_at"))) " by " (who(room, text(key, "made_by"))) }
            @for (name, label) in [("expires_at", "Ends"), ("revoked_at", "Revoked"), ("old_secret_until", "Old secret until")] {
                @if let Some(at) = told(key, name) { dt { (label) } dd { (instant(room, at)) } }
            }
            @for (name, label) in [("requests_per_minute", "Requests a minute"), ("items_per_day", "Items a day")] {
                @if !at(key, name).is_null() { dt { (label) } dd { (count(whole(key, name))) } }
            }
            @if flag(key, "gateway_memory") { dt { "The gateway" } dd { "brings memory in unasked" } }
            dt { "Last used" } dd { @match told(key, "last_used_at") { Some(at) => (instant(room, at)), None => "not lately" } }
            dt { "Changes" } dd { a href=(link("/activity/audit", &[("actor", text(key, "id"))])) { "What it wrote, in the trail" } }
        }
    }
}

fn ways_to_end(room: &Room<'_>) -> Markup {
    let at = format!("/connections/keys/{}", segment(room.named));
    html! {
        section {
            h2 { "Rotate" }
            p.note { "A new secret for the same key; the old one stays good for a while, so that nothing stops." }
            form.grid method="post" action={ (at) "/rotate" } {
                (form::token(room))
                label.field { span { "Hours that the old secret stays good" } input type="number" name="overlap_hours" min="0" max="720" value="24"; }
                button.primary type="submit" { "Give it a new secret" }
            }
        }
        section {
            h2 { "Revoke" }
            p.note { "From the next request on it is refused. Its record stays." }
            form method="post" action={ (at) "/revoke" } {
                (form::token(room))
                button.danger type="submit" data-confirm="Revoke this key? Whoever uses it is refused from the next request on." { "Revoke" }
            }
        }
    }
}

fn rotate(room: &Room<'_>) -> Outcome {
    let mut input = Map::new();
    if let Some(hours) = room.visit.get("overlap_hours") {
        let number = hours.trim().parse::<f64>();
        input.insert(
            "overlap_hours".to_owned(),
            number.map_or(hours.into(), Value::from),
        );
    }
    let path = format!("{}/rotate", path_of(room));
    let made: Result<Value, Refused> = room.desk.ask("POST", &path, input);
    Ok(framed(room, &key_shown(room, &made?, "The new secret")))
}

fn revoke(room: &Room<'_>) -> Outcome {
    room.desk.ask("DELETE", &path_of(room), Map::new())?;
    Ok(Answer::go_on_at(link(
        "/connections",
        &[("done", "revoke")],
    )))
}
