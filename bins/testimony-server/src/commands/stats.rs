//! `testimony stats`: what a container holds, what waits in it, and how it is read.

use clap::Args;
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, part, rows, shown, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony stats
  testimony stats --container notes --since 2026-03-01 --json";

/// Count what a container holds, what waits in it, and how it is read.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    pub(crate) room: Given<Room>,

    /// How it was read since this instant or date; the last seven days where nothing is said.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
}

/// Counts.
pub(crate) fn run(arguments: &StatsArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let container = shell.settings.container().to_owned();
    let ask = Ask::get(&["api", "v1", "admin", "containers", &container, "statistics"])
        .with("since", arguments.since.clone());
    let answer = shell.ask(&ask)?;
    shell.show(&answer, tell)?;
    Ok(Done::Yes)
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    sheet.line(0, &[(Ink::Bold, text(answer, "container_tag"))]);
    counts(sheet, "Memories", part(answer, "by_state"));
    counts(sheet, "Waiting for a person", part(answer, "open_cases"));
    tell_jobs(sheet, answer);
    tell_reads(sheet, answer);
    sheet.note(
        0,
        &format!(
            "The whole ledger takes {}, and the whole index holds {}.",
            bytes(answer, "ledger_bytes"),
            counted(count(answer, "index_rows"), "row", "rows"),
        ),
    );
}

fn counts(sheet: &mut Sheet, heading: &str, counts: &Value) {
    let counts = counts.as_object().into_iter().flatten();
    let lines: Vec<Vec<(Ink, String)>> = counts
        .map(|(name, count)| vec![(Ink::of(name), spoken(name)), (Ink::Bold, shown(count))])
        .collect();
    if lines.is_empty() {
        return;
    }
    sheet.heading(heading);
    sheet.table(2, &lines);
}

fn tell_jobs(sheet: &mut Sheet, answer: &Value) {
    let jobs: Vec<Vec<(Ink, String)>> = rows(answer, "jobs")
        .iter()
        .map(|job| {
            vec![
                (Ink::Plain, spoken(text(job, "kind"))),
                (Ink::Plain, text(job, "state").to_owned()),
                (Ink::Bold, shown(part(job, "jobs"))),
            ]
        })
        .collect();
    if !jobs.is_empty() {
        sheet.heading("Behind answers");
        sheet.table(2, &jobs);
    }
}

/// A part of a whole as people say it.
fn share(value: &Value, name: &str) -> String {
    let part = value.get(name).and_then(Value::as_f64).unwrap_or_default();
    format!("{:.0} %", part * 100.0)
}

fn milliseconds(value: &Value, name: &str) -> String {
    format!("{:.1} ms", count(value, name) as f64 / 1_000.0)
}

/// So many bytes in the unit that leaves few digits.
fn bytes(value: &Value, name: &str) -> String {
    const UNITS: &[&str] = &["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = count(value, name) as f64;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while amount >= 1_024.0
        && let Some(larger) = units.next()
    {
        amount /= 1_024.0;
        unit = Some(larger);
    }
    let digits = if unit == UNITS.first() { 0 } else { 1 };
    format!("{amount:.digits$} {}", unit.copied().unwrap_or_default())
}

fn tell_reads(sheet: &mut Sheet, answer: &Value) {
    let reads: Vec<Vec<(Ink, String)>> = rows(answer, "reads")
        .iter()
        .map(|door| {
            vec![
                (Ink::Plain, spoken(text(door, "route"))),
                (
                    Ink::Bold,
                    counted(count(door, "requests"), "request", "requests"),
                ),
                (
                    Ink::Plain,
                    format!("{} answered with nothing", share(door, "abstention_rate")),
                ),
                (
                    Ink::Dim,
                    format!("{} in the mean", milliseconds(door, "mean_latency_us")),
                ),
            ]
        })
        .collect();
    sheet.heading(&format!("Read since {}", text(answer, "since")));
    if reads.is_empty() {
        sheet.note(2, "Nobody read.");
    }
    sheet.table(2, &reads);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_in_units_of_people() {
        let value =
            serde_json::json!({ "small": 700, "large": 5_767_168, "rate": 0.254, "time": 1_240 });
        assert_eq!(bytes(&value, "small"), "700 bytes");
        assert_eq!(bytes(&value, "large"), "5.5 MiB");
        assert_eq!(share(&value, "rate"), "25 %");
        assert_eq!(milliseconds(&value, "time"), "1.2 ms");
    }
}
