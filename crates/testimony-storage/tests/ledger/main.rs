//! The ledger on SQLite, held against a naive twin, cut short at every point, and looked at from outside.

mod crash;
mod groups;
mod model;
mod room;
mod support;
mod twin;
