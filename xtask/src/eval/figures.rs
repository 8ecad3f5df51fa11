//! All figures of a run: as a table for people, as JSON for machines.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::Entrance;
use super::routes::{self, Routes};
use super::sets::{Bar, Figure, SETS};
use super::speed::{self, Speed};
use super::split::{self, Split};
use crate::Trouble;

/// Everything that was measured.
pub(super) struct Figures {
    sets: Vec<Figure>,
    routes: Vec<Routes>,
    split: Split,
    speed: Option<Speed>,
}

pub(super) fn measure(data: &Path, bench: bool, entrance: Entrance) -> Result<Figures, Trouble> {
    let sets = SETS.iter().map(|set| set.measure(data, entrance));
    Ok(Figures {
        sets: sets.collect::<Result<_, _>>()?,
        routes: routes::count(data, entrance)?,
        split: split::measure(data, entrance)?,
        speed: bench.then(|| speed::measure(data, entrance)).transpose()?,
    })
}

impl Figures {
    /// Whether every bar holds.
    pub(super) fn hold(&self) -> bool {
        self.sets.iter().all(Figure::holds) && self.speed.as_ref().is_none_or(Speed::holds)
    }

    pub(super) fn print(&self, misses: bool, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<26} {:>8} {:>13} {:>9}  bar",
            "set", "", "rows", "share"
        )?;
        for figure in &self.sets {
            print_figure(figure, misses, out)?;
        }
        writeln!(out)?;
        for routes in &self.routes {
            print_routes(routes, out)?;
        }
        let Split {
            secrets,
            whole,
            in_part,
        } = self.split;
        writeln!(
            out,
            "split across rows: {secrets} secrets, the block shows {whole} whole and {in_part} in part"
        )?;
        self.speed
            .iter()
            .try_for_each(|speed| print_speed(speed, out))
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "sets": self.sets.iter().map(figure_json).collect::<Vec<_>>(),
            "routes": self.routes.iter().map(routes_json).collect::<Vec<_>>(),
            "split_across_rows": {
                "secrets": self.split.secrets,
                "shown_whole": self.split.whole,
                "shown_in_part": self.split.in_part,
            },
            "speed": self.speed.as_ref().map(speed_json),
            "every_bar_holds": self.hold(),
        })
    }
}

fn print_figure(figure: &Figure, misses: bool, out: &mut dyn Write) -> io::Result<()> {
    let bar = match figure.set.bar {
        Bar::AtLeast(bar) => format!("at least {}", percent(bar)),
        Bar::AtMost(bar) => format!("at most {}", percent(bar)),
        Bar::None => String::new(),
    };
    let verdict = match (figure.set.bar, figure.holds()) {
        (Bar::None, _) => "",
        (_, true) => "holds",
        (_, false) => "MISSED",
    };
    let counted = format!("{}/{}", figure.hits, figure.rows);
    let (name, word) = (figure.set.name, figure.set.counted);
    writeln!(
        out,
        "{name:<26} {word:>8} {counted:>13} {:>9}  {bar:<16} {verdict}",
        percent(figure.share())
    )?;
    let named = figure.against.iter().filter(|_| misses);
    named
        .into_iter()
        .try_for_each(|(line, label)| writeln!(out, "    line {line}: {label}"))
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn print_routes(routes: &Routes, out: &mut dyn Write) -> io::Result<()> {
    let taken: Vec<String> = routes
        .taken
        .iter()
        .map(|(route, count)| format!("{route} {count}"))
        .collect();
    writeln!(
        out,
        "{} as {}: {}",
        routes.set,
        routes.class,
        taken.join(", ")
    )
}

fn print_speed(speed: &Speed, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    if !Speed::COUNTS {
        writeln!(
            out,
            "This build is not optimised, so its speed says nothing; with `--release`:"
        )?;
        writeln!(
            out,
            "    cargo run --release -p xtask -- eval admission --bench --data <folder>"
        )?;
    }
    for (name, measured, holds) in speed.bars() {
        let verdict = match (Speed::COUNTS, holds) {
            (false, _) => "",
            (true, true) => "holds",
            (true, false) => "MISSED",
        };
        writeln!(out, "{name:<14} {measured:<28} {verdict}")?;
    }
    writeln!(
        out,
        "one thread; p50 for 1 kB {:.3} ms over {} inputs",
        speed.p50_ms, speed.inputs
    )?;
    writeln!(
        out,
        "floor (UTF-8 and NFKC) {:.1} MB/s, so admission takes {:.1} times the floor",
        speed.floor_mb_per_s,
        speed.times_floor()
    )
}

fn figure_json(figure: &Figure) -> Value {
    let bar = match figure.set.bar {
        Bar::AtLeast(bar) => json!({ "at_least": bar }),
        Bar::AtMost(bar) => json!({ "at_most": bar }),
        Bar::None => Value::Null,
    };
    json!({
        "set": figure.set.name,
        "counted": figure.set.counted,
        "hits": figure.hits,
        "rows": figure.rows,
        "share": figure.share(),
        "bar": bar,
        "holds": figure.holds(),
        "against": figure.against.iter().map(|(line, label)| json!({ "line": line, "label": label })).collect::<Vec<_>>(),
    })
}

fn routes_json(routes: &Routes) -> Value {
    json!({ "set": routes.set, "class": routes.class.as_str(), "routes": routes.taken })
}

fn speed_json(speed: &Speed) -> Value {
    json!({
        "optimised_build": Speed::COUNTS,
        "admission_mb_per_s": speed.admission_mb_per_s,
        "floor_mb_per_s": speed.floor_mb_per_s,
        "times_floor": speed.times_floor(),
        "p50_ms": speed.p50_ms,
        "p99_ms": speed.p99_ms,
        "inputs": speed.inputs,
        "holds": speed.holds(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(hits: usize) -> Figures {
        let set = SETS.first().unwrap();
        let against = vec![(7, "a-key".to_owned())];
        Figures {
            sets: vec![Figure {
                set,
                rows: 100,
                hits,
                against,
            }],
            routes: Vec::new(),
            split: Split::default(),
            speed: None,
        }
    }

    fn printed(figures: &Figures, misses: bool) -> String {
        let mut out = Vec::new();
        figures.print(misses, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_missed_bar_is_said_and_fails_the_check() {
        assert!(figures(98).hold() && printed(&figures(98), false).contains("holds"));
        assert!(!figures(97).hold() && printed(&figures(97), false).contains("MISSED"));
    }

    #[test]
    fn missed_rows_are_named_only_when_asked_for() {
        assert!(!printed(&figures(98), false).contains("line 7"));
        assert!(printed(&figures(98), true).contains("line 7: a-key"));
    }

    #[test]
    fn the_json_holds_what_the_table_holds() {
        let json = figures(97).to_json();
        assert_eq!(json.pointer("/sets/0/share"), Some(&json!(0.97)));
        assert_eq!(json.pointer("/sets/0/holds"), Some(&json!(false)));
        assert_eq!(json.pointer("/every_bar_holds"), Some(&json!(false)));
    }
}
