//! Keys from the command line: made, listed, rotated and revoked.

use std::io::Write;

use clap::{Args, Subcommand};
use testimony::access::{KeyOrder, NewKey};
use testimony::domain::{
    AgentId, AgentScope, AppId, Capabilities, Capability, Clock, ContainerGrant, Invalid, KeyId,
    Labels, OrgId, PrincipalKind, RunId, SourceApp, SourceClass, Timestamp, UserId,
};
use testimony::ports::ledger::Page;
use testimony::ports::ledger::accounts::KeyRecord;
use testimony::ports::ledger::audit::Actor;

use crate::data::{DataArguments, Failure};

/// What `testimony key` takes.
#[derive(Args, Debug)]
pub(crate) struct KeyArguments {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Subcommand, Debug)]
enum KeyCommand {
    /// Make a key. Its secret is shown this once.
    Create(Box<CreateArguments>),
    /// List the keys, without their secrets.
    List(ListArguments),
    /// Give a key a new secret; the old one is good for a while.
    Rotate(RotateArguments),
    /// Revoke a key, from the next request on.
    Revoke(RevokeArguments),
}

#[derive(Args, Debug)]
struct CreateArguments {
    #[command(flatten)]
    data: DataArguments,

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
    #[arg(long, value_name = "CLASS", default_value = SourceClass::UserStatement.as_str(), help = whose_word())]
    class: String,

    /// What it may do, with commas between; everything that an agent does where nothing is said.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = may_do())]
    capability: Vec<String>,

    /// Whether it sees what other agents of its container keep to themselves: own, container.
    #[arg(long, value_name = "SCOPE", default_value = AgentScope::Own.as_str())]
    agent_scope: String,

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
    expires: Option<Timestamp>,

    /// How many requests a minute it may make.
    #[arg(long, value_name = "COUNT")]
    requests_per_minute: Option<u32>,

    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ListArguments {
    #[command(flatten)]
    data: DataArguments,

    /// Answer in JSON, one key a line.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct RotateArguments {
    #[command(flatten)]
    data: DataArguments,

    /// Which key.
    #[arg(value_name = "KEY_ID")]
    id: KeyId,

    /// For how many hours the old secret is good.
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    overlap: u16,

    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct RevokeArguments {
    #[command(flatten)]
    data: DataArguments,

    /// Which key.
    #[arg(value_name = "KEY_ID")]
    id: KeyId,
}

fn whose_word() -> String {
    let words = SourceClass::WORDS.join(", ");
    format!("Whose word it is, from the weakest to the strongest: {words}")
}

fn may_do() -> String {
    let words = Capability::WORDS.join(", ");
    format!(
        "What it may do, with commas between; everything that an agent does where nothing is said: {words}"
    )
}

/// Carries a command on keys out.
pub(crate) fn run(arguments: &KeyArguments, out: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.command {
        KeyCommand::Create(create) => {
            let order = create.order()?;
            let memory = create.data.open()?;
            let key = memory.service().make_key(Actor::Service, order)?;
            show(&key, create.json, out)
        }
        KeyCommand::List(list) => {
            let memory = list.data.open()?;
            let keys = memory.service().keys(Page::first(usize::MAX))?;
            let mut lines = keys.iter().map(|key| line(key, list.json));
            lines.try_for_each(|line| written(out, &line))
        }
        KeyCommand::Rotate(rotate) => {
            let memory = rotate.data.open()?;
            let hours = std::time::Duration::from_secs(u64::from(rotate.overlap) * 3_600);
            let now = testimony::SystemClock.now();
            let until = now.checked_add(hours).unwrap_or(now);
            let service = memory.service();
            let key = service.rotate_key(Actor::Service, rotate.id, until)?;
            show(&key, rotate.json, out)
        }
        KeyCommand::Revoke(revoke) => {
            let memory = revoke.data.open()?;
            memory.service().revoke_key(Actor::Service, revoke.id)?;
            written(out, &format!("{} is revoked.", revoke.id))
        }
    }
}

impl CreateArguments {
    fn order(&self) -> Result<KeyOrder, Invalid> {
        if self.operator {
            return Ok(KeyOrder {
                expires_at: self.expires,
                ..KeyOrder::operator(&self.name)
            });
        }
        let tags: Vec<&str> = self.container.iter().map(String::as_str).collect();
        let class = SourceClass::parse("class", &self.class)?;
        Ok(KeyOrder {
            name: self.name.clone(),
            kind: PrincipalKind::Agent,
            containers: ContainerGrant::parse("container", &tags)?,
            capabilities: self.capabilities()?,
            source_app: label(self.source_app.as_deref(), "source_app", SourceApp::new)?,
            agent: label(self.agent.as_deref(), "agent", AgentId::new)?,
            agent_scope: AgentScope::parse("agent_scope", &self.agent_scope)?,
            class,
            ceiling: class,
            labels: Labels {
                user: label(self.user.as_deref(), "user", UserId::new)?,
                app: label(self.app.as_deref(), "app", AppId::new)?,
                org: label(self.org.as_deref(), "org", OrgId::new)?,
                run: label(self.run.as_deref(), "run", RunId::new)?,
            },
            expires_at: self.expires,
            requests_per_minute: self.requests_per_minute,
        })
    }

    fn capabilities(&self) -> Result<Capabilities, Invalid> {
        if self.capability.is_empty() {
            return Ok(Capabilities::of(KeyOrder::OF_AN_AGENT));
        }
        let named = self
            .capability
            .iter()
            .map(|word| Capability::parse("capability", word));
        Ok(Capabilities::of(named.collect::<Result<Vec<_>, _>>()?))
    }
}

fn label<L>(
    text: Option<&str>,
    field: &str,
    new: fn(&str, &str) -> Result<L, Invalid>,
) -> Result<Option<L>, Invalid> {
    text.map(|text| new(field, text)).transpose()
}

fn show(key: &NewKey, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let (id, shown) = (key.id.to_string(), key.credential.reveal());
    let said = if json {
        serde_json::json!({ "id": id, "key": shown }).to_string()
    } else {
        format!("{id}\n{shown}\n\nThe key is shown this once.")
    };
    written(out, &said)
}

fn line(key: &KeyRecord, json: bool) -> String {
    let principal = &key.principal;
    let may: Vec<&str> = principal
        .capabilities
        .iter()
        .map(Capability::as_str)
        .collect();
    let reaches = match &principal.containers {
        ContainerGrant::Listed(tags) => tags.iter().map(ToString::to_string).collect(),
        ContainerGrant::Prefix(prefix) => vec![format!("{prefix}*")],
        ContainerGrant::All => vec!["every container".to_owned()],
    };
    let ended = key.revoked_at.map(|at| at.to_string());
    if json {
        return serde_json::json!({
            "id": principal.key.to_string(),
            "name": key.name,
            "kind": principal.kind.as_str(),
            "containers": reaches,
            "capabilities": may,
            "class": principal.class.as_str(),
            "agent": principal.agent.as_ref().map(ToString::to_string),
            "expires_at": principal.expires_at.map(|at| at.to_string()),
            "revoked_at": ended,
        })
        .to_string();
    }
    let state = ended.map_or_else(String::new, |at| format!("  revoked {at}"));
    format!(
        "{}  {}  {}  {}  {}{state}",
        principal.key,
        principal.kind,
        principal.class,
        reaches.join(","),
        key.name,
    )
}

fn written(out: &mut dyn Write, line: &str) -> Result<(), Failure> {
    writeln!(out, "{line}").map_err(Failure::doing("the answer", "written"))
}
