//! `testimony audit`: who did what to which row and why, and whether the trail is whole.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{is, maybe, part, shown, text, texts};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony audit head
  testimony audit events --container notes --limit 20
  testimony audit verify --against 128:9f86d0…
  testimony audit export > trail.jsonl";

/// Read the trail: every change is an event, and every event holds the hash of the one before it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Subcommand, Debug)]
enum AuditCommand {
    Events(EventsArguments),
    Head(HeadArguments),
    Verify(VerifyArguments),
    Export(ExportArguments),
}

const EVENTS: &str = "\
Examples:
  testimony audit events --limit 20
  testimony audit events --object mem_018f…
  testimony audit events --actor key_018f… --since 2026-03-01 --json";

/// List events, oldest first.
#[derive(Args, Debug)]
#[command(after_help = EVENTS)]
struct EventsArguments {
    /// Only events of this container.
    #[arg(long, value_name = "TAG")]
    container: Option<String>,

    /// Only events about this row.
    #[arg(long, value_name = "ID")]
    object: Option<String>,

    /// Only events by this actor: a key, a person, host, service.
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,

    /// Only events of this kind.
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,

    /// Only events at or after this instant or date.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only events before this instant or date.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// How many at most.
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

const HEAD: &str = "\
Example:
  testimony audit head > /elsewhere/head";

/// Print the end of the chain, to be kept elsewhere: against it, a trail that was cut off is found.
#[derive(Args, Debug)]
#[command(after_help = HEAD)]
struct HeadArguments {}

const VERIFY: &str = "\
Examples:
  testimony audit verify
  testimony audit verify --against \"$(cat /elsewhere/head)\"";

/// Follow the whole chain; ends with 1 where it does not hold.
#[derive(Args, Debug)]
#[command(after_help = VERIFY)]
struct VerifyArguments {
    /// A head that was kept elsewhere.
    #[arg(long, value_name = "HEAD")]
    against: Option<String>,
}

const EXPORT: &str = "\
Example:
  testimony audit export > trail.jsonl";

/// Print the whole trail, one event a line, as JSON.
#[derive(Args, Debug)]
#[command(after_help = EXPORT)]
struct ExportArguments {}

fn path(last: &'static str) -> [&'static str; 5] {
    ["api", "v1", "admin", "audit", last]
}

/// Carries a command on the trail out.
pub(crate) fn run(arguments: &AuditArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match &arguments.command {
        AuditCommand::Events(events) => shell.list(
            &events.ask(),
            Some(events.limit),
            "No event here.",
            tell_events,
        ),
        AuditCommand::Head(HeadArguments {}) => {
            let head = shell.ask(&Ask::get(&path("head")))?;
            shell.show(&head, |sheet, head| sheet.say(text(head, "head")))?;
            Ok(Done::Yes)
        }
        AuditCommand::Verify(verify) => verify.run(shell),
        AuditCommand::Export(ExportArguments {}) => {
            let ask = Ask::get(&path("export"));
            shell.each_row(&ask, None, |shell, event| {
                shell.write(&format!("{event}\n"))
            })?;
            Ok(Done::Yes)
        }
    }
}

impl EventsArguments {
    fn ask(&self) -> Ask {
        Ask::get(&path("events"))
            .with("container_tag", self.container.clone())
            .with("object", self.object.clone())
            .with("actor", self.actor.clone())
            .with("action", self.action.clone())
            .with("since", self.since.clone())
            .with("until", self.until.clone())
    }
}

impl VerifyArguments {
    /// Follows the chain part by part, to its end or to where it breaks.
    fn run(&self, shell: &mut Shell<'_>) -> Result<Done, Failure> {
        let mut from = Value::Null;
        loop {
            let ask = Ask::post(&path("verify"))
                .with("from", from.clone())
                .with("against", self.against.clone());
            let found = shell.ask(&ask)?;
            let reached = part(part(&found, "reached"), "head").clone();
            let is_over = is(&found, "complete") || !is(&found, "holds") || reached == from;
            if is_over {
                shell.show(&found, tell_verified)?;
                return Ok(Done::unless(
                    !(is(&found, "holds") && is(&found, "complete")),
                ));
            }
            from = reached;
        }
    }
}

fn tell_verified(sheet: &mut Sheet, found: &Value) {
    if is(found, "holds") {
        sheet.line(0, &[(Ink::Good, "The trail holds.")]);
    } else {
        sheet.line(0, &[(Ink::Bad, "The trail does not hold.")]);
    }
    let broken = part(found, "broken");
    if let Some(detail) = maybe(broken, "detail") {
        sheet.line(
            2,
            &[(
                Ink::Plain,
                &format!("At event {}: {detail}", shown(part(broken, "seq"))),
            )],
        );
    }
    if let Some(against) = maybe(found, "against") {
        sheet.pair(2, 13, "kept elsewhere", &spoken(against));
    }
    sheet.note(
        0,
        &format!("It ends with {}", text(part(found, "head"), "head")),
    );
}

fn tell_events(sheet: &mut Sheet, events: &[Value]) {
    let lines: Vec<Vec<(Ink, String)>> = events
        .iter()
        .map(|event| {
            let decision = maybe(event, "decision").unwrap_or_default();
            let why = json!(texts(event, "reasons"));
            let why = if texts(event, "reasons").is_empty() {
                String::new()
            } else {
                shown(&why)
            };
            vec![
                (Ink::Dim, shown(part(event, "seq"))),
                (Ink::Dim, text(event, "at").to_owned()),
                (Ink::Plain, spoken(text(event, "action"))),
                (Ink::Plain, text(event, "object").to_owned()),
                (Ink::Dim, text(event, "actor").to_owned()),
                (Ink::Plain, spoken(decision)),
                (Ink::Dim, why),
            ]
        })
        .collect();
    sheet.table(0, &lines);
}
