//! `testimony completions`: what a shell needs to complete the commands.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell as Kind;

use crate::command_line::CommandLine;
use crate::failure::{Done, Failure};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony completions bash > \\
      ~/.local/share/bash-completion/completions/testimony
  testimony completions fish > ~/.config/fish/completions/testimony.fish";

/// Print what a shell needs to complete these commands.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// For which shell.
    #[arg(value_name = "SHELL")]
    shell: Kind,
}

/// Prints it.
pub(crate) fn run(
    arguments: &CompletionsArguments,
    shell: &mut Shell<'_>,
) -> Result<Done, Failure> {
    let mut script = Vec::new();
    let mut command = CommandLine::command();
    clap_complete::generate(arguments.shell, &mut command, "testimony", &mut script);
    shell.write(&String::from_utf8_lossy(&script))?;
    Ok(Done::Yes)
}
