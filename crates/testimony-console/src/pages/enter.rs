//! Coming in: the first run, signing in, signing out.

use maud::{Markup, html};

use crate::answer::{Answer, Kept};
use crate::desk::Refused;
use crate::parts::{form, frame};
use crate::serve::{Door, Outcome, Page, Room, get, post};
use crate::text::{fields, link};

pub(super) const PAGES: &[Page] = &[
    get("/", Door::Anybody, beginning),
    get("/welcome", Door::Anybody, welcome),
    post("/welcome", Door::Anybody, make_first),
    get("/login", Door::Anybody, login),
    post("/login", Door::Anybody, sign_in),
    post("/logout", Door::Person, sign_out),
];

fn beginning(room: &Room<'_>) -> Outcome {
    if room.desk.awaits_first()? {
        return Ok(Answer::go_on_at("/welcome".to_owned()));
    }
    Ok(Answer::go_on_at("/memories".to_owned()))
}

/// Only a path of this service: nobody is sent elsewhere after signing in.
fn next(room: &Room<'_>) -> String {
    let wanted = room.visit.or_empty("next");
    let second = wanted.chars().nth(1);
    let is_ours = wanted.starts_with('/')
        && !matches!(second, Some('/' | '\\'))
        && !wanted.chars().any(char::is_control);
    if is_ours { wanted } else { "/memories" }.to_owned()
}

fn told(refused: Option<&Refused>) -> Markup {
    html! {
        @if let Some(refused) = refused {
            div.wrong role="alert" {
                p { (refused.detail) }
                @for (place, what) in &refused.faults {
                    p { strong { (crate::text::title(place.trim_start_matches('/'))) } ": " (what) }
                }
            }
        }
    }
}

fn login(room: &Room<'_>) -> Outcome {
    if room.desk.awaits_first()? {
        return Ok(Answer::go_on_at("/welcome".to_owned()));
    }
    if room.person().is_some() {
        return Ok(Answer::go_on_at(next(room)));
    }
    Ok(login_page(room, None))
}

fn login_page(room: &Room<'_>, refused: Option<&Refused>) -> Answer {
    let body = html! {
        h1 { "Sign in" }
        (told(refused))
        form.stack method="post" action="/login" {
            (form::hidden("next", &next(room)))
            label.field {
                span { "Name" }
                // Not with what was typed before: it may be the password.
                input type="text" name="name" required autocomplete="username" autocapitalize="none" spellcheck="false" autofocus;
            }
            (form::password("Password", "password", false))
            button.primary type="submit" { "Sign in" }
        }
        p.aside { "An operator names people, and gives another password to whoever forgot one." }
    };
    let status = refused.map_or(200, |refused| refused.status);
    frame::outside(room, "Sign in", &body).with_status(status)
}

fn sign_in(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    match room
        .desk
        .sign_in(visit.or_empty("name"), visit.or_empty("password"))
    {
        Ok(session) => Ok(Answer::go_on_at(next(room)).keeping(session)),
        Err(refused) => Ok(login_page(room, Some(&refused))),
    }
}

fn sign_out(room: &Room<'_>) -> Outcome {
    room.desk.ask("DELETE", "/api/v1/session", fields(&[]))?;
    let address = link("/login", &[("done", "out")]);
    Ok(Answer::go_on_at(address).keeping(Kept::Nothing))
}

fn welcome(room: &Room<'_>) -> Outcome {
    if !room.desk.awaits_first()? {
        return Ok(Answer::go_on_at("/login".to_owned()));
    }
    Ok(welcome_page(room, None))
}

fn welcome_page(room: &Room<'_>, refused: Option<&Refused>) -> Answer {
    // What was typed before may be something else that is secret; a token that was right may stand there again.
    let is_right = refused.is_none_or(|refused| refused.status == 422);
    let token = room
        .visit
        .get("token")
        .filter(|_| is_right)
        .unwrap_or_default();
    let body = html! {
        p.overline { "First run" }
        h1 { "Nothing counts as known until it has been examined." }
        p.lead { "Somebody has to be able to examine. Choose the name and the password with which you operate this memory; others can be named later." }
        (told(refused))
        form.stack method="post" action="/welcome" {
            label.field {
                span { "Token" }
                input type="text" name="token" value=(token) required autocomplete="off" spellcheck="false" aria-describedby="token-from";
                small id="token-from" { "It is in the link that the server shows on its terminal, or in " code { "console-link.txt" } " in its folder." }
            }
            label.field {
                span { "Name" }
                input type="text" name="name" required autocomplete="username" autocapitalize="none" spellcheck="false";
            }
            (form::password("Password", "password", true))
            p.hint { "At least twelve characters; a sentence is best." }
            button.primary type="submit" { "Begin" }
        }
    };
    let status = refused.map_or(200, |refused| refused.status);
    frame::outside(room, "First run", &body).with_status(status)
}

fn make_first(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let (name, password) = (visit.or_empty("name"), visit.or_empty("password"));
    let made = room
        .desk
        .make_first(visit.or_empty("token").trim(), name, password);
    if let Err(refused) = made {
        return Ok(welcome_page(room, Some(&refused)));
    }
    // Whoever chose a password a moment ago need not type it again.
    Ok(match room.desk.sign_in(name, password) {
        Ok(session) => Answer::go_on_at("/memories".to_owned()).keeping(session),
        Err(_) => Answer::go_on_at(link("/login", &[("done", "first")])),
    })
}
