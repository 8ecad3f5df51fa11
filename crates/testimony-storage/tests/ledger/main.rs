//! The ledger on SQLite, held against a naive twin, cut short at every point, and looked at from outside.

mod model;
mod support;
mod twin;
