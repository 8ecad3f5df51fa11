//! Comparing one row with the banks of its container, as a job behind an answer.

use std::time::Duration;

use testimony_domain::{Memory, MemoryId};

use super::hold::{MOST_ANSWERS, hold_against};
use super::kept::{comparisons, keep};
use super::sent::may_be_sent;
use crate::ports::banks::{BankError, BankQuestion, MemoryBank};
use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::ledger::{Fate, LedgerError};
use crate::service::{RULES_VERSION, Service};
use crate::work::service_act;

/// How long a bank is waited for at most; nobody waits for the job.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a row was not compared with all banks of its container.
#[derive(Debug)]
pub(crate) enum NotCompared {
    /// A bank gave no answer.
    NoAnswer(BankError),
    /// Whoever works on it has to stop; what was answered by then is kept.
    Stopped,
    /// The ledger failed.
    Ledger(LedgerError),
}

impl From<LedgerError> for NotCompared {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl From<BankError> for NotCompared {
    fn from(error: BankError) -> Self {
        Self::NoAnswer(error)
    }
}

impl Service {
    /// Compares a row with every bank of its container that it was not compared with yet. A bank that gives no answer
    /// keeps none of the others from being asked. Of what is gone or no longer open nobody is told.
    ///
    /// Each bank may take as long as a job is lent for, so before each `goes_on` is asked, which lends it anew.
    pub(crate) fn compare(
        &self,
        memory: MemoryId,
        goes_on: &dyn Fn() -> Result<bool, LedgerError>,
    ) -> Result<(), NotCompared> {
        let reader = self.ledger.reader()?;
        let row = reader.memories(&[memory])?.into_iter().next();
        let done = comparisons(reader.as_ref(), memory)?;
        drop(reader);
        let (Some(row), Some(banks)) = (row.filter(may_be_sent), self.banks.get()) else {
            return Ok(());
        };
        let is_open =
            |bank: &dyn MemoryBank| done.iter().all(|one| one.bank != bank.name().as_str());
        let open = banks
            .of(row.partition.container())
            .filter(|bank| is_open(bank.as_ref()));
        let mut failed = None;
        for bank in open {
            if !goes_on()? {
                return Err(NotCompared::Stopped);
            }
            match self.compare_with_bank(&row, bank.as_ref()) {
                Err(NotCompared::NoAnswer(error)) => failed = Some(error),
                other => other?,
            }
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn compare_with_bank(&self, row: &Memory, bank: &dyn MemoryBank) -> Result<(), NotCompared> {
        let words = self.words_for_a_bank(row);
        let answer = bank.recall(&BankQuestion {
            text: words.as_str(),
            limit: MOST_ANSWERS,
            deadline: PATIENCE,
        })?;
        let now = self.clock.now();
        // What an operator let through is what callers send, not what strangers answer.
        let comparison = self.under(&ContainerPolicy::default(), |policy| {
            hold_against(row, bank.name().as_str(), &answer, policy, now)
        });
        let memory = row.id;
        let act = service_act(now, RULES_VERSION);
        let kept = self.ledger.write(act, move |writer| {
            keep(writer, memory, comparison)?;
            Ok((Fate::Keep, ()))
        });
        match kept {
            // The row was erased while the bank was asked.
            Ok(_) | Err(LedgerError::Missing { .. } | LedgerError::Changed { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
