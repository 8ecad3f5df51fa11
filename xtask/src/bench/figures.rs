//! Figures with their bars: as a table for people, as JSON for machines, beside plots.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::plot::Plot;
use crate::{Trouble, shell};

/// What a figure has to clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// It must be this or more.
    AtLeast(f64),
    /// It must be this or less.
    AtMost(f64),
    /// It is told, and nothing is asked of it.
    None,
}

impl Bar {
    /// Whether a value clears it. What is no number never does.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bar) => value >= bar,
            Self::AtMost(bar) => value <= bar,
            Self::None => true,
        }
    }

    fn said(self) -> String {
        match self {
            Self::AtLeast(bar) => format!("≥ {}", number(bar)),
            Self::AtMost(bar) => format!("≤ {}", number(bar)),
            Self::None => String::new(),
        }
    }
}

/// A number with as many digits as say something.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 1_000.0 {
        grouped(value)
    } else if size >= 100.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        trimmed(format!("{value:.1}"))
    } else {
        trimmed(format!("{value:.3}"))
    }
}

fn trimmed(text: String) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A whole number in groups of three.
fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = if value < 0.0 {
        "-".to_owned()
    } else {
        String::new()
    };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Something that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The measurement that it belongs to.
    pub of: &'static str,
    /// What it is.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// What it has to clear.
    pub bar: Bar,
}

impl Figure {
    /// Whether it clears its bar.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.bar.holds(self.value)
    }
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Report {
    /// The figures in the order in which they were measured.
    pub figures: Vec<Figure>,
    /// What they look like.
    pub plots: Vec<Plot>,
}

impl Report {
    /// Adds a figure.
    pub fn add(
        &mut self,
        of: &'static str,
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        bar: Bar,
    ) {
        let name = name.into();
        self.figures.push(Figure {
            of,
            name,
            value,
            unit,
            bar,
        });
    }

    /// Whether every bar is cleared.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.figures.iter().all(Figure::holds)
    }

    /// Prints the figures as a table.
    ///
    /// # Errors
    /// When nobody takes it.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let wide = |text: &str| text.chars().count();
        let widest = self.figures.iter().map(|figure| wide(&figure.name)).max();
        let widest = widest.unwrap_or_default();
        let mut of = "";
        for figure in &self.figures {
            if figure.of != of {
                of = figure.of;
                writeln!(out, "\n{of}")?;
            }
            let bar = match (figure.bar, figure.holds()) {
                (Bar::None, _) => String::new(),
                (bar, true) => format!("{} holds", bar.said()),
                (bar, false) => format!("{} MISSED", bar.said()),
            };
            let (value, unit) = (number(figure.value), figure.unit);
            let line = format!("  {:<widest$}  {value:>12} {unit:<10} {bar}", figure.name);
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// The figures as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let figures = self.figures.iter().map(|figure| {
            let (at_least, at_most) = match figure.bar {
                Bar::AtLeast(bar) => (Some(bar), None),
                Bar::AtMost(bar) => (None, Some(bar)),
                Bar::None => (None, None),
            };
            json!({
                "of": figure.of, "name": figure.name, "value": figure.value, "unit": figure.unit,
                "at_least": at_least, "at_most": at_most, "holds": figure.holds(),
            })
        });
        json!({ "figures": figures.collect::<Vec<_>>(), "holds": self.holds() })
    }

    /// Writes figures, under this name, and plots into a folder.
    ///
    /// # Errors
    /// [`Trouble`] when a file cannot be written.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(), Trouble> {
        let text = format!("{:#}\n", self.to_json());
        shell::write(&folder.join(name).with_extension("json"), &text)?;
        for plot in &self.plots {
            let path = folder.join(plot.file).with_extension("svg");
            shell::write(&path, &plot.to_svg())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_what_they_have_to() {
        for (value, said) in [
            (1_234_567.0, "1,234,567"),
            (999.6, "1000"),
            (412.4, "412"),
            (12.34, "12.3"),
            (10.0, "10"),
            (0.35, "0.35"),
            (0.0, "0"),
            (-1_500.0, "-1,500"),
        ] {
            assert_eq!(number(value), said);
        }
    }

    #[test]
    fn a_missed_bar_is_said_and_counts() {
        let mut report = Report::default();
        report.add("search", "p50", 2.5, "ms", Bar::AtMost(3.0));
        assert!(report.holds());
        report.add("search", "recall", f64::NAN, "", Bar::AtLeast(0.99));
        assert!(!report.holds());
        let mut table = Vec::new();
        report.print(&mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert!(
            table.contains("≤ 3 holds") && table.contains("≥ 0.99 MISSED"),
            "{table}"
        );
        assert_eq!(report.to_json()["figures"][0]["at_most"], 3.0);
        assert_eq!(report.to_json()["holds"], false);
    }
}
