//! Quarantine: what is held and by which rules, and what an operator lets through in a container from now on.
//!
//! What is let through has to be sent again: nothing that is held counts because a rule changed.

use testimony_admission::secrets::rules;
use testimony_domain::{CaseId, ContainerTag, Invalid, Memory, Principal, Problem};

use super::MemoriesRequest;
use crate::error::ServiceError;
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::ledger::reviews::CaseFilter;
use crate::ports::ledger::{LedgerError, Page, Reader};
use crate::service::Service;
use crate::write::{FoundByRule, found_in};

/// So many digits has a fingerprint.
const FINGERPRINT_DIGITS: usize = 32;

/// A row that is held.
#[derive(Clone, Debug, PartialEq)]
pub struct Quarantined {
    /// The row.
    pub memory: Memory,
    /// What was found in the evidence that it was drawn from.
    pub found: Vec<FoundByRule>,
    /// The open case about it.
    pub case: Option<CaseId>,
}

impl Service {
    /// What is held in a container, with what holds there.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or it cannot be read.
    pub fn quarantine(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &MemoriesRequest,
    ) -> Result<(ContainerPolicy, Vec<Quarantined>), ServiceError> {
        let policy = self.exemptions(principal, container)?;
        let rows = self.list_memories(principal, container, request)?;
        let reader = self.ledger.reader()?;
        let lines = rows.into_iter().map(|row| held(reader.as_ref(), row));
        Ok((policy, lines.collect::<Result<_, _>>()?))
    }

    /// What holds in a container.
    ///
    /// # Errors
    /// As of [`Service::quarantine`].
    pub fn exemptions(
        &self,
        principal: &Principal,
        container: &ContainerTag,
    ) -> Result<ContainerPolicy, ServiceError> {
        Ok(self.oversee(principal, container)?.container.policy)
    }

    /// Allows a secret in a container by its fingerprint, or allows it no longer.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] when it is no fingerprint; otherwise as of [`Service::quarantine`].
    pub fn allow_fingerprint(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        fingerprint: &str,
        allowed: bool,
    ) -> Result<ContainerPolicy, ServiceError> {
        if !is_fingerprint(fingerprint) {
            let expected = "fp_ and 32 hexadecimal digits, as the quarantine lists them";
            return Err(Invalid::new("fingerprint", Problem::Malformed { expected }).into());
        }
        let fingerprint = fingerprint.to_owned();
        self.change_exemptions(principal, container, move |policy| {
            put(&mut policy.allowed_fingerprints, fingerprint, allowed);
        })
    }

    /// Exempts a container from a rule about secrets, or does so no longer.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] when there is no such rule; otherwise as of [`Service::quarantine`].
    pub fn exempt_rule(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        rule: &str,
        exempt: bool,
    ) -> Result<ContainerPolicy, ServiceError> {
        let known = rules().any(|known| known.id == rule);
        if exempt && !known {
            let expected = "the id of a rule, as the quarantine lists them";
            return Err(Invalid::new("rule", Problem::Malformed { expected }).into());
        }
        let rule = rule.to_owned();
        self.change_exemptions(principal, container, move |policy| {
            put(&mut policy.exempt_rules, rule, exempt);
        })
    }

    fn change_exemptions(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        change: impl FnOnce(&mut ContainerPolicy) + Send + 'static,
    ) -> Result<ContainerPolicy, ServiceError> {
        let visitor = self.oversee(principal, container)?;
        let actor = Actor::of(&visitor.identity);
        Ok(self.change_policy(actor, container, change)?.policy)
    }
}

fn is_fingerprint(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let digits = text.strip_prefix("fp_");
    digits.is_some_and(|digits| digits.len() == FINGERPRINT_DIGITS && digits.bytes().all(is_digit))
}

/// Puts a word into a list, once, or takes it out.
fn put(list: &mut Vec<String>, word: String, there: bool) {
    list.retain(|known| *known != word);
    if there {
        list.push(word);
    }
}

fn held(reader: &dyn Reader, memory: Memory) -> Result<Quarantined, LedgerError> {
    let mut found: Vec<FoundByRule> = Vec::new();
    for kept in reader.evidence(&memory.evidence)? {
        for each in found_in(&kept) {
            if !found.contains(&each) {
                found.push(each);
            }
        }
    }
    let about = CaseFilter {
        memory: Some(memory.id),
        ..CaseFilter::default()
    };
    let cases = reader.cases(&about, Page::first(1))?;
    Ok(Quarantined {
        case: cases.first().map(|case| case.id),
        memory,
        found,
    })
}
