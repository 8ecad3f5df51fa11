//! `testimony erase`: what would go, and, once it is confirmed, that it is gone.

use clap::Args;
use serde_json::{Map, Value};

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, is, part, rows, shown, text, texts};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony erase mem_018f…
  testimony erase --container notes --user ana --reason data_subject_request
  testimony erase --container notes --user ana --reason data_subject_request \\
      --yes
  testimony erase --container drafts --all --yes

Without --yes it only tells what would go. What was erased is gone from ledger, index and free pages, and does not come \
back with a backup that is restored with the list of erasures.";

/// So many of what would go are named.
const NAMED: usize = 20;
const NOTHING: &str =
    "Nothing here has that name, so nothing goes; `testimony list` shows what there is.";

/// Erase a memory, a fact, or everything of a person, an agent, a source or a container.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EraseArguments {
    /// A memory, or a fact with its revisions.
    #[arg(value_name = "ID", conflicts_with_all = ["user", "agent", "source", "all"])]
    id: Option<String>,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    /// Everything in the container about or for this person.
    #[arg(long, value_name = "USER", conflicts_with_all = ["agent", "source", "all"])]
    user: Option<String>,

    /// Everything in the container of this agent.
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["source", "all"])]
    agent: Option<String>,

    /// Everything in the container from this source.
    #[arg(long, value_name = "SOURCE", conflicts_with = "all")]
    source: Option<String>,

    /// Everything in the container.
    #[arg(long)]
    all: bool,

    #[arg(
        long,
        value_name = "GROUND",
        help = "On which ground: data_subject_request, retention, mistake, security, legal, other; it stands in the trail"
    )]
    reason: Option<String>,

    /// Do it, instead of telling what would go.
    #[arg(long)]
    yes: bool,
}

/// Erases, or tells what would go.
pub(crate) fn run(arguments: &EraseArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let target = arguments.target(shell.settings.container())?;
    let ask = Ask::post(&["api", "v1", "admin", "erasures"])
        .with("target", target)
        .with("reason", arguments.reason.clone())
        .with("dry_run", !arguments.yes);
    let answer = shell.ask(&ask)?;
    shell.show(&answer, tell)?;
    Ok(Done::Yes)
}

impl EraseArguments {
    /// What goes. Of several things it is never guessed which.
    fn target(&self, container: &str) -> Result<Map<String, Value>, Failure> {
        let mut target = Map::new();
        let mut name = |name: &str, value: &str| {
            target.insert(name.to_owned(), Value::from(value));
        };
        if let Some(id) = &self.id {
            name(
                if id.starts_with("fact_") {
                    "fact"
                } else {
                    "memory"
                },
                id,
            );
            return Ok(target);
        }
        let within = [
            ("user", &self.user),
            ("agent", &self.agent),
            ("source", &self.source),
        ];
        let mut within = within
            .iter()
            .filter_map(|(name, said)| Some((*name, said.as_ref()?)));
        match within.next() {
            Some((what, said)) => name(what, said),
            None if self.all => {}
            None => {
                let what = "name what is to go: an id, or --user, --agent, --source or --all in a container";
                return Err(Failure::Usage(what.to_owned()));
            }
        }
        name("container", container);
        Ok(target)
    }
}

/// Whether nothing at all is meant: no memory, and no row of any other kind.
fn is_nothing(answer: &Value) -> bool {
    let places = rows(answer, "places").iter();
    let mut rows = places.map(|place| count(place, "rows"));
    texts(answer, "memory_ids").is_empty() && rows.all(|rows| rows == 0)
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let memories = texts(answer, "memory_ids");
    let found = counted(memories.len() as u64, "memory", "memories");
    let dry = is(answer, "dry_run");
    if is_nothing(answer) {
        sheet.line(0, &[(Ink::Careful, NOTHING)]);
        return;
    }
    let (ink, said) = if dry {
        (
            Ink::Careful,
            format!("{found} would go; --yes has it done."),
        )
    } else {
        let verb = if memories.len() == 1 { "is" } else { "are" };
        (Ink::Good, format!("{found} {verb} gone."))
    };
    sheet.line(0, &[(ink, said.as_str())]);
    let places: Vec<Vec<(Ink, String)>> = rows(answer, "places")
        .iter()
        .map(|place| {
            vec![
                (Ink::Plain, spoken(text(place, "place"))),
                (Ink::Bold, shown(part(place, "rows"))),
                (Ink::Dim, text(place, "done").to_owned()),
            ]
        })
        .collect();
    sheet.table(2, &places);
    if dry {
        for id in memories.iter().take(NAMED) {
            sheet.note(2, id);
        }
        if let Some(more) = memories.len().checked_sub(NAMED).filter(|more| *more > 0) {
            sheet.note(2, &format!("and {more} more; --json names them all"));
        }
    }
}
