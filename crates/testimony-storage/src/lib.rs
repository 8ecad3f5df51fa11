//! What is kept, and how it is found again: the ledger on SQLite, and indexes that are only caches of it.
//!
//! [`Store`] opens both and keeps them together; whoever needs only one opens it by itself.
//! This crate does **not** decide anything about trust: it keeps what it is given, and finds what an identity may see.

pub mod index;
pub mod ledger;
pub mod store;

pub use store::{Store, StoreError};
