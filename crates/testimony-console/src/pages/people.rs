//! People who may sign in, and what each may do.

use maud::{Markup, html};
use serde_json::Value;

use crate::answer::Answer;
use crate::desk::Role;
use crate::parts::frame::{Frame, Here, page};
use crate::parts::memory::instant;
use crate::parts::{form, said};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{fields, link, list, said as told, segment, text};

pub(super) const PAGES: &[Page] = &[
    get("/people", Door::Admin, people),
    post("/people", Door::Admin, make),
    post("/people/{}", Door::Admin, change),
];

fn people(room: &Room<'_>) -> Outcome {
    let all = room.desk.ask("GET", "/api/v1/admin/people", fields(&[]))?;
    let body = html! {
        header.head {
            h1 { "People" }
            p.lead { "Whoever signs in is named, and every decision stands under that name. Reviewers decide about what waits; admins do everything." }
        }
        ul.cards {
            @for person in list(&all, "items") { li { (card(room, person)) } }
        }
        section {
            h2 { "Name somebody" }
            form.grid method="post" action="/people" {
                (form::token(room))
                (form::line("Name", "name", "", "mara"))
                (form::choice("Role", "role", None, Role::WORDS, "reviewer"))
                (form::password("First password", "password", true))
                button.primary type="submit" { "Name" }
            }
        }
    };
    let frame = Frame {
        title: "People",
        here: Here::People,
        container: None,
    };
    Ok(page(room, &frame, &body))
}

fn card(room: &Room<'_>, person: &Value) -> Markup {
    let action = format!("/people/{}", segment(text(person, "id")));
    let out = told(person, "disabled_at");
    let (flag, verb) = if out.is_some() {
        ("false", "Let in again")
    } else {
        ("true", "Shut out")
    };
    html! {
        article.card {
            h3 { (said::short(text(person, "name"))) }
            p.meta {
                span { (text(person, "role")) }
                span { "named " (instant(room, text(person, "made_at"))) }
                @if let Some(at) = out { span { "shut out " (instant(room, at)) } }
            }
            details {
                summary { "Change" }
                form.grid method="post" action=(action) {
                    (form::token(room))
                    (form::choice("Role", "role", None, Role::WORDS, text(person, "role")))
                    button.quiet type="submit" { "Give this role" }
                }
                form.grid method="post" action=(action) {
                    (form::token(room))
                    (form::password("A new password", "password", true))
                    button.quiet type="submit" { "Set password" }
                }
                (form::button(room, &action, &[("disabled", flag)], verb))
            }
        }
    }
}

fn make(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let input = fields(&["name", "role", "password"].map(|name| (name, visit.or_empty(name))));
    room.desk.ask("POST", "/api/v1/admin/people", input)?;
    Ok(Answer::go_on_at(link("/people", &[("done", "person")])))
}

fn change(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let mut input = fields(&["role", "password"].map(|name| (name, visit.or_empty(name))));
    if let Some(flag) = visit.get("disabled") {
        input.insert("disabled".to_owned(), Value::Bool(flag == "true"));
    }
    let path = format!("/api/v1/admin/people/{}", segment(room.named));
    room.desk.ask("PATCH", &path, input)?;
    Ok(Answer::go_on_at(link("/people", &[("done", "changed")])))
}
