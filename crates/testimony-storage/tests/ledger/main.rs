//! The ledger on SQLite, held against a naive twin, cut short at every point, and looked at from outside.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic, each says its seed, and some put files where a crash leaves them"
)]

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
mod shared;
mod support;
mod time;
mod twin;
