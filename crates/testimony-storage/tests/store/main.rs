//! Ledger and index together: held against a naive twin, cut short at every point, damaged, and brought back.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that goes wrong may panic, each says its seed, and some damage files"
)]

mod crash;
mod damage;
mod doctor;
mod erasure;
mod life;
#[expect(
    dead_code,
    reason = "these look into the files of the index; what searches an index alone is not needed here"
)]
#[path = "../index/support.rs"]
mod looking;
#[expect(
    dead_code,
    reason = "these make rows; what follows the chain of a ledger alone is not needed here"
)]
#[path = "../ledger/support.rs"]
mod making;
mod model;
#[cfg(unix)]
mod rights;
mod support;
