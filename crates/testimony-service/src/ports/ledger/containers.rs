//! Containers, and what holds in each.

use testimony_domain::ContainerTag;

use super::{LedgerError, Made, Page};
use crate::ports::embedder::EmbedderIdentity;

/// A container.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Its name.
    pub tag: ContainerTag,
    /// When it was made, and by whom.
    pub made: Made,
    /// What holds in it.
    pub policy: ContainerPolicy,
    /// The embedder by which its memories are found; `None` until the first of them is embedded.
    pub embedder: Option<EmbedderIdentity>,
}

/// What holds in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerPolicy {
    /// After how many hours a pending memory expires; never where absent.
    pub pending_expires_after_hours: Option<u32>,
    /// For how many days evidence is kept that no memory rests on; for ever where absent.
    pub evidence_kept_days: Option<u32>,
    /// Rules about secrets that an operator has switched off here, by id.
    pub exempt_rules: Vec<String>,
    /// Secrets that an operator has allowed here, by fingerprint.
    pub allowed_fingerprints: Vec<String>,
}

impl Default for ContainerPolicy {
    fn default() -> Self {
        const NINETY_DAYS: u32 = 90 * 24;
        Self {
            pending_expires_after_hours: Some(NINETY_DAYS),
            evidence_kept_days: None,
            exempt_rules: Vec::new(),
            allowed_fingerprints: Vec::new(),
        }
    }
}

/// What can be asked of containers.
pub trait Reads {
    /// The container with this tag.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn container(&self, tag: &ContainerTag) -> Result<Option<Container>, LedgerError>;

    /// Containers in the order of their tags.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn containers(&self, page: Page<ContainerTag>) -> Result<Vec<Container>, LedgerError>;
}

/// What can be done with containers.
pub trait Writes {
    /// Makes a container.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when there is one of this tag.
    fn make_container(&mut self, container: &Container) -> Result<(), LedgerError>;

    /// Changes what holds in a container.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is none of this tag.
    fn set_policy(
        &mut self,
        tag: &ContainerTag,
        policy: &ContainerPolicy,
    ) -> Result<(), LedgerError>;

    /// Says by which embedder its memories are found from now on.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is none of this tag.
    fn set_embedder(
        &mut self,
        tag: &ContainerTag,
        embedder: &EmbedderIdentity,
    ) -> Result<(), LedgerError>;
}
