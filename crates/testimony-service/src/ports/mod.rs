//! What the use cases need from the world: a ledger, an index over it, and an embedder.

pub mod embedder;
pub mod health;
pub mod index;
pub mod ledger;
