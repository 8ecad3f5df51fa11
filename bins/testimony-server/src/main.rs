//! `testimony`, the command: reads its arguments, settings and the clock, asks the routes of the service, and leaves
//! every decision to the crates below.

use std::process::ExitCode;

mod banks;
mod calibration;
mod caretaker;
mod command_line;
mod commands;
mod door;
mod embedders;
mod failure;
mod files;
mod first_run;
mod issuers;
mod log;
mod models;
mod progress;
mod read;
mod settings;
mod sheet;
mod shell;
mod text;

use command_line::CommandLine;
use commands::Command;
use failure::Failure;
use settings::{Settings, of_process};
use sheet::Colours;
use shell::Shell;

fn main() -> ExitCode {
    match CommandLine::read() {
        Ok(line) => carry_out(&line),
        Err(status) => status,
    }
}

fn carry_out(line: &CommandLine) -> ExitCode {
    let no_color = of_process("NO_COLOR").ok().flatten();
    let settings = match Settings::gather(&line.said(), &of_process) {
        Ok(settings) => settings,
        Err(error) => return Failure::from(error).tell(),
    };
    let out = &mut std::io::stdout().lock();
    let colours = Colours::wanted(no_color.as_deref());
    let mut shell = Shell::new(settings, line.json, colours, out);
    let usual = Command::default();
    let done = commands::run(line.command.as_ref().unwrap_or(&usual), &mut shell);
    done.map_or_else(|failure| told(&failure, &mut shell), failure::Done::status)
}

/// Scripts get what the service said as it came; people get it in words.
fn told(failure: &Failure, shell: &mut Shell<'_>) -> ExitCode {
    if let (true, Some(problem)) = (shell.json, failure.problem()) {
        // Where the answer cannot be written, the words that follow are all there is.
        let _ = shell.write(&format!("{problem}\n"));
    }
    failure.tell()
}
