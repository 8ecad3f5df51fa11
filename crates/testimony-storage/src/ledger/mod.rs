//! The ledger on SQLite.
