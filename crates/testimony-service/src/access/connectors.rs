//! Connector tokens: somebody who sets a client up is handed one, and the client exchanges it, once and soon, for a key.

use std::fmt;
use std::time::Duration;

use testimony_domain::{ConnectorId, KeyId, PrincipalKind};

use super::credential::unguessable;
use super::keys::make_containers;
use super::{Credential, KeyOrder, NewKey};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::accounts::{KeyRecord, SecretHash};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::connectors::ConnectorToken;
use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::ledger::{Fate, Made, Page};
use crate::service::Service;

/// By which a connector token is known at sight.
const MARK: &str = "tsc_";

/// A connector token that was just made, with its words.
#[derive(Clone)]
pub struct NewConnector {
    /// What is kept of it.
    pub record: ConnectorToken,
    /// What its holder sends. It cannot be shown again.
    pub token: String,
}

impl fmt::Debug for NewConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewConnector({}, …)", self.record.id)
    }
}

impl Service {
    /// Makes a connector token that can be exchanged for so long.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be made; then there is none.
    pub fn make_connector(
        &self,
        actor: Actor,
        order: KeyOrder,
        life: Duration,
    ) -> Result<NewConnector, ServiceError> {
        let token = format!("{MARK}{}", unguessable(self.chance.as_ref())?);
        let act = self.act(actor, None);
        let name = self.redact(&ContainerPolicy::default(), &order.name);
        let allowance = order.allowance;
        let order = KeyOrder {
            kind: PrincipalKind::Connector,
            ..order
        };
        let record = ConnectorToken {
            id: ConnectorId::mint(self.ids.as_ref()),
            token: self.keyring.hash_of(&token),
            key: KeyRecord {
                principal: order.principal(KeyId::mint(self.ids.as_ref())),
                name: name.to_string(),
                secrets: Vec::new(),
                made: Made {
                    at: act.at,
                    by: actor,
                },
                revoked_at: None,
                allowance,
            },
            ends_at: act.at.checked_add(life).unwrap_or(act.at),
            used_at: None,
            withdrawn_at: None,
        };
        let kept = record.clone();
        self.ledger.write(act, move |writer| {
            writer.make_connector(&kept)?;
            Ok((Fate::Keep, ()))
        })?;
        Ok(NewConnector { record, token })
    }

    /// Connector tokens in the order in which they were made, without their words.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when they cannot be read.
    pub fn connectors(&self, page: Page<ConnectorId>) -> Result<Vec<ConnectorToken>, ServiceError> {
        Ok(self.ledger.reader()?.connectors(page)?)
    }

    /// Withdraws a connector token that nobody has exchanged.
    ///
    /// # Errors
    /// [`NotFound::Connector`] when there is none that could be exchanged.
    pub fn withdraw_connector(
        &self,
        actor: Actor,
        id: ConnectorId,
    ) -> Result<ConnectorToken, ServiceError> {
        let act = self.act(actor, None);
        let now = act.at;
        let (found, _) = self.ledger.write(act, move |writer| {
            let open = writer.connector(id)?.filter(|found| found.is_open(now));
            let Some(mut connector) = open else {
                return Ok((Fate::Discard, None));
            };
            connector.withdrawn_at = Some(now);
            writer.close_connector(&connector)?;
            Ok((Fate::Keep, Some(connector)))
        })?;
        found.ok_or_else(|| NotFound::Connector.into())
    }

    /// Exchanges a connector token for its key. Of two who try at once, one gets it.
    ///
    /// # Errors
    /// [`NotFound::Connector`] when there is no such token, or it was used or withdrawn, or it ended: which of them is
    /// not told.
    pub fn exchange_connector(&self, token: &str) -> Result<(NewKey, KeyRecord), ServiceError> {
        let hash = self.keyring.hash_of(token);
        let known = self.ledger.reader()?.connector_of(hash)?;
        let known = known.filter(|known| known.is_open(self.clock.now()));
        let key = known.ok_or(NotFound::Connector)?.key.principal.key;
        let credential = Credential::make(PrincipalKind::Connector, key, self.chance.as_ref())?;
        let secret = SecretHash {
            hash: self.keyring.hash_of(credential.secret()),
            until: None,
        };
        let act = self.act(Actor::Service, None);
        let now = act.at;
        let (made, _) = self.ledger.write(act, move |writer| {
            let open = writer
                .connector_of(hash)?
                .filter(|found| found.is_open(now));
            let Some(mut connector) = open else {
                return Ok((Fate::Discard, None));
            };
            connector.used_at = Some(now);
            writer.close_connector(&connector)?;
            let mut record = connector.key;
            record.secrets = vec![secret];
            record.made.at = now;
            make_containers(writer, &record.principal.containers, &record.made)?;
            writer.make_key(&record)?;
            Ok((Fate::Keep, Some(record)))
        })?;
        let record = made.ok_or(NotFound::Connector)?;
        let id = record.principal.key;
        Ok((NewKey { id, credential }, record))
    }
}
