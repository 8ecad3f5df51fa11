//! Evidence: appended, never rewritten; it leaves, or what was said in it, by retention or erasure alone, and each time an
//! event says so.

use testimony_domain::{ContainerTag, Evidence, EvidenceId, KeyId, MemoryId, Reason, Timestamp};

use super::{LedgerError, Page};

/// Evidence with what was decided when it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The evidence.
    pub evidence: Evidence,
    /// What was found in it, for whoever asks why no memory came of it.
    pub reasons: Vec<Reason>,
    /// What came with it beside its text, redacted: metadata as a JSON object, or nothing.
    pub metadata: Option<String>,
}

impl Kept {
    /// Whether something in it instructs its reader, or may.
    #[must_use]
    pub fn instructs(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.is_of_an_injection())
    }
}

/// What can be asked of evidence.
pub trait Reads {
    /// The evidence with these ids, in their order; one that is not there is left out.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn evidence(&self, ids: &[EvidenceId]) -> Result<Vec<Kept>, LedgerError>;

    /// Evidence of a container that was kept before an instant and that no memory rests on, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn idle_evidence(
        &self,
        container: &ContainerTag,
        before: Timestamp,
        page: Page<EvidenceId>,
    ) -> Result<Vec<EvidenceId>, LedgerError>;

    /// How many pieces of evidence a key handed in since an instant.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn handed_in(&self, key: KeyId, since: Timestamp) -> Result<u64, LedgerError>;

    /// The memories that rest on a piece of evidence: those drawn from it, and those that it speaks for or against.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn resting_on(&self, evidence: EvidenceId) -> Result<Vec<MemoryId>, LedgerError>;
}

/// What can be done with evidence.
pub trait Writes {
    /// Keeps a piece of evidence.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when its id is there already, [`LedgerError::Missing`] when its container was not made.
    fn keep_evidence(&mut self, kept: &Kept) -> Result<(), LedgerError>;

    /// Lets go of evidence whose time of retention is over.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when it is not there, [`LedgerError::Changed`] when a memory rests on it.
    fn let_go_of_evidence(&mut self, id: EvidenceId) -> Result<(), LedgerError>;
}
