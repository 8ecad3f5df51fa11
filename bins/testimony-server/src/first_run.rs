//! The first run: a key for the operator, a container, and a key for an agent, so that the next command can be typed.

use std::io::Write;

use clap::Args;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, SourceClass};
use testimony::ports::ledger::Page;
use testimony::ports::ledger::audit::Actor;
use testimony::{Service, ServiceError};

use crate::data::{DataArguments, Failure};

/// The container of a new memory.
const CONTAINER: &str = "workspace";
/// The agent of the first key.
const AGENT: &str = "default-agent";

/// What `testimony init` takes.
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    data: DataArguments,

    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

/// The keys of a new memory, which are shown once.
#[derive(Debug)]
pub(crate) struct FirstKeys {
    pub(crate) operator: String,
    pub(crate) agent: String,
    pub(crate) container: String,
}

impl FirstKeys {
    /// Makes the keys of a memory that has none; `None` where it has.
    pub(crate) fn make(service: &Service) -> Result<Option<Self>, ServiceError> {
        if !service.keys(Page::first(1))?.is_empty() {
            return Ok(None);
        }
        let container = ContainerTag::new("container", CONTAINER)?;
        let agent = AgentId::new("agent", AGENT)?;
        let operator =
            service.make_key(Actor::Service, KeyOrder::operator("first operator key"))?;
        // Whoever types the first commands speaks for its user.
        let class = SourceClass::UserStatement;
        let order = KeyOrder::agent("first agent key", container, agent, class);
        let agent = service.make_key(Actor::Service, order)?;
        Ok(Some(Self {
            operator: operator.credential.reveal(),
            agent: agent.credential.reveal(),
            container: CONTAINER.to_owned(),
        }))
    }

    pub(crate) fn json(&self) -> String {
        serde_json::json!({
            "operator_key": self.operator,
            "agent_key": self.agent,
            "container": self.container,
        })
        .to_string()
    }
}

/// Makes a memory and its first keys.
pub(crate) fn init(arguments: &InitArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let memory = arguments.data.open()?;
    let keys = FirstKeys::make(memory.service())?;
    let said = match (&keys, arguments.json) {
        (Some(keys), true) => keys.json(),
        (Some(keys), false) => format!(
            "A memory was made in {}.\n\n  container     {}\n  operator key  {}\n  agent key     {}\n\nThe keys are shown this once. The agent key is for agents and scripts; keep the operator key apart.",
            arguments.data.data.display(),
            keys.container,
            keys.operator,
            keys.agent,
        ),
        (None, true) => r#"{"operator_key":null,"agent_key":null,"container":null}"#.to_owned(),
        (None, false) => format!(
            "There is a memory in {} already; `testimony key create` makes another key.",
            arguments.data.data.display()
        ),
    };
    writeln!(out, "{said}").map_err(Failure::doing("the answer", "written"))
}
