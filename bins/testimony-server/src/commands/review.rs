//! `testimony review`: what waits for a person, and what the person decides.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, maybe, part, rows, shown, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony review list
  testimony review show case_018f…
  testimony review decide case_018f… approve \\
      --reason 'Checked against the contract.'";

/// See what waits for a person, and decide.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReviewArguments {
    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(subcommand)]
    command: ReviewCommand,
}

#[derive(Subcommand, Debug)]
enum ReviewCommand {
    List(ListArguments),
    Show(ShowArguments),
    Decide(DecideArguments),
}

const LIST: &str = "\
Examples:
  testimony review list
  testimony review --container notes list --groups
  testimony review list --kind conflict --state any --json";

/// List the cases, oldest first.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {
    /// Put cases together that have something in common.
    #[arg(long)]
    groups: bool,

    /// Only cases of this kind.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,

    /// Only cases of this group.
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,

    /// Only cases in this state: open, closed, any.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// How many at most.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

const SHOW: &str = "\
Example:
  testimony review show case_018f…";

/// Show a case with the rows that it is about.
#[derive(Args, Debug)]
#[command(after_help = SHOW)]
struct ShowArguments {
    /// Which case.
    #[arg(value_name = "CASE_ID")]
    id: String,

    /// End with status 1 when there is no such case.
    #[arg(long)]
    check: bool,
}

const DECIDE: &str = "\
Examples:
  testimony review decide case_018f… approve
  testimony review decide case_018f… supersede --target mem_018f… \\
      --reason 'The contract of March holds.'
  testimony review decide --group 'scribe:mara/employer/' reject
  testimony review decide --group 'scribe:' --kind requested approve";

/// Decide about a case, or about every open case of a group.
///
/// `approve`: it holds. `reject`: it does not. `hide`: it may hold, and is shown to nobody. `supersede`: it takes the
/// place of --target. `merge`: it says the same as --target. `release_redacted`: what is left of it without its secrets
/// may be kept. `undo`: the decision about it is taken back.
#[derive(Args, Debug)]
#[command(after_help = DECIDE)]
struct DecideArguments {
    /// Which case, unless a group is named; and what is decided.
    #[arg(value_name = "[CASE_ID] DECISION", num_args = 1..=2, required = true)]
    words: Vec<String>,

    /// Every open case of this group.
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,

    /// With --group: only its cases of this kind. What was held is approved apart from the rest.
    #[arg(long, value_name = "KIND", requires = "group")]
    kind: Option<String>,

    /// The memory whose place it takes, or with which it is merged.
    #[arg(long, value_name = "MEMORY_ID")]
    target: Option<String>,

    /// With approve: the words in which it holds.
    #[arg(long, value_name = "TEXT", conflicts_with = "group")]
    content: Option<String>,

    /// Why; it stands in the trail.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Carries a command on reviews out.
pub(crate) fn run(arguments: &ReviewArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let container = shell.settings.container().to_owned();
    let queue = ["api", "v1", "containers", container.as_str(), "reviews"];
    match &arguments.command {
        ReviewCommand::List(list) => list.run(&queue, shell),
        ReviewCommand::Show(show) => {
            let path = [queue.as_slice(), &[&show.id]].concat();
            match shell.ask(&Ask::get(&path)) {
                Ok(case) => shell.show(&case, tell_case).map(|()| Done::Yes),
                Err(failure) if show.check && failure.is_missing() => Ok(Done::No),
                Err(failure) => Err(failure),
            }
        }
        ReviewCommand::Decide(decide) => {
            let answer = shell.ask(&decide.ask(&queue)?)?;
            shell.show(&answer, tell_decided)?;
            Ok(Done::Yes)
        }
    }
}

impl ListArguments {
    fn run(&self, queue: &[&str], shell: &mut Shell<'_>) -> Result<Done, Failure> {
        let path = if self.groups {
            [queue, &["groups"]].concat()
        } else {
            queue.to_vec()
        };
        let ask = Ask::get(&path)
            .with("kind", self.kind.clone())
            .with("group", self.group.clone())
            .with("state", self.state.clone());
        let told = if self.groups { tell_groups } else { tell_cases };
        shell.list(&ask, self.limit, "Nothing waits for a person.", told)
    }
}

impl DecideArguments {
    fn ask(&self, queue: &[&str]) -> Result<Ask, Failure> {
        let (path, decision) = match (self.words.as_slice(), &self.group) {
            ([decision], Some(_)) => ([queue, &["decide"]].concat(), decision),
            ([id, decision], None) => ([queue, &[id, "decide"]].concat(), decision),
            _ => {
                let what = "name a case and a decision, or --group and a decision";
                return Err(Failure::Usage(what.to_owned()));
            }
        };
        Ok(Ask::post(&path)
            .with("group", self.group.clone())
            .with("kind", self.kind.clone())
            .with("decision", decision.clone())
            .with("target", self.target.clone())
            .with("content", self.content.clone())
            .with("reason", self.reason.clone()))
    }
}

fn tell_cases(sheet: &mut Sheet, cases: &[Value]) {
    for case in cases {
        let head = format!(
            "{}  {}  {}",
            text(case, "id"),
            spoken(text(case, "kind")),
            text(case, "opened_at")
        );
        sheet.line(0, &[(Ink::Bold, text(part(case, "memory"), "content"))]);
        let state = text(case, "state");
        sheet.line(
            2,
            &[
                (Ink::Dim, &head),
                (Ink::Plain, "  "),
                (Ink::of(state), state),
            ],
        );
    }
}

fn tell_groups(sheet: &mut Sheet, groups: &[Value]) {
    for group in groups {
        let cases = counted(count(group, "cases"), "case", "cases");
        let first = part(group, "first");
        sheet.line(
            0,
            &[
                (Ink::Bold, &cases),
                (Ink::Plain, &kinds(group)),
                (Ink::Plain, "  "),
                (Ink::Plain, text(part(first, "memory"), "content")),
            ],
        );
        sheet.note(
            2,
            &format!(
                "--group '{}'  since {}",
                text(group, "group"),
                text(group, "opened_at")
            ),
        );
    }
}

/// How many cases of each kind a group holds.
fn kinds(group: &Value) -> String {
    let kinds = part(group, "kinds").as_object().into_iter().flatten();
    let counted = kinds.map(|(kind, cases)| format!("{} {}", shown(cases), spoken(kind)));
    format!(" ({})", counted.collect::<Vec<_>>().join(", "))
}

fn tell_case(sheet: &mut Sheet, case: &Value) {
    let state = text(case, "state");
    let kind = format!("{}, ", spoken(text(case, "kind")));
    let since = format!(", since {}", text(case, "opened_at"));
    sheet.line(
        0,
        &[
            (Ink::Bold, text(case, "id")),
            (Ink::Plain, "  "),
            (Ink::Plain, &kind),
            (Ink::of(state), state),
            (Ink::Dim, &since),
        ],
    );
    if let Some(note) = maybe(case, "note") {
        sheet.line(2, &[(Ink::Plain, note)]);
    }
    sheet.heading("It is about");
    tell_row(sheet, part(case, "memory"));
    let against = rows(case, "against");
    if !against.is_empty() {
        sheet.heading("It stands against");
    }
    for row in against {
        tell_row(sheet, row);
    }
    tell_closing(sheet, part(case, "closed"));
}

fn tell_closing(sheet: &mut Sheet, closed: &Value) {
    if let Some(decision) = maybe(closed, "decision") {
        sheet.heading("Decided");
        sheet.line(
            2,
            &[
                (Ink::Plain, &spoken(decision)),
                (
                    Ink::Dim,
                    &format!("  {} by {}", text(closed, "at"), text(closed, "by")),
                ),
            ],
        );
        sheet.line(2, &[(Ink::Plain, text(closed, "reason"))]);
    }
}

fn tell_row(sheet: &mut Sheet, row: &Value) {
    sheet.block(2, text(row, "content"));
    let class = spoken(text(row, "source_class"));
    let about = format!(
        "{}  {}  {class}  {}",
        text(row, "id"),
        text(row, "lifecycle_state"),
        text(row, "observed_at")
    );
    sheet.note(4, &about);
}

fn tell_decided(sheet: &mut Sheet, answer: &Value) {
    let alone = std::slice::from_ref(answer);
    let decided = if answer.get("items").is_some() {
        rows(answer, "items")
    } else {
        alone
    };
    if decided.is_empty() {
        sheet.say("There was nothing to decide.");
    }
    for one in decided {
        tell_standing(sheet, 0, one);
        for other in rows(one, "others") {
            tell_standing(sheet, 2, other);
        }
        for (name, what) in [
            ("released_id", "without its secrets it is"),
            ("reworded_id", "in other words it is"),
        ] {
            if let Some(id) = maybe(one, name) {
                sheet.note(2, &format!("{what} {id}"));
            }
        }
    }
    if maybe(answer, "next").is_some() {
        sheet.say("There are more in this group; decide again.");
    }
}

/// How a row stands now.
fn tell_standing(sheet: &mut Sheet, indent: usize, row: &Value) {
    let (id, state) = (text(row, "memory_id"), text(row, "state"));
    let words = [
        (Ink::Plain, id),
        (Ink::Plain, " is now "),
        (Ink::of(state), state),
    ];
    sheet.line(indent, &words);
}
