//! `testimony quarantine`: what is held back as a secret or an attack, and what is not to be held any more.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{part, rows, shown, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony quarantine list --kind secret
  testimony quarantine allow fp_0123…
  testimony quarantine exempt generic-api-key";

/// See what is held back, and say what is not to be held any more; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct QuarantineArguments {
    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(subcommand)]
    command: QuarantineCommand,
}

#[derive(Subcommand, Debug)]
enum QuarantineCommand {
    List(ListArguments),
    Exemptions(ExemptionsArguments),
    Allow(AllowArguments),
    Exempt(ExemptArguments),
}

const LIST: &str = "\
Examples:
  testimony quarantine list
  testimony quarantine list --kind injection --limit 20";

/// List the rows that are held, with the rules that hold them; never what they held.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {
    /// Only rows that are held for this: injection, secret.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,

    /// How many at most.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

const EXEMPTIONS: &str = "\
Example:
  testimony quarantine exemptions";

/// List what the container is exempt from.
#[derive(Args, Debug)]
#[command(after_help = EXEMPTIONS)]
struct ExemptionsArguments {}

const ALLOW: &str = "\
Examples:
  testimony quarantine allow fp_0123…
  testimony quarantine allow fp_0123… --no-more";

/// Say that a value is no secret here. What was held is not let go by it: have it sent again.
#[derive(Args, Debug)]
#[command(after_help = ALLOW)]
struct AllowArguments {
    /// The fingerprint of the value, as the list shows it.
    #[arg(value_name = "FINGERPRINT")]
    fingerprint: String,

    /// It is a secret after all.
    #[arg(long)]
    no_more: bool,
}

const EXEMPT: &str = "\
Examples:
  testimony quarantine exempt generic-api-key
  testimony quarantine exempt generic-api-key --no-more";

/// Switch a rule about secrets off here.
#[derive(Args, Debug)]
#[command(after_help = EXEMPT)]
struct ExemptArguments {
    /// The rule, as the list shows it.
    #[arg(value_name = "RULE")]
    rule: String,

    /// It is to hold again.
    #[arg(long)]
    no_more: bool,
}

/// Carries a command on the quarantine out.
pub(crate) fn run(arguments: &QuarantineArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let container = shell.settings.container().to_owned();
    let path = |rest: &[&'static str]| {
        let container = ["api", "v1", "admin", "containers", container.as_str()];
        [container.as_slice(), rest].concat()
    };
    let ask = match &arguments.command {
        QuarantineCommand::List(list) => {
            let path = path(&["quarantine"]);
            let ask = Ask::get(&path).with("kind", list.kind.clone());
            return shell.list(&ask, list.limit, "Nothing is held.", tell_held);
        }
        QuarantineCommand::Exemptions(ExemptionsArguments {}) => Ask::get(&path(&["exemptions"])),
        QuarantineCommand::Allow(allow) => Ask::post(&path(&["exemptions", "fingerprints"]))
            .with("fingerprint", allow.fingerprint.clone())
            .with("allowed", !allow.no_more),
        QuarantineCommand::Exempt(exempt) => Ask::post(&path(&["exemptions", "rules"]))
            .with("rule", exempt.rule.clone())
            .with("exempt", !exempt.no_more),
    };
    let answer = shell.ask(&ask)?;
    shell.show(&answer, tell_exemptions)?;
    Ok(Done::Yes)
}

fn tell_held(sheet: &mut Sheet, held: &[Value]) {
    for one in held {
        let row = part(one, "memory");
        sheet.block(0, text(row, "content"));
        let state = text(row, "state");
        sheet.line(
            2,
            &[
                (Ink::Dim, text(row, "id")),
                (Ink::Plain, "  "),
                (Ink::Bad, &spoken(state)),
            ],
        );
        for found in rows(one, "found") {
            sheet.note(2, &told(found));
        }
    }
}

/// Whatever is told of a finding, name by name.
fn told(found: &Value) -> String {
    let members = found.as_object().into_iter().flatten();
    let said = members.filter(|(_, value)| !value.is_null());
    let said: Vec<String> = said
        .map(|(name, value)| format!("{} {}", spoken(name), shown(value)))
        .collect();
    said.join("  ")
}

fn tell_exemptions(sheet: &mut Sheet, answer: &Value) {
    for (name, heading) in [
        ("exempt_rules", "Rules that do not hold here"),
        ("allowed_fingerprints", "Values that are no secrets here"),
    ] {
        sheet.heading(heading);
        let listed = rows(answer, name);
        if listed.is_empty() {
            sheet.note(2, "none");
        }
        for one in listed {
            sheet.line(2, &[(Ink::Plain, &shown(one))]);
        }
    }
}
