//! What an operator sets right about a memory: corrected, or taken back.

use crate::answer::Answer;
use crate::parts::memory::case_link_of;
use crate::serve::{Door, Outcome, Page, Room, post};
use crate::text::{at, fields, segment, text};

pub(super) const PAGES: &[Page] = &[
    post("/memories/{}/correct", Door::Admin, correct),
    post("/memories/{}/retract", Door::Admin, retract),
];

fn done(room: &Room<'_>, what: &'static str, names: &[&str]) -> Outcome {
    let visit = room.visit;
    let said: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (*name, visit.or_empty(name)))
        .collect();
    let path = format!("/api/v1/admin/memories/{}/{what}", segment(room.named));
    let row = room.desk.ask("POST", &path, fields(&said))?;
    let address = case_link_of(text(&row, "id"), at(&row, "labels"));
    Ok(Answer::go_on_at(format!("{address}&done={what}")))
}

fn correct(room: &Room<'_>) -> Outcome {
    done(room, "correct", &["content", "reason"])
}

fn retract(room: &Room<'_>) -> Outcome {
    done(room, "retract", &["reason"])
}
