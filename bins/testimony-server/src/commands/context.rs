//! `testimony context`: the packet of memories for a turn, as an agent would get it.

use clap::Args;
use serde_json::Value;

use super::rows::{cost, health, held_back, under, warnings};
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{rows, text};
use crate::settings::{Given, Room};
use crate::sheet::Sheet;
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony context 'Write the deploy script for staging.'
  testimony context --goal 'prepare the release' \\
      --max-tokens 600 'What is left to do?'
  testimony context --json 'Write the deploy script.' \\
      | jq -r .prompt_memory_block";

/// Build the packet of memories that an agent gets before a turn.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ContextArguments {
    #[command(flatten)]
    text: TextArguments,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(flatten)]
    labels: LabelArguments,

    /// What the turn is for; its words count half.
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,

    /// How many rows at most.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,

    /// How many tokens the packet may cost.
    #[arg(long, value_name = "COUNT")]
    max_tokens: Option<u32>,

    /// How strict: off, balanced, strict.
    #[arg(long, value_name = "POLICY")]
    trust_policy: Option<String>,

    /// Only rows with this tag; several times for several.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// End with status 1 when the packet is empty.
    #[arg(long)]
    check: bool,
}

/// Builds it.
pub(crate) fn run(arguments: &ContextArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let message = arguments.text.read()?;
    let ask = Ask::in_container(shell.settings.container(), &["agent", "context"])
        .with("user_message", message.trim())
        .with("task_goal", arguments.goal.clone())
        .with("limit", arguments.limit)
        .with("max_context_tokens", arguments.max_tokens)
        .with("trust_policy", arguments.trust_policy.clone())
        .with("tags", arguments.tag.clone());
    let answer = shell.ask(&arguments.labels.on(ask))?;
    shell.show(&answer, tell)?;
    let is_empty = rows(&answer, "memories").is_empty();
    Ok(Done::unless(arguments.check && is_empty))
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let memories = rows(answer, "memories");
    if memories.is_empty() {
        sheet.say("The packet is empty: nothing that is known and safe belongs to this turn.");
    } else {
        for line in text(answer, "prompt_memory_block").lines() {
            sheet.say(line);
        }
        sheet.say("");
        sheet.note(0, &cost(answer, memories.len()));
    }
    under(
        sheet,
        "To be confirmed first",
        rows(answer, "needs_confirmation"),
    );
    held_back(sheet, answer);
    health(sheet, answer);
    warnings(sheet, answer);
}
