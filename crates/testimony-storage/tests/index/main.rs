//! The index against naive twins, against foreign rows, and against damaged files.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that goes wrong may panic, and it damages files"
)]

mod at_once;
mod cuts;
mod damage;
#[cfg(feature = "hnsw")]
mod graphs;
mod isolation;
mod meaning;
mod model;
mod purge;
mod slots;
mod support;
mod talk;
mod token_cases;
mod twin;
