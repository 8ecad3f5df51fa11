//! The ledger on SQLite: one writer thread that commits in groups, and a pool of readers that never wait for it.
//!
//! Every family of rows has a module with its reads and writes, and the conversion of its rows lies in `rows`.
//! What is particular to SQLite stays here: nothing above the port knows it.

mod accounts;
mod backup;
mod connection;
mod connectors;
mod containers;
mod doctor;
mod embeddings;
mod erasure;
mod evidence;
pub(crate) mod files;
mod group;
mod jobs;
mod memories;
mod migrations;
mod open;
mod options;
mod pool;
mod query;
mod reads;
mod receipts;
mod reviews;
pub(crate) mod rights;
mod rows;
mod stats;
mod trail;
mod transfer;
mod tx;
mod writer;

#[cfg(test)]
mod query_plans;

pub use backup::BackupReport;
pub use doctor::{Finding, FindingKind};
pub use open::SqliteLedger;
pub(crate) use options::helps;
pub use options::{OpenError, Options};
pub use stats::Stats;

/// The database in its folder.
pub(crate) const FILE: &str = "ledger.sqlite";
/// The file whose lock says that a process has the folder.
pub(crate) const LOCK_FILE: &str = "ledger.lock";
/// The erasure list.
pub(crate) const LIST_FILE: &str = "erasures.list";

/// Whether a folder holds a ledger.
pub(crate) fn is_in(folder: &std::path::Path) -> bool {
    files::length(&folder.join(FILE)) > 0
}
