//! `testimony list`: the memories of a container, whatever their state.

use clap::Args;
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{maybe, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony list
  testimony list --state pending --container notes
  testimony list --text 'staging database' --limit 5
  testimony list --json | jq -r 'select(.trust_bucket == \"blocked\") | .id'";

/// List the memories of a container, whatever their state; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) room: Given<Room>,

    /// Only rows in this state, such as active, pending, superseded, forensic, rejected, erased.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Only rows of this bucket: trusted, `needs_review`, blocked.
    #[arg(long, value_name = "BUCKET")]
    trust: Option<String>,

    /// Only rows in which these words stand; the best come first.
    #[arg(long, value_name = "WORDS")]
    text: Option<String>,

    /// Only rows that this agent wrote.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Only rows with this person as label.
    #[arg(long, value_name = "USER")]
    user: Option<String>,

    /// Only rows with this tag.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,

    /// Only rows that were kept at or after this instant or date.
    #[arg(long, value_name = "TIME")]
    after: Option<String>,

    /// Only rows that were kept before this instant or date.
    #[arg(long, value_name = "TIME")]
    before: Option<String>,

    /// How many at most.
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

/// Lists them.
pub(crate) fn run(arguments: &ListArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let container = shell.settings.container().to_owned();
    let ask = Ask::get(&["api", "v1", "admin", "containers", &container, "memories"])
        .with("state", arguments.state.clone())
        .with("trust", arguments.trust.clone())
        .with("text", arguments.text.clone())
        .with("agent_id", arguments.agent.clone())
        .with("user_id", arguments.user.clone())
        .with("tag", arguments.tag.clone())
        .with("created_after", arguments.after.clone())
        .with("created_before", arguments.before.clone());
    shell.list(&ask, Some(arguments.limit), "No memory here.", tell)
}

fn tell(sheet: &mut Sheet, memories: &[Value]) {
    for memory in memories {
        let (state, bucket) = (
            text(memory, "lifecycle_state"),
            text(memory, "trust_bucket"),
        );
        match text(memory, "content") {
            "" => sheet.note(0, "(nothing is left of what it said)"),
            content => sheet.line(0, &[(Ink::Bold, content)]),
        }
        let user = memory
            .get("labels")
            .and_then(|labels| maybe(labels, "user_id"));
        let user = user.map_or_else(String::new, |user| format!("  of {user}"));
        let about = format!(
            "  {}  {}{user}",
            text(memory, "id"),
            text(memory, "created_at")
        );
        sheet.line(
            2,
            &[
                (Ink::of(state), state),
                (Ink::Plain, ", "),
                (Ink::of(bucket), &spoken(bucket)),
                (Ink::Dim, &about),
            ],
        );
    }
}
