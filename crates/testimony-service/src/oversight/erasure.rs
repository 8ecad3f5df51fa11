//! Erasure as operators ask for it: what would go, and a receipt of what went.

use testimony_domain::{ContainerTag, FactId, Principal, words};

use super::{operates, operates_all};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::{Actor, Seq};
use crate::ports::ledger::erasure::{Erasure, Target, Toll};
use crate::ports::ledger::{Fate, LedgerError, Page};
use crate::service::Service;

words! {
    /// On which ground something is erased. It stands in the trail and outlives what is erased, so it is a word and not
    /// a sentence, which could say of whom it speaks.
    pub enum Ground {
        /// The person whom it speaks of asked for it.
        DataSubjectRequest = "data_subject_request",
        /// Its time is over.
        Retention = "retention",
        /// It should never have come in.
        Mistake = "mistake",
        /// It is dangerous to keep.
        Security = "security",
        /// A law or a court demands it.
        Legal = "legal",
        /// Something else.
        Other = "other",
    }
}

/// An erasure that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erased {
    /// Its event; nothing where there was nothing to erase.
    pub seq: Option<Seq>,
    /// What went from where. When this is answered, the index holds nothing of it either, the pages that it stood on are
    /// overwritten, and the log is cut.
    pub toll: Toll,
}

impl Service {
    /// What an erasure would take.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] when what it names is not there as far as the credential reaches.
    pub fn erasure_toll(
        &self,
        principal: &Principal,
        target: &Target,
    ) -> Result<Toll, ServiceError> {
        self.may_erase(principal, target)?;
        self.journal.catch_up();
        let toll = self.ledger.reader()?.toll(target);
        toll.map_err(|error| gone(error, target))
    }

    /// Erases.
    ///
    /// # Errors
    /// As of [`Service::erasure_toll`]; [`ServiceError::Ledger`] when it could not be carried out everywhere.
    pub fn erase(
        &self,
        principal: &Principal,
        target: &Target,
        ground: Ground,
    ) -> Result<Erased, ServiceError> {
        self.may_erase(principal, target)?;
        // What was read and is still to be written down speaks of what goes.
        self.journal.catch_up();
        let act = self.act(Actor::by(principal.kind, principal.key), None);
        let going = target.clone();
        let written = self.ledger.write(act, move |writer| {
            let before = writer.chain_head()?.seq;
            let toll = writer.erase_for(&going, ground.as_str())?;
            let after = writer.chain_head()?.seq;
            let seq = Some(after).filter(|after| *after > before);
            Ok((Fate::Keep, Erased { seq, toll }))
        });
        let (erased, _) = written.map_err(|error| gone(error, target))?;
        Ok(erased)
    }

    /// Erasures that were carried out, in their order.
    ///
    /// # Errors
    /// [`ServiceError::NotOverAll`] when the credential reaches only some containers.
    pub fn erasures(
        &self,
        principal: &Principal,
        page: Page<Seq>,
    ) -> Result<Vec<Erasure>, ServiceError> {
        operates_all(principal)?;
        let all = self.ledger.reader()?.erasures()?.into_iter();
        let behind = all.filter(|erasure| page.after.is_none_or(|after| erasure.seq > after));
        Ok(behind.take(page.limit).collect())
    }

    fn may_erase(&self, principal: &Principal, target: &Target) -> Result<(), ServiceError> {
        operates(principal)?;
        match target {
            Target::Memory(id) => self.overseen(principal, *id).map(drop),
            Target::Fact(id) => self.oversee_fact(principal, *id),
            Target::User(container, _)
            | Target::Agent(container, _)
            | Target::Source(container, _)
            | Target::Container(container) => self.oversee(principal, container).map(drop),
            Target::Filter(filter) => match &filter.container {
                Some(container) => self.oversee(principal, container).map(drop),
                None => operates_all(principal),
            },
        }
    }

    fn oversee_fact(&self, principal: &Principal, id: FactId) -> Result<(), ServiceError> {
        let row = self.ledger.reader()?.revisions(id)?.pop();
        let container: Option<ContainerTag> = row.map(|row| row.partition.container().clone());
        let reached = container.filter(|tag| principal.containers.reaches(tag));
        let container = reached.ok_or(NotFound::Fact)?;
        self.oversee(principal, &container).map(drop)
    }
}

/// What is named and not there is not found, whenever it went.
fn gone(error: LedgerError, target: &Target) -> ServiceError {
    match (error, target) {
        (LedgerError::Missing { .. }, Target::Fact(_)) => NotFound::Fact.into(),
        (LedgerError::Missing { .. }, _) => NotFound::Memory.into(),
        (error, _) => error.into(),
    }
}
