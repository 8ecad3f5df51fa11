//! What can be written on the command line, and what is said when it is not understood.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::commands::Command;
use crate::settings::{Given, Reach};

pub(crate) const STATUSES: &str = "\
Exit status:
  0  it was done
  1  the answer is no: nothing there with `--check`, something wrong with
     `doctor` or `audit verify`, a key that stands otherwise than the file of
     `apply` says, rows that `import` had to refuse
  2  the command line, a setting, a value or a file could not be understood
  3  it could not be done: the message says why, and what helps

The memory is reached in the first of three ways that there is: the service at --url, with a key; the server that runs on \
the folder, through its socket; the folder itself.";

/// A memory for AI agents in which nothing counts as known until it has been examined.
#[derive(Parser)]
#[command(name = "testimony", version, after_help = STATUSES, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Answer in JSON: what the service answered; of a list, one row a line.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(flatten)]
    reach: Given<Reach>,
}

impl CommandLine {
    /// Reads the command line; where that cannot be done, or only help is wanted, says so and gives the exit status.
    pub(crate) fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            // The usual message repeats the word, which may be a text that begins with a hyphen and holds a secret.
            if SAY_NOTHING_OF_A_WORD.contains(&error.kind()) {
                shown(&error)
            } else {
                refuse(&error)
            }
        })
    }

    /// What was said about settings.
    pub(crate) fn said(&self) -> Vec<(&'static str, String)> {
        let of_command = self.command.as_ref().map_or(&[][..], Command::said);
        [self.reach.said(), of_command].concat()
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

fn refuse(error: &clap::Error) -> ExitCode {
    let what = match (named(error), meant(error)) {
        (Some(flag), _) => format!("what stands behind `{flag}` was not understood; `--help` says what may"),
        (None, Some(word)) => format!("a word was not understood; `{word}` is one, and `--help` names the others"),
        (None, None) => "a word was not understood; `--` before a text that begins with a hyphen makes it a text, and `--help` says what is".to_owned(),
    };
    shown(&CommandLine::command().error(error.kind(), what))
}

/// The flag whose value is wrong: its name is ours, its value is whoever wrote it's own.
fn named(error: &clap::Error) -> Option<String> {
    let of_a_value = [
        ErrorKind::InvalidValue,
        ErrorKind::ValueValidation,
        ErrorKind::WrongNumberOfValues,
    ];
    let context = of_a_value
        .contains(&error.kind())
        .then(|| error.get(ContextKind::InvalidArg))?;
    match context {
        Some(ContextValue::String(flag)) => Some(flag.clone()),
        _ => None,
    }
}

/// The word of ours that looks most like the one that was not understood.
fn meant(error: &clap::Error) -> Option<String> {
    let suggested = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
    let mut suggested = suggested.iter().filter_map(|kind| error.get(*kind));
    let said = suggested.next()?;
    if let ContextValue::Strings(words) = said {
        return words.first().cloned();
    }
    if let ContextValue::String(word) = said {
        return Some(word.clone());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    fn command(words: &[&str]) -> Option<CommandLine> {
        let words = ["testimony"].iter().chain(words);
        CommandLine::try_parse_from(words).ok()
    }

    #[test]
    fn how_the_memory_is_reached_may_stand_before_and_behind_the_command() {
        for words in [
            &["--data", "there", "recall", "who?"][..],
            &["recall", "who?", "--data", "there"],
            &["recall", "--data=there", "who?", "--container", "notes"],
        ] {
            let said = command(words).unwrap().said();
            assert!(said.contains(&("data", "there".to_owned())), "{said:?}");
        }
        let said = command(&["serve", "--behind-proxy", "--admin-socket=false"])
            .unwrap()
            .said();
        assert!(
            said.contains(&("behind_proxy", "true".to_owned())),
            "{said:?}"
        );
        assert!(
            said.contains(&("admin_socket", "false".to_owned())),
            "{said:?}"
        );
    }

    #[test]
    fn a_text_may_stand_without_quotes_and_begin_with_a_hyphen_behind_two() {
        for words in [
            &["admit", "two", "words", "--explain", "--json"][..],
            &["admit", "--explain", "--", "- milk", "--bread"],
            &["retain", "Mara", "works", "here", "--tag", "work"],
        ] {
            assert!(command(words).is_some(), "{words:?}");
        }
        assert!(
            command(&["admit", "a fact"]).is_none(),
            "storing is not promised"
        );
    }
}
