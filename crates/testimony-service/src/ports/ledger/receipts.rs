//! Receipts: what was answered to a write, so that the same write sent twice is carried out once.
//! Beside them judgments of a model, which are kept for the same reason: not to be asked for twice.

use testimony_domain::{ContainerTag, KeyId, MemoryId, RequestId, Timestamp, words};

use super::LedgerError;
use super::audit::Digest;

words! {
    /// What a receipt is about.
    pub enum Operation {
        /// Retain.
        Retain = "retain",
        /// Writeback.
        Writeback = "writeback",
        /// Reflect that saves its answer.
        Reflect = "reflect",
    }
}

/// Which write a receipt is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReceiptKey {
    /// The credential it came through.
    pub key: KeyId,
    /// Where it went.
    pub container: ContainerTag,
    /// What it was.
    pub operation: Operation,
    /// The caller's own id of it.
    pub request: RequestId,
}

/// A receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Which write.
    pub key: ReceiptKey,
    /// The digest of its body.
    pub body: Digest,
    /// What was answered, redacted, as the wire has it; empty once something that it speaks of was erased, while the
    /// receipt stays, so that the same write sent again is still known and brings nothing back.
    pub response: String,
    /// The memories that the write made.
    pub memories: Vec<MemoryId>,
    /// Other memories that the answer names: what was known already, what it stands against.
    pub names: Vec<MemoryId>,
    /// When it was answered.
    pub at: Timestamp,
    /// Until when it is kept.
    pub until: Timestamp,
}

/// What a model said about a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The memory.
    pub memory: MemoryId,
    /// The digest of memory revision, evidence, rules and model: what it was about.
    pub about: Digest,
    /// What was said, redacted, as its reader wrote it down.
    pub said: String,
    /// When.
    pub at: Timestamp,
}

/// What can be asked of receipts and judgments.
pub trait Reads {
    /// The receipt of a write, unless its time is over.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn receipt(&self, key: &ReceiptKey, now: Timestamp) -> Result<Option<Receipt>, LedgerError>;

    /// The last judgment of a memory that was about this.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn judgment(&self, memory: MemoryId, about: Digest) -> Result<Option<Judgment>, LedgerError>;
}

/// What can be done with receipts and judgments.
pub trait Writes {
    /// Keeps a receipt, in place of an earlier one of the same key.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be kept.
    fn keep_receipt(&mut self, receipt: &Receipt) -> Result<(), LedgerError>;

    /// Lets go of receipts whose time is over, at most so many; returns how many.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be let go of.
    fn let_go_of_receipts(&mut self, now: Timestamp, limit: usize) -> Result<u64, LedgerError>;

    /// Keeps a judgment, in place of an earlier one about the same.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when the memory is not there, [`LedgerError::Changed`] when it was erased.
    fn keep_judgment(&mut self, judgment: &Judgment) -> Result<(), LedgerError>;
}
