//! The queue of what waits for a person, in groups that one decision can serve.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::memories::with_container;
use super::queue::{self, Open};
use crate::desk::Refused;
use crate::parts::difference::sides;
use crate::parts::frame::{Frame, Here, empty, page};
use crate::parts::memory::{case_link, instant, meta, who};
use crate::parts::{form, mark, said};
use crate::serve::{Door, Outcome, Page, Room, get};
use crate::text::{at, brief, count, fields, link, list, said as told, segment, text, words};

pub(super) const PAGES: &[Page] = &[get("/review", Door::Person, review)];

/// Why something waits, as people read it: by a word in the navigation, by a title, and why. In the order of the queue:
/// first what keeps agents from an answer, then whoever asked, then what is held and can wait, and last what counts for
/// something already.
#[rustfmt::skip]
pub(super) const KINDS: &[(&str, &str, &str, &str)] = &[
    ("conflict", "Contradictions", "Contradiction", "It says something else than what is known."),
    ("correction", "Corrections", "A correction", "Somebody says that what is known is wrong."),
    ("requested", "Requested", "Review was asked for", "Whoever wrote it wants a person to look."),
    ("injection", "Injections", "Looks like an injection", "It reads like an instruction to whoever recalls it."),
    ("redacted", "Secrets", "A secret was taken out", "What is left can be released; the secret stays out."),
    ("pending", "Low support", "Low support", "One origin says it; another, or you, can make it count."),
];

/// The kind of this name; nothing where there is none.
pub(super) fn known_kind(word: &str) -> &'static str {
    let found = KINDS.iter().find(|(known, ..)| *known == word);
    found.map_or("", |(known, ..)| known)
}

pub(super) fn kind_of(word: &str) -> (&'static str, &'static str) {
    let found = KINDS.iter().find(|(known, ..)| *known == word);
    found.map_or(("Something else", ""), |(_, _, title, why)| (*title, *why))
}

fn review(room: &Room<'_>) -> Outcome {
    with_container(room, shown)
}

fn shown(room: &Room<'_>, container: &str) -> Outcome {
    let visit = room.visit;
    let base = format!("/api/v1/containers/{}/reviews", segment(container));
    let open = Open::of(room, container, &base)?;
    let inner = if let Some(case) = visit.get("case") {
        let found = room
            .desk
            .ask("GET", &format!("{base}/{}", segment(case)), Map::new())?;
        let shown = Shown::titled(&found);
        html! { (card(room, &shown, "")) }
    } else if visit.get("group").is_some() || visit.get("state") == Some("closed") {
        cases(room, container, &base)?
    } else {
        queue::sections(room, container, &base, &open)?
    };
    let body = html! {
        header.head { h1 { "Review" } (filters(room, container, &open)) }
        (inner)
    };
    let frame = Frame {
        title: "Review",
        here: Here::Review,
        container: Some(container),
    };
    Ok(page(room, &frame, &body))
}

fn filters(room: &Room<'_>, container: &str, waiting: &Open) -> Markup {
    let (kind, state) = (room.visit.or_empty("kind"), room.visit.or_empty("state"));
    let open = state != "closed";
    let one = |name: &str, word: &str| {
        let current = (open && word == kind).then_some("page");
        let waits = waiting.of_kind(word);
        html! { a href=(link("/review", &[("container", container), ("kind", word)])) aria-current=[current] { (name) @if let Some(waits) = waits { " " span.number { (waits) } } } }
    };
    html! {
        nav.views aria-label="Kinds" {
            (one("All", ""))
            @for (word, name, ..) in KINDS { (one(name, word)) }
            a href=(link("/review", &[("container", container), ("state", "closed")])) aria-current=[(!open).then_some("page")] { "Decided" }
        }
    }
}

/// A row that waits for support, as if there were a case about it: deciding opens one.
pub(super) fn as_case(row: &Value) -> Value {
    json!({
        "kind": "pending",
        "container_tag": text(row, "container_tag"),
        "opened_at": text(row, "created_at"),
        "memory": row,
        "against": [],
    })
}

/// Cases one by one; of a group with the rows of it about which nobody was asked.
fn cases(room: &Room<'_>, container: &str, base: &str) -> Result<Markup, Refused> {
    let visit = room.visit;
    let (group, state) = (visit.or_empty("group"), visit.or_empty("state"));
    let (kind, after) = (visit.or_empty("kind"), visit.or_empty("after"));
    let asked = fields(&[
        ("kind", kind),
        ("group", group),
        ("state", state),
        ("after", after),
    ]);
    let found = room.desk.ask("GET", base, asked)?;
    let holds_rows = !group.is_empty() && after.is_empty() && matches!(kind, "" | "pending");
    let waiting = match state {
        "" | "open" if holds_rows => room.desk.waiting(container, group)?,
        _ => Value::Null,
    };
    let rows = list(&waiting, "items").iter().map(as_case);
    let all: Vec<Value> = list(&found, "items").iter().cloned().chain(rows).collect();
    Ok(html! {
        @if !group.is_empty() && !all.is_empty() { (bulk(room, container, group, &all)) }
        (cards(room, &all.iter().map(Shown::titled).collect::<Vec<_>>(), ""))
        @if all.is_empty() { (empty("Nothing here", &html! { p { "No case fits." } })) }
        @if let Some(next) = told(&found, "next") {
            p.pager { a href=(link("/review", &[("container", container), ("group", group), ("kind", kind), ("state", state), ("after", next)])) rel="next" { "More" } }
        }
    })
}

/// How many cases of each kind, in the order of the kinds.
fn kinds_of(cases: &[Value]) -> Vec<(&'static str, &'static str, u64)> {
    let of = |word: &str| {
        cases
            .iter()
            .filter(|case| text(case, "kind") == word)
            .count() as u64
    };
    let kinds = KINDS
        .iter()
        .map(|(word, name, ..)| (*word, *name, of(word)));
    kinds.filter(|(.., cases)| *cases > 0).collect()
}

/// What was held is let out by looking at it, and not with what stands beside it.
fn is_held(kind: &str) -> bool {
    matches!(kind, "injection" | "redacted")
}

/// One decision for all that is alike. What was held is approved apart from the rest.
fn bulk(room: &Room<'_>, container: &str, group: &str, cases: &[Value]) -> Markup {
    let kinds = kinds_of(cases);
    let kind = room.visit.or_empty("kind");
    let is_mixed = kinds.len() > 1 && kinds.iter().any(|(word, ..)| is_held(word));
    let only = |word: &str| {
        let fields = [("container", container), ("group", group), ("kind", word)];
        link("/review", &fields)
    };
    html! {
        form.bulk method="post" action="/review/group" {
            (form::token(room))
            (form::hidden("container", container))
            (form::hidden("group", group))
            (form::hidden("kind", kind))
            @for case in cases.iter().filter(|case| told(case, "id").is_none()) { (form::hidden("memory", text(case, "memory.id"))) }
            p { "All " (count(cases.len() as u64)) " at once" }
            @if kinds.len() > 1 {
                p.ways { @for (word, name, cases) in &kinds { a href=(only(word)) { (name) " " (count(*cases)) } " " } }
            }
            (form::line("Reason", "reason", "", "kept with the decision"))
            div.actions {
                @if !is_mixed {
                    button.quiet type="submit" name="decision" value="approve" data-confirm="Approve every open case of this group?" { "Approve all" }
                }
                button.quiet type="submit" name="decision" value="reject" data-confirm="Reject every open case of this group?" { "Reject all" }
            }
        }
    }
}

/// What a case or a row stands for in the queue: all that one decision can serve.
#[derive(Clone, Copy)]
pub(super) struct Alike<'a> {
    pub(super) group: &'a str,
    pub(super) kind: &'a str,
    pub(super) cases: u64,
}

/// A case as it stands in a list.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) case: &'a Value,
    pub(super) alike: Option<Alike<'a>>,
    /// Whether it says of which kind it is, where nothing above it does.
    pub(super) titled: bool,
}

impl<'a> Shown<'a> {
    fn titled(case: &'a Value) -> Self {
        Self {
            case,
            alike: None,
            titled: true,
        }
    }

    /// By what its card is found on the page: a group by itself, since another of it stands there once the first is decided.
    pub(super) fn mark(&self) -> String {
        match self.alike {
            Some(Alike { group, kind, .. }) => format!("{kind}-{}", brief(group.bytes())),
            None => told(self.case, "id")
                .unwrap_or_else(|| text(self.case, "memory.id"))
                .to_owned(),
        }
    }

    fn has_more(&self) -> bool {
        self.alike.is_some_and(|alike| alike.cases > 1)
    }
}

/// Cases one below the other, with what stands behind them; whoever decides about one comes back at the next.
pub(super) fn cards(room: &Room<'_>, all: &[Shown<'_>], behind: &str) -> Markup {
    let next = |place: usize, shown: &Shown<'_>| match all.get(place + 1) {
        _ if shown.has_more() => shown.mark(),
        Some(next) => next.mark(),
        None => behind.to_owned(),
    };
    html! { @for (place, shown) in all.iter().enumerate() { (card(room, shown, &next(place, shown))) } }
}

/// The way to the others of a group.
fn others(container: &str, alike: Alike<'_>) -> Markup {
    let fields = [
        ("container", container),
        ("group", alike.group),
        ("kind", alike.kind),
    ];
    html! { a.alike href=(link("/review", &fields)) { "and " (count(alike.cases - 1)) " alike" } }
}

/// A case: what is claimed, what stands against it, and what can be decided; `next` is where to go on after that.
pub(super) fn card(room: &Room<'_>, shown: &Shown<'_>, next: &str) -> Markup {
    let Shown { case, alike, .. } = *shown;
    let (title, why) = kind_of(text(case, "kind"));
    let alike = alike.filter(|alike| alike.cases > 1);
    let titled = shown.titled && told(case, "id").is_some();
    let memory = at(case, "memory");
    let rivals = list(case, "against");
    html! {
        article.case id=(shown.mark()) data-row {
            @if titled || alike.is_some() {
                header {
                    @if titled {
                        h2 { (title) }
                        p.note { (why) " " (instant(room, text(case, "opened_at"))) }
                    }
                    @if let Some(alike) = alike { (others(text(case, "container_tag"), alike)) }
                }
            }
            @if let Some(note) = told(case, "note") { p.note { "“" (said::short(note)) "”" } }
            @if rivals.is_empty() { (said::text(text(memory, "content"))) (meta(room, memory)) }
            @for rival in rivals { (against(room, memory, rival)) }
            @if at(case, "closed").is_null() { (decisions(room, case, next)) } @else { (closed(room, case)) }
        }
    }
}

fn against(room: &Room<'_>, memory: &Value, rival: &Value) -> Markup {
    let (new, old) = sides(text(memory, "content"), text(rival, "content"));
    html! {
        div.pair {
            div { p.overline { "What came" } (new) (meta(room, memory)) }
            div { p.overline { "What is known" } (old) (meta(room, rival)) }
        }
    }
}

fn closed(room: &Room<'_>, case: &Value) -> Markup {
    let closed = at(case, "closed");
    let container = text(case, "container_tag");
    html! {
        div.decided {
            p { strong { (crate::text::title(text(closed, "decision"))) } " by " (who(room, text(closed, "by"))) ", " (instant(room, text(closed, "at")))
                @if let Some(reason) = told(closed, "reason") { ": “" (said::short(reason)) "”" } }
            p.ways { a href=(case_link(at(case, "memory"))) data-open { "The whole case" } }
            (form::button(room, "/review/decide", &[("container", container), ("case", text(case, "id")), ("decision", "undo")], "Undo"))
        }
    }
}

fn decisions(room: &Room<'_>, case: &Value, next: &str) -> Markup {
    let memory = at(case, "memory");
    let secret = text(memory, "state") == "quarantined_secret";
    // What reads like an attack is let out by a deliberate hand.
    let (approving, rejecting) = if text(case, "kind") == "injection" {
        ("quiet", "primary")
    } else {
        ("primary", "quiet")
    };
    let (approve, reject) = if list(case, "against").is_empty() {
        ("Approve", "Reject")
    } else {
        ("What came holds", "What is known holds")
    };
    html! {
        form.decide method="post" action="/review/decide" {
            (form::token(room))
            (form::hidden("container", text(case, "container_tag")))
            (form::hidden("case", text(case, "id")))
            @if told(case, "id").is_none() { (form::hidden("memory", text(memory, "id"))) }
            (form::hidden("kind", room.visit.or_empty("kind")))
            (form::hidden("next", next))
            label.field.grow { span { "Reason" } input type="text" name="reason" placeholder="kept with the decision" autocomplete="off"; }
            div.actions {
                @if secret {
                    button.primary type="submit" name="decision" value="release_redacted" data-key="a" { "Release what is left" }
                } @else {
                    button class=(approving) type="submit" name="decision" value="approve" data-key="a" { (approve) }
                }
                button class=(rejecting) type="submit" name="decision" value="reject" data-key="x" { (reject) }
                button.quiet type="submit" name="decision" value="hide" { "Hide" }
            }
            div.more {
                @if !secret { (other_words(memory)) }
                (other_rows(case))
                p.ways { a href=(case_link(memory)) data-open { "The whole case" } }
            }
        }
    }
}

/// Approval in other words. The box goes with one button only: what stands in it counts when that one is pressed.
fn other_words(memory: &Value) -> Markup {
    html! {
        details {
            summary data-key="e" { "Edit, then approve" }
            label.field { span { "As one statement that stands by itself" }
                textarea name="content" rows="3" dir="auto" { (text(memory, "content")) } }
            button.quiet type="submit" name="decision" value="approve_as" { "Approve in these words" }
        }
    }
}

fn other_rows(case: &Value) -> Markup {
    let rivals = list(case, "against");
    html! {
        details {
            summary { "Merge or supersede" }
            @if rivals.is_empty() {
                label.field { span { "Id of the other memory" } input type="text" name="target" placeholder="mem_…" spellcheck="false" autocomplete="off"; }
            } @else {
                label.field { span { "Of which memory" }
                    select name="target" {
                        @for rival in rivals {
                            option value=(text(rival, "id")) { (said::beginning(text(rival, "content"), 80)) }
                        }
                    }
                }
            }
            div.actions {
                button.quiet type="submit" name="decision" value="merge" { "Says the same: merge" }
                button.quiet type="submit" name="decision" value="supersede" { "Take its place: supersede" }
            }
            @if rivals.is_empty() { p.note { (mark::state(text(at(case, "memory"), "state"))) " " (words(text(at(case, "memory"), "source_class"))) } }
        }
    }
}
