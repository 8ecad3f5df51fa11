//! Small bar charts over time: one value in each span, with a part of it apart.

use maud::{Markup, html};

use crate::text::count;

const WIDTH: f64 = 336.0;
const HEIGHT: f64 = 72.0;

/// One bar: what it is about, how much it is, how much of that is told apart, and both in words.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) value: u64,
    pub(crate) part: u64,
    pub(crate) told: String,
}

/// What a chart says beside its bars.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) figure: &'a str,
    pub(crate) note: &'a str,
    /// How a value is written.
    pub(crate) unit: fn(u64) -> String,
}

#[expect(clippy::cast_precision_loss, reason = "a height in a picture")]
fn share(value: u64, most: u64) -> f64 {
    value as f64 / most.max(1) as f64 * HEIGHT
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn drawn(place: usize, width: f64, bar: &Bar, most: u64) -> Markup {
    let x = place as f64 * width;
    let (whole, part) = (share(bar.value, most), share(bar.part, most));
    let one = |class: &str, height: f64| {
        html! {
            @if height > 0.0 {
                rect class=(class) x=(format!("{:.2}", x + width * 0.12)) width=(format!("{:.2}", width * 0.76))
                    y=(format!("{:.2}", HEIGHT - height.max(1.0))) height=(format!("{:.2}", height.max(1.0))) {}
            }
        }
    };
    html! {
        g {
            title { (bar.label) ": " (bar.told) }
            (one("bar", whole))
            (one("part", part))
        }
    }
}

/// A chart.
pub(crate) fn bars(chart: &Chart<'_>, bars: &[Bar]) -> Markup {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a width in a picture")]
    let width = WIDTH / bars.len().max(1) as f64;
    let (first, last) = (bars.first(), bars.last());
    html! {
        figure.chart {
            figcaption {
                span.overline { (chart.title) }
                strong { (chart.figure) }
                span.note { (chart.note) }
            }
            svg role="img" viewBox={ "0 0 " (WIDTH) " " (HEIGHT + 1.0) } preserveAspectRatio="none"
                aria-label={ (chart.title) ": " (chart.figure) ", " (chart.note) } {
                line.axis x1="0" x2=(WIDTH) y1=(HEIGHT + 0.5) y2=(HEIGHT + 0.5) {}
                @for (place, bar) in bars.iter().enumerate() {
                    (drawn(place, width, bar, most))
                }
            }
            @if let (Some(first), Some(last)) = (first, last) {
                p.ends { span { (first.label) } span { "at most " ((chart.unit)(most)) } span { (last.label) } }
            }
        }
    }
}

/// A number as it is.
pub(crate) fn plain(value: u64) -> String {
    count(value)
}
