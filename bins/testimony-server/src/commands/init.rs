//! `testimony init`: a memory and its first keys.

use clap::Args;
use serde_json::json;

use crate::door::folder;
use crate::failure::{Done, Failure};
use crate::first_run::FirstKeys;
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony init
  testimony init --data /var/lib/testimony --json";

/// Make a memory and its first keys, and show them once.
///
/// A memory that has keys already is left alone, and none is shown; `testimony key create` makes another.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArguments {}

/// Makes it.
pub(crate) fn run(_: &InitArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    shell.needs_the_folder("init")?;
    let data = shell.settings.data();
    let memory = folder::open(&shell.settings).map_err(made_already)?;
    let keys = FirstKeys::make(memory.service())?;
    let nothing = json!({ "operator_key": null, "agent_key": null, "container": null });
    let answer = keys.as_ref().map_or(nothing, FirstKeys::json);
    shell.show(&answer, |sheet, _| match &keys {
        Some(keys) => {
            sheet.say(&format!("A memory was made in {}.", data.display()));
            sheet.say("");
            sheet.pair(2, 12, "container", &keys.container);
            sheet.pair(2, 12, "operator key", &keys.operator);
            sheet.pair(2, 12, "agent key", &keys.agent);
            sheet.say("");
            sheet.say("The keys are shown this once. The agent key is for agents and scripts; keep the operator key apart.");
            sheet.say("At this machine no key is needed: `testimony retain`, `testimony recall`, `testimony serve`.");
        }
        None => sheet.say(&format!(
            "There is a memory in {} already; `testimony key create` makes another key.",
            data.display()
        )),
    })?;
    Ok(Done::Yes)
}

/// Whoever wants a memory made where another process has one, wants another key.
fn made_already(failure: Failure) -> Failure {
    if let Failure::Busy(data) = failure {
        return Failure::MadeAlready(data);
    }
    failure
}
