//! The first run: a key for the operator, a container, and a key for an agent, so that the next command can be typed.

use serde_json::{Value, json};
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, SourceClass};
use testimony::ports::ledger::Page;
use testimony::ports::ledger::audit::Actor;
use testimony::{Service, ServiceError};

/// The container of a new memory.
const CONTAINER: &str = "workspace";
/// The agent of the first key.
const AGENT: &str = "default-agent";

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

    pub(crate) fn json(&self) -> Value {
        json!({
            "operator_key": self.operator,
            "agent_key": self.agent,
            "container": self.container,
        })
    }
}
