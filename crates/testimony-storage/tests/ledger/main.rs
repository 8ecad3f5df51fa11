//! The ledger on SQLite, held against a naive twin, cut short at every point, and looked at from outside.

mod accounts;
mod backup;
mod crash;
mod doctor;
mod erasure;
mod families;
mod form;
mod groups;
mod model;
mod room;
mod support;
mod twin;
