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
/// Doors through which something is asked. A tool over MCP asks through the one of its use case; whoever reads a case
/// asks nothing that could be abstained from.
const ASKING: [&str; 5] = ["recall", "agent_context", "reflect", "gateway", "mcp"];

/// What one bar counts.
#[derive(Clone, Default)]
struct Span {
    asked: u64,
    abstained: u64,
    suppressed: u64,
    took_us: u64,
    kept: u64,
    /// How many questions took at most so many microseconds, once all are in, in the order of these.
    took: Vec<(u64, u64)>,
    jobs: Jobs,
}

/// What became of jobs.
#[derive(Clone, Copy, Default)]
struct Jobs {
    made: u64,
    done: u64,
    dead: u64,
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
        self.at_second(at.parse::<Timestamp>().ok()?.as_second())
    }

    fn at_second(&mut self, second: i64) -> Option<&mut Span> {
        let place = second.checked_sub(self.first)?.div_euclid(self.width);
        self.spans.get_mut(usize::try_from(place).ok()?)
    }

    fn begins(&self) -> Timestamp {
        Timestamp::from_second(self.first).unwrap_or(Timestamp::MIN)
    }

    fn since(&self) -> String {
        self.begins().to_string()
    }

    /// A bar for each span: how high it is, how much of that is told apart, and all of it in words.
    fn bars(&self, value: impl Fn(&Span) -> (u64, u64, String)) -> Vec<Bar> {
        let spans = self.spans.iter().enumerate();
        spans
            .map(|(place, span)| {
                let (value, part, told) = value(span);
                Bar {
                    label: self.label(place),
                    value,
                    part,
                    told,
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
    took(room, container, &mut window)?;
    done(room, container, &mut window)?;
    let body = html! {
        header.head { h1 { "Activity" } (spans(container, word)) }
        div.charts { (charts(&window)) }
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

/// What was asked and found, part by part of the list of hours.
fn reads(
    room: &Room<'_>,
    container: &str,
    window: &mut Window,
    doors: &mut BTreeMap<String, Span>,
) -> Result<(), Refused> {
    let since = window.since();
    let mut after = String::new();
    for _ in 0..PARTS {
        let asked = [
            ("container_tag", container),
            ("since", since.as_str()),
            ("limit", "500"),
            ("after", after.as_str()),
        ];
        let found = room
            .desk
            .ask("GET", "/api/v1/admin/audit/rollups", fields(&asked))?;
        for row in list(&found, "items") {
            count_in(row, window, doors);
        }
        match said(&found, "next") {
            Some(next) => next.clone_into(&mut after),
            None => break,
        }
    }
    Ok(())
}

fn count_in(row: &Value, window: &mut Window, doors: &mut BTreeMap<String, Span>) {
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
}

/// What was kept, and what became of jobs: the trail knows it also where the row itself is long gone.
fn done(room: &Room<'_>, container: &str, window: &mut Window) -> Result<(), Refused> {
    for tally in room.desk.tallies(container, window.begins())? {
        let Some(span) = window.at_second(tally.hour.as_second()) else {
            continue;
        };
        let counted = match (tally.action, tally.decision.as_str()) {
            ("memory.made", _) => &mut span.kept,
            ("job.queued", _) => &mut span.jobs.made,
            ("job.changed", "done") => &mut span.jobs.done,
            ("job.changed", "dead") => &mut span.jobs.dead,
            _ => continue,
        };
        *counted += tally.events;
    }
    Ok(())
}

/// How long questions took.
fn took(room: &Room<'_>, container: &str, window: &mut Window) -> Result<(), Refused> {
    let counted = room.desk.took(container, window.begins())?.into_iter();
    for took in counted.filter(|took| ASKING.contains(&took.route)) {
        if let Some(span) = window.at_second(took.hour.as_second()) {
            span.took.push((took.micros, took.requests));
        }
    }
    for span in &mut window.spans {
        span.took.sort_unstable();
    }
    Ok(())
}

/// How many values of a counted row there are.
fn number(counted: &[(u64, u64)]) -> u64 {
    counted.iter().map(|(_, count)| count).sum()
}

/// The value of a row that is sorted and counted below or at which so many per cent of them are; nothing of none.
fn percentile(counted: &[(u64, u64)], per_cent: u64) -> u64 {
    let rank = (number(counted) * per_cent).div_ceil(100);
    let mut seen = 0;
    let found = counted.iter().find(|(_, count)| {
        seen += count;
        seen >= rank
    });
    found.map_or(0, |(value, _)| *value)
}

/// A share in whole per cents.
fn share(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or_default()
}

fn per_cent(share: u64) -> String {
    format!("{share} %")
}

fn charts(window: &Window) -> Markup {
    let (asked, abstained) = (window.sum(|it| it.asked), window.sum(|it| it.abstained));
    let kept = window.sum(|it| it.kept);
    let chart = |title, figure: &str, note: &str, unit, all: Vec<Bar>| {
        let chart = Chart {
            title,
            figure,
            note,
            unit,
        };
        bars(&chart, &all)
    };
    let plainly = |value: u64| (value, 0, plain(value));
    let asked_bars = window.bars(|it| {
        let told = format!("{}, of which {} abstained", it.asked, it.abstained);
        (it.asked, it.abstained, told)
    });
    let abstained_bars = window.bars(|it| {
        let share = share(it.abstained, it.asked);
        (share, 0, per_cent(share))
    });
    html! {
        (chart("Kept", &count(kept), "memories made", plain, window.bars(|it| plainly(it.kept))))
        (chart("Asked", &count(asked), "questions", plain, asked_bars))
        (chart("Abstained", &per_cent(share(abstained, asked)), "of the questions", per_cent, abstained_bars))
        (chart("Held back", &count(window.sum(|it| it.suppressed)), "rows, by a gate", plain, window.bars(|it| plainly(it.suppressed))))
        (latency(window, asked))
        (jobs_chart(window))
    }
}

/// How long 95 of 100 questions took at most, with the half of them apart. It is not known of those that were asked before
/// it was counted, or longer ago than it is kept.
fn latency(window: &Window, asked: u64) -> Markup {
    let spans = window.spans.iter();
    let mut all: Vec<(u64, u64)> = spans.flat_map(|it| &it.took).copied().collect();
    all.sort_unstable();
    let [half, most, nearly_all] = [50, 95, 99].map(|per_cent| percentile(&all, per_cent));
    let known = number(&all);
    let of_newest = if known < asked {
        format!("; of {} of {}", count(known), count(asked))
    } else {
        String::new()
    };
    let chart = Chart {
        title: "Latency",
        figure: &micros(most),
        note: &format!(
            "p95; p50 {}, p99 {}{}",
            micros(half),
            micros(nearly_all),
            of_newest
        ),
        unit: micros,
    };
    let all = window.bars(|it| {
        let [half, most] = [50, 95].map(|per_cent| percentile(&it.took, per_cent));
        let told = match (it.asked, it.took.is_empty()) {
            (1.., true) => "it was not counted how long".to_owned(),
            _ => format!("p95 {}, p50 {}", micros(most), micros(half)),
        };
        (most, half, told)
    });
    bars(&chart, &all)
}

/// How many jobs ended, with those that were given up apart.
fn jobs_chart(window: &Window) -> Markup {
    let made = window.sum(|it| it.jobs.made);
    let dead = window.sum(|it| it.jobs.dead);
    let note = format!("jobs done; {} made, {} given up", count(made), count(dead));
    let chart = Chart {
        title: "Jobs",
        figure: &count(window.sum(|it| it.jobs.done)),
        note: &note,
        unit: plain,
    };
    let all = window.bars(|it| {
        let Jobs { made, done, dead } = it.jobs;
        let told = format!("{done} done, {made} made, {dead} given up");
        (done + dead, dead, told)
    });
    bars(&chart, &all)
}

fn by_door(doors: &BTreeMap<String, Span>) -> Markup {
    html! {
        @if doors.is_empty() { p.note { "Nothing was read in this time." } }
        @else {
            div.scrolls tabindex="0" { table {
                thead { tr { th { "Door" } th.right { "requests" } th.right { "nothing known" } th.right { "held back" } th.right { "mean" } } }
                tbody {
                    @for (route, span) in doors {
                        tr {
                            td { (words(route)) }
                            td.right { (count(span.asked)) }
                            td.right { @if ASKING.contains(&route.as_str()) { (per_cent(share(span.abstained, span.asked))) } @else { "–" } }
                            td.right { (count(span.suppressed)) }
                            td.right { (mean(span)) }
                        }
                    }
                }
            } }
        }
    }
}

/// How long one of them took; of doors where nobody looks at the clock nothing is said.
fn mean(span: &Span) -> String {
    let mean = span.took_us.checked_div(span.asked).unwrap_or_default();
    if mean == 0 {
        "–".to_owned()
    } else {
        micros(mean)
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

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn a_percentile_is_a_value_that_there_was() {
        let all: Vec<(u64, u64)> = (1..=200).map(|value| (value, 1)).collect();
        for (per_cent, value) in [(50, 100), (95, 190), (99, 198)] {
            assert_eq!(percentile(&all, per_cent), value);
        }
        assert_eq!(percentile(&[(7, 1)], 95), 7);
        assert_eq!(percentile(&[], 50), 0);
        // Of ninety fast ones and ten slow ones, half are fast and the slowest twentieth is slow.
        let counted = [(2, 90), (500, 10)];
        let told = [50, 90, 95].map(|per_cent| percentile(&counted, per_cent));
        assert_eq!(told, [2, 2, 500]);
    }
}
