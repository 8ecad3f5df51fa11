//! `testimony apply`: containers and keys as a file has them.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use testimony::domain::Timestamp;
use testimony_transport::wire::accounts::{containers, keys};
use testimony_transport::wire::fault::Fault;
use testimony_transport::wire::field::{Table, each};

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

What is there already stays or is changed to what the file says; nothing that the file does not name is touched. A key is \
known by its name. Of a key that is new the secret is shown this once; one that stands otherwise than the file says is \
left as it is and named, and the command ends with 1. Where anything in the file is wrong, nothing is made.";

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
    kind: Kind,
    name: String,
    outcome: Outcome,
}

/// What the file can name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Container,
    Key,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Container => "container",
            Self::Key => "key",
        }
    }

    const fn plural(self) -> &'static str {
        match self {
            Self::Container => "containers",
            Self::Key => "keys",
        }
    }

    /// The field by which one is known.
    const fn known_by(self) -> &'static str {
        match self {
            Self::Container => "container_tag",
            Self::Key => "name",
        }
    }

    const fn fields(self) -> Table {
        match self {
            Self::Container => containers::MAKE,
            Self::Key => keys::MAKE,
        }
    }

    /// What is wrong with one that would be made now.
    fn faults(self, fields: &Map<String, Value>, now: Timestamp) -> Vec<Fault> {
        let read = match self {
            Self::Container => containers::read_new(fields).map(drop),
            Self::Key => keys::read_new(fields, now).map(drop),
        };
        read.err().unwrap_or_default()
    }
}

/// One thing that the file names, as it is sent.
struct Wanted {
    kind: Kind,
    name: String,
    fields: Map<String, Value>,
}

impl Wanted {
    fn of(kind: Kind, said: &Value) -> Self {
        Self {
            kind,
            name: text(said, kind.known_by()).to_owned(),
            fields: fields(said),
        }
    }

    fn called(&self) -> String {
        format!("{} \"{}\"", self.kind.word(), self.name)
    }

    /// Everything that is wrong with it, whatever is there already.
    fn faults(&self) -> Vec<String> {
        let known = || each(self.kind.fields()).map(|field| field.name);
        let mut faults = Vec::new();
        if self.name.is_empty() {
            let field = self.kind.known_by();
            faults.push(format!(
                "it has no `{field}`, by which it could be known again"
            ));
        }
        for name in self.fields.keys() {
            if !known().any(|field| field == name) {
                let all: Vec<&str> = known().collect();
                faults.push(format!(
                    "there is no field `{name}`; there are {}",
                    all.join(", ")
                ));
            }
        }
        // Whether an end is past counts only where a key is made: one that stands may have ended.
        faults.extend(self.refusals(Timestamp::MIN));
        faults
    }

    fn refusals(&self, now: Timestamp) -> impl Iterator<Item = String> {
        let faults = self.kind.faults(&self.fields, now).into_iter();
        faults.map(|fault| {
            let place = fault.pointer.as_str().trim_start_matches('/');
            format!("`{}`: {}", place.replace('/', ", "), fault.detail)
        })
    }
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

/// Applies the file. Everything that can be wrong with it is found before anything is made.
pub(crate) fn run(arguments: &ApplyArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let file = arguments.file.display().to_string();
    let wanted = all_of(&read(arguments)?);
    refuse(&file, wanted.iter().map(|it| (it, it.faults())))?;
    no_two_alike(&file, &wanted)?;
    let known = known_keys(&wanted, arguments.dry_run, shell)?;
    let new = wanted
        .iter()
        .filter(|it| it.kind == Kind::Key && there(it, &known).is_none());
    refuse(
        &file,
        new.map(|it| (it, it.refusals(super::now()).collect())),
    )?;

    let mut steps = Vec::new();
    let carried_out = carry_out(&wanted, &known, arguments.dry_run, &mut steps, shell);
    let differs = steps
        .iter()
        .any(|step| matches!(step.outcome, Outcome::Differs(_)));
    if shell.json {
        // Also where not everything was done: a secret is shown this once.
        shell.write(&format!(
            "{}\n",
            Value::Array(steps.iter().map(as_json).collect())
        ))?;
    } else if steps.is_empty() && carried_out.is_ok() {
        shell.tell(|sheet| sheet.say("The file names nothing."))?;
    }
    carried_out?;
    if arguments.dry_run && !shell.json {
        shell.tell(|sheet| sheet.note(0, "Nothing was done."))?;
    }
    Ok(Done::unless(differs))
}

/// Everything that the file names: containers first, in which keys may act.
fn all_of(said: &Value) -> Vec<Wanted> {
    let kinds = [Kind::Container, Kind::Key].into_iter();
    let all = kinds.flat_map(|kind| rows(said, kind.plural()).iter().map(move |row| (kind, row)));
    all.map(|(kind, row)| Wanted::of(kind, row)).collect()
}

/// Refuses a file, with everything that is wrong with each thing that it names.
fn refuse<'w>(
    file: &str,
    found: impl Iterator<Item = (&'w Wanted, Vec<String>)>,
) -> Result<(), Failure> {
    let lines = found.flat_map(|(wanted, faults)| {
        let called = wanted.called();
        faults
            .into_iter()
            .map(move |fault| format!("\n  {called}: {fault}"))
    });
    let lines: String = lines.collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{file} cannot be applied, and nothing of it was:{lines}"
    )))
}

/// Of two of one name only the first could be known again.
fn no_two_alike(file: &str, wanted: &[Wanted]) -> Result<(), Failure> {
    let twice = wanted.iter().enumerate().filter(|(at, one)| {
        let mut before = wanted.iter().take(*at);
        before.any(|other| other.kind == one.kind && other.name == one.name)
    });
    refuse(
        file,
        twice.map(|(_, one)| (one, vec!["it stands there twice; name it once".to_owned()])),
    )
}

/// The keys that there are, where the file names any.
fn known_keys(wanted: &[Wanted], dry: bool, shell: &mut Shell<'_>) -> Result<Vec<Value>, Failure> {
    let mut known = Vec::new();
    if wanted.iter().all(|it| it.kind != Kind::Key) {
        return Ok(known);
    }
    let asked = shell.each_row(&looking(&KEYS, dry), None, |_, key| {
        known.push(key.clone());
        Ok(())
    });
    match asked {
        // A new memory has no keys, and is made with the first thing that is.
        Err(Failure::NoMemory(_)) if dry => Ok(known),
        asked => asked.map(|_| known),
    }
}

/// A look at what is there; what is only tried out makes no memory either.
fn looking(path: &[&str], dry: bool) -> Ask {
    let ask = Ask::get(path);
    if dry { ask } else { ask.that_makes() }
}

fn carry_out(
    wanted: &[Wanted],
    known: &[Value],
    dry: bool,
    steps: &mut Vec<Step>,
    shell: &mut Shell<'_>,
) -> Result<(), Failure> {
    for wanted in wanted {
        let done = match wanted.kind {
            Kind::Container => container_as(wanted, dry, shell),
            Kind::Key => key_as(wanted, known, dry, shell),
        };
        let step = Step {
            kind: wanted.kind,
            name: wanted.name.clone(),
            outcome: done.map_err(Failure::of(wanted.called()))?,
        };
        // At once: what comes after may fail, and a secret is shown this once.
        if !shell.json {
            shell.tell(|sheet| tell(sheet, &step))?;
        }
        steps.push(step);
    }
    Ok(())
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

/// What a date of TOML, which stands without quotation marks, comes as.
const DATE: &str = "$__toml_private_datetime";

/// The fields of one thing of the file, with `never` as no end.
fn fields(wanted: &Value) -> Map<String, Value> {
    let fields = wanted.as_object().into_iter().flatten();
    let fields = fields.map(|(name, value)| {
        let never = value.as_str() == Some("never");
        let value = value.get(DATE).unwrap_or(value);
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

fn container_as(wanted: &Wanted, dry: bool, shell: &mut Shell<'_>) -> Result<Outcome, Failure> {
    let path = [CONTAINERS.as_slice(), &[&wanted.name]].concat();
    let Some(there) = found(shell.ask(&looking(&path, dry)), dry)? else {
        if !dry {
            shell.ask(&with_all(
                Ask::post(&CONTAINERS).that_makes(),
                &wanted.fields,
            ))?;
        }
        return Ok(Outcome::Made(None));
    };
    let mut fields = wanted.fields.clone();
    fields.remove("container_tag");
    if differences(&fields, &there).is_empty() {
        return Ok(Outcome::Unchanged);
    }
    if !dry {
        shell.ask(&with_all(Ask::patch(&path), &fields))?;
    }
    Ok(Outcome::Changed)
}

fn found(asked: Result<Value, Failure>, dry: bool) -> Result<Option<Value>, Failure> {
    match asked {
        Ok(there) => Ok(Some(there)),
        Err(failure) if failure.is_missing() => Ok(None),
        Err(Failure::NoMemory(_)) if dry => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The key that is meant, where there is one.
fn there<'k>(wanted: &Wanted, known: &'k [Value]) -> Option<&'k Value> {
    let mut known = known.iter();
    known.find(|key| text(key, "name") == wanted.name && maybe(key, "revoked_at").is_none())
}

fn key_as(
    wanted: &Wanted,
    known: &[Value],
    dry: bool,
    shell: &mut Shell<'_>,
) -> Result<Outcome, Failure> {
    if let Some(there) = there(wanted, known) {
        let differing = differences(&wanted.fields, there);
        return Ok(if differing.is_empty() {
            Outcome::Unchanged
        } else {
            Outcome::Differs(differing)
        });
    }
    if dry {
        return Ok(Outcome::Made(None));
    }
    let made = shell.ask(&with_all(Ask::post(&KEYS).that_makes(), &wanted.fields))?;
    Ok(Outcome::Made(Some(made)))
}

fn as_json(step: &Step) -> Value {
    let mut said =
        json!({ "kind": step.kind.word(), "name": step.name, "outcome": step.outcome.word() });
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

fn tell(sheet: &mut Sheet, step: &Step) {
    let ink = match step.outcome {
        Outcome::Made(_) | Outcome::Changed => Ink::Good,
        Outcome::Unchanged => Ink::Dim,
        Outcome::Differs(_) => Ink::Careful,
    };
    let what = format!("{} {}: ", step.kind.word(), step.name);
    sheet.line(0, &[(Ink::Plain, &what), (ink, step.outcome.word())]);
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
