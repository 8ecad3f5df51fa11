//! From what a request shows to who it is: the first check of every route.

use testimony_domain::{
    AgentId, Capability, Claim, ContainerGrant, ContainerTag, DroppedClaim, EffectiveIdentity,
    Principal, Refusal, Timestamp, UserId,
};

use super::tokens::looks_like_one;
use super::{Credential, Rate, Standing};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::Made;
use crate::ports::ledger::accounts::{KeyRecord, SecretHash};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::service::Service;

/// Why nobody is known by what a request showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEntry {
    /// It showed nothing.
    #[error("the request has no credential; send `Authorization: Bearer <key>`")]
    Missing,
    /// What it showed is no credential.
    #[error(
        "this is no key of this service: a letter is wrong or part of it is missing; copy it again"
    )]
    Malformed,
    /// There is no such credential.
    #[error("this key is not known here; ask your operator for one")]
    Unknown,
    /// It was revoked.
    #[error("this key was revoked; ask your operator for a new one")]
    Revoked,
    /// It ended.
    #[error("this key expired; ask your operator for a new one")]
    Expired,
    /// It showed a session that is none, or no longer.
    #[error("nobody is signed in by this; sign in again")]
    Session,
    /// It showed a name with a password that do not belong together.
    #[error("name or password is wrong; check both")]
    Password,
}

/// Somebody who is known, and how much may be asked.
#[derive(Clone, Debug)]
pub struct Known {
    /// The holder of the credential.
    pub principal: Principal,
    /// How many requests a minute it may make.
    pub requests_per_minute: Option<u32>,
}

/// Who came in, in a container, with what was claimed in vain.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The holder of the credential.
    pub principal: Principal,
    /// The identity that counts.
    pub identity: EffectiveIdentity,
    /// What the request claimed in vain.
    pub dropped: Vec<DroppedClaim>,
    /// The container.
    pub container: Container,
    /// Whether it is kept already, and not only reached by a prefix.
    pub is_made: bool,
}

impl Service {
    /// Who holds this credential. A record is at hand only until it changes, so a revocation bites at once.
    ///
    /// # Errors
    /// [`NoEntry`] when nobody does; [`ServiceError::Ledger`] when the record cannot be read.
    pub fn authenticate(&self, bearer: Option<&str>) -> Result<Principal, ServiceError> {
        self.recognise(bearer).map(|known| known.principal)
    }

    /// The same, with how much the credential may be used.
    ///
    /// # Errors
    /// As of [`Service::authenticate`].
    pub fn recognise(&self, bearer: Option<&str>) -> Result<Known, ServiceError> {
        let words = bearer.ok_or(NoEntry::Missing)?;
        if let Some(tokens) = self.tokens.get().filter(|_| looks_like_one(words)) {
            let bearer = tokens.examine(words, self.clock.now())?;
            let known = bearer.into_known();
            let (labels, agent) = (&known.principal.labels, known.principal.agent.as_ref());
            let user = labels.user.as_ref().map(UserId::as_str);
            let mut names = user.into_iter().chain(agent.map(AgentId::as_str));
            // What a token names is kept beside every row.
            if names.any(|name| self.looks_like_a_credential(name)) {
                return Err(NoEntry::Malformed.into());
            }
            return Ok(known);
        }
        let shown = Credential::read(words).ok_or(NoEntry::Malformed)?;
        let record = self
            .at_hand
            .key(self.ledger.as_ref(), shown.key())?
            .filter(|record| record.principal.kind == shown.kind());
        let now = self.clock.now();
        let record = record
            .filter(|record| self.knows_secret(record, &shown, now))
            .ok_or(NoEntry::Unknown)?;
        if record.revoked_at.is_some() {
            return Err(NoEntry::Revoked.into());
        }
        if record.principal.expires_at.is_some_and(|end| end <= now) {
            return Err(NoEntry::Expired.into());
        }
        Ok(Known {
            principal: record.principal.clone(),
            requests_per_minute: record.allowance.requests_per_minute,
        })
    }

    /// Counts a request of somebody who is known; `None` where there is no limit.
    ///
    /// Whoever is let in has to be counted by whoever lets in: somebody who embeds the service may count otherwise.
    pub fn count(&self, known: &Known) -> Option<Standing> {
        let rate = Rate::per_minute(known.requests_per_minute?);
        Some(
            self.meter
                .count(known.principal.key, rate, self.clock.now()),
        )
    }

    /// Whether the gateway brings memory into requests of this principal that say nothing about memory.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when the record of its key cannot be read.
    pub fn brings_memory_in(&self, principal: &Principal) -> Result<bool, ServiceError> {
        let record = self.at_hand.key(self.ledger.as_ref(), principal.key)?;
        Ok(record.is_some_and(|record| record.allowance.gateway_memory))
    }

    fn knows_secret(&self, record: &KeyRecord, shown: &Credential, now: Timestamp) -> bool {
        let live = |kept: &&SecretHash| kept.until.is_none_or(|end| now < end);
        let mut live = record.secrets.iter().filter(live);
        live.any(|kept| self.keyring.is_hash_of(kept.hash, shown.secret()))
    }

    /// The identity under which a principal acts in a container.
    ///
    /// A tag that the credential does not reach is refused whether or not it exists; one that it reaches and that is not
    /// there is not found.
    ///
    /// # Errors
    /// [`Refusal`] when the credential does not suffice; [`NotFound`] when there is no such container.
    pub fn enter(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        needed: Capability,
        claim: &Claim,
    ) -> Result<Visitor, ServiceError> {
        let now = self.clock.now();
        let (identity, dropped) = principal.act(container, needed, claim, now).map_err(gone)?;
        let kept = self.at_hand.container(self.ledger.as_ref(), container)?;
        let is_made = kept.is_some();
        if !is_made {
            // It would stand in the trail, which nobody erases.
            self.must_be_a_name(container)?;
        }
        let container = kept
            .map(|kept| kept.as_ref().clone())
            .or_else(|| unmade(principal, container, now))
            .ok_or_else(|| NotFound::Container(container.clone()))?;
        Ok(Visitor {
            principal: principal.clone(),
            identity,
            dropped,
            container,
            is_made,
        })
    }
}

/// A container that a credential reaches by its prefix is there as soon as something is written to it; until then it is
/// empty, so that an agent may look before its user has said anything.
fn unmade(principal: &Principal, tag: &ContainerTag, now: Timestamp) -> Option<Container> {
    matches!(principal.containers, ContainerGrant::Prefix(_)).then(|| Container {
        tag: tag.clone(),
        made: Made {
            at: now,
            by: Actor::by(principal.kind, principal.key),
        },
        policy: ContainerPolicy::default(),
        embedder: None,
    })
}

/// A credential that ended between two checks is as unknown as one that ended before them.
fn gone(refusal: Refusal) -> ServiceError {
    match refusal {
        Refusal::Expired { .. } => NoEntry::Expired.into(),
        Refusal::Container { .. } | Refusal::Capability { .. } => refusal.into(),
    }
}
