//! Which bank is asked for which container, as whoever puts the service together says it.

use std::sync::Arc;

use testimony_domain::{ContainerGrant, ContainerTag};

use crate::ports::banks::MemoryBank;
use crate::ports::health::Health;
use crate::service::Service;
use crate::work::Dependency;

/// So many banks are asked at most.
pub const MOST_BANKS: usize = 8;

/// Why a bank cannot be asked so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BanksError {
    /// Another has its name.
    #[error("two memory banks are named `{name}`; give one of them another name")]
    Twice {
        /// The name.
        name: String,
    },
    /// There are enough.
    #[error("more than {MOST_BANKS} memory banks are named; leave some out")]
    TooMany,
}

/// The memory banks of a service. Without any, nothing is compared and nothing is sent.
#[derive(Clone, Default)]
pub struct Banks(Vec<Enrolled>);

/// A bank with the containers that it is asked for.
#[derive(Clone)]
struct Enrolled {
    bank: Arc<dyn MemoryBank>,
    containers: ContainerGrant,
}

impl Banks {
    /// Has a bank asked about rows of these containers, and of no other.
    ///
    /// # Errors
    /// [`BanksError`] when its name is taken, or there are enough.
    pub fn comparing(
        mut self,
        bank: Arc<dyn MemoryBank>,
        containers: ContainerGrant,
    ) -> Result<Self, BanksError> {
        if self.0.iter().any(|known| known.bank.name() == bank.name()) {
            let name = bank.name().to_string();
            return Err(BanksError::Twice { name });
        }
        if self.0.len() == MOST_BANKS {
            return Err(BanksError::TooMany);
        }
        self.0.push(Enrolled { bank, containers });
        Ok(self)
    }

    /// The banks that are asked about rows of a container.
    pub(super) fn of<'b>(
        &'b self,
        container: &'b ContainerTag,
    ) -> impl Iterator<Item = &'b Arc<dyn MemoryBank>> {
        let asked = |known: &&Enrolled| known.containers.reaches(container);
        self.0.iter().filter(asked).map(|known| &known.bank)
    }

    /// How all of them stand together; nobody is asked for that.
    fn health(&self) -> Health {
        let told: Vec<String> = self
            .0
            .iter()
            .filter_map(|known| {
                let health = known.bank.health();
                let because = health.because()?;
                Some(format!("{}: {because}", known.bank.name()))
            })
            .collect();
        if told.is_empty() {
            Health::Healthy
        } else {
            Health::degraded(told.join("; "))
        }
    }
}

impl std::fmt::Debug for Banks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.0.iter().map(|known| known.bank.name().as_str());
        f.debug_list().entries(names).finish()
    }
}

impl Service {
    /// Has these memory banks compared with from now on; without them none is, and nothing is sent anywhere.
    ///
    /// It is said once, by whoever puts the service together; said again it counts for nothing and is `false`.
    pub fn compare_with(&self, banks: Banks) -> bool {
        self.banks.set(banks).is_ok()
    }

    /// How the memory banks stand, where there are some; nobody is asked for it.
    #[must_use]
    pub fn bank_health(&self) -> Option<(Dependency, Health)> {
        let banks = self.banks.get().filter(|banks| !banks.0.is_empty())?;
        Some((Dependency::Banks, banks.health()))
    }

    /// Whether any bank is asked about anything.
    pub(crate) fn has_banks(&self) -> bool {
        self.banks.get().is_some_and(|banks| !banks.0.is_empty())
    }

    /// Whether rows of a container are compared.
    pub(crate) fn compares(&self, container: &ContainerTag) -> bool {
        let banks = self.banks.get();
        banks.is_some_and(|banks| banks.of(container).next().is_some())
    }
}
