//! Decisions about what waits.

use serde_json::{Map, Value};

use super::review::known_kind;
use crate::answer::Answer;
use crate::serve::{Door, Outcome, Page, Room, post};
use crate::text::{fields, link, segment};
use crate::visit::Visit;

pub(super) const PAGES: &[Page] = &[
    post("/review/decide", Door::Person, decide),
    post("/review/group", Door::Person, decide_group),
];

/// The form has one box for every decision; only what belongs to the one that was taken is sent on.
fn decide(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let container = visit.or_empty("container");
    // A row about which nobody was asked is taken up by deciding about it.
    let taken = match visit.get("memory") {
        Some(memory) => room.desk.take_up(container, &[memory])?.into_iter().next(),
        None => None,
    };
    let case = taken.unwrap_or_else(|| visit.or_empty("case").to_owned());
    let (decision, input) = pressed(visit);
    let path = format!(
        "/api/v1/containers/{}/reviews/{}/decide",
        segment(container),
        segment(&case)
    );
    room.desk.ask("POST", &path, input)?;
    let undo = if decision == "undo" { "" } else { &case };
    let address = link(
        "/review",
        &[
            ("container", container),
            ("kind", known_kind(visit.or_empty("kind"))),
            ("done", decision),
            ("undo", undo),
        ],
    );
    let next = match segment(visit.or_empty("next")) {
        next if next.is_empty() => next,
        next => format!("#{next}"),
    };
    Ok(Answer::go_on_at(address + &next))
}

/// Which button was pressed, and what goes with it.
fn pressed(visit: &Visit) -> (&str, Map<String, Value>) {
    let (decision, content) = match visit.or_empty("decision") {
        "approve_as" => ("approve", visit.or_empty("content")),
        other => (other, ""),
    };
    let target = match decision {
        "merge" | "supersede" => visit.or_empty("target"),
        _ => "",
    };
    let said = fields(&[
        ("decision", decision),
        ("content", content),
        ("target", target.trim()),
        ("reason", visit.or_empty("reason")),
    ]);
    (decision, said)
}

fn decide_group(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let container = visit.or_empty("container");
    let rows: Vec<&str> = visit.all("memory").collect();
    if !rows.is_empty() {
        room.desk.take_up(container, &rows)?;
    }
    let input =
        fields(&["group", "kind", "decision", "reason"].map(|name| (name, visit.or_empty(name))));
    let path = format!("/api/v1/containers/{}/reviews/decide", segment(container));
    room.desk.ask("POST", &path, input)?;
    let address = link("/review", &[("container", container), ("done", "group")]);
    Ok(Answer::go_on_at(address))
}
