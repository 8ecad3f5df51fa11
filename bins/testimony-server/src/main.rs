//! `testimony`, the command: reads its arguments and the clock, wires the parts together, and leaves every decision to
//! the crates below.

use std::process::ExitCode;

use testimony_domain::Timestamp;

mod admit;
mod arguments;
mod data;
mod first_run;
mod input;
mod issuers;
mod keys;
mod report;
mod serve;
mod wire;

use arguments::{Command, CommandLine};

fn main() -> ExitCode {
    let command = match CommandLine::read() {
        Ok(line) => line.command.unwrap_or_default(),
        Err(status) => return status,
    };
    let out = &mut std::io::stdout().lock();
    let done = match &command {
        Command::Admit(arguments) => {
            return match admit::run(arguments, testimony_admission::admit, now(), out) {
                Ok(outcome) => outcome.status(arguments.check),
                Err(trouble) => trouble.tell(),
            };
        }
        Command::Serve(arguments) => serve::run(arguments, out),
        Command::Init(arguments) => first_run::init(arguments, out),
        Command::Key(arguments) => keys::run(arguments, out),
    };
    done.map_or_else(|failure| failure.tell(), |()| ExitCode::SUCCESS)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the command reads the clock; everything below takes the time as an argument"
)]
fn now() -> Timestamp {
    Timestamp::now()
}
