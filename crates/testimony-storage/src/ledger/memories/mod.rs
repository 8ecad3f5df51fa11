//! Memories, facts, links, supports and named things.

mod entities;
mod listing;
mod reads;
mod writes;

pub(crate) use crate::ledger::rows::memory::told;
pub(crate) use writes::place_of;

pub(crate) use listing::Conditions;
#[cfg(test)]
pub(crate) use listing::statement;
use rusqlite::Connection;
use testimony_domain::{Memory, MemoryId};
use testimony_service::ports::ledger::LedgerError;

use super::query;
use super::rows::Id;
use super::rows::memory::{memory, memory_columns};

/// The memory with this id.
pub(crate) fn by_id(conn: &Connection, id: MemoryId) -> Result<Option<Memory>, LedgerError> {
    query::one(conn, "memories", BY_ID, [id.bytes()], memory)
}

/// The rows with these ids, as far as there are any.
pub(crate) fn by_ids(conn: &Connection, ids: &[MemoryId]) -> Result<Vec<Memory>, LedgerError> {
    let ids = ids.iter().map(|id| [id.bytes()]);
    query::one_each(conn, "memories", BY_ID, ids, memory)
}

const BY_ID: &str = concat!("SELECT ", memory_columns!(), " FROM memories WHERE id = ?");

/// The name of a thing as it is looked up: letter case and runs of spaces aside.
pub(crate) fn folded(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// The reads that a request waits for, by name; a test asks SQLite how it would go about each.
#[cfg(test)]
pub(crate) const HOT: &[(&str, &str)] = &[
    ("revisions", reads::REVISIONS),
    ("custom id", reads::WITH_CUSTOM_ID),
    ("slot", reads::IN_SLOT),
    ("words", reads::IN_WORDS),
    ("changes", reads::CHANGED),
    ("unchanged", reads::UNCHANGED),
    ("history", reads::HISTORY),
    ("running out", reads::RUN_OUT),
    ("supports", reads::SUPPORTS),
    ("links", reads::LINKS),
    ("entity", reads::ENTITY),
    ("census", reads::CENSUS),
    ("census by plane", reads::PLANES),
    ("speaking of", entities::SPEAKING_OF),
];
