//! Connector tokens: each is exchanged once, and soon, for a key that was laid out when the token was made.

use testimony_domain::{ConnectorId, Timestamp};

use super::accounts::KeyRecord;
use super::audit::Digest;
use super::{LedgerError, Page};

/// A connector token as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectorToken {
    /// The id.
    pub id: ConnectorId,
    /// What the token hashes to.
    pub token: Digest,
    /// The key that it is exchanged for, without a secret. When and by whom that is made is when and by whom the token
    /// was.
    pub key: KeyRecord,
    /// Until when it can be exchanged.
    pub ends_at: Timestamp,
    /// When it was exchanged.
    pub used_at: Option<Timestamp>,
    /// When it was withdrawn.
    pub withdrawn_at: Option<Timestamp>,
}

impl ConnectorToken {
    /// Whether it can be exchanged.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && self.withdrawn_at.is_none() && now < self.ends_at
    }
}

/// What can be asked of connector tokens.
pub trait Reads {
    /// The connector token with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn connector(&self, id: ConnectorId) -> Result<Option<ConnectorToken>, LedgerError>;

    /// The connector token that hashes to this.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn connector_of(&self, token: Digest) -> Result<Option<ConnectorToken>, LedgerError>;

    /// Connector tokens in the order in which they were made.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn connectors(&self, page: Page<ConnectorId>) -> Result<Vec<ConnectorToken>, LedgerError>;
}

/// What can be done with connector tokens.
pub trait Writes {
    /// Makes a connector token.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when its id is there already.
    fn make_connector(&mut self, connector: &ConnectorToken) -> Result<(), LedgerError>;

    /// Says that a connector token was exchanged or withdrawn; nothing else of it changes.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is none.
    fn close_connector(&mut self, connector: &ConnectorToken) -> Result<(), LedgerError>;
}
