//! `testimony doctor`: everything that can be wrong with what is kept.

use clap::Args;
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, is, maybe, rows, text};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony doctor
  testimony doctor --against \\
      128:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  testimony doctor --repair

Keep the head that it prints somewhere else: with --against, a trail that was cut off since then is found too.";

/// Look for everything that can be wrong with ledger and index; ends with 1 where something is.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArguments {
    /// A head of the chain of events that was kept elsewhere.
    #[arg(long, value_name = "HEAD")]
    against: Option<String>,

    /// Have the index built again where something is wrong with it. The ledger comes back from a backup alone.
    #[arg(long)]
    repair: bool,
}

/// Looks.
pub(crate) fn run(arguments: &DoctorArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let ask = Ask::post(&["api", "v1", "admin", "doctor"])
        .with("against", arguments.against.clone())
        .with("repair", arguments.repair.then_some(true));
    let answer = shell.ask(&ask)?;
    shell.show(&answer, tell)?;
    Ok(Done::unless(!is(&answer, "sound")))
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let findings = rows(answer, "findings");
    let looked = counted(count(answer, "rows"), "row", "rows");
    if findings.is_empty() {
        sheet.line(
            0,
            &[
                (Ink::Good, "Sound. "),
                (
                    Ink::Plain,
                    &format!("{looked} and the whole trail were looked at."),
                ),
            ],
        );
    } else {
        let found = counted(
            findings.len() as u64,
            "thing is wrong.",
            "things are wrong.",
        );
        sheet.line(0, &[(Ink::Bad, &found)]);
    }
    for finding in findings {
        tell_finding(sheet, finding);
    }
    sheet.note(
        0,
        &format!("The chain of events ends with {}", text(answer, "head")),
    );
}

fn tell_finding(sheet: &mut Sheet, finding: &Value) {
    let what = format!(
        "{}, {}",
        text(finding, "part"),
        spoken(text(finding, "kind"))
    );
    let place = maybe(finding, "place").map_or_else(String::new, |place| format!(" in {place}"));
    sheet.line(
        2,
        &[
            (Ink::Bold, &what),
            (Ink::Plain, &place),
            (Ink::Plain, ": "),
            (Ink::Plain, text(finding, "detail")),
        ],
    );
    sheet.note(4, text(finding, "remedy"));
}
