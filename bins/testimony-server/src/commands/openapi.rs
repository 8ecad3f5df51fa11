//! `testimony openapi`: the description of the interface.

use clap::Args;
use testimony_transport::openapi;
use testimony_transport::routes::Audience;

use crate::failure::{Done, Failure};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony openapi > openapi.json
  testimony openapi --operator | jq '.paths | keys'";

/// Print the description of the interface, as OpenAPI 3.1.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OpenapiArguments {
    /// The routes of operators and reviewers, instead of those of agents.
    #[arg(long)]
    operator: bool,
}

/// Prints it.
pub(crate) fn run(arguments: &OpenapiArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let audience = if arguments.operator {
        Audience::Operator
    } else {
        Audience::Public
    };
    shell.write(&openapi::written(audience))?;
    Ok(Done::Yes)
}
