//! `testimony person`: the people who sign in to look at what is remembered.

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::files;
use crate::read::{maybe, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  testimony person list
  testimony person create amira --role reviewer --password-file first.txt
  testimony person change person_018f… --shut-out";

/// Name the people who sign in, change what they may do, and shut them out; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PersonArguments {
    #[command(subcommand)]
    command: PersonCommand,
}

#[derive(Subcommand, Debug)]
enum PersonCommand {
    List(ListArguments),
    Create(CreateArguments),
    Change(ChangeArguments),
}

const LIST: &str = "\
Example:
  testimony person list";

/// List the people.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {}

const CREATE: &str = "\
Examples:
  testimony person create amira --role reviewer --password-file first.txt
  openssl rand -base64 18 | tee /dev/tty | testimony person create amira \\
      --password-file -";

/// Name a person, with a first password. It stays good until the person or an operator sets another; have them do that.
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
struct CreateArguments {
    /// The name with which the person signs in.
    #[arg(value_name = "NAME")]
    name: String,

    /// What the person may do: reviewer, admin.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// The file whose first line is the first password; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    password_file: PathBuf,
}

const CHANGE: &str = "\
Examples:
  testimony person change person_018f… --role admin
  testimony person change person_018f… --password-file new.txt
  testimony person change person_018f… --let-in";

/// Change what a person may do, set another password, or shut the person out. Every session of the person ends by it.
#[derive(Args, Debug)]
#[command(after_help = CHANGE)]
struct ChangeArguments {
    /// Whom.
    #[arg(value_name = "PERSON_ID")]
    id: String,

    /// What the person may do: reviewer, admin.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// The file whose first line is the new password; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,

    /// The person signs in no more.
    #[arg(long, conflicts_with = "let_in")]
    shut_out: bool,

    /// The person may sign in again.
    #[arg(long)]
    let_in: bool,
}

const PEOPLE: [&str; 4] = ["api", "v1", "admin", "people"];

/// Longer than any password that the service takes.
const MOST_BYTES: u64 = 4 * 1024;

/// Carries a command on people out.
pub(crate) fn run(arguments: &PersonArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        PersonCommand::List(ListArguments {}) => {
            let nothing = "Nobody is named; `testimony person create` names somebody.";
            return shell.list(&Ask::get(&PEOPLE), None, nothing, tell_all);
        }
        PersonCommand::Create(create) => {
            let ask = Ask::post(&PEOPLE)
                .with("name", create.name.clone())
                .with("role", create.role.clone())
                .with("password", password(&create.password_file)?);
            let made = shell.ask(&ask)?;
            shell.show(&made, |sheet, made| {
                tell_all(sheet, std::slice::from_ref(made));
            })?;
        }
        PersonCommand::Change(change) => {
            let answer = shell.ask(&change.ask()?)?;
            shell.show(&answer, |sheet, person| {
                tell_all(sheet, std::slice::from_ref(person));
            })?;
        }
    }
    Ok(Done::Yes)
}

impl ChangeArguments {
    fn ask(&self) -> Result<Ask, Failure> {
        let password = self.password_file.as_deref().map(password).transpose()?;
        let disabled = match (self.shut_out, self.let_in) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        if password.is_none() && disabled.is_none() && self.role.is_none() {
            let what = "say what is to change: --role, --password-file, --shut-out or --let-in";
            return Err(Failure::Usage(what.to_owned()));
        }
        Ok(Ask::patch(&[PEOPLE.as_slice(), &[&self.id]].concat())
            .with("role", self.role.clone())
            .with("password", password)
            .with("disabled", disabled))
    }
}

/// The first line of a file. It is no argument, since arguments are seen by everybody on the machine.
fn password(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let read = files::source(path).and_then(|source| files::at_most(source, MOST_BYTES));
    let bytes =
        read.map_err(|error| Failure::Usage(format!("{name} could not be read: {error}")))?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let line = text.as_deref().and_then(|text| text.lines().next());
    line.map(str::to_owned).ok_or_else(|| {
        Failure::Usage(format!(
            "{name} holds no password: write it into its first line"
        ))
    })
}

fn tell_all(sheet: &mut Sheet, people: &[Value]) {
    let lines: Vec<Vec<(Ink, String)>> = people
        .iter()
        .map(|person| {
            let shut_out = maybe(person, "disabled_at");
            let standing = shut_out.map_or((Ink::Good, "may sign in".to_owned()), |at| {
                (Ink::Bad, format!("shut out since {at}"))
            });
            vec![
                (Ink::Plain, text(person, "id").to_owned()),
                (Ink::Plain, text(person, "role").to_owned()),
                standing,
                (Ink::Bold, text(person, "name").to_owned()),
            ]
        })
        .collect();
    sheet.table(0, &lines);
}
