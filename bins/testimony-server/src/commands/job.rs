//! `testimony job`: what is done behind answers, and what failed for good.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{maybe, part, shown, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony job list
  testimony job list --state queued
  testimony job revive job_018f…";

/// List what is done behind answers, and put back what failed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct JobArguments {
    #[command(subcommand)]
    command: JobCommand,
}

#[derive(Subcommand, Debug)]
enum JobCommand {
    List(ListArguments),
    Revive(ReviveArguments),
}

const LIST: &str = "\
Examples:
  testimony job list
  testimony job list --state queued --container notes";

/// List jobs; without a state, those that failed for good.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {
    /// Jobs in this state.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Only jobs of this kind.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,

    /// Only jobs in this container.
    #[arg(long, value_name = "TAG")]
    container: Option<String>,

    /// How many at most.
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

const REVIVE: &str = "\
Example:
  testimony job revive job_018f…";

/// Put a job that failed for good back into the queue.
#[derive(Args, Debug)]
#[command(after_help = REVIVE)]
struct ReviveArguments {
    /// Which job.
    #[arg(value_name = "JOB_ID")]
    id: String,
}

const JOBS: [&str; 4] = ["api", "v1", "admin", "jobs"];

/// Carries a command on jobs out.
pub(crate) fn run(arguments: &JobArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        JobCommand::List(list) => {
            let ask = Ask::get(&JOBS)
                .with("state", list.state.clone())
                .with("kind", list.kind.clone())
                .with("container_tag", list.container.clone());
            shell.list(&ask, Some(list.limit), "No job here.", tell)
        }
        JobCommand::Revive(revive) => {
            let path = [JOBS.as_slice(), &[&revive.id, "revive"]].concat();
            let job = shell.ask(&Ask::post(&path))?;
            shell.show(&job, |sheet, job| tell(sheet, std::slice::from_ref(job)))?;
            Ok(Done::Yes)
        }
    }
}

fn tell(sheet: &mut Sheet, jobs: &[Value]) {
    for job in jobs {
        let state = text(job, "state");
        let what = format!("{}  {}  ", text(job, "id"), spoken(text(job, "kind")));
        let about = format!(
            "  {} tries, since {}",
            shown(part(job, "attempts")),
            text(job, "queued_at")
        );
        sheet.line(
            0,
            &[
                (Ink::Plain, &what),
                (Ink::of(state), state),
                (Ink::Dim, &about),
            ],
        );
        if let Some(failure) = maybe(job, "failure") {
            sheet.note(2, failure);
        }
    }
}
