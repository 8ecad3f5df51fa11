//! `testimony container`: containers are listed and made, and what holds in them is shown and changed.

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{part, shown, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony container list
  testimony container create notes
  testimony container policy notes --pending-hours 72 --evidence-days 365";

/// List containers, make them, and change what holds in them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ContainerArguments {
    #[command(subcommand)]
    command: ContainerCommand,
}

#[derive(Subcommand, Debug)]
enum ContainerCommand {
    List(ListArguments),
    Create(CreateArguments),
    Policy(PolicyArguments),
}

const LIST: &str = "\
Example:
  testimony container list";

/// List the containers.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {}

const CREATE: &str = "\
Examples:
  testimony container create notes
  testimony container create drafts --pending-hours 24";

/// Make a container.
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
struct CreateArguments {
    /// Its name, as it stands in paths: small letters, digits, full stop, hyphen, underscore.
    #[arg(value_name = "TAG")]
    tag: String,

    #[command(flatten)]
    change: ChangeArguments,
}

const POLICY: &str = "\
Examples:
  testimony container policy notes
  testimony container policy notes --pending-hours 72 --evidence-days never
  testimony container policy notes --allow-fingerprint fp_0123…";

/// Show what holds in a container, or change it; what is not named stays.
#[derive(Args, Debug)]
#[command(after_help = POLICY)]
struct PolicyArguments {
    /// Which container.
    #[arg(value_name = "TAG")]
    tag: String,

    #[command(flatten)]
    change: ChangeArguments,
}

#[derive(Args, Debug)]
struct ChangeArguments {
    /// After how many hours a pending memory expires, or `never`.
    #[arg(long, value_name = "HOURS")]
    pending_hours: Option<Span>,

    /// For how many days evidence is kept that no memory rests on, or `never` for no end.
    #[arg(long, value_name = "DAYS")]
    evidence_days: Option<Span>,

    /// A rule about secrets that is switched off here; several times for several. All that are to be off are named.
    #[arg(long, value_name = "RULE")]
    exempt_rule: Vec<String>,

    /// The fingerprint of a value that is no secret here; several times for several. All that are to hold are named.
    #[arg(long, value_name = "FINGERPRINT")]
    allow_fingerprint: Vec<String>,
}

/// A length of time in whole units, or without end.
#[derive(Clone, Copy, Debug)]
enum Span {
    Never,
    Whole(u32),
}

impl std::str::FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "never" => Ok(Self::Never),
            number => number
                .parse()
                .map(Self::Whole)
                .map_err(|_| "a whole number, or never"),
        }
    }
}

impl ChangeArguments {
    fn on(&self, ask: Ask) -> Ask {
        let spans = [
            ("pending_expires_after_hours", self.pending_hours),
            ("evidence_kept_days", self.evidence_days),
        ];
        let ask = spans.into_iter().fold(ask, |ask, (name, span)| match span {
            None => ask,
            Some(Span::Never) => ask.without(name),
            Some(Span::Whole(number)) => ask.with(name, number),
        });
        ask.with("exempt_rules", self.exempt_rule.clone())
            .with("allowed_fingerprints", self.allow_fingerprint.clone())
    }

    const fn is_empty(&self) -> bool {
        let no_span = self.pending_hours.is_none() && self.evidence_days.is_none();
        no_span && self.exempt_rule.is_empty() && self.allow_fingerprint.is_empty()
    }
}

/// The containers of a service.
const CONTAINERS: [&str; 4] = ["api", "v1", "admin", "containers"];

/// Carries a command on containers out.
pub(crate) fn run(arguments: &ContainerArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let answer = match &arguments.command {
        ContainerCommand::List(ListArguments {}) => {
            let nothing = "There is no container; `testimony container create` makes one.";
            return shell.list(&Ask::get(&CONTAINERS), None, nothing, tell_all);
        }
        ContainerCommand::Create(create) => {
            let ask = Ask::post(&CONTAINERS).that_makes();
            let ask = ask.with("container_tag", create.tag.clone());
            shell.ask(&create.change.on(ask))?
        }
        ContainerCommand::Policy(policy) => {
            let path = [CONTAINERS.as_slice(), &[&policy.tag]].concat();
            let ask = if policy.change.is_empty() {
                Ask::get(&path)
            } else {
                policy.change.on(Ask::patch(&path))
            };
            shell.ask(&ask)?
        }
    };
    shell.show(&answer, tell)?;
    Ok(Done::Yes)
}

fn tell_all(sheet: &mut Sheet, containers: &[Value]) {
    let lines: Vec<Vec<(Ink, String)>> = containers
        .iter()
        .map(|container| {
            vec![
                (Ink::Bold, text(container, "container_tag").to_owned()),
                (Ink::Dim, format!("made {}", text(container, "made_at"))),
            ]
        })
        .collect();
    sheet.table(0, &lines);
}

fn tell(sheet: &mut Sheet, container: &Value) {
    sheet.line(0, &[(Ink::Bold, text(container, "container_tag"))]);
    let span = |name: &str, unit: &str| {
        let number = part(container, name);
        let never = "never".to_owned();
        number
            .as_u64()
            .map_or(never, |number| format!("after {number} {unit}"))
    };
    let embedder = text(part(container, "embedder"), "name");
    for (name, value) in [
        ("made", text(container, "made_at").to_owned()),
        (
            "pending memories expire",
            span("pending_expires_after_hours", "hours"),
        ),
        (
            "evidence alone is dropped",
            span("evidence_kept_days", "days"),
        ),
        ("rules switched off", shown(part(container, "exempt_rules"))),
        (
            "values that are no secrets",
            shown(part(container, "allowed_fingerprints")),
        ),
        (
            "searched by meaning with",
            if embedder.is_empty() { "–" } else { embedder }.to_owned(),
        ),
    ] {
        sheet.pair(2, 26, name, &value);
    }
}
