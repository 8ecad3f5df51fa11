//! Who looks after what the service is kept in: a program that puts one together has its folder, and this crate has not.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde_json::Value;

use testimony_service::ports::ledger::audit::ChainHead;

/// A backup that was made and verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Where the chain of events ends in it.
    pub head: ChainHead,
    /// How large it is.
    pub bytes: u64,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// With what: `ledger` or `index`.
    pub part: &'static str,
    /// What, in a stable word.
    pub kind: &'static str,
    /// Where, as far as there is a place.
    pub place: Option<String>,
    /// In detail; no content.
    pub detail: String,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What an examination came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Where the chain of events ended.
    pub head: ChainHead,
    /// How many rows were looked for in the index.
    pub rows: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Looks after what the service is kept in. What goes wrong is told in a sentence that says what helps.
pub trait Caretaker: Send + Sync + Debug {
    /// Copies the ledger as it is now into a file of this machine that is not there yet, and verifies the copy.
    ///
    /// # Errors
    /// Why there is no backup.
    fn back_up(&self, to: &Path) -> Result<Backup, String>;

    /// The same into a file of this name where backups lie.
    ///
    /// # Errors
    /// Why there is no backup.
    fn back_up_beside(&self, name: &str) -> Result<(PathBuf, Backup), String> {
        Err(format!(
            "nobody said where backups lie, so there is no {name}"
        ))
    }

    /// What the process was started with, as `{name: {value, from}}`; secrets are not among it.
    fn settings(&self) -> Value {
        Value::Null
    }

    /// Looks for what is wrong, against a head of the chain that was kept elsewhere where there is one; `repair` has
    /// the index built again where something is wrong with it.
    ///
    /// # Errors
    /// Why it could not be looked at.
    fn examine(&self, against: Option<ChainHead>, repair: bool) -> Result<Examined, String>;
}
