//! Memories of a container by filter or by words, whatever their state.

use maud::{Markup, html};
use testimony_domain::{Plane, State, TrustBucket};

use super::memories::views;
use crate::parts::form;
use crate::parts::frame::{Frame, Here, empty, page};
use crate::parts::memory::row;
use crate::serve::{Outcome, Room};
use crate::text::{fields, link, list, said, segment};

/// What can be filtered by, beside the words.
const FILTERS: [&str; 8] = [
    "state",
    "trust",
    "memory_plane",
    "source",
    "tag",
    "agent_id",
    "created_after",
    "created_before",
];

pub(super) fn browse(room: &Room<'_>, container: &str) -> Outcome {
    let visit = room.visit;
    let mut asked: Vec<(&str, &str)> = FILTERS.map(|name| (name, visit.or_empty(name))).into();
    asked.push(("text", visit.or_empty("q")));
    asked.push(("limit", visit.or_empty("limit")));
    asked.push(("after", visit.or_empty("after")));
    let path = format!("/api/v1/admin/containers/{}/memories", segment(container));
    let found = room.desk.ask("GET", &path, fields(&asked))?;
    let rows = list(&found, "items");
    let narrowed = visit.get("q").is_some() || FILTERS.iter().any(|name| visit.get(name).is_some());
    let body = html! {
        header.head { h1 { "Memories" } (views(room, container, "")) }
        (filters(room, container))
        div.rows {
            @for found in rows { (row(room, found, visit.or_empty("q"), &html! {})) }
        }
        @if rows.is_empty() { (nothing(room, container, narrowed)) }
        @if let Some(next) = said(&found, "next") { (more(room, container, next)) }
    };
    let frame = Frame {
        title: "Memories",
        here: Here::Memories,
        container: Some(container),
    };
    Ok(page(room, &frame, &body))
}

fn filters(room: &Room<'_>, container: &str) -> Markup {
    let visit = room.visit;
    let used = FILTERS.iter().any(|name| visit.get(name).is_some());
    html! {
        form.search method="get" action="/memories" role="search" {
            (form::hidden("container", container))
            label.grow { span.unseen-label { "Words" }
                input type="search" name="q" value=(visit.or_empty("q")) placeholder="Search by words" data-search; }
            button.primary type="submit" { "Search" }
            details.filters open[used] {
                summary { "Filters" }
                div.fields {
                    (form::choice("State", "state", Some("any"), State::WORDS, visit.or_empty("state")))
                    (form::choice("Trust", "trust", Some("any"), TrustBucket::WORDS, visit.or_empty("trust")))
                    (form::choice("Plane", "memory_plane", Some("any"), Plane::WORDS, visit.or_empty("memory_plane")))
                    (form::line("Source", "source", visit.or_empty("source"), "api"))
                    (form::line("Tag", "tag", visit.or_empty("tag"), ""))
                    (form::line("Agent", "agent_id", visit.or_empty("agent_id"), ""))
                    (form::line("Kept after", "created_after", visit.or_empty("created_after"), "2027-01-31"))
                    (form::line("Kept before", "created_before", visit.or_empty("created_before"), "2027-02-28"))
                }
            }
        }
    }
}

fn nothing(room: &Room<'_>, container: &str, narrowed: bool) -> Markup {
    if narrowed {
        let all = link("/memories", &[("container", container)]);
        return empty(
            "Nothing fits these filters",
            &html! { p { a href=(all) { "Show every memory" } } },
        );
    }
    let address = room.desk.address();
    let command = format!(
        "curl -s {address}/api/v2/containers/{container}/retain \\\n  -H 'Authorization: Bearer YOUR_AGENT_KEY' -H 'Content-Type: application/json' \\\n  -d '{{\"content\": \"Mara works at the observatory.\"}}'"
    );
    empty(
        "Nothing is remembered here yet",
        &html! {
            p { "What agents retain appears here, each statement with its state, its trust and where it came from. To try it:" }
            (form::to_copy(&command, "the command"))
            p { a href="/connections" { "Connect an agent" } }
        },
    )
}

fn more(room: &Room<'_>, container: &str, next: &str) -> Markup {
    let visit = room.visit;
    let mut pairs: Vec<(&str, &str)> = FILTERS.map(|name| (name, visit.or_empty(name))).into();
    pairs.extend([("container", container), ("after", next)]);
    pairs.push(("limit", visit.or_empty("limit")));
    html! { p.pager { a href=(link("/memories", &pairs)) rel="next" { "More" } } }
}
