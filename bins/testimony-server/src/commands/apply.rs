//! `testimony apply`: containers and keys as a file has them.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::files;
use crate::read::{maybe, rows, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;
use crate::text::TextError;

const EXAMPLES: &str = "\
Examples:
  testimony apply -f memory.toml
  testimony apply -f memory.toml --dry-run

A file of containers and keys; the fields are those of the interface, and \"never\" stands for no end:

  [[containers]]
  container_tag = \"notes\"
  pending_expires_after_hours = 72

  [[keys]]
  name = \"scribe\"
  containers = [\"notes\"]
  agent_id = \"scribe\"
  class = \"agent_observation\"

What is there already stays or is changed to what the file says; nothing that the file does not name is touched. A key is
known by its name. Of a key that is new the secret is shown this once; one that stands otherwise than the file says is
left as it is and named, and the command ends with 1.";

/// Make containers and keys as a file has them; applied twice, it does nothing more.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ApplyArguments {
    /// The file, in TOML.
    #[arg(short, long, value_name = "FILE")]
    file: PathBuf,

    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

/// What became of one thing of the file.
struct Step {
    kind: &'static str,
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Made(Option<Value>),
    Changed,
    Unchanged,
    /// It stands otherwise, and cannot be changed.
    Differs(Vec<String>),
}

impl Outcome {
    const fn word(&self) -> &'static str {
        match self {
            Self::Made(_) => "made",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Differs(_) => "differs",
        }
    }
}

/// Applies the file.
pub(crate) fn run(arguments: &ApplyArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let wanted = read(arguments)?;
    let mut steps = Vec::new();
    for container in rows(&wanted, "containers") {
        steps.push(container_as(container, arguments.dry_run, shell)?);
    }
    let mut known = Vec::new();
    if !rows(&wanted, "keys").is_empty() {
        // A new memory has no keys, and is made with the first thing that is.
        shell.each_row(&Ask::get(&KEYS).that_makes(), None, |_, key| {
            known.push(key.clone());
            Ok(())
        })?;
    }
    for key in rows(&wanted, "keys") {
        steps.push(key_as(key, &known, arguments.dry_run, shell)?);
    }
    let differs = steps
        .iter()
        .any(|step| matches!(step.outcome, Outcome::Differs(_)));
    let answer = Value::Array(steps.iter().map(as_json).collect());
    shell.show(&answer, |sheet, _| tell(sheet, &steps, arguments.dry_run))?;
    Ok(Done::unless(differs))
}

const CONTAINERS: [&str; 4] = ["api", "v1", "admin", "containers"];
const KEYS: [&str; 4] = ["api", "v1", "admin", "keys"];

fn read(arguments: &ApplyArguments) -> Result<Value, Failure> {
    let name = arguments.file.display().to_string();
    let text = files::text(&arguments.file);
    let text = text.map_err(|source| TextError::Unreadable {
        name: name.clone(),
        source,
    })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::Usage(format!("{name} is no TOML: {}", error.message()))
    })?;
    let known = ["containers", "keys"];
    if let Some(strange) = table.keys().find(|key| !known.contains(&key.as_str())) {
        let what = format!("{name} speaks of `{strange}`; it can hold [[containers]] and [[keys]]");
        return Err(Failure::Usage(what));
    }
    let are_tables = |value: &toml::Value| {
        let rows = value.as_array();
        rows.is_some_and(|rows| rows.iter().all(toml::Value::is_table))
    };
    if !table.values().all(are_tables) {
        let what = format!("{name} has to hold [[containers]] and [[keys]] as lists of tables");
        return Err(Failure::Usage(what));
    }
    serde_json::to_value(table)
        .map_err(|_| Failure::Usage(format!("{name} holds what no setting takes")))
}

/// The fields of one thing of the file, with `never` as no end.
fn fields(wanted: &Value) -> Map<String, Value> {
    let fields = wanted.as_object().into_iter().flatten();
    let fields = fields.map(|(name, value)| {
        let never = value.as_str() == Some("never");
        (
            name.clone(),
            if never { Value::Null } else { value.clone() },
        )
    });
    fields.collect()
}

/// The names of the fields that stand otherwise than they are wanted.
fn differences(wanted: &Map<String, Value>, there: &Value) -> Vec<String> {
    let differing = wanted.iter().filter(|(name, value)| {
        let there = there.get(name.as_str()).unwrap_or(&Value::Null);
        sorted(value) != sorted(there)
    });
    differing.map(|(name, _)| name.clone()).collect()
}

/// A list without its order; one text is a list of it.
fn sorted(value: &Value) -> Vec<String> {
    let mut texts: Vec<String> = match value {
        Value::Array(list) => list.iter().map(Value::to_string).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            vec![value.to_string()]
        }
    };
    texts.sort_unstable();
    texts
}

fn with_all(ask: Ask, fields: &Map<String, Value>) -> Ask {
    fields.iter().fold(ask, |ask, (name, value)| {
        if value.is_null() {
            ask.without(name)
        } else {
            ask.with(name, value.clone())
        }
    })
}

fn container_as(wanted: &Value, dry: bool, shell: &mut Shell<'_>) -> Result<Step, Failure> {
    let mut fields = fields(wanted);
    let name = text(wanted, "container_tag").to_owned();
    let path = [CONTAINERS.as_slice(), &[&name]].concat();
    // A container without a name is the service's to refuse.
    let there = if name.is_empty() {
        None
    } else {
        found(shell.ask(&Ask::get(&path).that_makes()))?
    };
    let outcome = match there {
        None => {
            if !dry {
                shell.ask(&with_all(Ask::post(&CONTAINERS).that_makes(), &fields))?;
            }
            Outcome::Made(None)
        }
        Some(there) => {
            fields.remove("container_tag");
            if differences(&fields, &there).is_empty() {
                Outcome::Unchanged
            } else {
                if !dry {
                    shell.ask(&with_all(Ask::patch(&path), &fields))?;
                }
                Outcome::Changed
            }
        }
    };
    Ok(Step {
        kind: "container",
        name,
        outcome,
    })
}

fn found(asked: Result<Value, Failure>) -> Result<Option<Value>, Failure> {
    match asked {
        Ok(there) => Ok(Some(there)),
        Err(failure) if failure.is_missing() => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn key_as(
    wanted: &Value,
    known: &[Value],
    dry: bool,
    shell: &mut Shell<'_>,
) -> Result<Step, Failure> {
    let fields = fields(wanted);
    let name = text(wanted, "name").to_owned();
    if name.is_empty() {
        let what = "a key of the file has no `name`, by which it could be known again";
        return Err(Failure::Usage(what.to_owned()));
    }
    let there = known
        .iter()
        .find(|key| text(key, "name") == name && maybe(key, "revoked_at").is_none());
    let outcome = match there {
        Some(there) => match differences(&fields, there) {
            same if same.is_empty() => Outcome::Unchanged,
            differing => Outcome::Differs(differing),
        },
        None if dry => Outcome::Made(None),
        None => Outcome::Made(Some(
            shell.ask(&with_all(Ask::post(&KEYS).that_makes(), &fields))?,
        )),
    };
    Ok(Step {
        kind: "key",
        name,
        outcome,
    })
}

fn as_json(step: &Step) -> Value {
    let mut said = json!({ "kind": step.kind, "name": step.name, "outcome": step.outcome.word() });
    let more = match &step.outcome {
        Outcome::Made(Some(key)) => json!({ "id": key.get("id"), "key": key.get("key") }),
        Outcome::Differs(fields) => json!({ "fields": fields }),
        Outcome::Made(None) | Outcome::Changed | Outcome::Unchanged => json!({}),
    };
    if let (Value::Object(said), Value::Object(more)) = (&mut said, more) {
        said.extend(more);
    }
    said
}

fn tell(sheet: &mut Sheet, steps: &[Step], dry: bool) {
    if steps.is_empty() {
        sheet.say("The file names nothing.");
    }
    for step in steps {
        let word = step.outcome.word();
        let ink = match step.outcome {
            Outcome::Made(_) | Outcome::Changed => Ink::Good,
            Outcome::Unchanged => Ink::Dim,
            Outcome::Differs(_) => Ink::Careful,
        };
        let what = format!("{} {}: ", step.kind, step.name);
        sheet.line(0, &[(Ink::Plain, &what), (ink, word)]);
        match &step.outcome {
            Outcome::Made(Some(key)) => {
                sheet.pair(2, 3, "id", text(key, "id"));
                sheet.pair(2, 3, "key", text(key, "key"));
            }
            Outcome::Differs(fields) => {
                let remedy = format!(
                    "in {}; revoke it and apply again, or change the file",
                    fields.join(", ")
                );
                sheet.note(2, &remedy);
            }
            Outcome::Made(None) | Outcome::Changed | Outcome::Unchanged => {}
        }
    }
    if dry {
        sheet.note(0, "Nothing was done.");
    }
}
