//! `testimony reflect`: an answer in sentences, with what they rest on.

use clap::Args;
use serde_json::Value;

use super::rows::{nothing, spoken, warnings};
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{maybe, rows, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony reflect 'What do we know about the staging database?'
  testimony reflect --trust-policy strict 'Who decided on the migration?'";

/// Answer a question in sentences, with citations.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReflectArguments {
    #[command(flatten)]
    text: TextArguments,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(flatten)]
    labels: LabelArguments,

    /// What the turn is about; its words count half.
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,

    /// How many rows are read at most.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,

    /// How strict: off, balanced, strict.
    #[arg(long, value_name = "POLICY")]
    trust_policy: Option<String>,

    /// Make a memory candidate of the reply.
    #[arg(long)]
    save: bool,

    /// End with status 1 when nothing answers.
    #[arg(long)]
    check: bool,
}

/// Answers.
pub(crate) fn run(arguments: &ReflectArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let query = arguments.text.read()?;
    let ask = Ask::in_container(shell.settings.container(), &["reflect"])
        .with("query", query.trim())
        .with("context", arguments.context.clone())
        .with("recall_limit", arguments.limit)
        .with("trust_policy", arguments.trust_policy.clone())
        .with("save_memory", arguments.save.then_some(true));
    let answer = shell.ask(&arguments.labels.on(ask))?;
    shell.show(&answer, tell)?;
    let knows_nothing = rows(&answer, "citations").is_empty();
    Ok(Done::unless(arguments.check && knows_nothing))
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let cited = rows(answer, "memories");
    if cited.is_empty() {
        nothing(sheet, answer);
    }
    for line in text(answer, "reply").lines() {
        sheet.say(line);
    }
    if !cited.is_empty() {
        sheet.heading("It rests on");
    }
    for (number, row) in (1..).zip(cited) {
        let (mark, bucket) = (format!("[{number}] "), text(row, "trust_bucket"));
        let id = format!("  {}", text(row, "id"));
        sheet.line(2, &[(Ink::Dim, &mark), (Ink::Plain, text(row, "content"))]);
        sheet.line(6, &[(Ink::of(bucket), &spoken(bucket)), (Ink::Dim, &id)]);
    }
    if let Some(id) = maybe(answer, "saved_memory_id") {
        sheet.note(0, &format!("The reply was kept as {id}."));
    }
    warnings(sheet, answer);
}
