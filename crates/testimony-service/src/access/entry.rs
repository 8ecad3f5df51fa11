//! From what a request shows to who it is: the first check of every route.

use std::sync::Arc;

use testimony_domain::{
    AgentId, Capability, Claim, ContainerGrant, ContainerTag, DroppedClaim, EffectiveIdentity,
    Principal, Refusal, Timestamp, UserId,
};

use super::keys::MOST_LIVE;
use super::tokens::looks_like_one;
use super::{Credential, Rate, Standing};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::accounts::{KeyRecord, SecretHash};
use crate::ports::ledger::audit::{Actor, Digest};
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::ports::ledger::{LedgerError, Made};
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
    /// It would name the first person, and the token is wrong or somebody is named already.
    #[error(
        "the token is wrong, or somebody is named already; take the link that the server shows when it starts"
    )]
    First,
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
        let now = self.clock.now();
        let record = self.opened_by(&shown, now)?.ok_or(NoEntry::Unknown)?;
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

    /// The record that a credential opens, from here or from the ledger.
    ///
    /// Whoever guesses learns nothing from what is done about it: a secret that does not fit the record at hand is held
    /// against the one in the ledger too, where an id that nobody has is looked for, and both are compared as often.
    fn opened_by(
        &self,
        shown: &Credential,
        now: Timestamp,
    ) -> Result<Option<Arc<KeyRecord>>, LedgerError> {
        let here = self.at_hand.key_here(shown.key());
        if self.is_opened_by(here.as_deref(), shown, now) {
            return Ok(here);
        }
        let kept = self.at_hand.key_afresh(self.ledger.as_ref(), shown.key())?;
        let fits = self.is_opened_by(kept.as_deref(), shown, now);
        Ok(kept.filter(|_| fits))
    }

    fn is_opened_by(&self, record: Option<&KeyRecord>, shown: &Credential, now: Timestamp) -> bool {
        let record = record.filter(|record| record.principal.kind == shown.kind());
        let secrets = record.map_or(&[][..], |record| &record.secrets);
        let mut compared = compared(secrets, now).into_iter();
        compared.any(|hash| self.keyring.is_hash_of(hash, shown.secret()))
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

/// What nobody's secret hashes to.
const NOBODY: Digest = Digest([0; 32]);

/// The hashes with which a secret is compared: the live ones, and as many as there could be.
fn compared(secrets: &[SecretHash], now: Timestamp) -> [Digest; MOST_LIVE] {
    let live = secrets
        .iter()
        .filter(|kept| kept.until.is_none_or(|end| now < end));
    let mut hashes = [NOBODY; MOST_LIVE];
    for (slot, kept) in hashes.iter_mut().zip(live) {
        *slot = kept.hash;
    }
    hashes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_compared_as_often_whatever_it_is_held_against() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let kept = |byte, until: Option<i64>| SecretHash {
            hash: Digest([byte; 32]),
            until: until.map(at),
        };
        let [old, fresh, nobody] = [Digest([1; 32]), Digest([2; 32]), NOBODY];
        for (secrets, hashes) in [
            (vec![], [nobody, nobody]),
            (vec![kept(2, None)], [fresh, nobody]),
            (vec![kept(1, Some(9)), kept(2, None)], [old, fresh]),
            (vec![kept(1, Some(5)), kept(2, None)], [fresh, nobody]),
        ] {
            assert_eq!(compared(&secrets, at(5)), hashes);
        }
    }
}
