//! A memory as a row of a list: what it says, how far it is trusted, and where to look further.

use maud::{Markup, html};
use serde_json::Value;

use super::{mark, said};
use crate::serve::Room;
use crate::text::{ago, at, link, minute, said as told, text, texts, words};

/// The labels under which a row exists; a link to it carries them.
pub(crate) const LABELS: [&str; 4] = ["user_id", "app_id", "org_id", "run_id"];

/// Where the case of a memory is.
pub(crate) fn case_link(row: &Value) -> String {
    case_link_of(text(row, "id"), at(row, "labels"))
}

/// The same by its parts.
pub(crate) fn case_link_of(id: &str, labels: &Value) -> String {
    let mut pairs = vec![("view", "courtroom"), ("case", id)];
    pairs.extend(LABELS.iter().map(|name| (*name, text(labels, name))));
    link("/memories", &pairs)
}

/// An instant: how long ago, and exactly where the pointer rests.
pub(crate) fn instant(room: &Room<'_>, at: &str) -> Markup {
    html! { time datetime=(at) title={ (minute(at)) " UTC" } { (ago(room.desk.now(), at)) } }
}

/// An id with no more of it than tells it from others; what is no id stays as it is.
pub(crate) fn short_id(id: &str) -> String {
    match id.split_once('_') {
        Some((kind, rest)) if rest.len() == 32 => {
            let end: String = rest.chars().skip(26).collect();
            format!("{kind} …{end}")
        }
        _ => id.to_owned(),
    }
}

/// Who did something: a link where there is a page about it, and no more of an id than tells it from others.
pub(crate) fn who(room: &Room<'_>, id: &str) -> Markup {
    let Some((kind, _)) = id.split_once('_') else {
        return html! { (id) };
    };
    let short = short_id(id);
    let mine = room.person().filter(|person| person.id == id);
    html! {
        @match mine {
            Some(person) => span title=(id) { (person.name) },
            None if kind == "key" && room.is_admin() => a href=(format!("/connections/keys/{id}")) title=(id) { (short) },
            None => span title=(id) { (short) },
        }
    }
}

/// The line below a statement.
pub(crate) fn meta(room: &Room<'_>, row: &Value) -> Markup {
    let agent = told(row, "owner.agent_id");
    html! {
        p.meta {
            (mark::trust(text(row, "trust_bucket")))
            @let state = told(row, "state").or_else(|| told(row, "lifecycle_state"));
            @if let Some(state) = state { (mark::state(state)) }
            span { (words(text(row, "memory_plane"))) }
            span { "from " (said::short(text(row, "source"))) }
            @if let Some(agent) = agent { span { "by " (said::short(agent)) } }
            @for tag in texts(row, "tags") { span.tag { (said::short(tag)) } }
            @for name in LABELS {
                @if let Some(label) = told(row, &format!("labels.{name}")) {
                    span.tag { (words(name)) " " (said::short(label)) }
                }
            }
            (instant(room, text(row, "created_at")))
        }
    }
}

/// A row. `asked` is the question in whose light it is shown.
pub(crate) fn row(room: &Room<'_>, row: &Value, asked: &str, more: &Markup) -> Markup {
    let id = text(row, "id");
    let case = case_link(row);
    html! {
        article.row id=(id) data-row {
            (said::text(text(row, "content")))
            (meta(room, row))
            (more)
            p.ways {
                a href=(case) data-open { "Case" }
                @if room.is_admin() {
                    a href=(link("/memories", &[("view", "why"), ("case", id), ("q", asked)])) data-key="w" { "Why?" }
                }
                code { (id) }
            }
        }
    }
}
