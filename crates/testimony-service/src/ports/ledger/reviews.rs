//! Review cases: what a person has to decide, grouped so that one decision can serve a whole group.

use testimony_domain::{CaseId, ContainerTag, MemoryId, Timestamp, words};

use super::audit::Actor;
use super::{LedgerError, Page};

words! {
    /// What a case is about.
    pub enum CaseKind {
        /// A row that waits for support or for a person.
        Pending = "pending",
        /// A row whose writer asked for a person.
        Requested = "requested",
        /// A row that says otherwise than another.
        Conflict = "conflict",
        /// A row that was held for an injection, or has weak signs of one.
        Injection = "injection",
        /// A row that held a secret, and whose remainder can be released.
        Redacted = "redacted",
        /// A wish to replace or take back a row of a stronger class.
        Correction = "correction",
    }
}

/// A review case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewCase {
    /// Its id.
    pub id: CaseId,
    /// Where.
    pub container: ContainerTag,
    /// What it is about.
    pub kind: CaseKind,
    /// What it has in common with others: slot and origin, in a stable spelling.
    pub group: String,
    /// The row to be decided about.
    pub memory: MemoryId,
    /// The rows that it stands against.
    pub against: Vec<MemoryId>,
    /// What the writer said about it, redacted.
    pub note: Option<String>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// How it was closed.
    pub closed: Option<Closing>,
}

/// How a case was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: Actor,
    /// What was decided, in a stable word.
    pub decision: String,
    /// Why, in the reviewer's words, redacted.
    pub note: Option<String>,
}

/// Which cases are wanted; an absent filter lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseFilter {
    /// In this container.
    pub container: Option<ContainerTag>,
    /// Of this kind.
    pub kind: Option<CaseKind>,
    /// Of this group.
    pub group: Option<String>,
    /// About this row.
    pub memory: Option<MemoryId>,
    /// Whether closed ones are wanted too.
    pub closed_too: bool,
}

/// What can be asked of cases.
pub trait Reads {
    /// The case with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn case(&self, id: CaseId) -> Result<Option<ReviewCase>, LedgerError>;

    /// Cases in the order in which they were opened.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn cases(
        &self,
        filter: &CaseFilter,
        page: Page<CaseId>,
    ) -> Result<Vec<ReviewCase>, LedgerError>;

    /// How many cases are open, by kind.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn open_census(&self) -> Result<Vec<(CaseKind, u64)>, LedgerError>;

    /// How many cases of a container are open, by kind.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be counted.
    fn case_census(&self, container: &ContainerTag) -> Result<Vec<(CaseKind, u64)>, LedgerError>;
}

/// What can be done with cases.
pub trait Writes {
    /// Opens a case; one that is open for the same row and kind already takes its place and is returned.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when the row is not there, [`LedgerError::Changed`] when it was erased.
    fn open_case(&mut self, case: &ReviewCase) -> Result<CaseId, LedgerError>;

    /// Closes a case, or opens it again.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when it is not there, [`LedgerError::Changed`] when it is so already.
    fn settle_case(&mut self, id: CaseId, closing: Option<&Closing>) -> Result<(), LedgerError>;
}
