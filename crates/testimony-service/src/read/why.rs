//! Why a memory was recalled for a question, or was not: the first gate that removed it, or its score against the floor.
//!
//! The question goes the way of every recall, asked as somebody who is not an operator: operators see everything, so
//! what they would be answered says nothing about what an agent is.

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContextTokens, GraphHops,
    Hidden, Invalid, KeyId, Labels, Memory, MemoryId, Owner, Principal, PrincipalKind, Problem,
    SourceClass,
};
use testimony_recall::{Candidate, Channels, Options, WhyNot, why_not};

use super::aids::Aids;
use super::recall::Asked;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::containers::Container;
use crate::ports::ledger::reads::Route;
use crate::service::Service;

/// A question about a recall.
#[derive(Clone, Debug, Default)]
pub struct WhyRequest {
    /// What is asked.
    pub query: String,
    /// What is wanted beside.
    pub options: Options,
    /// As whom: the holder of this key.
    pub key: Option<KeyId>,
    /// As whom: a key of this agent that binds nothing. Where neither is named, whoever wrote the memory asks.
    pub agent: Option<AgentId>,
    /// With which labels.
    pub labels: Labels,
}

/// What became of the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyAnswer {
    /// As which agent it was asked.
    pub agent: Option<AgentId>,
    /// With which labels.
    pub labels: Labels,
    /// Why the row does not exist for whoever asks, where it does not.
    pub hidden: Option<Hidden>,
    /// What became of it otherwise.
    pub why: WhyNot,
    /// How far each source speaks for it; nothing where none found it.
    pub channels: Option<Channels>,
}

impl Service {
    /// Says why a memory is recalled for a question, or is not.
    ///
    /// # Errors
    /// [`NotFound::Memory`] when there is no such memory, [`NotFound::Key`] when there is no such key.
    pub fn why(
        &self,
        principal: &Principal,
        memory: MemoryId,
        request: &WhyRequest,
    ) -> Result<WhyAnswer, ServiceError> {
        let (row, overseer) = self.overseen(principal, memory)?;
        if request.query.trim().is_empty() {
            return Err(Invalid::new("query", Problem::Empty).into());
        }
        let asker = self.asker(request, &row)?;
        self.note_oversight(&overseer, vec![row.id]);
        let visitor = self.stand_in(asker, overseer.container, request)?;
        let hidden = row.visible_to(&visitor.identity).err();
        let asked = Asked {
            visitor: &visitor,
            query: &request.query,
            goal: None,
            options: &request.options,
            hops: GraphHops::default(),
            budget: (
                request.options.limit.get() as usize,
                ContextTokens::default().get() as usize,
            ),
            route: Route::Operator,
            request: None,
            aids: Aids::default(),
            slip: None,
        };
        let now = self.clock.now();
        self.judge(&asked, Some(&row), now, |question, _, rows| WhyAnswer {
            agent: visitor.identity.agent().cloned(),
            labels: visitor.identity.labels().clone(),
            hidden,
            why: why_not(question, rows, row.id),
            channels: found(rows, row.id),
        })
    }

    /// Who asks in the place of an agent.
    fn asker(&self, request: &WhyRequest, row: &Memory) -> Result<Principal, ServiceError> {
        if let Some(named) = self.asker_named(request)? {
            return Ok(named);
        }
        Ok(match row.partition.owner() {
            Owner::Agent(agent) => plain(nobody(), Some(agent.clone())),
            Owner::Key(key) => plain(*key, None),
        })
    }

    /// The one whom the request names.
    pub(super) fn asker_named(
        &self,
        request: &WhyRequest,
    ) -> Result<Option<Principal>, ServiceError> {
        if let Some(id) = request.key {
            let record = self.ledger.reader()?.key(id)?;
            return Ok(Some(record.ok_or(NotFound::Key)?.principal));
        }
        let agent = request.agent.clone();
        Ok(agent.map(|agent| plain(nobody(), Some(agent))))
    }

    /// Whoever asks, in the container of the row. Only what may be seen counts here, so a key that has ended, or may not
    /// recall, is asked about as if it could.
    pub(super) fn stand_in(
        &self,
        asker: Principal,
        container: Container,
        request: &WhyRequest,
    ) -> Result<Visitor, ServiceError> {
        let able = asker.capabilities.iter().chain([Capability::Recall]);
        let principal = Principal {
            capabilities: Capabilities::of(able),
            containers: ContainerGrant::Listed(vec![container.tag.clone()]),
            expires_at: None,
            ..asker
        };
        let claim = Claim {
            labels: request.labels.clone(),
            ..Claim::default()
        };
        let now = self.clock.now();
        let (identity, dropped) = principal.act(&container.tag, Capability::Recall, &claim, now)?;
        Ok(Visitor {
            principal,
            identity,
            dropped,
            container,
            is_made: true,
        })
    }
}

/// How far each source speaks for a row, where one found it.
fn found(rows: &[Candidate<'_>], id: MemoryId) -> Option<Channels> {
    let row = rows.iter().find(|row| row.memory.id == id)?;
    let channels = row.channels;
    (channels != Channels::default()).then_some(channels)
}

/// No key that anybody holds.
pub(super) const fn nobody() -> KeyId {
    KeyId::from_uuid(uuid::Uuid::nil())
}

/// A key that binds nothing but an agent.
pub(super) fn plain(key: KeyId, agent: Option<AgentId>) -> Principal {
    Principal {
        key,
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::Listed(Vec::new()),
        capabilities: Capabilities::default(),
        source_app: None,
        agent,
        agent_scope: AgentScope::Own,
        class: SourceClass::AgentObservation,
        ceiling: SourceClass::AgentObservation,
        labels: Labels::default(),
        expires_at: None,
    }
}
