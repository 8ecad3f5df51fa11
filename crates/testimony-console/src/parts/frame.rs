//! What stands around every page: head, navigation, what was just done, and what went wrong.

use std::sync::LazyLock;

use maud::{DOCTYPE, Markup, html};

use super::form;
use crate::answer::Answer;
use crate::desk::Refused;
use crate::pages::assets::{SCRIPT, STYLE};
use crate::serve::Room;
use crate::text::{brief, link};

/// Under which heading a page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Here {
    Memories,
    Review,
    Connections,
    Activity,
    Operations,
    People,
    Account,
}

/// Heading, address, key by which it is reached, and whether only operators see it.
const SECTIONS: [(Here, &str, &str, &str, bool); 6] = [
    (Here::Memories, "Memories", "/memories", "m", false),
    (Here::Review, "Review", "/review", "r", false),
    (Here::Connections, "Connections", "/connections", "c", true),
    (Here::Activity, "Activity", "/activity", "a", true),
    (Here::Operations, "Operations", "/operations", "o", true),
    (Here::People, "People", "/people", "p", true),
];

/// What was done, in the words that an address may carry; it says nothing of its own.
#[rustfmt::skip]
const DONE: &[(&str, &str)] = &[
    ("approve", "Approved. It counts from now on."),
    ("reject", "Rejected. It is kept as a record and recalled no more."),
    ("hide", "Hidden. Nobody is shown it."),
    ("supersede", "Superseded. The older row is kept, closed in time."),
    ("merge", "Merged. It now speaks for the other row."),
    ("release_redacted", "Released without its secret; what is left is examined like anything that comes in."),
    ("undo", "Taken back. The case is open again."),
    ("group", "Decided for the whole group."),
    ("correct", "Corrected. What was said before is kept as an earlier revision."),
    ("retract", "Taken back. It is kept as a record and recalled no more."),
    ("revoke", "Revoked. It is refused from the next request on."),
    ("withdraw", "Withdrawn. Nobody can exchange it any more."),
    ("person", "Named. They can sign in with the password that you chose."),
    ("changed", "Changed. Every session of theirs has ended."),
    ("container", "The container is there."),
    ("backup", "A backup was made and verified."),
    ("revived", "The job is in the queue again."),
    ("password", "The password is changed. Sign in with the new one."),
    ("out", "You are signed out."),
    ("first", "That is you. Sign in with the password that you chose."),
];

/// What a page holds beside its body.
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    pub(crate) here: Here,
    pub(crate) container: Option<&'a str>,
}

/// A short word that changes when a file does, so that browsers may keep files for as long as they like.
pub(crate) static EDITION: LazyLock<String> =
    LazyLock::new(|| brief(STYLE.bytes().chain(SCRIPT.bytes())));

fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Testimony" }
                link rel="icon" type="image/svg+xml" href={ "/assets/mark.svg?" (*EDITION) };
                link rel="stylesheet" href={ "/assets/console.css?" (*EDITION) };
                script src={ "/assets/console.js?" (*EDITION) } defer {}
            }
            (body)
        }
    }
}

fn wordmark(address: &str) -> Markup {
    html! {
        a.wordmark href=(address) {
            svg aria-hidden="true" viewBox="0 0 24 24" width="22" height="22" {
                circle cx="12" cy="12" r="10" {}
                path d="M12 2a10 10 0 0 0 0 20z" {}
            }
            "Testimony"
        }
    }
}

/// The container that is looked at. A page that is about none keeps the one that its address names, so that the way on
/// leads back to it.
fn chosen<'a>(room: &'a Room<'_>, frame: &'a Frame<'_>) -> &'a str {
    let kept = frame.container.or_else(|| room.visit.get("container"));
    kept.unwrap_or_default()
}

fn navigation(room: &Room<'_>, frame: &Frame<'_>) -> Markup {
    let container = chosen(room, frame);
    let seen = SECTIONS
        .iter()
        .filter(|section| !section.4 || room.is_admin());
    html! {
        nav.sections aria-label="Sections" {
            @for (here, name, path, key, _) in seen {
                @let current = (*here == frame.here).then_some("page");
                a href=(link(path, &[("container", container)])) aria-current=[current] data-go=(key) { (name) }
            }
        }
    }
}

fn who(room: &Room<'_>, frame: &Frame<'_>) -> Markup {
    let current = (frame.here == Here::Account).then_some("page");
    html! {
        div.who {
            @if let Some(person) = room.person() {
                a href=(link("/account", &[("container", chosen(room, frame))])) aria-current=[current] { (person.name) }
                span.role { (person.role.as_str()) }
                form method="post" action="/logout" {
                    (form::token(room))
                    button.link type="submit" { "Sign out" }
                }
            }
        }
    }
}

/// Which container is looked at, where there are several.
fn containers(room: &Room<'_>, frame: &Frame<'_>) -> Markup {
    let all = room.desk.containers().unwrap_or_default();
    let chosen = chosen(room, frame);
    let is_known = all.iter().any(|tag| tag == chosen);
    html! {
        @if all.len() > 1 {
            form.container method="get" action=(room.visit.path) data-sends {
                label {
                    span { "Container" }
                    select name="container" {
                        // A browser shows the first of a list of which none is chosen, as if it were.
                        @if !is_known { option value="" selected { "Choose one" } }
                        @for tag in &all { option selected[tag == chosen] { (tag) } }
                    }
                }
                button.quiet type="submit" { "Go" }
            }
        } @else if frame.container.is_some() {
            p.container { span { "Container" } " " strong { (chosen) } }
        }
    }
}

/// What was just done, and the way back.
fn done(room: &Room<'_>) -> Markup {
    let visit = room.visit;
    let word = visit.get("done");
    let sentence = word.and_then(|word| DONE.iter().find(|(known, _)| *known == word));
    let case = visit.get("undo").filter(|_| room.person().is_some());
    html! {
        @if let Some((_, sentence)) = sentence {
            div.done role="status" {
                p { (sentence) }
                @if let Some(case) = case {
                    form.inline method="post" action="/review/decide" {
                        (form::token(room))
                        (form::hidden("container", visit.or_empty("container")))
                        (form::hidden("case", case))
                        (form::hidden("decision", "undo"))
                        button.quiet type="submit" data-key="u" { "Undo" }
                    }
                }
            }
        }
    }
}

/// A page of somebody who has signed in.
pub(crate) fn page(room: &Room<'_>, frame: &Frame<'_>, body: &Markup) -> Answer {
    let inner = html! {
        body {
            a.skip href="#content" { "Skip to the content" }
            div.shell {
                header.side {
                    (wordmark("/memories"))
                    (navigation(room, frame))
                    (who(room, frame))
                }
                main id="content" tabindex="-1" {
                    (containers(room, frame))
                    (done(room))
                    (body)
                }
            }
        }
    };
    Answer::page(document(frame.title, &inner))
}

/// A page of somebody who has not.
pub(crate) fn outside(room: &Room<'_>, title: &str, body: &Markup) -> Answer {
    let inner = html! {
        body.outside {
            main id="content" {
                (wordmark("/"))
                (done(room))
                (body)
            }
        }
    };
    Answer::page(document(title, &inner))
}

fn trouble_told(refused: &Refused) -> Markup {
    html! {
        section.trouble {
            p.overline { (refused.status) }
            h1 { (refused.title) }
            p { (refused.detail) }
            @if !refused.faults.is_empty() {
                dl.faults {
                    @for (place, what) in &refused.faults {
                        dt { (place.trim_start_matches('/')) }
                        dd { (what) }
                    }
                }
            }
            p { a href="/" { "To the beginning" } }
        }
    }
}

/// What went wrong.
pub(crate) fn trouble(room: &Room<'_>, refused: &Refused) -> Answer {
    let body = trouble_told(refused);
    let answer = if room.person().is_some() {
        let frame = Frame {
            title: &refused.title,
            here: Here::Account,
            container: None,
        };
        page(room, &frame, &body)
    } else {
        outside(room, &refused.title, &body)
    };
    answer.with_status(refused.status)
}

/// The same where nothing is known of whoever asks.
pub(crate) fn bare_trouble(refused: &Refused) -> Answer {
    let inner = html! {
        body.outside { main id="content" { (wordmark("/")) (trouble_told(refused)) } }
    };
    Answer::page(document(&refused.title, &inner)).with_status(refused.status)
}

/// A page that asks for itself, from here this time.
pub(crate) fn again(address: &str) -> Answer {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="refresh" content={ "0;url=" (address) };
                title { "Testimony" }
            }
            body { p { a href=(address) { "Go on" } } }
        }
    };
    Answer::page(page)
}

/// Where there is nothing: what would be here, and how it comes.
pub(crate) fn empty(title: &str, more: &Markup) -> Markup {
    html! {
        div.empty {
            h2 { (title) }
            (more)
        }
    }
}
