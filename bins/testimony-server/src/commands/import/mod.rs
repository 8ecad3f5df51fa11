//! `testimony import`: an export of our own, or what another service exported, taken into a memory.

mod batch;
mod foreign;
mod lines;
mod tally;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use testimony::transfer::readers::Origin;

use super::whose_word;
use crate::failure::{Done, Failure};
use crate::progress::{Answer, Progress};
use crate::settings::{Given, Room};
use crate::shell::Shell;
use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  testimony import memory.jsonl --dry-run
  gunzip -c memory.jsonl.gz | testimony import -
  testimony import memory.jsonl --data new-folder
  testimony import --from mem0 memories.json --container notes --dry-run
  testimony import --from chatgpt conversations.json --user mara \\
      --class user_statement

Lines of `testimony export` name their containers, and a folder without a memory becomes one that holds them. A container \
that is there already keeps what holds in it; where its line says otherwise, that line alone is refused. What another \
service exported goes into --container, and what it says waits for support or for a person unless --class \
vouches for it. Everything passes admission again. An import that ended early is run again from the beginning: what has \
come in is known by its id and passed over.

The command ends with 0 where all came in or was here, with 1 where rows were refused, and with 2 where the file is not \
what it has to be.";

/// Take in an export of a memory, or what another service exported, and tell what became of it; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImportArguments {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[arg(long, value_name = "SERVICE", hide_possible_values = true, help = which_service(),
        value_parser = PossibleValuesParser::new(Origin::WORDS))]
    from: Option<String>,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[arg(long, value_name = "CLASS", requires = "from", help = whose_word())]
    class: Option<String>,

    /// The person of entries that name none.
    #[arg(long, value_name = "USER", requires = "from")]
    user: Option<String>,

    /// Tell what would become of it, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

fn which_service() -> String {
    let words = Origin::WORDS.join(", ");
    format!(
        "The other service that exported it; without it the file is an export of `testimony`: {words}"
    )
}

/// Imports.
pub(crate) fn run(arguments: &ImportArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let mut tally = Tally::new(arguments.dry_run);
    let done = take_in(arguments, &mut tally, shell);
    // What came in before something went wrong is in; whoever mends it should know.
    if done.is_ok() || tally.is_begun() {
        shell.show(&tally.json(), |sheet, _| tally.tell(sheet))?;
    }
    done?;
    Ok(Done::unless(tally.has_refused()))
}

fn take_in(
    arguments: &ImportArguments,
    tally: &mut Tally,
    shell: &mut Shell<'_>,
) -> Result<(), Failure> {
    let progress = Progress::beside(Answer::AtTheEnd);
    if let Some(service) = &arguments.from {
        let origin = Origin::parse("--from", service)?;
        return foreign::take_in(origin, arguments, tally, shell, &progress);
    }
    if shell.settings.is_flagged("container") {
        let what = "the lines of an export name their containers; --container goes with --from, or with `testimony export`";
        return Err(Failure::Usage(what.to_owned()));
    }
    lines::take_in(&arguments.file, tally, shell, &progress)
}

/// A file as it is spoken of.
fn named(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unusable(format!("{} could not be read: {error}", named(path)))
}
