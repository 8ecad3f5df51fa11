//! One's own account: another password, and the end of the session.

use maud::{Markup, html};

use crate::answer::{Answer, Kept};
use crate::parts::form;
use crate::parts::frame::{Frame, Here, page};
use crate::parts::memory::instant;
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{fields, link, text};

pub(super) const PAGES: &[Page] = &[
    get("/account", Door::Person, account),
    post("/account/password", Door::Person, change),
];

fn account(room: &Room<'_>) -> Outcome {
    let session = room.desk.ask("GET", "/api/v1/session", fields(&[]))?;
    let body = html! {
        header.head { h1 { (text(&session, "person.name")) } }
        dl.pairs {
            dt { "Role" } dd { (text(&session, "person.role")) }
            dt { "Signed in" } dd { (instant(room, text(&session, "opened_at"))) }
            dt { "Session ends" } dd { (instant(room, text(&session, "expires_at"))) }
            dt { "Password set" } dd { (instant(room, text(&session, "person.password_set_at"))) }
        }
        section {
            h2 { "Another password" }
            p.note { "Every session of yours ends with it, this one too." }
            form.stack method="post" action="/account/password" {
                (form::token(room))
                (form::password("The password that holds", "password", false))
                (form::password("The new one", "new_password", true))
                button.primary type="submit" { "Change password" }
            }
        }
        (shortcuts())
    };
    let frame = Frame {
        title: "Account",
        here: Here::Account,
        container: None,
    };
    Ok(page(room, &frame, &body))
}

fn shortcuts() -> Markup {
    html! {
        section {
            h2 { "Shortcuts" }
            label.tick hidden data-shortcuts {
                input type="checkbox" checked autocomplete="off";
                span { "Shortcuts of single keys, in this browser" }
            }
            dl.pairs.keys {
                dt { kbd { "/" } } dd { "To the search" }
                dt { kbd { "j" } " " kbd { "k" } } dd { "Next row, row before" }
                dt { kbd { "Enter" } } dd { "Open the row" }
                dt { kbd { "a" } " " kbd { "x" } } dd { "Approve, reject" }
                dt { kbd { "e" } } dd { "Edit before approving" }
                dt { kbd { "u" } } dd { "Undo what was just decided" }
                dt { kbd { "g" } " then " kbd { "m" } " " kbd { "r" } " " kbd { "c" } " " kbd { "a" } " " kbd { "o" } " " kbd { "p" } }
                dd { "Memories, Review, Connections, Activity, Operations, People" }
            }
        }
    }
}

fn change(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let input = fields(&[
        ("password", visit.or_empty("password")),
        ("new_password", visit.or_empty("new_password")),
    ]);
    room.desk.ask("POST", "/api/v1/session/password", input)?;
    let address = link("/login", &[("done", "password")]);
    Ok(Answer::go_on_at(address).keeping(Kept::Nothing))
}
