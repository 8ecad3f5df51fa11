//! Plots as SVG: lines over two axes, with units, a legend, and a rule where a bar is.

use std::fmt::Write as _;

use super::figures::number;

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 500.0;
/// Where the field of the lines begins and ends.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 430.0;

/// Colours that people who see fewer of them tell apart as well.
const COLOURS: &[&str] = &[
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555",
];

/// An axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// What it counts, with the unit.
    pub label: &'static str,
    /// Whether each step is ten times the one before.
    pub logarithmic: bool,
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A level that is not to be crossed.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it is.
    pub name: String,
    /// Where on the upright axis.
    pub at: f64,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The name of its file, without an ending.
    pub file: &'static str,
    /// What it shows.
    pub title: String,
    /// The axis that lies.
    pub across: Axis,
    /// The axis that stands.
    pub up: Axis,
    /// The lines.
    pub lines: Vec<Line>,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// Where a value lies between the ends of an axis.
#[derive(Clone, Copy, Debug)]
struct Scale {
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Scale {
    /// A scale on which all values lie, from one round number to another.
    fn around(values: impl Iterator<Item = f64>, logarithmic: bool) -> Self {
        let usable = |value: &f64| value.is_finite() && (!logarithmic || *value > 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(usable) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        if logarithmic {
            let (from, to) = (least.log10().floor(), most.log10().ceil());
            let to = if to > from { to } else { from + 1.0 };
            return Self {
                from,
                to,
                logarithmic,
            };
        }
        let step = round_step(most.max(f64::MIN_POSITIVE) / 5.0);
        Self {
            from: 0.0,
            to: (most / step).ceil().max(1.0) * step,
            logarithmic,
        }
    }

    fn share(self, value: f64) -> Option<f64> {
        let value = if self.logarithmic {
            value.log10()
        } else {
            value
        };
        let share = (value - self.from) / (self.to - self.from);
        share.is_finite().then_some(share)
    }

    fn ticks(self) -> Vec<f64> {
        let step = if self.logarithmic {
            1.0
        } else {
            round_step(self.to / 5.0)
        };
        let count = ((self.to - self.from) / step).round().clamp(1.0, 20.0) as u32;
        let at = |tick: u32| self.from + step * f64::from(tick);
        let ticks = (0..=count).map(at);
        ticks
            .map(|tick| {
                if self.logarithmic {
                    10_f64.powf(tick)
                } else {
                    tick
                }
            })
            .collect()
    }
}

/// The least of 1, 2, 5 times a power of ten that is not less.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let rounds = [1.0, 2.0, 5.0].map(|times| times * power);
    let fits = rounds.into_iter().find(|step| *step >= least * 0.999);
    fits.unwrap_or(10.0 * power)
}

/// A tick as people say it: thousands and millions by a letter.
fn tick_label(value: f64) -> String {
    if value >= 1e6 {
        format!("{}M", number(value / 1e6))
    } else if value >= 1e4 {
        format!("{}k", number(value / 1e3))
    } else {
        number(value)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Plot {
    /// The plot as a picture that any browser shows.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let across = Scale::around(all().map(|point| point.0), self.across.logarithmic);
        let rules = self.rules.iter().map(|rule| rule.at);
        let heights = all().map(|point| point.1).chain(rules);
        let up = Scale::around(heights, self.up.logarithmic);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"34\" font-size=\"18\" font-weight=\"600\">{}</text>\n",
            escaped(&self.title)
        );
        self.draw_grid(&mut svg, across, up);
        self.draw_rules(&mut svg, up);
        for (number, line) in self.lines.iter().enumerate() {
            draw_line(&mut svg, line, number, across, up);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_grid(&self, svg: &mut String, across: Scale, up: Scale) {
        for tick in up.ticks() {
            draw_level(svg, up, tick);
        }
        for tick in across.ticks() {
            draw_column(svg, across, tick);
        }
        let (middle, centre) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(TOP, BOTTOM));
        push(
            svg,
            format_args!(
                "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#444\"/>\
             <text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(22 {centre}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                BOTTOM + 46.0,
                escaped(self.across.label),
                escaped(self.up.label)
            ),
        );
    }

    fn draw_rules(&self, svg: &mut String, up: Scale) {
        for rule in &self.rules {
            let Some(y) = height(up, rule.at) else {
                continue;
            };
            push(
                svg,
                format_args!(
                    "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#b00020\" \
                 stroke-dasharray=\"6 4\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b00020\" text-anchor=\"end\">{}</text>\n",
                    RIGHT - 6.0,
                    y - 6.0,
                    escaped(&rule.name)
                ),
            );
        }
    }
}

fn draw_level(svg: &mut String, up: Scale, tick: f64) {
    let Some(y) = height(up, tick) else { return };
    push(
        svg,
        format_args!(
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 8.0,
            y + 4.0,
            tick_label(tick)
        ),
    );
}

fn draw_column(svg: &mut String, across: Scale, tick: f64) {
    let Some(x) = width(across, tick) else { return };
    push(
        svg,
        format_args!(
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\" stroke=\"#f0f0f0\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            BOTTOM + 20.0,
            tick_label(tick)
        ),
    );
}

/// Writing to a string cannot fail.
fn push(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}

fn height(up: Scale, value: f64) -> Option<f64> {
    up.share(value).map(|share| BOTTOM - share * (BOTTOM - TOP))
}

fn width(across: Scale, value: f64) -> Option<f64> {
    across
        .share(value)
        .map(|share| LEFT + share * (RIGHT - LEFT))
}

fn draw_line(svg: &mut String, line: &Line, number: usize, across: Scale, up: Scale) {
    let colour = COLOURS
        .get(number % COLOURS.len())
        .copied()
        .unwrap_or("#000");
    let places = line.points.iter();
    let places = places.filter_map(|(x, y)| width(across, *x).zip(height(up, *y)));
    let mut path = String::new();
    let mut dots = String::new();
    for (x, y) in places {
        let begins = if path.is_empty() { 'M' } else { 'L' };
        push(&mut path, format_args!("{begins}{x:.1} {y:.1}"));
        push(
            &mut dots,
            format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"),
        );
    }
    let y = TOP + 10.0 + 22.0 * f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    push(
        svg,
        format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <g fill=\"{colour}\">{dots}<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"4\"/></g>\
         <text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            RIGHT + 14.0,
            y - 6.0,
            RIGHT + 36.0,
            y,
            escaped(&line.name)
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(lines: Vec<Line>, logarithmic: bool) -> String {
        let axis = |label| Axis { label, logarithmic };
        Plot {
            file: "sample",
            title: "Latency & <size>".to_owned(),
            across: axis("memories"),
            up: axis("ms"),
            lines,
            rules: vec![Rule {
                name: "bar 12 ms".to_owned(),
                at: 12.0,
            }],
        }
        .to_svg()
    }

    #[test]
    fn every_point_lies_in_the_field() {
        let line = Line {
            name: "p50".to_owned(),
            points: vec![(1e3, 0.2), (1e4, 0.9), (1e5, 2.5), (1e6, 9.0)],
        };
        for logarithmic in [false, true] {
            let svg = plot(vec![line.clone()], logarithmic);
            assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
            for part in svg.split("<circle ").skip(1) {
                let mut numbers = part.split('"').filter_map(|it| it.parse::<f64>().ok());
                let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
                assert!(
                    (LEFT..=RIGHT).contains(&x) && (TOP..=BOTTOM).contains(&y),
                    "{x} {y}"
                );
            }
            assert!(svg.contains("Latency &amp; &lt;size&gt;"));
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        for points in [
            vec![],
            vec![(0.0, 0.0)],
            vec![(f64::NAN, 1.0), (1.0, f64::INFINITY)],
        ] {
            for logarithmic in [false, true] {
                let name = "odd".to_owned();
                let points = points.clone();
                let svg = plot(vec![Line { name, points }], logarithmic);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn ticks_are_round() {
        let scale = Scale::around([0.0, 930.0].into_iter(), false);
        assert_eq!(scale.ticks(), [0.0, 200.0, 400.0, 600.0, 800.0, 1_000.0]);
        let scale = Scale::around([1e3, 1e6].into_iter(), true);
        assert_eq!(scale.ticks().len(), 4);
        assert_eq!([1e4, 1e6, 250.0].map(tick_label), ["10k", "1M", "250"]);
    }
}
