//! Evidence and changes over time, drawn: what speaks for a claim above the line, what speaks against it below.

use maud::{Markup, html};
use serde_json::Value;
use testimony_domain::Timestamp;

use crate::text::{list, minute, said, text, whole};

const WIDTH: f64 = 520.0;
const EDGE: f64 = 28.0;
const LINE: f64 = 74.0;

/// Where something stands in the picture, and what it is.
struct Dot {
    number: usize,
    at: String,
    second: i64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    For,
    Against,
    Echo,
    Change,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Self::For => "for",
            Self::Against => "against",
            Self::Echo => "echo",
            Self::Change => "change",
        }
    }
}

fn second(at: &str) -> Option<i64> {
    Some(at.parse::<Timestamp>().ok()?.as_second())
}

fn dots(report: &Value) -> Vec<Dot> {
    let mut number = 0;
    let mut dots = Vec::new();
    for (path, kind) in [
        ("supporting_evidence", Kind::For),
        ("contradicting_evidence", Kind::Against),
    ] {
        for exhibit in list(report, path) {
            number += 1;
            let at = text(exhibit, "observed_at");
            let is_echo = crate::text::flag(exhibit, "echo");
            let kind = if is_echo { Kind::Echo } else { kind };
            let dot = second(at).map(|second| Dot {
                number,
                at: at.to_owned(),
                second,
                kind,
            });
            dots.extend(dot);
        }
    }
    let changes = list(report, "timeline").iter();
    for change in changes.filter(|it| said(it, "event").is_some()) {
        let at = text(change, "at");
        dots.extend(second(at).map(|second| Dot {
            number: 0,
            at: at.to_owned(),
            second,
            kind: Kind::Change,
        }));
    }
    dots.sort_by_key(|dot| dot.second);
    dots
}

/// How far from the left something stands: by time, and evenly where there is only one instant.
fn place(second: i64, first: i64, last: i64) -> f64 {
    let span = last.saturating_sub(first);
    if span <= 0 {
        return WIDTH / 2.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    let share = second.saturating_sub(first) as f64 / span as f64;
    EDGE + share * (WIDTH - 2.0 * EDGE)
}

fn day(at: &str) -> String {
    at.chars().take(10).collect()
}

fn axis(first: &Dot, last: &Dot, bottom: f64) -> Markup {
    let ends = if first.second == last.second {
        vec![(first, WIDTH / 2.0, "middle")]
    } else {
        vec![
            (first, EDGE - 12.0, "start"),
            (last, WIDTH - EDGE + 12.0, "end"),
        ]
    };
    html! {
        line.axis x1="0" y1=(LINE) x2=(WIDTH) y2=(LINE) {}
        @for (dot, x, anchor) in ends {
            text.day x=(format!("{x:.1}")) y=(format!("{:.1}", bottom + 14.0)) text-anchor=(anchor) { (day(&dot.at)) }
        }
    }
}

/// Where each dot stands.
fn placed(dots: &[Dot], (begin, end): (i64, i64)) -> Vec<(f64, f64, &Dot)> {
    // What stands at one place is stacked, so that nothing covers anything.
    let mut taken: Vec<(f64, Kind, usize)> = Vec::new();
    dots.iter()
        .map(|dot| {
            let x = place(dot.second, begin, end);
            let near = |held: &&(f64, Kind, usize)| {
                let both_above = (held.1 == Kind::Against) == (dot.kind == Kind::Against);
                both_above && (held.0 - x).abs() < 22.0 && dot.kind != Kind::Change
            };
            let height = taken.iter().filter(near).count().min(2);
            if dot.kind != Kind::Change {
                taken.push((x, dot.kind, height));
            }
            #[expect(clippy::cast_precision_loss, reason = "a height of at most two")]
            let lift = 26.0 + 24.0 * height as f64;
            let y = if dot.kind == Kind::Against {
                LINE + lift
            } else {
                LINE - lift
            };
            (x, y, dot)
        })
        .collect()
}

/// The picture. The lists beside it say the same to whoever does not see it.
pub(crate) fn picture(report: &Value) -> Markup {
    let dots = dots(report);
    let (Some(first), Some(last)) = (dots.first(), dots.last()) else {
        return html! {};
    };
    let placed = placed(&dots, (first.second, last.second));
    let top = placed
        .iter()
        .map(|(_, y, _)| y - 15.0)
        .fold(LINE - 22.0, f64::min);
    let bottom = placed
        .iter()
        .map(|(_, y, _)| y + 15.0)
        .fold(LINE + 12.0, f64::max);
    html! {
        figure.timeline {
            svg role="img" viewBox={ "0 " (top) " " (WIDTH) " " (bottom - top + 20.0) } aria-label=(summary(report)) {
                (axis(first, last, bottom))
                @for (x, y, dot) in &placed { (drawn(*x, *y, dot)) }
            }
            figcaption {
                span.key.for { "speaks for it" }
                span.key.against { "against it" }
                span.key.echo { "only an echo" }
                span.key.change { "the record changed" }
            }
        }
    }
}

fn drawn(x: f64, y: f64, dot: &Dot) -> Markup {
    let (at_x, at_y) = (format!("{x:.1}"), format!("{y:.1}"));
    html! {
        g class=(dot.kind.class()) {
            title { (minute(&dot.at)) }
            @if dot.kind == Kind::Change {
                path d={ "M" (at_x) " " (LINE - 7.0) "l5 7-5 7-5-7z" } {}
            } @else {
                line x1=(at_x) y1=(LINE) x2=(at_x) y2=(at_y) {}
                circle cx=(at_x) cy=(at_y) r="11" {}
                text x=(at_x) y=(format!("{:.1}", y + 4.0)) text-anchor="middle" { (dot.number) }
            }
        }
    }
}

fn summary(report: &Value) -> String {
    format!(
        "Evidence over time: {} for, {} against, from {} independent origins; {} echoes.",
        whole(report, "evidence_totals.supporting"),
        whole(report, "evidence_totals.contradicting"),
        whole(report, "evidence_totals.independent_origins"),
        whole(report, "evidence_totals.echoes"),
    )
}
