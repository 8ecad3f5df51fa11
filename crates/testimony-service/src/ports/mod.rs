//! The ports: traits that the crates around this one fill, and the values that go through them.

pub mod banks;
pub mod breaker;
pub mod caller;
pub mod chance;
pub mod embedder;
pub mod health;
pub mod index;
pub mod ledger;
pub mod models;
