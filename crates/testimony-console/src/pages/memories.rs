//! Memories: which view of them is asked for.

use maud::{Markup, html};

use super::{browse, courtroom, recalled, why};
use crate::answer::Answer;
use crate::desk::Refused;
use crate::parts::form;
use crate::parts::frame::{Frame, Here, empty, page};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{fields, link};

pub(super) const PAGES: &[Page] = &[
    get("/memories", Door::Person, memories),
    post("/containers", Door::Admin, make_container),
];

fn memories(room: &Room<'_>) -> Outcome {
    match room.visit.or_empty("view") {
        "courtroom" => courtroom::case(room),
        "why" if room.is_admin() => why::why(room),
        "" if room.is_admin() => with_container(room, browse::browse),
        "" | "recall" => with_container(room, recalled::recalled),
        _ => Err(Refused::nothing_here()),
    }
}

/// A view of a container; where there is none yet, how one is made.
pub(super) fn with_container(room: &Room<'_>, view: fn(&Room<'_>, &str) -> Outcome) -> Outcome {
    match room.container()? {
        Some(container) => view(room, &container),
        None => Ok(no_container(room)),
    }
}

fn no_container(room: &Room<'_>) -> Answer {
    let more = html! {
        p { "A container is a memory of its own: for a team, a product, a person. Agents reach those that their keys name." }
        @if room.is_admin() { (make_form(room)) }
    };
    let frame = Frame {
        title: "Memories",
        here: Here::Memories,
        container: None,
    };
    let body = html! {
        header.head { h1 { "Memories" } }
        (empty("There is no container yet", &more))
    };
    page(room, &frame, &body)
}

/// The form that makes a container.
pub(super) fn make_form(room: &Room<'_>) -> Markup {
    html! {
        form.grid method="post" action="/containers" {
            (form::token(room))
            (form::line("Tag", "container_tag", "", "workspace"))
            button.primary type="submit" { "Make the container" }
        }
    }
}

fn make_container(room: &Room<'_>) -> Outcome {
    let tag = room.visit.or_empty("container_tag");
    let input = fields(&[("container_tag", tag)]);
    room.desk.ask("POST", "/api/v1/admin/containers", input)?;
    let address = link("/memories", &[("container", tag), ("done", "container")]);
    Ok(Answer::go_on_at(address))
}

/// The ways to look at the memories of a container.
pub(super) fn views(room: &Room<'_>, container: &str, here: &str) -> Markup {
    let one = |view: &str, name: &str| {
        let current = (view == here).then_some("page");
        html! { a href=(link("/memories", &[("view", view), ("container", container)])) aria-current=[current] { (name) } }
    };
    html! {
        @if room.is_admin() {
            nav.views aria-label="Views" {
                (one("", "Browse"))
                (one("recall", "As an agent sees it"))
            }
        }
    }
}
