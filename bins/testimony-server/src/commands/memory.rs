//! `testimony memory`: everything that is known about one memory, and what an operator changes about it.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, is, maybe, part, rows, text, texts};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony memory show mem_018f…
  testimony memory history mem_018f… --json
  testimony memory correct mem_018f… \\
      --reason 'Moved in May.' 'Mara works at the harbour.'
  testimony memory retract mem_018f… --reason 'It was about another Mara.'";

/// See everything that is known about one memory, correct it, or take it back; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MemoryArguments {
    #[command(subcommand)]
    command: MemoryCommand,
}

#[derive(Subcommand, Debug)]
enum MemoryCommand {
    Show(ShowArguments),
    History(HistoryArguments),
    Correct(CorrectArguments),
    Retract(RetractArguments),
}

const SHOW: &str = "\
Example:
  testimony memory show mem_018f…";

/// Show a memory with its fact, its links, its cases and the jobs about it.
#[derive(Args, Debug)]
#[command(after_help = SHOW)]
struct ShowArguments {
    /// Which memory.
    #[arg(value_name = "MEMORY_ID")]
    id: String,

    /// End with status 1 when there is no such memory.
    #[arg(long)]
    check: bool,
}

const HISTORY: &str = "\
Examples:
  testimony memory history mem_018f…
  testimony memory history mem_018f… --json | jq -r .event";

/// List every change of a memory, oldest first, with who made it and why.
#[derive(Args, Debug)]
#[command(after_help = HISTORY)]
struct HistoryArguments {
    /// Which memory.
    #[arg(value_name = "MEMORY_ID")]
    id: String,
}

const CORRECT: &str = "\
Examples:
  testimony memory correct mem_018f… \\
      --reason 'Moved in May.' 'Mara works at the harbour.'
  testimony memory correct mem_018f… --reason 'A typing error.' --file new.txt";

/// Say what holds instead. It is examined like anything that comes in, and what it replaces is kept.
#[derive(Args, Debug)]
#[command(after_help = CORRECT)]
struct CorrectArguments {
    /// Which memory.
    #[arg(value_name = "MEMORY_ID")]
    id: String,

    #[command(flatten)]
    text: TextArguments,

    /// Why; it is kept beside the evidence, without secrets.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

const RETRACT: &str = "\
Example:
  testimony memory retract mem_018f… --reason 'It was about another Mara.'";

/// Say that it does not hold. It is answered to nobody from then on, and stays in the ledger with its history.
#[derive(Args, Debug)]
#[command(after_help = RETRACT)]
struct RetractArguments {
    /// Which memory.
    #[arg(value_name = "MEMORY_ID")]
    id: String,

    /// Why; it is kept as evidence against the memory, without secrets.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

fn path<'p>(id: &'p str, operation: &[&'p str]) -> Vec<&'p str> {
    [&["api", "v1", "admin", "memories", id], operation].concat()
}

/// Carries a command on a memory out.
pub(crate) fn run(arguments: &MemoryArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        MemoryCommand::Show(show) => match shell.ask(&Ask::get(&path(&show.id, &[]))) {
            Ok(file) => shell.show(&file, tell_file)?,
            Err(failure) if show.check && failure.is_missing() => return Ok(Done::No),
            Err(failure) => return Err(failure),
        },
        MemoryCommand::History(history) => {
            let ask = Ask::get(&path(&history.id, &["history"]));
            return shell.list(&ask, None, "Nothing became of it.", tell_history);
        }
        MemoryCommand::Correct(correct) => {
            let content = correct.text.read()?;
            let ask = Ask::post(&path(&correct.id, &["correct"]))
                .with("content", content.trim())
                .with("reason", correct.reason.clone());
            let answer = shell.ask(&ask)?;
            shell.show(&answer, |sheet, row| {
                tell_row(sheet, row);
                sheet.say(&format!("It takes the place of {}.", correct.id));
            })?;
        }
        MemoryCommand::Retract(retract) => {
            let ask = Ask::post(&path(&retract.id, &["retract"]));
            let answer = shell.ask(&ask.with("reason", retract.reason.clone()))?;
            shell.show(&answer, tell_row)?;
        }
    }
    Ok(Done::Yes)
}

fn tell_row(sheet: &mut Sheet, row: &Value) {
    let (state, bucket) = (text(row, "lifecycle_state"), text(row, "trust_bucket"));
    sheet.block(0, text(row, "content"));
    let head = [
        (Ink::Dim, text(row, "id")),
        (Ink::Plain, "  "),
        (Ink::of(state), state),
        (Ink::Plain, ", "),
        (Ink::of(bucket), &spoken(bucket)),
    ];
    sheet.line(0, &head);
    for reason in rows(row, "trust_reasons") {
        sheet.line(2, &[(Ink::Careful, text(reason, "sentence"))]);
    }
}

/// What is told of a row below its words, and what it is called there.
const ABOUT: &[(&str, &str)] = &[
    ("memory_type", "type"),
    ("source_class", "whose word"),
    ("speaker", "said by"),
    ("observed_at", "said at"),
    ("created_at", "kept at"),
    ("valid_from", "holds from"),
    ("valid_until", "held until"),
    ("expires_at", "expires at"),
    ("source", "source"),
    ("custom_id", "custom id"),
    ("container_tag", "container"),
];

fn tell_file(sheet: &mut Sheet, file: &Value) {
    let row = part(file, "memory");
    tell_row(sheet, row);
    for (name, told) in ABOUT {
        if let Some(said) = maybe(row, name) {
            sheet.pair(2, 10, told, said);
        }
    }
    let origins = count(row, "origins");
    sheet.pair(2, 10, "rests on", &counted(origins, "origin", "origins"));
    let entities = texts(file, "entities").join(", ");
    if !entities.is_empty() {
        sheet.pair(2, 10, "mentions", &entities);
    }
    let fact = part(file, "fact");
    sheet.pair(2, 10, "fact", text(fact, "id"));
    if text(fact, "current") != text(row, "id") {
        sheet.pair(2, 10, "holds now", text(fact, "current"));
    }
    tell_links(sheet, row, rows(file, "links"));
    tell_cases(sheet, rows(file, "cases"));
}

fn tell_links(sheet: &mut Sheet, row: &Value, links: &[Value]) {
    if links.is_empty() {
        return;
    }
    sheet.heading("Beside it");
    for link in links {
        let (from, to) = (text(link, "from"), text(link, "to"));
        let relation = spoken(text(link, "relation"));
        let said = if from == text(row, "id") {
            format!("{relation} {to}")
        } else {
            format!("{from} {relation} it")
        };
        sheet.line(2, &[(Ink::Plain, &said)]);
    }
}

fn tell_cases(sheet: &mut Sheet, cases: &[Value]) {
    if cases.is_empty() {
        return;
    }
    sheet.heading("Cases about it");
    let lines: Vec<Vec<(Ink, String)>> = cases
        .iter()
        .map(|case| {
            let decision = maybe(case, "decision").unwrap_or("open");
            vec![
                (Ink::Plain, text(case, "id").to_owned()),
                (Ink::Plain, spoken(text(case, "kind"))),
                (Ink::of(decision), spoken(decision)),
            ]
        })
        .collect();
    sheet.table(2, &lines);
}

fn tell_history(sheet: &mut Sheet, changes: &[Value]) {
    for change in changes {
        let state = text(change, "state");
        let by = format!("  by {}", text(change, "by"));
        let marks = [("approved", ", approved"), ("contested", ", contested")];
        let marks = marks.iter().filter(|(name, _)| is(change, name));
        let marks: String = marks.map(|(_, mark)| *mark).collect();
        let line = [
            (Ink::Dim, text(change, "at")),
            (Ink::Plain, "  "),
            (Ink::Bold, &spoken(text(change, "event"))),
            (Ink::Plain, " → "),
            (Ink::of(state), state),
            (Ink::Careful, &marks),
            (Ink::Dim, &by),
        ];
        sheet.line(0, &line);
        for reason in rows(change, "reasons") {
            sheet.note(2, text(reason, "sentence"));
        }
    }
}
