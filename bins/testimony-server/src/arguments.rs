//! What can be written on the command line, and what `--help` says about it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use testimony_domain::{EvidenceChannel, SourceClass};

use crate::first_run::InitArguments;
use crate::keys::KeyArguments;
use crate::serve::ServeArguments;

const STATUSES: &str = "\
Exit status:
  0  it was done; with `admit --check`, something of the text would come into memory
  1  with `admit --check`: nothing of it would, until a person has looked, or ever
  2  the command line could not be understood
  3  it could not be done: the message says why, and what helps";

const EXAMPLES: &str = "\
Examples:
  testimony admit --explain 'Ana moved to Lisbon in March.'
  testimony admit --explain --class external_document --file page.txt
  git log -1 --format=%B | testimony admit --explain --class tool_result --json";

/// A memory for AI agents in which nothing counts as known until it has been examined.
#[derive(Parser)]
#[command(name = "testimony", version, after_help = STATUSES, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl CommandLine {
    /// Reads the command line; where that cannot be done, or only help is wanted, says so and gives the exit status.
    pub(crate) fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            // The usual message repeats the word, which may be a text that begins with a hyphen and holds a secret.
            if SAY_NOTHING_OF_A_WORD.contains(&error.kind()) {
                shown(&error)
            } else {
                refuse(error.kind())
            }
        })
    }
}

/// What can be said about a command line without repeating a word that somebody wrote.
const SAY_NOTHING_OF_A_WORD: &[ErrorKind] = &[
    ErrorKind::DisplayHelp,
    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ErrorKind::DisplayVersion,
    ErrorKind::MissingRequiredArgument,
    ErrorKind::MissingSubcommand,
    ErrorKind::ArgumentConflict,
];

fn shown(error: &clap::Error) -> ExitCode {
    let written = error.print().is_ok();
    match error.exit_code() {
        0 if written => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}

fn refuse(kind: ErrorKind) -> ExitCode {
    let what = "a word was not understood; `--` before a text that begins with a hyphen makes it a text, and `--help` says what is";
    shown(&CommandLine::command().error(kind, what))
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Tell what would become of a text, and why, without storing it.
    ///
    /// The text is read as it would be on its way into memory: secrets are taken out, instructions to the reader,
    /// test rows and residue are told from facts, and what it claims is drawn from it. Nothing is stored or sent, no
    /// model is asked, and a secret is never printed.
    #[command(after_help = format!("{EXAMPLES}\n\n{STATUSES}"))]
    Admit(AdmitArguments),

    /// Serve a memory over HTTP; without a command, this is what happens.
    ///
    /// A folder without a memory gets one, with a key for the operator, a container `workspace` and a key for an agent:
    /// shown once on a terminal, else written to a file that only its owner can read.
    Serve(Box<ServeArguments>),

    /// Make a memory and its first keys, and show them once.
    Init(InitArguments),

    /// Make, list, rotate and revoke keys.
    Key(KeyArguments),
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(Box::default())
    }
}

/// What `testimony admit` takes.
#[derive(Args, Debug, Default)]
pub(crate) struct AdmitArguments {
    /// The text. Several words are put together with spaces; without any, the text is read from standard input.
    /// Put `--` before a text that begins with a hyphen.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// Explain the ruling and store nothing. There is no ledger to store to yet, so this has to be said.
    #[arg(long, required = true)]
    pub(crate) explain: bool,

    /// Read the text from this file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub(crate) file: Option<PathBuf>,

    /// Whose word it is.
    #[arg(long, value_name = "CLASS", default_value = SourceClass::UserStatement.as_str(), help = whose_word())]
    pub(crate) class: String,

    /// The way in.
    #[arg(long, value_name = "CHANNEL", default_value = EvidenceChannel::Retain.as_str(), help = way_in())]
    pub(crate) source_channel: String,

    /// Who speaks in it, so that "I" can be resolved.
    #[arg(long, value_name = "NAME")]
    pub(crate) speaker: Option<String>,

    /// When it was said, so that "yesterday" can be resolved: an instant such as 2026-03-01T09:30:00Z, or a date.
    /// Now, where nothing is given.
    #[arg(long, value_name = "TIME")]
    pub(crate) observed_at: Option<String>,

    /// Answer in JSON.
    #[arg(long)]
    pub(crate) json: bool,

    /// End with status 1 when nothing of the text would come into memory.
    #[arg(long)]
    pub(crate) check: bool,
}

fn whose_word() -> String {
    let words = SourceClass::WORDS.join(", ");
    format!("Whose word it is, from the weakest to the strongest: {words}")
}

fn way_in() -> String {
    let words = EvidenceChannel::WORDS.join(", ");
    format!("The way in, which can only weaken the class: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help() -> String {
        let mut command = CommandLine::command();
        let admit = command.find_subcommand_mut("admit").unwrap();
        admit.render_long_help().to_string()
    }

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn help_names_every_word_of_the_closed_sets_and_every_status() {
        let help = help();
        for word in SourceClass::WORDS.iter().chain(EvidenceChannel::WORDS) {
            assert!(help.contains(word), "{word}");
        }
        assert!(help.contains(STATUSES), "{help}");
    }

    fn parsed(arguments: &[&str]) -> Option<AdmitArguments> {
        let words = ["testimony", "admit"].iter().chain(arguments);
        match CommandLine::try_parse_from(words).ok()?.command? {
            Command::Admit(arguments) => Some(arguments),
            Command::Serve(_) | Command::Init(_) | Command::Key(_) => None,
        }
    }

    #[test]
    fn a_text_may_stand_without_quotes_and_options_on_either_side() {
        let arguments = parsed(&["two", "words", "--explain", "--json"]).unwrap();
        assert_eq!(arguments.text, ["two", "words"]);
        assert!(arguments.json);
    }

    #[test]
    fn a_text_may_begin_with_a_hyphen_behind_two() {
        let arguments = parsed(&["--explain", "--", "- milk", "--bread"]).unwrap();
        assert_eq!(arguments.text, ["- milk", "--bread"]);
    }

    #[test]
    fn storing_is_not_promised() {
        assert!(parsed(&["a fact"]).is_none());
    }
}
