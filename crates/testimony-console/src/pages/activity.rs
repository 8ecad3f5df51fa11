//! Activity: what was kept, what was asked and how often nothing was known, what was held back, how long it took.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde_json::Value;
use testimony_domain::Timestamp;

use super::memories::with_container;
use crate::desk::Refused;
use crate::parts::chart::{Bar, Chart, bars, plain};
use crate::parts::frame::{Frame, Here, page};
use crate::serve::{Door, Outcome, Page, Room, get};
use crate::text::{count, fields, link, list, micros, said, text, whole, words};

pub(super) const PAGES: &[Page] = &[get("/activity", Door::Admin, activity)];

/// Spans that can be looked at: word, name, seconds of it, and of one bar.
const SPANS: [(&str, &str, i64, i64); 3] = [
    ("day", "24 hours", 86_400, 3_600),
    ("week", "7 days", 7 * 86_400, 6 * 3_600),
    ("month", "30 days", 30 * 86_400, 86_400),
];
/// So many parts of a list are asked for before what is found is all that is told.
const PARTS: usize = 8;
/// Doors through which agents ask.
const ASKING: [&str; 6] = [
    "recall",
    "agent_context",
    "reflect",
    "courtroom",
    "gateway",
    "mcp",
];

/// What one bar counts.
#[derive(Clone, Copy, Default)]
struct Span {
    asked: u64,
    abstained: u64,
    suppressed: u64,
    took_us: u64,
    kept: u64,
}

/// A row of bars that ends now.
struct Window {
    first: i64,
    width: i64,
    spans: Vec<Span>,
}

impl Window {
    fn ending(now: Timestamp, (length, width): (i64, i64)) -> Self {
        let last = now.as_second().div_euclid(width);
        let bars = length.checked_div(width).unwrap_or(1);
        Self {
            first: (last - bars + 1) * width,
            width,
            spans: vec![Span::default(); usize::try_from(bars).unwrap_or(1)],
        }
    }

    fn at(&mut self, at: &str) -> Option<&mut Span> {
        let second = at.parse::<Timestamp>().ok()?.as_second();
        let place = second.checked_sub(self.first)?.div_euclid(self.width);
        self.spans.get_mut(usize::try_from(place).ok()?)
    }

    fn since(&self) -> String {
        Timestamp::from_second(self.first).map_or_else(|_| String::new(), |at| at.to_string())
    }

    fn bars(&self, value: impl Fn(&Span) -> (u64, u64)) -> Vec<Bar> {
        let spans = self.spans.iter().enumerate();
        spans
            .map(|(place, span)| {
                let (value, part) = value(span);
                Bar {
                    label: self.label(place),
                    value,
                    part,
                }
            })
            .collect()
    }

    fn label(&self, place: usize) -> String {
        let place = i64::try_from(place).unwrap_or_default();
        let at = Timestamp::from_second(self.first + place * self.width);
        let at = at.map_or_else(|_| String::new(), |at| at.to_string());
        let (day, time) = at.split_once('T').unwrap_or((&at, ""));
        let (day, minute): (String, String) = (
            day.chars().skip(5).collect(),
            time.chars().take(5).collect(),
        );
        match self.width {
            3_600 => minute,
            86_400 => day,
            _ => format!("{day} {minute}"),
        }
    }

    fn sum(&self, value: impl Fn(&Span) -> u64) -> u64 {
        self.spans.iter().map(value).sum()
    }
}

fn activity(room: &Room<'_>) -> Outcome {
    with_container(room, of_container)
}

fn of_container(room: &Room<'_>, container: &str) -> Outcome {
    let wanted = room.visit.or_empty("span");
    let span = SPANS.iter().find(|(word, ..)| *word == wanted);
    let (word, _, length, width) = *span.unwrap_or(&SPANS[1]);
    let mut window = Window::ending(room.desk.now(), (length, width));
    let mut doors = BTreeMap::new();
    reads(room, container, &mut window, &mut doors)?;
    let all_kept = kept(room, container, &mut window)?;
    let body = html! {
        header.head { h1 { "Activity" } (spans(container, word)) }
        div.charts { (charts(&window, all_kept)) }
        div.two {
            section { h2 { "By door" } (by_door(&doors)) }
            section { h2 { "How long it takes" } (durations(room)) }
        }
        section { h2 { "Jobs" } (jobs(room)?) }
        p { a href=(link("/activity/audit", &[("container", container)])) { "The trail of every change" } }
    };
    let frame = Frame {
        title: "Activity",
        here: Here::Activity,
        container: Some(container),
    };
    Ok(page(room, &frame, &body))
}

fn spans(container: &str, chosen: &str) -> Markup {
    html! {
        nav.views aria-label="Span" {
            @for (word, name, ..) in SPANS {
                a href=(link("/activity", &[("container", container), ("span", word)])) aria-current=[(word == chosen).then_some("page")] { (name) }
            }
        }
    }
}

/// Goes through a list part by part; whether all of it was seen.
fn each(
    room: &Room<'_>,
    path: &str,
    asked: &[(&str, &str)],
    mut with: impl FnMut(&Value),
) -> Result<bool, Refused> {
    let mut after = String::new();
    for _ in 0..PARTS {
        let mut pairs = asked.to_vec();
        pairs.extend([("limit", "500"), ("after", after.as_str())]);
        let found = room.desk.ask("GET", path, fields(&pairs))?;
        list(&found, "items").iter().for_each(&mut with);
        match said(&found, "next") {
            Some(next) => after = next.to_owned(),
            None => return Ok(true),
        }
    }
    Ok(false)
}

fn reads(
    room: &Room<'_>,
    container: &str,
    window: &mut Window,
    doors: &mut BTreeMap<String, Span>,
) -> Result<bool, Refused> {
    let since = window.since();
    let asked = [("container_tag", container), ("since", since.as_str())];
    each(room, "/api/v1/admin/audit/rollups", &asked, |row| {
        let route = text(row, "route");
        let requests = whole(row, "requests");
        let add = |span: &mut Span| {
            span.asked += requests;
            span.abstained += whole(row, "abstained");
            span.suppressed += whole(row, "suppressed");
            span.took_us += whole(row, "mean_latency_us") * requests;
        };
        add(doors.entry(route.to_owned()).or_default());
        if ASKING.contains(&route)
            && let Some(span) = window.at(text(row, "hour"))
        {
            add(span);
        }
    })
}

fn kept(room: &Room<'_>, container: &str, window: &mut Window) -> Result<bool, Refused> {
    let since = window.since();
    let asked = [
        ("container_tag", container),
        ("action", "memory.made"),
        ("since", since.as_str()),
    ];
    each(room, "/api/v1/admin/audit/events", &asked, |event| {
        if let Some(span) = window.at(text(event, "at")) {
            span.kept += 1;
        }
    })
}

/// A share in whole per cents.
fn per_cent(part: u64, whole: u64) -> String {
    let share = (part * 100).checked_div(whole).unwrap_or_default();
    format!("{share} %")
}

fn charts(window: &Window, all_kept: bool) -> Markup {
    let (asked, abstained) = (window.sum(|it| it.asked), window.sum(|it| it.abstained));
    let kept = window.sum(|it| it.kept);
    let kept_note = if all_kept {
        "memories made"
    } else {
        "memories made, and more"
    };
    let mean = window
        .sum(|it| it.took_us)
        .checked_div(asked)
        .unwrap_or_default();
    let chart = |title, figure: &str, note: &str, unit, all: Vec<Bar>| {
        let chart = Chart {
            title,
            figure,
            note,
            unit,
        };
        bars(&chart, &all)
    };
    let note = format!("{} abstained", per_cent(abstained, asked));
    html! {
        (chart("Kept", &count(kept), kept_note, plain, window.bars(|it| (it.kept, 0))))
        (chart("Asked", &count(asked), &note, plain, window.bars(|it| (it.asked, it.abstained))))
        (chart("Held back", &count(window.sum(|it| it.suppressed)), "rows, by a gate", plain, window.bars(|it| (it.suppressed, 0))))
        (chart("Latency", &micros(mean), "on average", micros, window.bars(|it| (it.took_us.checked_div(it.asked).unwrap_or_default(), 0))))
    }
}

fn by_door(doors: &BTreeMap<String, Span>) -> Markup {
    html! {
        @if doors.is_empty() { p.note { "Nothing was read in this time." } }
        @else {
            div.scrolls tabindex="0" { table {
                thead { tr { th { "Door" } th.right { "asked" } th.right { "nothing known" } th.right { "held back" } th.right { "mean" } } }
                tbody {
                    @for (route, span) in doors {
                        tr {
                            td { (words(route)) }
                            td.right { (count(span.asked)) }
                            td.right { (per_cent(span.abstained, span.asked)) }
                            td.right { (count(span.suppressed)) }
                            td.right { (micros(span.took_us.checked_div(span.asked).unwrap_or_default())) }
                        }
                    }
                }
            } }
        }
    }
}

fn durations(room: &Room<'_>) -> Markup {
    let found = room.desk.durations();
    let all = list(&found, "items");
    html! {
        @if all.is_empty() { p.note { "Nothing was asked since the server started." } }
        @else {
            div.scrolls tabindex="0" { table {
                thead { tr { th { "Since the start" } th.right { "requests" } th.right { "p50" } th.right { "p95" } th.right { "p99" } } }
                tbody {
                    @for row in all {
                        tr {
                            td { (words(text(row, "route"))) }
                            td.right { (count(whole(row, "requests"))) }
                            @for name in ["p50_us", "p95_us", "p99_us"] { td.right { "≤ " (micros(whole(row, name))) } }
                        }
                    }
                }
            } }
        }
    }
}

/// Jobs by kind and state.
pub(super) fn jobs(room: &Room<'_>) -> Result<Markup, Refused> {
    let census = room
        .desk
        .ask("GET", "/api/v1/admin/jobs/census", fields(&[]))?;
    let all = list(&census, "items");
    Ok(html! {
        @if all.is_empty() { p.note { "Nothing waits. What takes time after an answer, such as vectors, is counted here." } }
        @else {
            div.scrolls tabindex="0" { table {
                thead { tr { th { "Kind" } th { "State" } th.right { "jobs" } } }
                tbody { @for row in all { tr { td { (words(text(row, "kind"))) } td { (words(text(row, "state"))) } td.right { (count(whole(row, "jobs"))) } } } }
            } }
        }
    })
}
