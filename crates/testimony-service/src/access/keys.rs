//! Making, rotating and revoking keys. A secret is shown once, to whoever asked for it, and kept as a hash.

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, ContainerGrant, ContainerTag, KeyId, Labels,
    Principal, PrincipalKind, SourceApp, SourceClass, Timestamp,
};

use super::Credential;
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::accounts::{Allowance, KeyRecord, SecretHash};
use crate::ports::ledger::audit::{Act, Actor};
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::ports::ledger::{Fate, LedgerError, Made, Page, Writer};
use crate::service::Service;

/// So many secrets of a key are good at a time: its own, and for a while the one before it.
pub(super) const MOST_LIVE: usize = 2;

/// What a new key is to be.
#[derive(Clone, Debug)]
pub struct KeyOrder {
    /// What its maker calls it.
    pub name: String,
    /// What kind it is.
    pub kind: PrincipalKind,
    /// Where it may act; listed containers that are not there are made with it.
    pub containers: ContainerGrant,
    /// What it may do.
    pub capabilities: Capabilities,
    /// The application it is bound to.
    pub source_app: Option<SourceApp>,
    /// The agent it is bound to.
    pub agent: Option<AgentId>,
    /// Whether it sees other agents' private rows.
    pub agent_scope: AgentScope,
    /// The class of what it says.
    pub class: SourceClass,
    /// The strongest class that anything from it can have.
    pub ceiling: SourceClass,
    /// The labels it is fixed to.
    pub labels: Labels,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// How much it may be used, and how the gateway serves it.
    pub allowance: Allowance,
}

/// A key that was just made, with its secret.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Which.
    pub id: KeyId,
    /// What its holder sends. It cannot be shown again.
    pub credential: Credential,
}

impl Service {
    /// Makes a key, and the containers that it is bound to.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be made; then there is none.
    pub fn make_key(&self, actor: Actor, order: KeyOrder) -> Result<NewKey, ServiceError> {
        if let ContainerGrant::Listed(tags) = &order.containers {
            tags.iter().try_for_each(|tag| self.must_be_a_name(tag))?;
        }
        let id = KeyId::mint(self.ids.as_ref());
        let credential = Credential::make(order.kind, id, self.chance.as_ref())?;
        let act = self.act(actor, None);
        let made = Made {
            at: act.at,
            by: actor,
        };
        // A name is what people paste into, and it is listed.
        let name = self.redact(&ContainerPolicy::default(), &order.name);
        let record = KeyRecord {
            name: name.to_string(),
            secrets: vec![SecretHash {
                hash: self.keyring.hash_of(credential.secret()),
                until: None,
            }],
            made: made.clone(),
            revoked_at: None,
            allowance: order.allowance,
            principal: order.principal(id),
        };
        self.ledger.write(act, move |writer| {
            make_containers(writer, &record.principal.containers, &made)?;
            writer.make_key(&record)?;
            Ok((Fate::Keep, ()))
        })?;
        Ok(NewKey { id, credential })
    }

    /// Gives a key a new secret; the old one is good until `until`.
    ///
    /// # Errors
    /// [`NotFound::Key`] when there is no such key or it was revoked.
    pub fn rotate_key(
        &self,
        actor: Actor,
        id: KeyId,
        until: Timestamp,
    ) -> Result<NewKey, ServiceError> {
        let kind = self.key_record(id)?.principal.kind;
        let credential = Credential::make(kind, id, self.chance.as_ref())?;
        let fresh = SecretHash {
            hash: self.keyring.hash_of(credential.secret()),
            until: None,
        };
        self.change_key(self.act(actor, None), id, move |record, now| {
            // No more than `MOST_LIVE`: of the old ones the last, and only for a while.
            let last = record.secrets.iter().rev().find(|old| old.until.is_none());
            let old = last.map(|old| SecretHash {
                until: Some(until.max(now)),
                ..*old
            });
            record.secrets = old.into_iter().chain([fresh]).collect();
        })?;
        Ok(NewKey { id, credential })
    }

    /// Revokes a key, with all its secrets, from the next request on.
    ///
    /// # Errors
    /// [`NotFound::Key`] when there is no such key or it was revoked already.
    pub fn revoke_key(&self, actor: Actor, id: KeyId) -> Result<(), ServiceError> {
        self.change_key(self.act(actor, None), id, |record, now| {
            record.revoked_at = Some(now);
        })
    }

    /// Keys in the order in which they were made, without their secrets.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when they cannot be read.
    pub fn keys(&self, page: Page<KeyId>) -> Result<Vec<KeyRecord>, ServiceError> {
        Ok(self.ledger.reader()?.keys(page)?)
    }

    /// A key, revoked or not, for operators.
    ///
    /// # Errors
    /// [`NotFound::Key`] when there is no such key.
    pub fn key(&self, id: KeyId) -> Result<KeyRecord, ServiceError> {
        let record = self.ledger.reader()?.key(id)?;
        record.ok_or_else(|| NotFound::Key.into())
    }

    /// When a key was last used, for operators.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when it cannot be read.
    pub fn last_use(&self, id: KeyId) -> Result<Option<Timestamp>, ServiceError> {
        self.journal.catch_up();
        Ok(self.ledger.reader()?.last_use(id)?)
    }

    /// When each key was last used, for operators; a shorter look back than at one.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when it cannot be read.
    pub fn last_uses(&self) -> Result<Vec<(KeyId, Timestamp)>, ServiceError> {
        self.journal.catch_up();
        Ok(self.ledger.reader()?.last_uses()?)
    }

    /// What time it is, for whoever says until when something holds.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn key_record(&self, id: KeyId) -> Result<KeyRecord, ServiceError> {
        let record = self.ledger.reader()?.key(id)?;
        let live = record.filter(|record| record.revoked_at.is_none());
        live.ok_or_else(|| NotFound::Key.into())
    }

    fn change_key(
        &self,
        act: Act,
        id: KeyId,
        change: impl FnOnce(&mut KeyRecord, Timestamp) + Send + 'static,
    ) -> Result<(), ServiceError> {
        let now = act.at;
        let (found, _) = self.ledger.write(act, move |writer| {
            let live = writer.key(id)?.filter(|it| it.revoked_at.is_none());
            let Some(mut record) = live else {
                return Ok((Fate::Discard, false));
            };
            change(&mut record, now);
            writer.replace_key(&record)?;
            Ok((Fate::Keep, true))
        })?;
        if found {
            Ok(())
        } else {
            Err(NotFound::Key.into())
        }
    }
}

impl KeyOrder {
    /// What an agent's key lets it do unless its maker says otherwise.
    pub const OF_AN_AGENT: [Capability; 8] = [
        Capability::Recall,
        Capability::Write,
        Capability::Reflect,
        Capability::AgentContext,
        Capability::AgentWriteback,
        Capability::CourtroomRead,
        Capability::GatewayChat,
        Capability::McpTools,
    ];

    /// A key for operators: everything, everywhere.
    #[must_use]
    pub fn operator(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: PrincipalKind::Operator,
            containers: ContainerGrant::All,
            capabilities: Capabilities::of([Capability::Admin]),
            source_app: None,
            agent: None,
            agent_scope: AgentScope::Container,
            class: SourceClass::Operator,
            ceiling: SourceClass::Operator,
            labels: Labels::default(),
            expires_at: None,
            allowance: Allowance::default(),
        }
    }

    /// A key for an agent in one container: everything that an agent does, nothing that an operator or reviewer does.
    #[must_use]
    pub fn agent(name: &str, container: ContainerTag, agent: AgentId, class: SourceClass) -> Self {
        Self {
            name: name.to_owned(),
            kind: PrincipalKind::Agent,
            containers: ContainerGrant::Listed(vec![container]),
            capabilities: Capabilities::of(Self::OF_AN_AGENT),
            source_app: None,
            agent: Some(agent),
            agent_scope: AgentScope::Own,
            class,
            ceiling: class,
            labels: Labels::default(),
            expires_at: None,
            allowance: Allowance::default(),
        }
    }

    pub(super) fn principal(self, key: KeyId) -> Principal {
        Principal {
            key,
            kind: self.kind,
            containers: self.containers,
            capabilities: self.capabilities,
            source_app: self.source_app,
            agent: self.agent,
            agent_scope: self.agent_scope,
            class: self.class,
            ceiling: self.ceiling,
            labels: self.labels,
            expires_at: self.expires_at,
        }
    }
}

pub(super) fn make_containers(
    writer: &mut dyn Writer,
    grant: &ContainerGrant,
    made: &Made,
) -> Result<(), LedgerError> {
    let ContainerGrant::Listed(tags) = grant else {
        return Ok(());
    };
    for tag in tags {
        if writer.container(tag)?.is_none() {
            writer.make_container(&Container {
                tag: tag.clone(),
                made: made.clone(),
                policy: ContainerPolicy::default(),
                embedder: None,
            })?;
        }
    }
    Ok(())
}
