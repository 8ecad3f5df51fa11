//! `testimony key`: keys are made, listed, rotated and revoked.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{maybe, part, shown, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony key create --container notes --agent scribe --class agent_observation
  testimony key create --operator
  testimony key rotate key_018f… --overlap 48

At the machine no key is needed to make one: an operator's key that was lost is replaced with
`key create --operator`, while the server runs or not, and revoked with `key revoke`.";

/// Make, list, rotate and revoke keys.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct KeyArguments {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Subcommand, Debug)]
enum KeyCommand {
    Create(Box<CreateArguments>),
    List(ListArguments),
    Rotate(RotateArguments),
    Revoke(RevokeArguments),
}

const CREATE: &str = "\
Examples:
  testimony key create --container notes --agent scribe --source-app editor --class agent_observation
  testimony key create --container 'user-*' --capability memory.recall,agent.context --expires 2027-01-01T00:00:00Z
  testimony key create --operator --json";

/// Make a key. Its secret is shown this once.
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
struct CreateArguments {
    /// A container, made where there is none; several times for several, or one prefix such as `user-*`.
    #[arg(long, value_name = "TAG")]
    container: Vec<String>,

    /// An operator's key: everything, everywhere.
    #[arg(long, conflicts_with_all = ["container", "capability", "class"])]
    operator: bool,

    /// What you call it.
    #[arg(long, value_name = "NAME", default_value = "key")]
    name: String,

    /// The agent that it is bound to.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// The application that it is bound to.
    #[arg(long, value_name = "APP")]
    source_app: Option<String>,

    /// Whose word it is.
    #[arg(long, value_name = "CLASS", help = super::whose_word())]
    class: Option<String>,

    /// What it may do, with commas between; everything that an agent does where nothing is said.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = super::may_do())]
    capability: Vec<String>,

    /// Whether it sees what other agents of its container keep to themselves: own, container.
    #[arg(long, value_name = "SCOPE")]
    agent_scope: Option<String>,

    /// The person that it is fixed to.
    #[arg(long, value_name = "USER")]
    user: Option<String>,

    /// The application label that it is fixed to.
    #[arg(long, value_name = "APP")]
    app: Option<String>,

    /// The organisation that it is fixed to.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,

    /// The run that it is fixed to.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,

    /// When it ends, such as 2027-01-01T00:00:00Z; never where nothing is said.
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,

    /// How many requests a minute it may make.
    #[arg(long, value_name = "COUNT")]
    requests_per_minute: Option<u32>,
}

const LIST: &str = "\
Examples:
  testimony key list
  testimony key list --json | jq -r 'select(.revoked_at == null) | .id'";

/// List the keys, without their secrets.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {}

const ROTATE: &str = "\
Examples:
  testimony key rotate key_018f…
  testimony key rotate key_018f… --overlap 0";

/// Give a key a new secret; the old one is good for a while.
#[derive(Args, Debug)]
#[command(after_help = ROTATE)]
struct RotateArguments {
    /// Which key.
    #[arg(value_name = "KEY_ID")]
    id: String,

    /// For how many hours the old secret is good.
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    overlap: u16,
}

const REVOKE: &str = "\
Example:
  testimony key revoke key_018f…";

/// Revoke a key, from the next request on.
#[derive(Args, Debug)]
#[command(after_help = REVOKE)]
struct RevokeArguments {
    /// Which key.
    #[arg(value_name = "KEY_ID")]
    id: String,
}

/// The keys of a service.
const KEYS: [&str; 4] = ["api", "v1", "admin", "keys"];

/// Carries a command on keys out.
pub(crate) fn run(arguments: &KeyArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        KeyCommand::Create(create) => {
            let made = shell.ask(&create.ask())?;
            reveal(&made, shell)
        }
        KeyCommand::List(ListArguments {}) => {
            let nothing = "There is no key; `testimony init` or `testimony key create` makes one.";
            shell.list(&Ask::get(&KEYS), None, nothing, tell)
        }
        KeyCommand::Rotate(rotate) => {
            let path = [KEYS.as_slice(), &[&rotate.id, "rotate"]].concat();
            let ask = Ask::post(&path).with("overlap_hours", rotate.overlap);
            let made = shell.ask(&ask)?;
            reveal(&made, shell)
        }
        KeyCommand::Revoke(revoke) => {
            let path = [KEYS.as_slice(), &[&revoke.id]].concat();
            let answer = shell.ask(&Ask::delete(&path))?;
            shell.show(&answer, |sheet, _| {
                sheet.say(&format!("{} is revoked.", revoke.id));
            })?;
            Ok(Done::Yes)
        }
    }
}

impl CreateArguments {
    fn ask(&self) -> Ask {
        let kind = if self.operator { "operator" } else { "agent" };
        Ask::post(&KEYS)
            .that_makes()
            .with("kind", kind)
            .with("name", self.name.clone())
            .with("containers", self.container.clone())
            .with("capabilities", self.capability.clone())
            .with("source_app", self.source_app.clone())
            .with("agent_id", self.agent.clone())
            .with("agent_scope", self.agent_scope.clone())
            .with("class", self.class.clone())
            .with("user_id", self.user.clone())
            .with("app_id", self.app.clone())
            .with("org_id", self.org.clone())
            .with("run_id", self.run.clone())
            .with("expires_at", self.expires.clone())
            .with("requests_per_minute", self.requests_per_minute)
    }
}

/// The one time that a secret is shown.
fn reveal(made: &Value, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let answer = json!({ "id": part(made, "id"), "key": part(made, "key") });
    shell.show(&answer, |sheet, answer| {
        sheet.say(text(answer, "id"));
        sheet.line(0, &[(Ink::Bold, text(answer, "key"))]);
        sheet.say("");
        sheet.say("The key is shown this once.");
    })?;
    Ok(Done::Yes)
}

fn tell(sheet: &mut Sheet, keys: &[Value]) {
    let lines: Vec<Vec<(Ink, String)>> = keys.iter().map(line).collect();
    sheet.table(0, &lines);
}

fn line(key: &Value) -> Vec<(Ink, String)> {
    let (ink, state) = match (maybe(key, "revoked_at"), maybe(key, "expires_at")) {
        (Some(at), _) => (Ink::Bad, format!("revoked {at}")),
        (None, Some(at)) => (Ink::Careful, format!("until {at}")),
        (None, None) => (Ink::Plain, String::new()),
    };
    vec![
        (Ink::Plain, text(key, "id").to_owned()),
        (Ink::Plain, text(key, "kind").to_owned()),
        (Ink::Dim, text(key, "class").to_owned()),
        (Ink::Plain, shown(part(key, "containers"))),
        (Ink::Bold, text(key, "name").to_owned()),
        (ink, state),
    ]
}
