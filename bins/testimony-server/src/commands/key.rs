//! `testimony key`: keys are made, listed, rotated and revoked.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use testimony::Testimony;

use super::grant::GrantArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{maybe, part, shown, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony key create --container notes --agent scribe \\
      --class agent_observation
  testimony key create --operator
  testimony key rotate key_018f… --overlap 48

At the machine no key is needed to make one: an operator's key that was lost is replaced with \
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
  testimony key create --container notes --agent scribe --source-app editor \\
      --class agent_observation
  testimony key create --container 'user-*' \\
      --capability memory.recall,agent.context --expires 2027-01-01T00:00:00Z
  testimony key create --operator --json";

/// Make a key. Its secret is shown this once.
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
struct CreateArguments {
    #[command(flatten)]
    grant: GrantArguments,

    /// An operator's key: everything, everywhere.
    #[arg(long, conflicts_with_all = ["container", "capability", "class"])]
    operator: bool,

    /// Begin with a new secret where the file `service.secret` is lost; no key of before is known any more.
    #[arg(long, requires = "operator")]
    new_secret: bool,
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
            if create.new_secret {
                begin_anew(shell)?;
            }
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
            let made = match shell.ask(&ask) {
                Ok(made) => made,
                Err(failure) => match revoked_at(&rotate.id, &failure, shell) {
                    Some(at) => return Err(Failure::Over(rotate.id.clone(), at)),
                    None => return Err(failure),
                },
            };
            reveal(&made, shell)
        }
        KeyCommand::Revoke(revoke) => {
            let path = [KEYS.as_slice(), &[&revoke.id]].concat();
            match shell.ask(&Ask::delete(&path)) {
                Ok(answer) => shell.show(&answer, |sheet, _| {
                    sheet.say(&format!("{} is revoked.", revoke.id));
                })?,
                Err(failure) => match revoked_at(&revoke.id, &failure, shell) {
                    Some(at) => tell_revoked(&revoke.id, &at, shell)?,
                    None => return Err(failure),
                },
            }
            Ok(Done::Yes)
        }
    }
}

/// Since when a key is revoked of which the service said that it is not there.
fn revoked_at(id: &str, failure: &Failure, shell: &mut Shell<'_>) -> Option<String> {
    if !failure.is_missing() {
        return None;
    }
    let path = [KEYS.as_slice(), &[id]].concat();
    let key = shell.ask(&Ask::get(&path)).ok()?;
    maybe(&key, "revoked_at").map(str::to_owned)
}

/// Whoever wants a key revoked that is, has what they want.
fn tell_revoked(id: &str, at: &str, shell: &mut Shell<'_>) -> Result<(), Failure> {
    let answer = json!({ "id": id, "revoked_at": at });
    shell.show(&answer, |sheet, _| {
        sheet.say(&format!("{id} is revoked already, since {at}."));
    })
}

/// Has a memory whose own secret is lost begin with a new one.
fn begin_anew(shell: &Shell<'_>) -> Result<(), Failure> {
    shell.needs_the_folder("key create --new-secret")?;
    let data = shell.settings.data();
    if !Testimony::is_in(&data) {
        return Err(Failure::NoMemory(data));
    }
    Testimony::begin_with_new_secret(&data).map_err(|error| {
        if error.is_locked() {
            Failure::Busy(data)
        } else {
            error.into()
        }
    })
}

impl CreateArguments {
    fn ask(&self) -> Ask {
        let kind = if self.operator { "operator" } else { "agent" };
        let ask = Ask::post(&KEYS).that_makes().with("kind", kind);
        self.grant.on(ask)
    }
}

/// The one time that a secret is shown, with how long the one before it is good.
fn reveal(made: &Value, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let until = maybe(part(made, "record"), "old_secret_until");
    let answer = json!({ "id": part(made, "id"), "key": part(made, "key") });
    shell.show(&answer, |sheet, answer| {
        sheet.say(text(answer, "id"));
        sheet.line(0, &[(Ink::Bold, text(answer, "key"))]);
        sheet.say("");
        sheet.say("The key is shown this once.");
        if let Some(until) = until {
            sheet.say(&format!("The old secret is good until {until}."));
        }
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
