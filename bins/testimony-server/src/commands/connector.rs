//! `testimony connector`: tokens that a client exchanges once, and soon, for a key of its own.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::grant::GrantArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{part, shown, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony connector create --container notes --agent scribe
  testimony connector list
  testimony connector withdraw con_018f…";

/// Make tokens with which a client sets itself up, list them, and withdraw them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConnectorArguments {
    #[command(subcommand)]
    command: ConnectorCommand,
}

#[derive(Subcommand, Debug)]
enum ConnectorCommand {
    Create(Box<CreateArguments>),
    List(ListArguments),
    Withdraw(WithdrawArguments),
}

const CREATE: &str = "\
Examples:
  testimony connector create --container notes
  testimony connector create --container 'user-*' --minutes 30 \\
      --agent scribe --class agent_observation

The client sends `{\"client\": …}` to the path that is shown, and gets a key with its configuration.";

/// Make a token. It is shown this once, and soon good for nothing.
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
struct CreateArguments {
    #[command(flatten)]
    grant: GrantArguments,

    /// For how many minutes it can be exchanged.
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u32>,
}

const LIST: &str = "\
Example:
  testimony connector list";

/// List the tokens, without their secrets.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {}

const WITHDRAW: &str = "\
Example:
  testimony connector withdraw con_018f…";

/// Withdraw a token that was not exchanged yet.
#[derive(Args, Debug)]
#[command(after_help = WITHDRAW)]
struct WithdrawArguments {
    /// Which token.
    #[arg(value_name = "CONNECTOR_ID")]
    id: String,
}

const CONNECTORS: [&str; 4] = ["api", "v1", "admin", "connectors"];

/// Carries a command on connector tokens out.
pub(crate) fn run(arguments: &ConnectorArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        ConnectorCommand::Create(create) => {
            let ask = create
                .grant
                .on(Ask::post(&CONNECTORS))
                .with("minutes", create.minutes);
            let made = shell.ask(&ask)?;
            shell.show(&made, tell_made)?;
        }
        ConnectorCommand::List(ListArguments {}) => {
            let nothing = "There is no connector token; `testimony connector create` makes one.";
            return shell.list(&Ask::get(&CONNECTORS), None, nothing, tell_all);
        }
        ConnectorCommand::Withdraw(withdraw) => {
            let path = [CONNECTORS.as_slice(), &[&withdraw.id]].concat();
            let answer = shell.ask(&Ask::delete(&path))?;
            shell.show(&answer, |sheet, _| {
                sheet.say(&format!("{} is withdrawn.", withdraw.id));
            })?;
        }
    }
    Ok(Done::Yes)
}

fn tell_made(sheet: &mut Sheet, made: &Value) {
    sheet.say(text(made, "id"));
    sheet.line(0, &[(Ink::Bold, text(made, "token"))]);
    sheet.say("");
    sheet.pair(0, 10, "exchange", &format!("POST {}", text(made, "path")));
    sheet.pair(0, 10, "until", text(part(made, "record"), "ends_at"));
    sheet.say("");
    sheet.say("The token is shown this once.");
}

fn tell_all(sheet: &mut Sheet, connectors: &[Value]) {
    let lines: Vec<Vec<(Ink, String)>> = connectors
        .iter()
        .map(|connector| {
            let (state, becomes) = (text(connector, "state"), part(connector, "becomes"));
            vec![
                (Ink::Plain, text(connector, "id").to_owned()),
                (Ink::of(state), state.to_owned()),
                (Ink::Dim, format!("until {}", text(connector, "ends_at"))),
                (Ink::Plain, shown(part(becomes, "containers"))),
                (Ink::Bold, text(becomes, "name").to_owned()),
            ]
        })
        .collect();
    sheet.table(0, &lines);
}
