//! `testimony`, the command: reads its arguments and the clock, and leaves every decision to the crates below.

use std::process::ExitCode;

use testimony_domain::Timestamp;

mod admit;
mod arguments;
mod input;
mod report;
mod wire;

use arguments::{Command, CommandLine};

fn main() -> ExitCode {
    let Command::Admit(arguments) = match CommandLine::read() {
        Ok(line) => line.command,
        Err(status) => return status,
    };
    let out = &mut std::io::stdout().lock();
    match admit::run(&arguments, testimony_admission::admit, now(), out) {
        Ok(outcome) => outcome.status(arguments.check),
        Err(trouble) => trouble.tell(),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the command reads the clock; everything below takes the time as an argument"
)]
fn now() -> Timestamp {
    Timestamp::now()
}
